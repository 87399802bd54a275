"""make install, then the installed tree moved elsewhere: every way to compile against it gives a program that runs."""
import argparse
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

from test_caf import MODULE as RING_MODULE, PROGRAM as RING
from test_oshcc import PROGRAM

BUILD = None    # the build tree, set from the command line
SOURCE = pathlib.Path(__file__).resolve().parents[2]

PROJECT = """
cmake_minimum_required(VERSION 3.16)
project(user LANGUAGES C)
find_package(Copal 0.1 REQUIRED)
add_executable(sum sum.c)
target_link_libraries(sum PRIVATE Copal::shmem)
"""

CAF_PROJECT = """
cmake_minimum_required(VERSION 3.16)
project(user LANGUAGES Fortran)
find_package(Copal 0.1 REQUIRED)
add_executable(ring main.f90 ring_m.f90)
target_link_libraries(ring Copal::caf)
"""


def run(*command, folder=None, **environment):
    result = subprocess.run([str(word) for word in command], cwd=folder, timeout=120, text=True,
                            env=dict(os.environ, **environment), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if result.returncode:
        raise AssertionError(f"{command} gave {result.returncode}:\n{result.stdout}")
    return result.stdout


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory(prefix="test-install-")
        cls.addClassCleanup(scratch.cleanup)
        cls.folder = pathlib.Path(scratch.name)
        # First into a staging folder, as a packager does, then moved to where it was never meant to be.
        run("cmake", "--install", BUILD, "--prefix", "/opt/copal", DESTDIR=cls.folder / "staging")
        cls.prefix = cls.folder / "moved to a folder with spaces"
        (cls.folder / "staging/opt/copal").rename(cls.prefix)
        cls.bin = cls.prefix / "bin"
        (cls.folder / "sum.c").write_text(PROGRAM)

    def sum_of(self, program):
        return run(self.bin / "copal-oshrun", "-n", 3, program, folder=self.folder)

    def test_nothing_lies_outside_the_prefix(self):
        self.assertEqual([path for path in (self.folder / "staging").rglob("*") if not path.is_dir()], [])

    def test_uninstall(self):
        """All that was installed goes, with folders that are empty then; what is somebody else's stays."""
        staging, prefix = self.folder / "another", "/opt/copal too"
        run("cmake", "--install", BUILD, "--prefix", prefix, DESTDIR=staging)
        others = [staging / f"opt/copal too/{name}" for name in ("bin/other", "lib/copal/other", "share/man/man1/.other")]
        for path in others:
            path.write_text("not Copal's\n")
        run("cmake", "-D", f"BUILD={BUILD}", "-D", f"PREFIX={prefix}", "-P", SOURCE / "cmake/uninstall.cmake", DESTDIR=staging)
        left = {path for path in staging.rglob("*") if path.is_symlink() or not path.is_dir()}
        self.assertEqual(left, set(others))
        folders = {str(path.relative_to(staging)) for path in staging.rglob("*") if path.is_dir()}
        self.assertEqual(folders, {"opt", "opt/copal too", *(f"opt/copal too/{name}" for name in (
            "bin", "lib", "lib/copal", "share", "share/man", "share/man/man1"))})

    def test_names(self):
        for tool in "oshcc", "oshc++", "oshrun", "cafrun":
            self.assertTrue(os.access(self.bin / tool, os.X_OK), tool)
            self.assertEqual(os.readlink(self.bin / f"copal-{tool}"), tool)

    def test_headers(self):
        ours = {path.relative_to(SOURCE / "include") for path in (SOURCE / "include").rglob("*.h")}
        installed = {path.relative_to(self.prefix / "include") for path in (self.prefix / "include").rglob("*.h")}
        self.assertEqual(installed, ours)
        self.assertIn(pathlib.Path("shmem.h"), installed)

    def test_man_pages(self):
        for page in "oshcc.1", "oshc++.1", "oshrun.1", "cafrun.1":
            self.assertTrue((self.prefix / "share/man/man1" / page).is_file(), page)

    def test_nothing_names_the_build_or_source_tree(self):
        """Debugging symbols may; scripts, package files and run paths may not."""
        for path in self.prefix.rglob("*"):
            if not path.is_file():
                continue
            text = path.read_bytes()
            if text.startswith((b"\x7fELF", b"!<arch>")):
                text = run("readelf", "-d", path).encode()
            for folder in BUILD, SOURCE:
                self.assertFalse(str(folder).encode() in text, f"{path} names {folder}")

    def test_oshcc(self):
        for tool in "oshcc", "copal-oshcc":
            run(self.bin / tool, "-Wall", "-Werror", "sum.c", "-o", "by-oshcc", folder=self.folder)
            self.assertEqual(self.sum_of("./by-oshcc"), "sum 60\n")

    def test_oshcplusplus(self):
        (self.folder / "sum.cpp").write_text(PROGRAM)
        run(self.bin / "copal-oshc++", "-Wall", "-Werror", "sum.cpp", "-o", "by-oshc++", folder=self.folder)
        self.assertEqual(self.sum_of("./by-oshc++"), "sum 60\n")

    def test_oshfort(self):
        if not (self.bin / "oshfort").exists():
            self.skipTest("built without gfortran")
        self.assertEqual(os.readlink(self.bin / "copal-oshfort"), "oshfort")
        run(self.bin / "copal-oshfort", SOURCE / "examples/ring.f90", "-o", "by-oshfort", folder=self.folder)
        self.assertIn("sum over 3 PEs: 2508.0", self.sum_of("./by-oshfort"))
        run(self.bin / "oshfort", SOURCE / "examples/classic.f", "-o", "by-oshfort-classic", folder=self.folder)
        self.assertIn("pi is about 3.14159265", self.sum_of("./by-oshfort-classic"))

    def coarrays(self):
        """A folder with a coarray program of two files."""
        if subprocess.run([self.bin / "caf", "--version"], stdout=subprocess.DEVNULL).returncode:
            self.skipTest("built without coarrays")
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        (folder / "ring_m.f90").write_text(RING_MODULE)
        (folder / "main.f90").write_text(RING)
        return folder

    def check_ring(self, program):
        for tool in "cafrun", "copal-cafrun":
            self.assertEqual(run(self.bin / tool, "-n", 3, program), "sum 60\n")

    def test_caf(self):
        folder = self.coarrays()
        self.assertEqual(os.readlink(self.bin / "copal-caf"), "caf")
        for tool in "caf", "copal-caf":
            run(self.bin / tool, "-Wall", "-Werror", "ring_m.f90", "main.f90", "-o", tool, folder=folder)
            self.check_ring(folder / tool)

    def test_find_package_for_coarrays(self):
        folder = self.coarrays()
        (folder / "CMakeLists.txt").write_text(CAF_PROJECT)
        fortran = shlex.split(run(self.bin / "caf", "--show", "-c"))[0]
        configure = ["cmake", "-S", folder, "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={self.prefix}",
                     f"-DCMAKE_Fortran_COMPILER={fortran}"]
        run(*configure)
        run("cmake", "--build", folder / "build")
        self.check_ring(folder / "build/ring")
        # With another compiler CMake names what is missing, but only to who asks for coarrays.
        text = CAF_PROJECT.replace("find_package", "set(CMAKE_Fortran_COMPILER_VERSION 16.1.0)\nfind_package")
        (folder / "CMakeLists.txt").write_text(text)
        with self.assertRaisesRegex(AssertionError, "Copal::caf_needs_gfortran_12_13_or_14"):
            run(*configure)
        (folder / "CMakeLists.txt").write_text(text.replace("ring Copal::caf", "ring Copal::shmem"))
        run(*configure)

    def test_pkg_config(self):
        pc = next(self.prefix.rglob("copal.pc"))
        command = 'cc sum.c $(pkg-config --cflags --libs copal) -o by-pkg-config'
        # The shell splits what pkg-config prints, so the folder is reached by a name without spaces.
        link = self.folder / "without-spaces"
        link.symlink_to(self.prefix)
        where = link / pc.parent.relative_to(self.prefix)
        run("sh", "-c", command, folder=self.folder, PKG_CONFIG_PATH=where)
        self.assertEqual(self.sum_of("./by-pkg-config"), "sum 60\n")
        version = run("pkg-config", "--modversion", "copal", PKG_CONFIG_PATH=where).strip()
        self.assertIn(f" {version},", run(self.bin / "oshcc", "--version"))

    def test_find_package(self):
        project = self.folder / "project"
        project.mkdir()
        (project / "CMakeLists.txt").write_text(PROJECT)
        (project / "sum.c").write_text(PROGRAM)
        run("cmake", "-S", project, "-B", project / "build", f"-DCMAKE_PREFIX_PATH={self.prefix}")
        run("cmake", "--build", project / "build")
        self.assertEqual(self.sum_of("project/build/sum"), "sum 60\n")

    def test_library_name(self):
        library = next(self.prefix.rglob("libshmem.so"))
        self.assertTrue(library.is_symlink())
        self.assertTrue(re.search(r"SONAME.*\[libshmem\.so\.1\]", run("readelf", "-d", library)))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--oshrun", required=True, type=os.path.abspath)
    parser.add_argument("--oshcc", required=True, type=os.path.abspath)
    options, rest = parser.parse_known_args()
    BUILD = pathlib.Path(options.oshcc).resolve().parents[1]
    unittest.main(argv=sys.argv[:1] + rest, verbosity=2)
