# copal-tune: a front end in Python, which starts a program as a job. That program uses SHCOLL's internals.
file(GLOB tune_sources CONFIGURE_DEPENDS tools/copal-tune/*.c)
add_executable(copal-tune-job ${tune_sources} $<TARGET_OBJECTS:shcoll_objects>)
target_include_directories(copal-tune-job PRIVATE src)
target_compile_options(copal-tune-job PRIVATE ${COPAL_LIBRARY_WARNINGS})
target_compile_definitions(copal-tune-job PRIVATE _GNU_SOURCE)
target_link_libraries(copal-tune-job PRIVATE shmem m)

set(libexecdir ${CMAKE_INSTALL_LIBEXECDIR}/copal)
file(RELATIVE_PATH libexec_from_bin ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBEXECDIR}/copal)
file(RELATIVE_PATH lib_from_libexec ${CMAKE_INSTALL_FULL_LIBEXECDIR}/copal ${CMAKE_INSTALL_FULL_LIBDIR})
set_target_properties(copal-tune-job PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/libexec/copal
    INSTALL_RPATH "\$ORIGIN/${lib_from_libexec}")

set(mode FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(COPAL_TUNE_JOB ../libexec/copal/copal-tune-job)
configure_file(tools/copal-tune/copal-tune.in ${PROJECT_BINARY_DIR}/bin/copal-tune @ONLY ${mode})
set(COPAL_TUNE_JOB ${libexec_from_bin}/copal-tune-job)
configure_file(tools/copal-tune/copal-tune.in ${PROJECT_BINARY_DIR}/install/copal-tune @ONLY ${mode})
install(PROGRAMS ${PROJECT_BINARY_DIR}/install/copal-tune DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS copal-tune-job DESTINATION ${libexecdir})
