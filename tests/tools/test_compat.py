"""The folder lib/copal/compat of an installation: public projects search for its files, and find them."""
import os
import pathlib
import re
import tempfile
import unittest

from support import OneFolder, programs, run
from test_caf import MODULE, PROGRAM as RING, SINGLE
from test_oshcc import PROGRAM as SUM

BUILD = None    # the build tree, set from the command line

HEAD = "cmake_minimum_required(VERSION 3.16)\nproject(user LANGUAGES Fortran)\n"
ADD = "add_executable(ring main.f90 ring_m.f90)\n"

# Public FindCoarray.cmake modules, each reduced to the part that CMake executes when the compiler is gfortran.
FIND_COARRAY = {
    "by the package's target": HEAD + """
        find_package(OpenCoarrays REQUIRED)
        set(CMAKE_REQUIRED_LIBRARIES OpenCoarrays::caf_mpi)
        include(CheckFortranSourceCompiles)
        check_fortran_source_compiles("real :: x[*]; end" f08coarray SRC_EXT f90)
        if(NOT f08coarray)
            message(FATAL_ERROR "no coarrays")
        endif()
        """ + ADD + "target_link_libraries(ring OpenCoarrays::caf_mpi)\n",
    "by properties of the package's targets": HEAD + """
        find_package(OpenCoarrays REQUIRED)
        get_target_property(library OpenCoarrays::caf_mpi_static LOCATION)
        get_target_property(module OpenCoarrays::opencoarrays_mod LOCATION)
        get_target_property(include OpenCoarrays::opencoarrays_mod INTERFACE_INCLUDE_DIRECTORIES)
        find_program(cafrun NAMES cafrun REQUIRED)
        set(CMAKE_REQUIRED_FLAGS -fcoarray=lib)
        set(CMAKE_REQUIRED_LIBRARIES ${library} ${module})
        set(CMAKE_REQUIRED_INCLUDES ${include})
        include(CheckFortranSourceRuns)
        check_fortran_source_runs("program a\nreal :: x[*]\nsync all\nend program" f08coarray SRC_EXT f90)
        if(NOT f08coarray OR NOT EXISTS ${include}/opencoarrays.mod)
            message(FATAL_ERROR "no coarrays")
        endif()
        """ + ADD + "target_link_libraries(ring OpenCoarrays::opencoarrays_mod OpenCoarrays::caf_mpi_static)\n",
    "by files": HEAD + """
        find_path(include NAMES opencoarrays.mod REQUIRED)
        find_library(library NAMES libcaf_mpi.so libcaf_mpi.a caf_mpi REQUIRED)
        find_program(cafrun NAMES cafrun REQUIRED)
        add_library(OpenCoarrays::caf_mpi UNKNOWN IMPORTED)
        set_target_properties(OpenCoarrays::caf_mpi PROPERTIES IMPORTED_LOCATION "${library}"
            INTERFACE_INCLUDE_DIRECTORIES "${include}")
        set(CMAKE_Fortran_FLAGS -fcoarray=lib)
        add_executable(ring single.f90)
        """ + "target_link_libraries(ring OpenCoarrays::caf_mpi)\n",
    "by pkg-config": HEAD + """
        find_package(PkgConfig REQUIRED)
        pkg_search_module(caf REQUIRED IMPORTED_TARGET caf caf-openmpi caf-mpich)
        """ + ADD + "target_link_libraries(ring PkgConfig::caf)\n",
}

MESON = """
project('user', 'fortran')
executable('ring', 'main.f90', 'ring_m.f90', dependencies: dependency('coarray'))
"""

SHMEM = """
cmake_minimum_required(VERSION 3.16)
project(user LANGUAGES C)
find_library(shlib_found NAMES oshmem sma REQUIRED)
find_path(shhdr_found shmem.h REQUIRED)
add_executable(sum sum.c)
target_link_libraries(sum ${shlib_found})
target_include_directories(sum PRIVATE ${shhdr_found})
"""


