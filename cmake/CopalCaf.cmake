# Coarrays: the core, a small library for each generation of a compiler's interface, and the tool caf. The libraries are
# in C, so they are built with any Fortran compiler or without one. caf chooses the library for the compiler it calls.
file(GLOB core_sources CONFIGURE_DEPENDS
    src/caf/*.c src/caf/memory/*.c src/caf/access/*.c src/caf/control/*.c src/common/alloc.c)
function(copal_caf_options target)
    target_include_directories(${target} PRIVATE include)
    target_compile_options(${target} PRIVATE ${COPAL_WARNINGS} -Wshadow -Wstrict-prototypes -fno-semantic-interposition
        -fno-plt $<$<CONFIG:Release>:-O3>)
    target_compile_definitions(${target} PRIVATE _GNU_SOURCE)
    set_target_properties(${target} PROPERTIES C_VISIBILITY_PRESET hidden POSITION_INDEPENDENT_CODE ON)
endfunction()

add_library(caf_core OBJECT ${core_sources})
copal_caf_options(caf_core)
file(RELATIVE_PATH bin_from_lib ${CMAKE_INSTALL_FULL_LIBDIR} ${CMAKE_INSTALL_FULL_BINDIR})
set_source_files_properties(src/caf/control/alone.c PROPERTIES COMPILE_DEFINITIONS COPAL_BIN_FROM_LIB="${bin_from_lib}")

# A second build of these libraries, in lib/copal/tapped, for tools that record the program's statements
# (tools/tap/caf). A Copal built with clang has no second build: tools record the calls inside the statements instead.
include(CheckCCompilerFlag)
check_c_compiler_flag(-finstrument-functions-exclude-file-list=/x/ COPAL_HAVE_EXCLUDED_FILES)
function(copal_caf_tapped name exports)
    if(NOT COPAL_HAVE_EXCLUDED_FILES)
        return()
    endif()
    set(tapped ${name}_tapped)
    set(tapped_sources tools/tap/caf/tapped.c)
    if(ARGN MATCHES gfortran/accessor/)
        list(APPEND tapped_sources tools/tap/caf/accessors.c)
    elseif(ARGN MATCHES gfortran/direct/)
        list(APPEND tapped_sources tools/tap/caf/walks.c)
    endif()
    set(wraps "")
    foreach(source ${tapped_sources})
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
        file(STRINGS ${source} found REGEX "^REAL")
        list(APPEND wraps ${found})
    endforeach()
    list(TRANSFORM wraps REPLACE "^REAL(_STATUS\\(|\\([^,]*, )([a-z_]+).*" "-Wl,--wrap=\\2")
    add_library(${tapped} SHARED ${ARGN} ${tapped_sources} $<TARGET_OBJECTS:caf_core>)
    copal_caf_options(${tapped})
    target_include_directories(${tapped} PRIVATE src tools)
    target_compile_definitions(${tapped} PRIVATE COPAL_TAPPED)
    target_compile_options(${tapped} PRIVATE -finstrument-functions
        -finstrument-functions-exclude-file-list=tools/tap/,fault.c,/include/)
    target_link_libraries(${tapped} PRIVATE shmem Threads::Threads m ${CMAKE_DL_LIBS})
    target_link_options(${tapped} PRIVATE -Wl,--version-script=${exports} ${wraps}
        -Wl,-Bsymbolic-functions -Wl,-z,nodelete -Wl,--no-undefined)
    set_target_properties(${tapped} PROPERTIES OUTPUT_NAME ${name} SOVERSION ${COPAL_SOVERSION} LINK_DEPENDS ${exports}
        LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib/copal/tapped INSTALL_RPATH "$ORIGIN/../..")
    install(TARGETS ${tapped} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/copal/tapped NAMELINK_SKIP)
endfunction()

# copal_caf_library(name EXPORTS file.map FOLDERS folder...): the core with the ABI layer in these folders of src/caf.
function(copal_caf_library name)
    cmake_parse_arguments(library "" "EXPORTS" "FOLDERS" ${ARGN})
    list(TRANSFORM library_FOLDERS REPLACE "(.+)" "src/caf/\\1/*.c")
    file(GLOB sources CONFIGURE_DEPENDS ${library_FOLDERS})
    if(name MATCHES gfortran)
        list(APPEND sources src/fortran/quit.c) # a coarray program need not have libshmem_fortran
    endif()
    add_library(${name} SHARED ${sources} $<TARGET_OBJECTS:caf_core>)
    copal_caf_options(${name})
    target_link_libraries(${name} PRIVATE shmem Threads::Threads m ${CMAKE_DL_LIBS})
    set(exports ${PROJECT_SOURCE_DIR}/src/caf/${library_EXPORTS})
    target_link_options(${name} PRIVATE -Wl,--version-script=${exports}
        -Wl,-Bsymbolic-functions -Wl,-z,now -Wl,-z,nodelete -Wl,--no-undefined)
    set_target_properties(${name} PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${COPAL_SOVERSION}
        INSTALL_RPATH "$ORIGIN" LINK_DEPENDS ${exports})
    if(TARGET copal_tap)
        copal_caf_tapped(${name} ${exports} ${sources})
    endif()
endfunction()

copal_caf_library(caf_gfortran12 EXPORTS gfortran/gfortran.map FOLDERS gfortran gfortran/direct gfortran/statements12)
copal_caf_library(caf_gfortran15 EXPORTS gfortran/gfortran.map
    FOLDERS gfortran gfortran/accessor gfortran/accessor15 gfortran/statements12)
copal_caf_library(caf_gfortran16 EXPORTS gfortran/gfortran.map
    FOLDERS gfortran gfortran/accessor gfortran/accessor16 gfortran/statements16)
copal_caf_library(prif_copal EXPORTS prif/prif.map FOLDERS prif)

# Most arguments of these functions are in memory, and should be read only where they are needed. If a function ends by
# a jump to another function, whose arguments overwrite its own, the compiler reads all of its arguments at the start.
set_source_files_properties(src/caf/gfortran/accessor/get.c src/caf/gfortran/accessor/put.c
    PROPERTIES COMPILE_OPTIONS -fno-optimize-sibling-calls)

# The module prif for this gfortran.  Its object contains no procedure, only the data about types that CLASS(*) needs.
# Other compilers make a module file from the same source.
set(prif_folder ${PROJECT_BINARY_DIR}/fortran)
install(FILES ${prif_folder}/prif.f90 ${prif_folder}/lfortran.f90 DESTINATION ${CMAKE_INSTALL_DATADIR}/copal/prif)
if(TARGET shmem_fortran)
    add_library(prif_module OBJECT ${prif_folder}/prif.f90)
    target_compile_options(prif_module PRIVATE ${COPAL_FORTRAN_WARNINGS} -Wno-c-binding-type)
    set_target_properties(prif_module PROPERTIES POSITION_INDEPENDENT_CODE ON
        Fortran_MODULE_DIRECTORY ${PROJECT_BINARY_DIR}/lib/${COPAL_MODULE_FOLDER})
    foreach(target prif_copal prif_copal_tapped)
        if(TARGET ${target})
            target_sources(${target} PRIVATE $<TARGET_OBJECTS:prif_module>)
            set_target_properties(${target} PROPERTIES LINKER_LANGUAGE C)
        endif()
    endforeach()
    install(FILES ${PROJECT_BINARY_DIR}/lib/${COPAL_MODULE_FOLDER}/prif.mod
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/${COPAL_MODULE_FOLDER})
endif()

# COPAL_CAF_LIBRARY is the library for the gfortran of this build; empty if there is none.
include(CopalCafChoice)
copal_caf_choose(COPAL_CAF_LIBRARY)
set(caf_compiler gfortran)
if(TARGET "${COPAL_CAF_LIBRARY}")
    set(caf_compiler ${CMAKE_Fortran_COMPILER})
endif()
if(NOT TARGET "${COPAL_CAF_LIBRARY}" OR COPAL_CAF_LIBRARY STREQUAL prif_copal)    # flang cannot compile most tests yet
    set(COPAL_CAF_LIBRARY "")
    message(STATUS "coarrays: no tests, examples and applications, since there is no gfortran 12 to 16")
endif()

# mimalloc serves the program's own allocations from memory that the other images reach (src/caf/memory/arena.c);
# sanitizers bring an allocator of their own.
find_library(COPAL_MIMALLOC mimalloc)
set(malloc_library "")
set(sanitizer_brings_malloc "${COPAL_SANITIZE}")
if(COPAL_MIMALLOC AND NOT COPAL_SANITIZE)
    set(malloc_library -Wl,--push-state,--no-as-needed,${COPAL_MIMALLOC},--pop-state)
else()
    message(STATUS "mimalloc not used: pointer components are reached through the operating system")
endif()
# No undefined-behaviour sanitizer for Fortran, because gfortran's own code overflows. A program's C code may have it.
set(fortran_sanitize ${COPAL_SANITIZE_FLAGS})
set(sanitizer_library "")
if(COPAL_SANITIZE MATCHES undefined)
    list(APPEND fortran_sanitize -fno-sanitize=undefined)
    set(sanitizer_library -lubsan)
endif()

# Programs with coarrays may use the module shmem, too.
set(shmem_fortran "")
if(TARGET shmem_fortran)
    set(shmem_fortran -Wl,--as-needed -lshmem_fortran -Wl,--no-as-needed)
endif()
# gfortran frees local coarrays without a call of the library, and flang frees those that MOVE_ALLOC replaces, so the
# library must observe free (coarrays.c).
list(JOIN shmem_fortran " " classic)
set(COPAL_GFORTRAN_LIBRARIES
    "-Wl,--wrap=malloc,--wrap=realloc,--wrap=free \$allocator -l\$library ${classic} -lshmem \
${sanitizer_library}")
set(COPAL_FLANG_LIBRARIES "-Wl,--wrap=free \$allocator -l\$library -lshmem")
copal_compiler(caf PROGRAMS "coarray Fortran programs" STANDARD "coarrays of Fortran 2018" VARIABLE CAF_FC
    CHOICE caf.sh FILES caf.specs objects.awk step.sh
    HELP "
  -fno-near   do not make loads and stores of accesses to images on this node
  -fno-caf-bounds
              make them without checking their bounds
  -fcaf-report
              tell of each coindexed access whether it is made so, or why not
  -Wno-caf    do not warn of coarray accesses that gfortran compiles wrong"
    COMPILER ${caf_compiler} FLAGS ${fortran_sanitize} MODULES ${COPAL_MODULE_FOLDER})

include(CopalPlugin)

# The options that caf adds to a command line, for find_package(Copal): target_link_libraries(program Copal::caf). An
# installed Copal serves any compiler; CopalConfig.cmake adds the options of the compiler that the project uses.
add_library(caf INTERFACE)
target_link_libraries(caf INTERFACE ${malloc_library} shmem)
add_library(caf_here INTERFACE)
add_library(Copal::caf ALIAS caf_here)
target_link_libraries(caf_here INTERFACE caf)
string(REGEX MATCH "^[0-9]+" version "${CMAKE_Fortran_COMPILER_VERSION}")
set(plugin "")
if(TARGET caf_plugin_${version})
    set(plugin $<TARGET_FILE:caf_plugin_${version}>)
    add_custom_target(caf_plugin_here DEPENDS ${plugin})    # objects wait for the plugin alone, not for libraries
    add_dependencies(caf_here caf_plugin_here)
endif()
copal_caf_target(caf_here "" "${CMAKE_Fortran_COMPILER_VERSION}" "${plugin}")
install(TARGETS caf caf_gfortran12 caf_gfortran15 caf_gfortran16 prif_copal EXPORT CopalCafTargets)
install(FILES cmake/CopalCafChoice.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Copal)
