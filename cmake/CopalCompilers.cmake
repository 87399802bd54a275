# The compilers' wrappers (oshcc, oshc++, oshfort, caf) from one template: in bin/ of the build tree with the headers of
# the source tree, and in install/ with folders relative to the script, so that an installation can be moved.
file(RELATIVE_PATH include_from_bin ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_INCLUDEDIR})
file(RELATIVE_PATH lib_from_bin ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})

set(COPAL_MODULE_NOT_FOR none)    # set by CopalFortran.cmake

# copal_compiler(name PROGRAMS "OpenSHMEM programs in C" STANDARD "OpenSHMEM 1.6" VARIABLE OSHCC_CC COMPILER gcc
#                FLAGS -flag... LIBRARIES -lshmem MODULES folder CHOICE file.sh FILES file...
#                HELP "more options"):
# VARIABLE names the environment variable that overrides COMPILER. MODULES is a folder of Fortran modules below lib.
# CHOICE is a part of the script that chooses the added options by the compiler that it calls. FILES are scripts that
# the script finds in lib/copal.
function(copal_compiler OSHCC_NAME)
    cmake_parse_arguments(OSHCC ""
        "PROGRAMS;STANDARD;VARIABLE;COMPILER;MODULES;CHOICE;HELP" "FLAGS;LIBRARIES;FILES" ${ARGN})
    list(JOIN OSHCC_LIBRARIES " " OSHCC_LIBRARIES)
    list(JOIN OSHCC_FLAGS " " OSHCC_FLAGS)
    if(OSHCC_MODULES)
        set(OSHCC_MODULES "\"\$libdir/${OSHCC_MODULES}\"")
    endif()
    if(OSHCC_CHOICE)
        set(choice ${PROJECT_SOURCE_DIR}/tools/oshcc/${OSHCC_CHOICE})
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${choice})
        file(READ ${choice} OSHCC_CHOICE)
        string(CONFIGURE "${OSHCC_CHOICE}" OSHCC_CHOICE @ONLY)
    endif()
    foreach(file IN LISTS OSHCC_FILES)
        set(path ${PROJECT_SOURCE_DIR}/tools/oshcc/${file})
        configure_file(${path} ${PROJECT_BINARY_DIR}/lib/copal/${file} COPYONLY)
        install(FILES ${path} DESTINATION ${CMAKE_INSTALL_LIBDIR}/copal)
    endforeach()
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
    COMPILER ${CMAKE_C_COMPILER} FLAGS ${COPAL_SANITIZE_FLAGS}
    LIBRARIES -lshmem -Wl,--push-state,--as-needed,-lm,--pop-state)    # as other wrappers link libm
copal_compiler(oshc++ PROGRAMS "OpenSHMEM programs in C++" STANDARD "OpenSHMEM 1.6" VARIABLE OSHCC_CXX
    COMPILER ${CMAKE_CXX_COMPILER} FLAGS ${COPAL_SANITIZE_FLAGS} LIBRARIES -lshmem)
foreach(name oshCC oshcxx) # names of Open MPI and others
    file(CREATE_LINK oshc++ ${PROJECT_BINARY_DIR}/bin/${name} SYMBOLIC)
endforeach()
