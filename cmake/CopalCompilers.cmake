# The compilers' wrappers (oshcc, oshc++, oshfort, caf) from one template: in bin/ of the build tree with the headers of
# the source tree, and in install/ with folders relative to the script, so that an installation can be moved.
file(RELATIVE_PATH include_from_bin ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_INCLUDEDIR})
file(RELATIVE_PATH lib_from_bin ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})

# copal_compiler(name PROGRAMS "OpenSHMEM programs in C" STANDARD "OpenSHMEM 1.6" VARIABLE OSHCC_CC COMPILER gcc
#                FLAGS -flag... LIBRARIES -lshmem MODULES folder VERSIONS "12 or 13" CHECK file.awk
#                HELP "more options"):
# VARIABLE names the environment variable that overrides COMPILER; MODULES is a folder of Fortran modules below lib;
# VERSIONS are those of gfortran that will do; CHECK is a script in lib/copal that reads what the compiler makes of a
# program, and warns.
function(copal_compiler OSHCC_NAME)
    cmake_parse_arguments(OSHCC ""
        "PROGRAMS;STANDARD;VARIABLE;COMPILER;MODULES;VERSIONS;CHECK;HELP" "FLAGS;LIBRARIES" ${ARGN})
    list(JOIN OSHCC_LIBRARIES " " OSHCC_LIBRARIES)
    list(JOIN OSHCC_FLAGS " " OSHCC_FLAGS)
    if(OSHCC_MODULES)
        set(OSHCC_MODULE_FOLDER " \"\$libdir/${OSHCC_MODULES}\"")
        set(OSHCC_MODULES " -I\"\$libdir/${OSHCC_MODULES}\"")
    endif()
    if(OSHCC_CHECK)
        set(check ${PROJECT_SOURCE_DIR}/tools/oshcc/${OSHCC_CHECK})
        configure_file(${check} ${PROJECT_BINARY_DIR}/lib/copal/${OSHCC_CHECK} COPYONLY)
        install(FILES ${check} DESTINATION ${CMAKE_INSTALL_LIBDIR}/copal)
        set(OSHCC_CHECK "\$libdir/copal/${OSHCC_CHECK}")
    endif()
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

copal_compiler(oshcc PROGRAMS "OpenSHMEM programs in C" STANDARD "OpenSHMEM 1.6" VARIABLE OSHCC_CC
    COMPILER ${CMAKE_C_COMPILER} FLAGS ${COPAL_SANITIZE_FLAGS} LIBRARIES -lshmem)
copal_compiler(oshc++ PROGRAMS "OpenSHMEM programs in C++" STANDARD "OpenSHMEM 1.6" VARIABLE OSHCC_CXX
    COMPILER ${CMAKE_CXX_COMPILER} FLAGS ${COPAL_SANITIZE_FLAGS} LIBRARIES -lshmem)
