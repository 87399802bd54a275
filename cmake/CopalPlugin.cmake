# The plugin for gfortran's coarrays (src/caf/plugin), lib/copal/caf_plugin_N.so, for each GCC 12 to 16 whose plugin
# headers are installed (gcc-N-plugin-dev). Without a plugin, coindexed accesses are compiled to calls.
include(CheckCXXSourceCompiles)
set(COPAL_PLUGINS "" CACHE INTERNAL "versions of GCC with a plugin")
if(CMAKE_CROSSCOMPILING)
    return()
endif()
set(CMAKE_REQUIRED_LINK_OPTIONS -static-libstdc++)
check_cxx_source_compiles("#include <string>\nint main(int n, char **s) { return std::string(*s).size() > (size_t)n; }"
    COPAL_HAVE_STATIC_LIBSTDCXX)
unset(CMAKE_REQUIRED_LINK_OPTIONS)
file(GLOB plugin_sources CONFIGURE_DEPENDS src/caf/plugin/*.cc)

function(copal_plugin compiler)
    execute_process(COMMAND ${compiler} -dumpversion OUTPUT_VARIABLE version OUTPUT_STRIP_TRAILING_WHITESPACE
        ERROR_QUIET)
    execute_process(COMMAND ${compiler} -print-file-name=plugin OUTPUT_VARIABLE headers OUTPUT_STRIP_TRAILING_WHITESPACE
        ERROR_QUIET)
    string(REGEX REPLACE "\\..*" "" version "${version}")
    if(NOT version MATCHES "^1[2-6]$" OR TARGET caf_plugin_${version} OR NOT EXISTS ${headers}/include/gcc-plugin.h)
        return()
    endif()
    set(CMAKE_REQUIRED_INCLUDES ${headers}/include)
    set(CMAKE_REQUIRED_FLAGS -fno-rtti)
    check_cxx_source_compiles("#include <gcc-plugin.h>\n#include <tree.h>\nint main() { return 0; }"
        COPAL_HAVE_PLUGIN_HEADERS_${version})
    if(NOT COPAL_HAVE_PLUGIN_HEADERS_${version})    # they need gmp.h
        return()
    endif()
    set(plugin caf_plugin_${version})
    add_library(${plugin} MODULE ${plugin_sources})
    target_include_directories(${plugin} SYSTEM PRIVATE ${headers}/include)
    target_compile_options(${plugin} PRIVATE -Wall -Wextra -fno-rtti -fno-exceptions -fno-sanitize=all
        -ffunction-sections -fdata-sections)
    target_link_options(${plugin} PRIVATE -Wl,-z,now,--gc-sections -fno-sanitize=all)
    if(COPAL_HAVE_STATIC_LIBSTDCXX)    # with the shared one, loading the plugin takes twice as long
        target_link_options(${plugin} PRIVATE -static-libstdc++ -static-libgcc -Wl,--exclude-libs,ALL)
    endif()
    # GCC's headers take most of the time, so several sources are compiled together.
    set_target_properties(${plugin} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 6)
    set_target_properties(${plugin} PROPERTIES PREFIX "" CXX_VISIBILITY_PRESET hidden
        LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib/copal)
    if(COPAL_CAF_LIBRARY)
        add_dependencies(${COPAL_CAF_LIBRARY} ${plugin})    # compilations by caf wait for it
    endif()
    install(TARGETS ${plugin} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/copal)
    set(COPAL_PLUGINS ${COPAL_PLUGINS} ${version} CACHE INTERNAL "")
endfunction()

if(CMAKE_Fortran_COMPILER_ID STREQUAL GNU)
    copal_plugin(${CMAKE_Fortran_COMPILER})
endif()
foreach(version RANGE 12 16)
    find_program(COPAL_GCC_${version} gcc-${version})
    mark_as_advanced(COPAL_GCC_${version})
    if(COPAL_GCC_${version})
        copal_plugin(${COPAL_GCC_${version}})
    endif()
endforeach()
if(COPAL_PLUGINS)
    list(JOIN COPAL_PLUGINS ", " versions)
    message(STATUS "coarrays: accesses within a node without a call, compiled by GCC ${versions}")
else()
    message(STATUS "coarrays: every access is a call, since there are no headers for plugins of GCC (gcc-N-plugin-dev)")
endif()