class Compat(OneFolder):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        run("cmake", "--install", BUILD, "--prefix", cls.folder / "first")
        cls.prefix = (cls.folder / "first").rename(cls.folder / "copal")
        package, = cls.prefix.rglob("copal.pc")
        cls.compat = pathlib.Path(run("pkg-config", "--variable=compatdir", "copal",
                                      PKG_CONFIG_PATH=package.parent).strip())

    def project(self, file, text, **sources):
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        for name, source in {file: text, **sources}.items():
            (folder / name).write_text(source)
        return folder

    def coarrays(self, file, text):
        if not (self.compat / "lib/libcaf_mpi.so").exists():
            self.skipTest("built without coarrays")
        return self.project(file, text, **{"main.f90": RING, "ring_m.f90": MODULE, "single.f90": SINGLE})

    def build(self, folder, *options, **environment):
        run("cmake", "-S", folder, "-B", folder / "build", *options, **environment)
        run("cmake", "--build", folder / "build")

    def fortran(self):
        return run(self.prefix / "bin/caf", "-showme:command").split()[0]

    def check_ring(self, program):
        """Works within a node, and between nodes, where the library loads modules from its folder."""
        for nodes in "1", "3":
            self.assertEqual(run("bash", self.compat / "bin/cafrun", "-np", 3, program, SHMEM_NODES=nodes), "sum 60\n")

    def check_sum(self, program):
        for nodes in "1", "3":
            self.assertEqual(run(self.compat / "bin/oshrun", "-n", 3, program, SHMEM_NODES=nodes), "sum 60\n")

    def test_find_coarray(self):
        for how, text in FIND_COARRAY.items():
            with self.subTest(how):
                folder = self.coarrays("CMakeLists.txt", text)
                self.build(folder, f"-DCMAKE_PREFIX_PATH={self.compat}", f"-DCMAKE_Fortran_COMPILER={self.fortran()}")
                self.check_ring(folder / "build/ring")

    def test_find_opencoarrays_with_another_compiler(self):
        folder = self.coarrays("CMakeLists.txt", HEAD + "set(CMAKE_Fortran_COMPILER_VERSION 17.1.0)\n"
                               "find_package(OpenCoarrays REQUIRED)\n")
        with self.assertRaisesRegex(AssertionError, r"Copal\s+has\s+coarrays\s+for\s+(.|\n)*not\s+for\s+GNU\s+17"):
            self.build(folder, f"-DCMAKE_PREFIX_PATH={self.compat}", f"-DCMAKE_Fortran_COMPILER={self.fortran()}")

    def test_meson(self):
        folder = self.coarrays("meson.build", MESON)
        environment = {"PKG_CONFIG_PATH": self.compat / "lib/pkgconfig", "FC": self.fortran()}
        run("meson", "setup", folder / "build", folder, **environment)
        run("ninja", "-C", folder / "build")
        self.check_ring(folder / "build/ring")

    def test_find_library_of_openshmem(self):
        """The search of Kokkos Remote Spaces and others: by the prefix's variable, or in all prefixes."""
        for name in "oshmem", "sma":
            folder = self.project("CMakeLists.txt", SHMEM.replace("oshmem sma", name), **{"sum.c": SUM})
            self.build(folder, f"-DCMAKE_PREFIX_PATH={self.compat}")
            self.check_sum(folder / "build/sum")
        package = "find_package(SHMEM REQUIRED)\n"
        folder = self.project("CMakeLists.txt", re.sub("find_library.*\nfind_path.*\n", package, SHMEM),
                              **{"sum.c": SUM, "FindSHMEM.cmake": "\n".join(SHMEM.splitlines()[3:5])})
        self.build(folder, f"-DSHMEM_ROOT={self.compat}", f"-DCMAKE_MODULE_PATH={folder}")
        self.check_sum(folder / "build/sum")

    def test_folders_of_another_installation(self):
        """Bindings name a folder that has include and lib, and link with -lsma or -loshmem."""
        for name in "oshmem", "sma":
            folder = self.project("sum.c", SUM)
            run("cc", "sum.c", f"-I{self.compat}/include", f"-L{self.compat}/lib", f"-l{name}",
                f"-Wl,-rpath,{self.compat}/lib", "-o", "sum", folder=folder)
            self.check_sum(folder / "sum")

    def test_hides_nothing(self):
        """Other projects' names are in this folder only."""
        names = "liboshmem.so", "libsma.so", "libcaf_mpi.so", "opencoarrays.mod", "caf.pc", "caf-openmpi.pc", \
            "OpenCoarraysConfig.cmake"
        for path in self.prefix.rglob("*"):
            if path.name in names:
                self.assertIn(self.compat.resolve(), path.parents)


if __name__ == "__main__":
    oshrun, _ = programs()
    BUILD = os.path.dirname(os.path.dirname(oshrun))
    unittest.main(verbosity=2)
