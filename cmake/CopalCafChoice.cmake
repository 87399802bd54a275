# Which library has the coarrays of a compiler, for Copal's own build and for projects that find an installed Copal.
set(COPAL_CAF_WANTED "gfortran 12 to 16, flang 22 or 23")

# The library for this project's Fortran compiler; empty if none is.
function(copal_caf_choose result)
    set(compiler "${CMAKE_Fortran_COMPILER_ID} ${CMAKE_Fortran_COMPILER_VERSION}")
    set(library "")
    if(compiler MATCHES "^GNU 1[234]\\.")
        set(library caf_gfortran12)
    elseif(compiler MATCHES "^GNU (1[56])\\.")
        set(library caf_gfortran${CMAKE_MATCH_1})
    elseif(compiler MATCHES "^LLVMFlang 2[23]\\.")
        set(library prif_copal)
    endif()
    set(${result} "${library}" PARENT_SCOPE)
endfunction()

# Adds to a target the options of programs with coarrays. prefix: the beginning of the names of Copal's targets.
# modules: the version of gfortran that made the module files, whose format changed with 15. plugin: the path of the
# plugin (src/caf/plugin); empty if none works in this project's compiler.
function(copal_caf_target target prefix modules plugin)
    copal_caf_choose(library)
    if(NOT TARGET ${prefix}${library})
        # CMake's message to a project that links with it names the missing part.
        set(library caf_needs_the_language_Fortran_before_find_package)
        if(CMAKE_Fortran_COMPILER)
            set(library caf_needs_gfortran_12_to_16_or_flang_22_or_23)
        endif()
        set(prefix Copal::)
    elseif(library STREQUAL prif_copal)
        target_compile_options(${target} INTERFACE $<$<COMPILE_LANGUAGE:Fortran>:-fcoarray>)
        target_link_options(${target} INTERFACE LINKER:--wrap=free)
    else()
        target_compile_options(${target} INTERFACE $<$<COMPILE_LANGUAGE:Fortran>:-fcoarray=lib>)
        target_link_options(${target} INTERFACE LINKER:--wrap=malloc,--wrap=realloc,--wrap=free)
        target_link_options(${target} INTERFACE LINKER:--wrap=_gfortran_set_options)    # src/fortran/quit.c
        if(plugin)
            target_compile_options(${target} INTERFACE "$<$<COMPILE_LANGUAGE:Fortran>:-fplugin=${plugin}>")
        endif()
        if(library MATCHES "1[56]$")    # these versions omit words; step.sh adds them if the plugin does not work
            set(steps "sh$<COMMA>$<TARGET_FILE_DIR:${prefix}${library}>/copal/step.sh")
            target_compile_options(${target} INTERFACE "$<$<COMPILE_LANGUAGE:Fortran>:-wrapper;${steps}>")
        endif()
        string(COMPARE LESS "${CMAKE_Fortran_COMPILER_VERSION}" 15 old)    # as text: both have two digits
        string(COMPARE LESS "${modules}" 15 old_modules)
        if(TARGET ${prefix}shmem_fortran AND old STREQUAL old_modules)
            target_link_libraries(${target} INTERFACE ${prefix}shmem_fortran)
        endif()
    endif()
    target_link_libraries(${target} INTERFACE ${prefix}${library})
endfunction()
