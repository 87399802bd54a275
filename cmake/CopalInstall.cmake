# make install: headers, library, tools, pkg-config and CMake package files.
include(CMakePackageConfigHelpers)

install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS shmem shcoll EXPORT CopalTargets)
install(FILES ${shcoll_links} DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES LICENSE README.md OPTIONAL DESTINATION ${CMAKE_INSTALL_DOCDIR})

# A link; folder is relative to the prefix.
function(copal_install_link target folder name)
    set(path "\${CMAKE_INSTALL_PREFIX}/${folder}/${name}")
    install(CODE "file(MAKE_DIRECTORY \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${folder}\")
file(CREATE_LINK ${target} \"\$ENV{DESTDIR}${path}\" SYMBOLIC)
list(APPEND CMAKE_INSTALL_MANIFEST_FILES \"${path}\")")
endfunction()
if(TARGET oshrun)
    install(TARGETS oshrun)
    install(PROGRAMS ${PROJECT_BINARY_DIR}/install/cafrun DESTINATION ${CMAKE_INSTALL_BINDIR})
    file(RELATIVE_PATH bin_from_copal ${CMAKE_INSTALL_FULL_LIBDIR}/copal ${CMAKE_INSTALL_FULL_BINDIR})
    copal_install_link(${bin_from_copal}/oshrun ${CMAKE_INSTALL_LIBDIR}/copal cafrun)
endif()

# Another package may own the short names (in Debian, Open MPI); these names are only ours.
copal_install_link(oshc++ ${CMAKE_INSTALL_BINDIR} oshCC)
copal_install_link(oshc++ ${CMAKE_INSTALL_BINDIR} oshcxx)
set(tools oshcc oshc++ oshCC oshcxx oshrun cafrun caf)
if(TARGET shmem_fortran)
    list(APPEND tools oshfort)
    copal_install_link(oshfort ${CMAKE_INSTALL_BINDIR} oshfort-gfortran)
endif()
foreach(tool IN LISTS tools)
    copal_install_link(${tool} ${CMAKE_INSTALL_BINDIR} copal-${tool})
endforeach()

# pkg-config: folders are relative to the .pc file's, so the tree may be moved.
set(pkgconfigdir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
set(packages copal shcoll)
if(TARGET shmem_fortran)
    list(APPEND packages copal-fortran)
endif()
cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_INCLUDEDIR BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX}/${pkgconfigdir}
    OUTPUT_VARIABLE include_from_pc)
foreach(name IN LISTS packages)
    configure_file(cmake/${name}.pc.in install/${name}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/install/${name}.pc DESTINATION ${pkgconfigdir})
endforeach()

# pkg-config: a package for each generation of coarray compilers. copal-caf is for the compiler of Copal's build.
function(copal_caf_package name library compilers)
    set(pc_library ${library})
    set(pc_compilers ${compilers})
    set(pc_requires copal)
    set(pc_flags -fcoarray=lib)
    set(pc_plugin "")
    string(REGEX MATCH "[0-9]+" version "${compilers}")
    if(TARGET caf_plugin_${version})    # pkg-config cannot test whether it works
        set(pc_plugin "plugin=\${libdir}/copal/caf_plugin_${version}.so")
    endif()
    set(pc_link -Wl,--wrap=malloc,--wrap=realloc,--wrap=free,--wrap=_gfortran_set_options)
    set(pc_libdir ..)
    set(destination ${pkgconfigdir})
    if(name STREQUAL copal-caf)
        set(pc_requires copal-fortran)
    elseif(name STREQUAL caf)    # pkg-config's path may have only this package's folder
        set(pc_requires "")
        string(APPEND pc_link " -Wl,-rpath,\${libdir}")
        string(APPEND pc_library " -lshmem")
        set(pc_libdir ../../../..)
        set(destination ${CMAKE_INSTALL_LIBDIR}/copal/compat/lib/pkgconfig)
    endif()
    if(library STREQUAL prif_copal)
        set(pc_flags -fcoarray)
    elseif(library MATCHES "1[56]$")    # these versions omit symbols, which step.sh adds
        string(APPEND pc_flags " -wrapper sh,\${libdir}/copal/step.sh")
    endif()
    configure_file(cmake/copal-caf.pc.in install/${name}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/install/${name}.pc DESTINATION ${destination})
endfunction()
copal_caf_package(copal-caf-gfortran12 caf_gfortran12 "gfortran 12, 13 and 14")
copal_caf_package(copal-caf-gfortran15 caf_gfortran15 "gfortran 15")
copal_caf_package(copal-caf-gfortran16 caf_gfortran16 "gfortran 16")
copal_caf_package(copal-caf-flang prif_copal "flang 22 and 23")
if(COPAL_CAF_LIBRARY)
    copal_caf_package(copal-caf ${COPAL_CAF_LIBRARY} "gfortran ${CMAKE_Fortran_COMPILER_VERSION}")
    copal_caf_package(caf ${COPAL_CAF_LIBRARY} "gfortran ${CMAKE_Fortran_COMPILER_VERSION}")
endif()
include(CopalCompat)

# find_package(Copal), then link with Copal::shmem, Copal::shmem_fortran or Copal::caf. Each has its own set of targets,
# because packages may omit Fortran or coarrays.
set(cmakedir ${CMAKE_INSTALL_LIBDIR}/cmake/Copal)
install(EXPORT CopalTargets NAMESPACE Copal:: DESTINATION ${cmakedir})
if(TARGET shmem_fortran)
    install(EXPORT CopalFortranTargets NAMESPACE Copal:: DESTINATION ${cmakedir})
endif()
install(EXPORT CopalCafTargets NAMESPACE Copal:: DESTINATION ${cmakedir})
configure_package_config_file(cmake/CopalConfig.cmake.in install/CopalConfig.cmake INSTALL_DESTINATION ${cmakedir}
    PATH_VARS CMAKE_INSTALL_BINDIR NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(install/CopalConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/install/CopalConfig.cmake ${PROJECT_BINARY_DIR}/install/CopalConfigVersion.cmake
    DESTINATION ${cmakedir})

# Lists the installed files, relative to the prefix, for make uninstall (uninstall.cmake). This must run last.
install(CODE "set(list \"\")
foreach(file IN LISTS CMAKE_INSTALL_MANIFEST_FILES)
    file(RELATIVE_PATH relative \"\${CMAKE_INSTALL_PREFIX}\" \"\${file}\")
    string(APPEND list \"\${relative}\\n\")
endforeach()
file(WRITE \"${PROJECT_BINARY_DIR}/installed_files.txt\" \"\${list}\")")
