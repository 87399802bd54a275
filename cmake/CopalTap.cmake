# Tools that record the program's calls (tools/tap): libraries that oshrun or LD_PRELOAD preloads. A build with
# sanitizers has no tools, since the sanitizer's own library must be loaded first.
option(COPAL_PROFILE "Build what oshrun --profile needs" ON)
option(COPAL_RACES "Build what oshrun --races needs" ON)
if(COPAL_SANITIZE)
    set(COPAL_PROFILE OFF)
    set(COPAL_RACES OFF)
endif()
if(NOT COPAL_PROFILE AND NOT COPAL_RACES)
    return()
endif()
file(GLOB tap_sources CONFIGURE_DEPENDS tools/tap/*.c)
add_library(copal_tap OBJECT ${tap_sources})
target_include_directories(copal_tap PRIVATE src tools include)
target_compile_options(copal_tap PRIVATE ${COPAL_LIBRARY_WARNINGS} -fno-semantic-interposition)
target_compile_definitions(copal_tap PRIVATE _GNU_SOURCE)
# Unused fields of a call are 0. To zero that many bytes, gcc would use an instruction that starts slowly (rep stos).
include(CheckCCompilerFlag)
set(by_stores -mmemset-strategy=vector_loop:-1:noalign)
check_c_compiler_flag(${by_stores} COPAL_HAS_MEMSET_STRATEGY)
if(COPAL_HAS_MEMSET_STRATEGY)
    target_compile_options(copal_tap PRIVATE ${by_stores})
endif()
set_target_properties(copal_tap PROPERTIES POSITION_INDEPENDENT_CODE ON)

# copal_tool(name source...): lib/copal/libcopal-NAME.so of the tap and these sources. It uses the program's libshmem.
# It contains another copy of SHCOLL, so that the calls inside a program's collectives of shcoll.h are recorded, too.
# It exports the names that it replaces, and names that begin with copal_tap_.
function(copal_tool name)
    add_library(copal_${name} MODULE ${ARGN} $<TARGET_OBJECTS:copal_tap> $<TARGET_OBJECTS:shcoll_objects>)
    target_include_directories(copal_${name} PRIVATE src tools include)
    target_compile_options(copal_${name} PRIVATE ${COPAL_LIBRARY_WARNINGS} -fno-semantic-interposition)
    target_compile_definitions(copal_${name} PRIVATE _GNU_SOURCE)
    target_link_libraries(copal_${name} PRIVATE Threads::Threads m ${CMAKE_DL_LIBS})
    target_link_options(copal_${name} PRIVATE -Wl,--version-script=${PROJECT_SOURCE_DIR}/tools/tap/tool.map
        -Wl,-Bsymbolic-functions -Wl,-z,nodelete -Wl,-z,lazy -Wl,--as-needed
        ${COPAL_UNWINDER})
    set_target_properties(copal_${name} PROPERTIES OUTPUT_NAME copal-${name} C_VISIBILITY_PRESET hidden
        LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib/copal
        LINK_DEPENDS ${PROJECT_SOURCE_DIR}/tools/tap/tool.map)
    install(TARGETS copal_${name} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/copal)
endfunction()

if(COPAL_PROFILE)
    include(CopalProfile)
endif()
if(COPAL_RACES)
    include(CopalRaces)
endif()
