# Tools that see the program's calls (tools/tap): libraries that oshrun preloads, or LD_PRELOAD does.
file(GLOB tap_sources CONFIGURE_DEPENDS tools/tap/*.c)
add_library(copal_tap OBJECT ${tap_sources})
target_include_directories(copal_tap PRIVATE src tools include)
target_compile_options(copal_tap PRIVATE ${COPAL_LIBRARY_WARNINGS} -fno-semantic-interposition)
target_compile_definitions(copal_tap PRIVATE _GNU_SOURCE)
# What a call has not is 0: for that many bytes gcc takes an instruction that is slow to begin with (rep stos).
include(CheckCCompilerFlag)
set(by_stores -mmemset-strategy=vector_loop:-1:noalign)
check_c_compiler_flag(${by_stores} COPAL_HAS_MEMSET_STRATEGY)
if(COPAL_HAS_MEMSET_STRATEGY)
    target_compile_options(copal_tap PRIVATE ${by_stores})
endif()
set_target_properties(copal_tap PROPERTIES POSITION_INDEPENDENT_CODE ON)

# copal_tool(name source...): lib/copal/libcopal-NAME.so of the tap and these sources. What it needs of libshmem is in
# the program's. Seen from outside: the names that it takes the place of, and copal_tap_.
function(copal_tool name)
    add_library(copal_${name} MODULE ${ARGN} $<TARGET_OBJECTS:copal_tap>)
    target_include_directories(copal_${name} PRIVATE src tools include)
    target_compile_options(copal_${name} PRIVATE ${COPAL_LIBRARY_WARNINGS} -fno-semantic-interposition)
    target_compile_definitions(copal_${name} PRIVATE _GNU_SOURCE)
    target_link_libraries(copal_${name} PRIVATE Threads::Threads ${CMAKE_DL_LIBS})
    target_link_options(copal_${name} PRIVATE -Wl,--version-script=${PROJECT_SOURCE_DIR}/tools/tap/tool.map
        -Wl,-Bsymbolic-functions -Wl,-z,nodelete -Wl,-z,lazy -Wl,--as-needed
        -static-libgcc -Wl,--exclude-libs,libgcc_eh.a)
    set_target_properties(copal_${name} PROPERTIES OUTPUT_NAME copal-${name} C_VISIBILITY_PRESET hidden
        LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib/copal
        LINK_DEPENDS ${PROJECT_SOURCE_DIR}/tools/tap/tool.map)
    install(TARGETS copal_${name} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/copal)
endfunction()

# oshrun --profile, and what it runs at the end: docs/profile.md
file(GLOB profile_sources CONFIGURE_DEPENDS tools/profile/record/*.c)
if(NOT COPAL_SANITIZE)    # whose own library wants to be a program's first
    copal_tool(profile ${profile_sources} src/job/settings.c)
endif()

file(GLOB sources CONFIGURE_DEPENDS tools/profile/*.c)
add_executable(copal-profile ${sources})
set(resolver symbols)
if(TARGET PkgConfig::LIBDW)
    set(resolver lines)
    target_link_libraries(copal-profile PRIVATE PkgConfig::LIBDW)
endif()
target_sources(copal-profile PRIVATE tools/copal-backtrace/${resolver}.c)
target_include_directories(copal-profile PRIVATE src tools include)
target_compile_options(copal-profile PRIVATE ${COPAL_LIBRARY_WARNINGS})
set(page ${PROJECT_SOURCE_DIR}/tools/profile/page.html)
target_compile_definitions(copal-profile PRIVATE _GNU_SOURCE "COPAL_PAGE=\"${page}\"")
set_source_files_properties(tools/profile/json.c PROPERTIES OBJECT_DEPENDS ${page})
install(TARGETS copal-profile)
