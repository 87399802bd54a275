include(${CMAKE_CURRENT_LIST_DIR}/CopalTargets.cmake)
