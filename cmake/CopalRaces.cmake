# lib/copal/libcopal-races.so: the race detector of oshrun --races, which programs compiled with --races call
# (tools/races).
file(GLOB races_sources CONFIGURE_DEPENDS tools/races/*.c)
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
    set_source_files_properties(tools/races/atomics.c PROPERTIES COMPILE_OPTIONS -mcx16) # atomics of 16 bytes
endif()
copal_tool(races ${races_sources} src/job/settings.c)
target_compile_options(copal_races PRIVATE -ftls-model=initial-exec $<$<CONFIG:Release>:-O3>)
add_dependencies(oshrun copal_races)
target_link_options(copal_races PRIVATE -Wl,-soname,libcopal-races.so)

# With -fsanitize=thread gcc and gfortran link libtsan.so and libtsan_preinit.o. With -B they find those of this folder.
set(races_folder ${PROJECT_BINARY_DIR}/lib/copal/races)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/races/nothing.c CONTENT "typedef int nothing;\n")
add_library(copal_races_preinit OBJECT ${PROJECT_BINARY_DIR}/races/nothing.c)
add_custom_command(OUTPUT ${races_folder}/libtsan.so
    COMMAND ${CMAKE_COMMAND} -E make_directory ${races_folder}
    COMMAND ${CMAKE_COMMAND} -E create_symlink ../libcopal-races.so ${races_folder}/libtsan.so
    COMMAND ${CMAKE_COMMAND} -E copy $<TARGET_OBJECTS:copal_races_preinit> ${races_folder}/libtsan_preinit.o
    DEPENDS copal_races_preinit VERBATIM)
add_custom_target(copal_races_links ALL DEPENDS ${races_folder}/libtsan.so)
install(DIRECTORY ${races_folder} DESTINATION ${CMAKE_INSTALL_LIBDIR}/copal)
