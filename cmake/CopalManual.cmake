# The manual, build/share/man: tools/man makes it from the comments of the headers. The target man-html makes HTML pages
# from it, in build/man/html.
set(COPAL_MAN_SECTION 3 CACHE STRING "The manual's section for routines, 3 or a part of it such as 3copal")
find_program(COPAL_PYTHON python3)
if(NOT COPAL_PYTHON)
    message(STATUS "python3 not found: there will be no manual")
    return()
endif()
set(manual ${PROJECT_BINARY_DIR}/share/man)
set(command ${COPAL_PYTHON} -B ${PROJECT_SOURCE_DIR}/tools/man --section ${COPAL_MAN_SECTION}
    --module ${PROJECT_BINARY_DIR}/fortran)
if(TARGET shmem_fortran)
    list(APPEND command --fortran)
endif()
file(GLOB sources CONFIGURE_DEPENDS tools/man/*.py include/*.h include/shmem/*.h src/fortran/*.in src/fortran/*.inc
    docs/*.md docs/man/* examples/man/*.c)
add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/man/made
    COMMAND ${command} ${manual}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/man # make needs this
    COMMAND ${CMAKE_COMMAND} -E touch ${PROJECT_BINARY_DIR}/man/made
    DEPENDS ${sources} COMMENT "Writing the manual" VERBATIM)
add_custom_target(manual ALL DEPENDS ${PROJECT_BINARY_DIR}/man/made)
add_custom_target(man-html
    COMMAND ${command} --html ${PROJECT_BINARY_DIR}/man/html ${manual}
    DEPENDS ${PROJECT_BINARY_DIR}/man/made COMMENT "Writing build/man/html" VERBATIM)
install(DIRECTORY ${manual}/ DESTINATION ${CMAKE_INSTALL_MANDIR} MESSAGE_NEVER)
