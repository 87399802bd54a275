# make install: headers, library, tools and their man pages, pkg-config and CMake package files.
include(CMakePackageConfigHelpers)

install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS shmem shcoll shcoll_static EXPORT CopalTargets)
if(TARGET oshrun)
    install(TARGETS oshrun)
endif()
install(FILES LICENSE README.md OPTIONAL DESTINATION ${CMAKE_INSTALL_DOCDIR})
file(GLOB man_pages CONFIGURE_DEPENDS docs/man/*.1)
if(NOT TARGET shmem_fortran)
    list(FILTER man_pages EXCLUDE REGEX "/oshfort\\.1$")
endif()
install(FILES ${man_pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES docs/man/copal-environment.7 DESTINATION ${CMAKE_INSTALL_MANDIR}/man7)

# Another package may own the short names (Open MPI does, in Debian); these are ours alone.
function(copal_install_link target name)
    set(path "\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}/${name}")
    install(CODE "file(CREATE_LINK ${target} \"\$ENV{DESTDIR}${path}\" SYMBOLIC)
list(APPEND CMAKE_INSTALL_MANIFEST_FILES \"${path}\")")
endfunction()
copal_install_link(oshrun cafrun)
set(tools oshcc oshc++ oshrun cafrun caf)
if(TARGET shmem_fortran)
    list(APPEND tools oshfort)
endif()
foreach(tool IN LISTS tools)
    copal_install_link(${tool} copal-${tool})
endforeach()

# pkg-config: the folders hang on the .pc file's own, so it stays true when the tree is moved.
set(pkgconfigdir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
set(packages copal shcoll)
if(TARGET shmem_fortran)
    list(APPEND packages copal-fortran)
endif()
if(TARGET caf)
    list(APPEND packages copal-caf)
endif()
cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_INCLUDEDIR BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX}/${pkgconfigdir}
    OUTPUT_VARIABLE include_from_pc)
foreach(name IN LISTS packages)
    configure_file(cmake/${name}.pc.in install/${name}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/install/${name}.pc DESTINATION ${pkgconfigdir})
endforeach()

# find_package(Copal), then link with Copal::shmem, Copal::shmem_fortran or Copal::caf. Each has its own set of targets,
# since a package manager may leave Fortran or coarrays out.
set(cmakedir ${CMAKE_INSTALL_LIBDIR}/cmake/Copal)
install(EXPORT CopalTargets NAMESPACE Copal:: DESTINATION ${cmakedir})
if(TARGET shmem_fortran)
    install(EXPORT CopalFortranTargets NAMESPACE Copal:: DESTINATION ${cmakedir})
endif()
if(TARGET caf)
    install(EXPORT CopalCafTargets NAMESPACE Copal:: DESTINATION ${cmakedir})
endif()
configure_package_config_file(cmake/CopalConfig.cmake.in install/CopalConfig.cmake INSTALL_DESTINATION ${cmakedir}
    PATH_VARS CMAKE_INSTALL_BINDIR NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(install/CopalConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/install/CopalConfig.cmake ${PROJECT_BINARY_DIR}/install/CopalConfigVersion.cmake
    DESTINATION ${cmakedir})

# What was installed, relative to the prefix: for make uninstall (uninstall.cmake). It must be the last thing installed.
install(CODE "set(list \"\")
foreach(file IN LISTS CMAKE_INSTALL_MANIFEST_FILES)
    file(RELATIVE_PATH relative \"\${CMAKE_INSTALL_PREFIX}\" \"\${file}\")
    string(APPEND list \"\${relative}\\n\")
endforeach()
file(WRITE \"${PROJECT_BINARY_DIR}/installed_files.txt\" \"\${list}\")")
