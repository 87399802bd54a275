# oshrun --profile, and the tool that it runs at the end: docs/profile.md
file(GLOB profile_sources CONFIGURE_DEPENDS tools/profile/record/*.c)
copal_tool(profile ${profile_sources} src/job/settings.c)

file(GLOB sources CONFIGURE_DEPENDS tools/profile/*.c)
add_executable(copal-profile ${sources} ${finder_sources})
target_link_libraries(copal-profile PRIVATE ${CMAKE_DL_LIBS})
target_include_directories(copal-profile PRIVATE src tools include)
target_compile_options(copal-profile PRIVATE ${COPAL_LIBRARY_WARNINGS})
set(page ${PROJECT_SOURCE_DIR}/tools/profile/page.html)
target_compile_definitions(copal-profile PRIVATE _GNU_SOURCE
    "COPAL_LINES_FOLDERS=\"${lib_from_bin}/copal\",\"../lib/copal\"" "COPAL_PAGE=\"${page}\"")
set_source_files_properties(tools/profile/json.c PROPERTIES OBJECT_DEPENDS ${page})
install(TARGETS copal-profile)
