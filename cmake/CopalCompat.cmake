# lib/copal/compat: links with the names by which projects look for other OpenSHMEMs and for OpenCoarrays. Users set
# CMAKE_PREFIX_PATH, SHMEM_ROOT and so on to it. It is a folder of its own, so that it hides no other installation.
set(compat ${CMAKE_INSTALL_LIBDIR}/copal/compat)
set(full_compat ${CMAKE_INSTALL_FULL_LIBDIR}/copal/compat)

file(RELATIVE_PATH bin_from_compat ${full_compat} ${CMAKE_INSTALL_FULL_BINDIR})
copal_install_link(${bin_from_compat} ${compat} bin)
file(RELATIVE_PATH include_from_compat ${full_compat}/include ${CMAKE_INSTALL_FULL_INCLUDEDIR})
file(GLOB headers RELATIVE ${PROJECT_SOURCE_DIR}/include CONFIGURE_DEPENDS include/*)
foreach(header IN LISTS headers)
    copal_install_link(${include_from_compat}/${header} ${compat}/include ${header})
endforeach()

# A program linked by one of these names loads the library by its real name, so this folder also has the real name.
function(copal_compat_names target)
    get_target_property(version ${target} SOVERSION)
    foreach(name IN ITEMS ${ARGN})
        copal_install_link(../../../lib${target}.so ${compat}/lib lib${name}.so)
    endforeach()
    copal_install_link(../../../lib${target}.so.${version} ${compat}/lib lib${target}.so.${version})
endfunction()
copal_compat_names(shmem oshmem sma)

if(COPAL_CAF_LIBRARY)
    copal_compat_names(${COPAL_CAF_LIBRARY} caf_mpi)
    copal_install_link(caf.pc ${compat}/lib/pkgconfig caf-openmpi.pc)    # meson searches for this first
    set(copal_from_compat ../../../../../cmake/Copal)
    configure_file(cmake/compat/OpenCoarraysConfig.cmake.in install/OpenCoarraysConfig.cmake @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/install/OpenCoarraysConfig.cmake
        DESTINATION ${compat}/lib/cmake/OpenCoarrays)
    add_library(opencoarrays_module OBJECT cmake/compat/opencoarrays.f90)
    set(mod ${PROJECT_BINARY_DIR}/install/opencoarrays)
    set_target_properties(opencoarrays_module PROPERTIES Fortran_MODULE_DIRECTORY ${mod})
    install(FILES ${mod}/opencoarrays.mod DESTINATION ${compat}/include)
endif()
