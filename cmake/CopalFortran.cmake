# The Fortran interfaces: the library, the module file, and oshfort. They are built only with gfortran, since array
# descriptors and module files differ between compilers.
include(CheckLanguage)
# caf must read the module file shmem, too, so one gfortran serves both: preferably a version whose coarrays are
# supported.
set(COPAL_CAF_VERSIONS "^1[2-6](\\.|$)")
function(copal_has_coarrays result compiler)
    execute_process(COMMAND ${compiler} -dumpversion OUTPUT_VARIABLE version OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(NOT version MATCHES "${COPAL_CAF_VERSIONS}")
        set(${result} FALSE PARENT_SCOPE)
    endif()
endfunction()
if(NOT CMAKE_Fortran_COMPILER AND NOT DEFINED ENV{FC} AND NOT CMAKE_CROSSCOMPILING)
    find_program(CMAKE_Fortran_COMPILER NAMES gfortran gfortran-16 gfortran-15 gfortran-14 gfortran-13 gfortran-12
        VALIDATOR copal_has_coarrays)
    find_program(CMAKE_Fortran_COMPILER gfortran)
endif()
if(CMAKE_Fortran_COMPILER OR NOT CMAKE_CROSSCOMPILING)   # otherwise a found compiler is for this machine
    check_language(Fortran)
endif()
if(NOT CMAKE_Fortran_COMPILER)
    message(STATUS "no Fortran compiler found: without oshfort, the module shmem and the classic Fortran interface")
    return()
endif()
enable_language(Fortran)
if(NOT CMAKE_Fortran_COMPILER_ID STREQUAL GNU)
    message(STATUS "${CMAKE_Fortran_COMPILER} is not gfortran: without oshfort and the Fortran interfaces")
    return()
endif()
set(CMAKE_Fortran_FLAGS_RELEASE "-O2 -g")
set(CMAKE_Fortran_FLAGS_DEBUG "-O0 -g")
set(COPAL_FORTRAN_WARNINGS -Wall -Wextra)

# Array descriptors are gfortran's, whichever C compiler is used.
execute_process(COMMAND ${CMAKE_Fortran_COMPILER} -print-file-name=include/ISO_Fortran_binding.h
    OUTPUT_VARIABLE binding_header OUTPUT_STRIP_TRAILING_WHITESPACE)
configure_file(${binding_header} ${PROJECT_BINARY_DIR}/fortran/ISO_Fortran_binding.h COPYONLY)

file(GLOB fortran_sources CONFIGURE_DEPENDS src/fortran/*.c)
add_library(shmem_fortran SHARED ${fortran_sources} ${PROJECT_BINARY_DIR}/fortran/shmem.F90)
add_library(Copal::shmem_fortran ALIAS shmem_fortran)
set(COPAL_MODULE_FOLDER copal/finclude)   # below lib, in the build tree and when installed
include(CopalClassic)
target_include_directories(shmem_fortran SYSTEM PRIVATE ${PROJECT_BINARY_DIR}/fortran)
target_include_directories(shmem_fortran PRIVATE src/fortran)
target_include_directories(shmem_fortran INTERFACE
    $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/lib/${COPAL_MODULE_FOLDER}>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_LIBDIR}/${COPAL_MODULE_FOLDER}>)
# Functions that Fortran calls have no prototypes in C. The preprocessor makes lines that are too long for Fortran.
target_compile_options(shmem_fortran PRIVATE
    $<$<COMPILE_LANGUAGE:C>:${COPAL_WARNINGS} -Wshadow -Wstrict-prototypes>
    $<$<COMPILE_LANGUAGE:Fortran>:${COPAL_FORTRAN_WARNINGS} -ffree-line-length-none>)
target_compile_definitions(shmem_fortran PRIVATE _GNU_SOURCE)
target_link_libraries(shmem_fortran PUBLIC shmem)
target_link_options(shmem_fortran INTERFACE LINKER:--wrap=_gfortran_set_options)    # quit.c
target_link_options(shmem_fortran PRIVATE -Wl,-z,now -Wl,--no-undefined -Wl,--as-needed)
set_target_properties(shmem_fortran PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${COPAL_SOVERSION}
    INSTALL_RPATH "$ORIGIN" LINKER_LANGUAGE Fortran
    Fortran_MODULE_DIRECTORY ${PROJECT_BINARY_DIR}/lib/${COPAL_MODULE_FOLDER})

install(TARGETS shmem_fortran EXPORT CopalFortranTargets)
install(FILES ${PROJECT_BINARY_DIR}/lib/${COPAL_MODULE_FOLDER}/shmem.mod
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/${COPAL_MODULE_FOLDER})

# The format of module files changed with gfortran 15.
set(COPAL_MODULE_FOR "gfortran 12 to 14")
set(COPAL_MODULE_NOT_FOR "*-1[5-9]* | *-[2-9][0-9]*")
if(CMAKE_Fortran_COMPILER_VERSION VERSION_GREATER_EQUAL 15)
    set(COPAL_MODULE_FOR "gfortran 15 and 16")
    set(COPAL_MODULE_NOT_FOR "*-1[0-4]* | *-[1-9] | *-[1-9].*")
endif()
copal_compiler(oshfort PROGRAMS "OpenSHMEM programs in Fortran" STANDARD "OpenSHMEM 1.6" VARIABLE OSHCC_FC
    COMPILER ${CMAKE_Fortran_COMPILER} FLAGS ${COPAL_SANITIZE_FLAGS}
    # Always linked: it names routines in errors, also routines of C.
    LIBRARIES -Wl,--push-state,--no-as-needed -lshmem_fortran -Wl,--pop-state -lshmem
    MODULES ${COPAL_MODULE_FOLDER})
# fpm knows the options of compilers by their names.
file(CREATE_LINK oshfort ${PROJECT_BINARY_DIR}/bin/oshfort-gfortran SYMBOLIC)
