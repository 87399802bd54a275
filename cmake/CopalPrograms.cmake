# Programs and the tests that run them. A source's first lines define its build and its runs:
#   /* pes: 2 4 */          the PE counts, instead of 1 2 3 4 5 7 8 16; coarray programs say images:
#   /* flags: -no-pie */    for compiler and linker
#   /* args: -c S */        the program's arguments; several such lines are several runs
#   /* sources: src/a.c */  a unit test: the library's files to build it with
#   ! compilers: 15 16      a coarray program: compilers that can compile it, instead of every gfortran
#   /* run: oshrun ... */   an example's own command
set(COPAL_TEST_PES "" CACHE STRING "Run tests at these PE counts alone, as in 1|3 (default: those of each test)")
set(COPAL_OSHRUN "$<TARGET_FILE:oshrun>" CACHE STRING "The oshrun that starts test programs (cross builds: the host's)")

# Time limits in seconds: of a test, and of a test that only `make check-all` runs. They are ten times the duration of
# the longest test on two idle processors.
set(COPAL_TEST_LIMIT 600)
set(COPAL_LONG_TEST_LIMIT 1800)

# Call this first in a folder that adds tests. It sets the time limit of each test. Tests that a line of tests/long
# matches get the label `long`; `make check` omits them.
function(copal_tests_folder)
    cmake_language(DEFER CALL copal_finish_tests)
endfunction()
function(copal_finish_tests)
    get_property(tests DIRECTORY PROPERTY TESTS)
    if(tests)
        set_tests_properties(${tests} PROPERTIES TIMEOUT ${COPAL_TEST_LIMIT})
    endif()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/long)
    file(STRINGS ${PROJECT_SOURCE_DIR}/tests/long patterns REGEX "^[^# ]")
    list(TRANSFORM patterns REPLACE " .*" "")
    foreach(pattern IN LISTS patterns)
        set(long ${tests})
        list(FILTER long INCLUDE REGEX "^${pattern}$")
        if(long)
            set_property(TEST ${long} APPEND PROPERTY LABELS long)
            set_tests_properties(${long} PROPERTIES TIMEOUT ${COPAL_LONG_TEST_LIMIT})
        endif()
    endforeach()
endfunction()

# The thread sanitizer requires certain address ranges. Kernels that use more than 28 random bits choose other ranges.
set(copal_launcher "")
if(COPAL_SANITIZE STREQUAL "thread" AND EXISTS /proc/sys/vm/mmap_rnd_bits)
    file(READ /proc/sys/vm/mmap_rnd_bits bits)
    if(bits GREATER 28)
        set(copal_launcher setarch --addr-no-randomize)
    endif()
endif()

# Stores the values of "/* key: value */" in a source's first lines ("! key: value" in Fortran, "# key: value" in
# Python) as a list in the caller's RESULT.
function(copal_comment source key result)
    file(STRINGS ${source} lines LIMIT_INPUT 800 REGEX "^(/\\*|//|!|#) ${key}: ")
    set(values "")
    foreach(line IN LISTS lines)
        string(REGEX REPLACE "^(/\\*|//|!|#) ${key}: *" "" line "${line}")
        string(REGEX REPLACE " *\\*/.*$" "" line "${line}")
        list(APPEND values "${line}")
    endforeach()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
    set(${result} "${values}" PARENT_SCOPE)
endfunction()

# A program of the build tree, linked with libshmem unless NO_LIBRARY is given. The target PART_OF (or all) builds it.
function(copal_program target)
    cmake_parse_arguments(program "NO_LIBRARY" "OUTPUT;PART_OF" "SOURCES;FLAGS;INCLUDES;LIBRARIES" ${ARGN})
    add_executable(${target} ${program_SOURCES})
    set(compile_flags ${program_FLAGS})
    list(TRANSFORM compile_flags REPLACE "^-no-pie$" -fno-pie)
    list(FILTER compile_flags EXCLUDE REGEX "^-Wl,")
    target_compile_options(${target} PRIVATE ${COPAL_WARNINGS} ${compile_flags})
    target_link_options(${target} PRIVATE ${program_FLAGS})
    target_compile_definitions(${target} PRIVATE _GNU_SOURCE)
    target_link_libraries(${target} PRIVATE Threads::Threads m)
    if(NOT program_NO_LIBRARY)
        target_link_libraries(${target} PRIVATE shmem)
    endif()
    cmake_path(GET program_OUTPUT PARENT_PATH folder)
    cmake_path(GET program_OUTPUT FILENAME name)
    set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${folder})
    target_include_directories(${target} PRIVATE ${program_INCLUDES})
    target_link_libraries(${target} PRIVATE ${program_LIBRARIES})
    if(program_PART_OF)
        set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ON)
        add_dependencies(${program_PART_OF} ${target})
    endif()
