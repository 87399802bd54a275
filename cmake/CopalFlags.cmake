# Language, build types, warnings and sanitizers of the library, the tools and the tests.
set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)

option(COPAL_CCACHE "Compile C and C++ by ccache, where it is installed" ON)
find_program(COPAL_CCACHE_PROGRAM ccache)
mark_as_advanced(COPAL_CCACHE_PROGRAM)
foreach(language C CXX)
    if(COPAL_CCACHE AND COPAL_CCACHE_PROGRAM AND NOT CMAKE_${language}_COMPILER_LAUNCHER)
        set(CMAKE_${language}_COMPILER_LAUNCHER ${COPAL_CCACHE_PROGRAM})
    endif()
endforeach()

if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Release or Debug" FORCE)
endif()
# Release keeps symbols, for stacks in bug reports. Without optimisation gcc warns of an 8-byte load of a 2-byte object
# in branches on sizeof that are never taken.
foreach(language C CXX)
    set(CMAKE_${language}_FLAGS_RELEASE "-O2 -g -DNDEBUG")
    set(CMAKE_${language}_FLAGS_DEBUG "-O0 -g -Wno-stringop-overflow")
endforeach()

# Warnings are errors; `cmake --compile-no-warning-as-error` helps with a compiler newer than this file.
set(CMAKE_COMPILE_WARNING_AS_ERROR ON)
set(COPAL_WARNINGS -Wall -Wextra -Wpedantic)
set(COPAL_LIBRARY_WARNINGS ${COPAL_WARNINGS} -Wshadow -Wstrict-prototypes -Wmissing-prototypes)

# oshcc adds these flags, too, so that a program and the library have the same sanitizer runtime.
set(COPAL_SANITIZE_FLAGS "")
if(COPAL_SANITIZE)
    set(COPAL_SANITIZE_FLAGS -fsanitize=${COPAL_SANITIZE} -fno-sanitize-recover=all)
    add_compile_options(${COPAL_SANITIZE_FLAGS} -O1 -fno-omit-frame-pointer)
    add_link_options(${COPAL_SANITIZE_FLAGS})
endif()
if(COPAL_SANITIZE STREQUAL "thread")
    # Disables gcc's warning that the thread sanitizer ignores fences: the library's fences order memory between
    # processes, which the sanitizer does not check.
    add_compile_options(-Wno-tsan)
endif()
