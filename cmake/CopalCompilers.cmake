# oshcc and oshc++, and oshfort (CopalFortran.cmake), from one template: in bin/ of the build tree with the headers of the source tree, and in install/
# with folders relative to the script, so that an installation can be moved.
file(RELATIVE_PATH include_from_bin ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_INCLUDEDIR})
file(RELATIVE_PATH lib_from_bin ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
list(JOIN COPAL_SANITIZE_FLAGS " " OSHCC_FLAGS)
set(OSHCC_MODULES "")
set(OSHCC_LIBRARIES -lshmem)

function(copal_compiler OSHCC_NAME OSHCC_LANGUAGE OSHCC_VARIABLE OSHCC_COMPILER)
    set(mode FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
    set(template ${PROJECT_SOURCE_DIR}/tools/oshcc/oshcc.in)
    set(OSHCC_INCLUDEDIR ${PROJECT_SOURCE_DIR}/include)
    set(OSHCC_LIBDIR "\$bin/../lib")
    configure_file(${template} ${PROJECT_BINARY_DIR}/bin/${OSHCC_NAME} @ONLY ${mode})
    set(OSHCC_INCLUDEDIR "\$bin/${include_from_bin}")
    set(OSHCC_LIBDIR "\$bin/${lib_from_bin}")
    configure_file(${template} ${PROJECT_BINARY_DIR}/install/${OSHCC_NAME} @ONLY ${mode})
    install(PROGRAMS ${PROJECT_BINARY_DIR}/install/${OSHCC_NAME} DESTINATION ${CMAKE_INSTALL_BINDIR})
endfunction()

copal_compiler(oshcc C OSHCC_CC ${CMAKE_C_COMPILER})
copal_compiler(oshc++ C++ OSHCC_CXX ${CMAKE_CXX_COMPILER})