endfunction()

# A test of a command, of a JOB (arguments of oshrun), or of a SCRIPT in Python, which gets oshrun and oshcc.
function(copal_test name)
    cmake_parse_arguments(PARSE_ARGV 1 test "" "" "COMMAND;JOB;SCRIPT;PROPERTIES")
    if(test_JOB)
        list(PREPEND test_JOB ${copal_launcher} ${COPAL_OSHRUN})
    elseif(test_SCRIPT)
        list(POP_FRONT test_SCRIPT script)
        list(PREPEND test_SCRIPT ${PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/${script} --oshrun ${bin}/oshrun
            --oshcc ${bin}/oshcc)
    endif()
    add_test(NAME ${name} COMMAND ${test_COMMAND} ${test_JOB} ${test_SCRIPT})
    set_tests_properties(${name} PROPERTIES ${test_PROPERTIES})
endfunction()

# One test for each number of PEs and each argument line, for example api.put.n4; a test of 4 PEs counts as 4 of
# ctest -j.  LAUNCHER and PROGRAM are for programs that are not targets of CMake.
function(copal_run_tests target source label)
    cmake_parse_arguments(tests "" "LAUNCHER;PROGRAM" "" ${ARGN})
    if(NOT tests_PROGRAM)
        set(tests_LAUNCHER ${COPAL_OSHRUN})
        set(tests_PROGRAM $<TARGET_FILE:${target}>)
    endif()
    copal_comment(${source} "(pes|images)" wanted)
    copal_comment(${source} args runs)
    separate_arguments(wanted UNIX_COMMAND "${wanted}")
    if(NOT wanted)
        set(wanted 1 2 3 4 5 7 8 16)
    endif()
    set(pes ${wanted})
    if(COPAL_TEST_PES)
        list(FILTER pes INCLUDE REGEX "^(${COPAL_TEST_PES})$")
        if(NOT pes)
            list(GET wanted 0 pes)
        endif()
    endif()
    if(NOT runs)
        set(runs " ")
    endif()
    foreach(run IN LISTS runs)
        separate_arguments(arguments UNIX_COMMAND "${run}")
        string(REGEX REPLACE "[^A-Za-z0-9]+" "" suffix "${run}")
        foreach(n IN LISTS pes)
            set(test ${target}.n${n})
            if(suffix)
                set(test ${target}.${suffix}.n${n})
            endif()
            add_test(NAME ${test}
                COMMAND ${copal_launcher} ${tests_LAUNCHER} -n ${n}
                    ${CMAKE_CROSSCOMPILING_EMULATOR} ${tests_PROGRAM} ${arguments})
            set_tests_properties(${test} PROPERTIES LABELS "${label}" PROCESSORS ${n}
                SKIP_RETURN_CODE 77
                FAIL_REGULAR_EXPRESSION "check\\(s\\) failed") # cafrun continues if an image ends with 1
        endforeach()
    endforeach()
endfunction()

# Whether a compiler can compile a coarray program. compiler: 12 to 16 (gfortran), flang22 or flang23. The caller's
# lists: `impossible` has the lines of tests/caf/compilers, `module_sources` the modules that programs share.
function(copal_caf_compiles result source compiler)
    cmake_path(GET source STEM stem)
    string(REGEX REPLACE "[0-9]+$" "" family "${compiler}")
    copal_comment(${source} compilers wanted)
    if(NOT wanted AND NOT source IN_LIST module_sources)
        set(wanted "12 13 14 15 16")
    endif()
    list(FILTER impossible INCLUDE REGEX "^${stem}( [a-z0-9]+)* (${compiler}|${family})[ :]")
    if(impossible OR (wanted AND NOT " ${wanted} " MATCHES " (${compiler}|${family}) "))
        set(${result} FALSE PARENT_SCOPE)
    else()
        set(${result} TRUE PARENT_SCOPE)
    endif()
endfunction()
