# Coarrays: the core, a small library for each generation of a compiler's interface, the tool caf.  Needs gfortran to
# be of any use; without it they are left out, caf says so, and oshrun and OpenSHMEM are all there.
set(reason "")
if(NOT TARGET shmem_fortran)
    set(reason "there was no gfortran")
elseif(NOT CMAKE_Fortran_COMPILER_VERSION MATCHES "${COPAL_CAF_VERSIONS}")
    set(reason "gfortran was ${CMAKE_Fortran_COMPILER_VERSION}")
endif()
if(reason)
    set(sentence "no coarrays: ${reason} when Copal was built; install gfortran 12, 13 or 14 and build Copal anew")
    message(STATUS "${sentence}")
    set(stand_in ${PROJECT_BINARY_DIR}/bin/caf)
    file(WRITE ${stand_in} "#!/bin/sh\necho 'caf: ${sentence}' >&2\nexit 1\n")
    file(CHMOD ${stand_in} FILE_PERMISSIONS
        OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
    install(PROGRAMS ${stand_in} DESTINATION ${CMAKE_INSTALL_BINDIR})
    return()
endif()

file(GLOB core_sources CONFIGURE_DEPENDS
    src/caf/*.c src/caf/memory/*.c src/caf/access/*.c src/caf/control/*.c)
add_library(caf_core OBJECT ${core_sources})
file(GLOB dialect_sources CONFIGURE_DEPENDS src/caf/gfortran/*.c)
add_library(caf_gfortran12 SHARED ${dialect_sources} $<TARGET_OBJECTS:caf_core> $<TARGET_OBJECTS:shcoll_objects>)
foreach(target caf_core caf_gfortran12)
    target_include_directories(${target} PRIVATE include)
    target_compile_options(${target} PRIVATE ${COPAL_WARNINGS} -Wshadow -Wstrict-prototypes -fno-semantic-interposition
        -fno-plt $<$<CONFIG:Release>:-O3>)
    target_compile_definitions(${target} PRIVATE _GNU_SOURCE)
    set_target_properties(${target} PROPERTIES C_VISIBILITY_PRESET hidden POSITION_INDEPENDENT_CODE ON)
endforeach()
target_link_libraries(caf_gfortran12 PRIVATE shmem Threads::Threads m)

# mimalloc serves the program's own allocations from memory that the other images reach (src/caf/memory/arena.c);
# sanitizers bring an allocator of their own.
find_library(COPAL_MIMALLOC mimalloc)
set(malloc_library "")
if(COPAL_MIMALLOC AND NOT COPAL_SANITIZE)
    # a file to the linker alone, after -x too
    set(malloc_library -Wl,--push-state,--no-as-needed,${COPAL_MIMALLOC},--pop-state)
else()
    message(STATUS "mimalloc not used: pointer components are reached through the operating system")
endif()
target_link_options(caf_gfortran12 PRIVATE -Wl,--version-script=${PROJECT_SOURCE_DIR}/src/caf/gfortran/gfortran.map
    -Wl,-Bsymbolic-functions -Wl,-z,now -Wl,-z,nodelete -Wl,--no-undefined)
set_target_properties(caf_gfortran12 PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION 1 INSTALL_RPATH "$ORIGIN"
    LINK_DEPENDS ${PROJECT_SOURCE_DIR}/src/caf/gfortran/gfortran.map)

# Fortran has no undefined-behaviour sanitizer: what gfortran itself compiles to is not free of overflow.
# C that is linked into a coarray program may have it.
set(fortran_sanitize ${COPAL_SANITIZE_FLAGS})
set(sanitizer_library "")
if(COPAL_SANITIZE MATCHES undefined)
    list(APPEND fortran_sanitize -fno-sanitize=undefined)
    set(sanitizer_library -lubsan)
endif()

# gfortran frees local coarrays behind the library's back, which therefore has to see what is freed (coarrays.c).
# The module shmem is there too, for programs that use both.
copal_compiler(caf PROGRAMS "coarray Fortran programs" STANDARD "coarrays of Fortran 2018" VARIABLE CAF_FC
    CHECK caf.awk HELP "\n  -Wno-caf    do not warn of coarray accesses that gfortran compiles wrong"
    COMPILER ${CMAKE_Fortran_COMPILER} VERSIONS "12, 13 or 14"
    FLAGS -fcoarray=lib ${fortran_sanitize} MODULES ${COPAL_MODULE_FOLDER}
    LIBRARIES -Wl,--wrap=free ${malloc_library} -lcaf_gfortran12
        -Wl,--as-needed -lshmem_fortran -Wl,--no-as-needed -lshmem
        ${sanitizer_library})

# What caf adds to a command line, for find_package(Copal): target_link_libraries(program Copal::caf).
add_library(caf INTERFACE)
add_library(Copal::caf ALIAS caf)
target_compile_options(caf INTERFACE $<$<COMPILE_LANGUAGE:Fortran>:-fcoarray=lib>)
target_link_options(caf INTERFACE LINKER:--wrap=free)
target_link_libraries(caf INTERFACE ${malloc_library} caf_gfortran12 shmem_fortran shmem)
install(TARGETS caf caf_gfortran12 EXPORT CopalCafTargets)
