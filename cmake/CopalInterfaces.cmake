# The sources of Fortran modules, in build/fortran. interfaces.awk writes the interfaces in them.
find_program(COPAL_AWK awk REQUIRED)
file(GLOB inputs CONFIGURE_DEPENDS src/fortran/*.in src/caf/prif/*.in tests/fortran/*.in)
foreach(input IN LISTS inputs)
    cmake_path(GET input STEM LAST_ONLY name)
    execute_process(COMMAND ${COPAL_AWK} -f ${PROJECT_SOURCE_DIR}/cmake/interfaces.awk ${input}
        OUTPUT_VARIABLE source COMMAND_ERROR_IS_FATAL ANY)
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/fortran/${name} CONTENT "${source}" @ONLY)
endforeach()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS cmake/interfaces.awk ${inputs})
