include(${CMAKE_CURRENT_LIST_DIR}/CopalTargets.cmake)

# Who links with Copal::caf and has another compiler reads in CMake's message what is missing.
if(TARGET Copal::caf AND CMAKE_Fortran_COMPILER AND
        NOT "${CMAKE_Fortran_COMPILER_ID} ${CMAKE_Fortran_COMPILER_VERSION}" MATCHES "^GNU 1[234]\\.")
    set_property(TARGET Copal::caf APPEND PROPERTY INTERFACE_LINK_LIBRARIES Copal::caf_needs_gfortran_12_13_or_14)
endif()
