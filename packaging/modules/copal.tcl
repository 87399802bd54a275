#%Module1.0
# Copal as an environment module, for Environment Modules and Lmod. Copy this file as copal/VERSION to a folder of
# modules, and set `prefix` to the prefix of make install.
set version 0.1.0
set prefix  /usr/local

proc ModulesHelp {} {
    puts stderr "Copal: OpenSHMEM 1.6, coarrays of Fortran 2018, and the collectives SHCOLL; see man oshcc, caf, oshrun"
}

module-whatis "Copal $version: OpenSHMEM 1.6, coarrays of Fortran 2018, and the collectives SHCOLL"

conflict copal

prepend-path PATH              $prefix/bin
prepend-path MANPATH           $prefix/share/man
prepend-path CMAKE_PREFIX_PATH $prefix
foreach lib {lib lib64} {
    if {[file isdirectory $prefix/$lib/pkgconfig]} {
        prepend-path PKG_CONFIG_PATH $prefix/$lib/pkgconfig
    }
}
