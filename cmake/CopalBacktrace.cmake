# lib/copal/copal-backtrace: what a PE that crashes starts to say where it was (src/job/backtrace.c). With elfutils'
# libdw it finds source lines, else functions alone; the library itself needs neither. No sanitizer looks at it: it is
# run where something is wrong already, and frees nothing.
option(COPAL_ELFUTILS "Source lines in backtraces, by elfutils' libdw, where it is installed" ON)

add_executable(copal-backtrace tools/copal-backtrace/main.c)
target_compile_options(copal-backtrace PRIVATE ${COPAL_LIBRARY_WARNINGS} $<$<BOOL:${COPAL_SANITIZE}>:-fno-sanitize=all>)
target_link_options(copal-backtrace PRIVATE $<$<BOOL:${COPAL_SANITIZE}>:-fno-sanitize=all>)
target_compile_definitions(copal-backtrace PRIVATE _GNU_SOURCE)
set_target_properties(copal-backtrace PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib/copal)
find_package(PkgConfig QUIET)
if(COPAL_ELFUTILS AND PkgConfig_FOUND AND NOT CMAKE_CROSSCOMPILING)
    pkg_check_modules(LIBDW QUIET IMPORTED_TARGET libdw)
endif()
if(TARGET PkgConfig::LIBDW)
    target_sources(copal-backtrace PRIVATE tools/copal-backtrace/lines.c)
    target_link_libraries(copal-backtrace PRIVATE PkgConfig::LIBDW)
else()
    target_sources(copal-backtrace PRIVATE tools/copal-backtrace/symbols.c)
    message(STATUS "elfutils' libdw not used: backtraces name functions, and no source lines")
endif()
add_dependencies(shmem copal-backtrace)
install(TARGETS copal-backtrace DESTINATION ${CMAKE_INSTALL_LIBDIR}/copal)
