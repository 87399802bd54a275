# The modules in lib/copal, which only a job on several nodes loads. libcopal-ucx.so and libcopal-ofi.so move bytes
# between nodes; a Copal without both can only run jobs of one node. libcopal-pmix.so is for jobs that srun, mpirun or
# prterun starts. Three modules need no library: libcopal-pmi.so, for jobs that MPICH's mpiexec starts; libcopal-mpi.so,
# for programs that initialize MPI first; and libcopal-emu.so, which emulates a network on one machine.
option(COPAL_UCX "Jobs that span nodes, by UCX, where it is installed" ON)
option(COPAL_OFI "Jobs that span nodes, by libfabric, where it is installed" ON)
option(COPAL_PMIX "Start by srun, mpirun and prterun, by PMIx, where it is installed" ON)

find_package(PkgConfig QUIET)

# A module made of the given sources. It exports only `symbol`.
function(copal_make_module name symbol)
    add_library(copal_${name} MODULE ${ARGN})
    target_include_directories(copal_${name} PRIVATE src include)
    target_compile_options(copal_${name} PRIVATE ${COPAL_LIBRARY_WARNINGS})
    target_compile_definitions(copal_${name} PRIVATE _GNU_SOURCE)
    target_link_libraries(copal_${name} PRIVATE Threads::Threads)
    file(CONFIGURE OUTPUT net/${name}.map CONTENT "{ global: ${symbol}; local: *; };\n")
    target_link_options(copal_${name} PRIVATE -Wl,--version-script=${PROJECT_BINARY_DIR}/net/${name}.map
        -Wl,-Bsymbolic-functions -Wl,-z,now -Wl,--as-needed
        -Wl,-z,nodelete) # it stays loaded: it has threads, and handlers that a fork calls
    set_target_properties(copal_${name} PROPERTIES OUTPUT_NAME copal-${name} C_VISIBILITY_PRESET hidden
        LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib/copal)
    install(TARGETS copal_${name} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/copal)
endfunction()

# A module that needs a library, which pkg-config finds. Its sources: all in src/FOLDER, and the given ones.
function(copal_module name library folder symbol)
    file(GLOB sources CONFIGURE_DEPENDS src/${folder}/*.c)
    string(TOUPPER ${name} upper)
    if(NOT sources)
        return()
    endif()
    set(missing "")
    if(NOT COPAL_${upper})
        set(missing "COPAL_${upper} is off")
    elseif(CMAKE_CROSSCOMPILING)
        set(missing "this is a cross build")
    elseif(NOT PkgConfig_FOUND)
        set(missing "there is no pkg-config to find ${library}")
    else()
        pkg_check_modules(${upper} QUIET IMPORTED_TARGET ${library})
        if(NOT TARGET PkgConfig::${upper})
            set(missing "pkg-config does not find ${library}; scripts/install-deps installs it on Debian")
        endif()
    endif()
    if(missing)
        message(STATUS "no module ${name}: ${missing}")
        return()
    endif()
    copal_make_module(${name} ${symbol} ${sources} ${ARGN})
    target_link_libraries(copal_${name} PRIVATE PkgConfig::${upper})
endfunction()

copal_module(ucx ucx net/ucx copal_provider)
copal_module(ofi libfabric net/ofi copal_provider)
file(GLOB emu_sources CONFIGURE_DEPENDS src/net/emu/*.c)
copal_make_module(emu copal_provider ${emu_sources} src/job/settings.c)
target_link_libraries(copal_emu PRIVATE m)
file(GLOB kit CONFIGURE_DEPENDS src/boot/kit/*.c)
copal_module(pmix pmix boot/pmix copal_boot ${kit} src/job/nameless.c src/job/settings.c)
foreach(name pmi mpi)
    file(GLOB sources CONFIGURE_DEPENDS src/boot/${name}/*.c)
    if(sources)
        copal_make_module(${name} copal_boot ${sources} ${kit} src/job/settings.c)
    endif()
endforeach()

# The predefined fabrics of the emulated network. Its module finds them relative to its own folder.
file(GLOB fabrics CONFIGURE_DEPENDS src/net/emu/fabrics/*.fabric)
foreach(fabric IN LISTS fabrics)
    cmake_path(GET fabric FILENAME name)
    configure_file(${fabric} share/copal/fabrics/${name} COPYONLY)
endforeach()
install(FILES ${fabrics} DESTINATION ${CMAKE_INSTALL_DATADIR}/copal/fabrics)
