"""Without a suitable gfortran, the build works, and makes coarray libraries and a caf for other compilers. One compiler
is used for all. And builds without the tools that observe programs."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]

# The real compiler, which claims a newer version: to a version query, and by its macros to CMake.
NEWER = """#!/bin/sh
case $1 in
-dumpversion) echo 17 ;;
*) exec {} -U__GNUC__ -D__GNUC__=17 "$@" ;;
esac
"""


class Configured(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="test-without-caf-")
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.build = self.folder / "build"
        self.real = shutil.which("gfortran")
        if not self.real:
            self.skipTest("there is no gfortran")
        newer = self.folder / "gfortran"
        newer.write_text(NEWER.format(self.real))
        newer.chmod(0o755)

    def configure(self, **environment):
        """The newer gfortran is first on the PATH."""
        environment = os.environ | {"PATH": f"{self.folder}:{os.environ['PATH']}"} | environment
        self.run_here("cmake", "-G", "Ninja", "-S", SOURCE, "-B", self.build, **environment)

    def run_here(self, *command, **environment):
        result = subprocess.run(command, env=environment or None, text=True, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT)
        self.assertEqual(result.returncode, 0, f"{command}\n{result.stdout}")
        return result.stdout

    def check_without_tests(self):
        for name in "caf_gfortran12", "caf_gfortran16", "prif_copal":
            self.assertIn(f"lib{name}.so", self.run_here("ninja", "-C", self.build, "-t", "targets", "all"))
        # All targets can be built.
        self.run_here("ninja", "-C", self.build, "-n", "all", "tests")
        steps = self.run_here("ninja", "-C", self.build, "-t", "commands", "all", "tests").splitlines()
        self.assertEqual([step for step in steps if "/bin/caf " in step], [])

    def test_newer_gfortran(self):
        self.configure(FC=str(self.folder / "gfortran"))
        self.check_without_tests()

    def test_no_gfortran(self):
        self.configure(FC="false")
        self.check_without_tests()
        self.assertIn("compiler=${CAF_FC:-gfortran}", (self.build / "bin/caf").read_text())

    def test_without_observers(self):
        """COPAL_PROFILE and COPAL_RACES leave out the tap too, and the second build of the coarray libraries."""
        self.run_here("cmake", "-G", "Ninja", "-S", SOURCE, "-B", self.build, "-DCOPAL_PROFILE=OFF",
                      "-DCOPAL_RACES=OFF")
        targets = self.run_here("ninja", "-C", self.build, "-t", "targets", "all")
        for name in "copal_tap", "copal-profile", "copal-races", "copal/tapped":
            self.assertNotIn(name, targets)
        self.run_here("ninja", "-C", self.build, "-n", "all", "tests")
        tests = self.run_here("ctest", "--test-dir", self.build, "-N")
        for name in "profile.profile", "tools.races", "docs.races", "docs.profile":
            self.assertNotIn(name, tests)

    def test_one_for_all(self):
        """If there is also an installation with coarrays, it makes the module, and oshfort and caf call it."""
        if not re.match("1[2-6]", self.run_here(self.real, "-dumpversion")):
            self.skipTest("there is no gfortran 12 to 16")
        self.configure()
        cache = (self.build / "CMakeCache.txt").read_text()
        compiler = re.search(r"^CMAKE_Fortran_COMPILER:\w+=(.*)$", cache, re.MULTILINE)[1]
        self.assertNotEqual(compiler, str(self.folder / "gfortran"))
        for tool in "oshfort", "caf":
            self.assertIn(f":-{compiler}}}", (self.build / "bin" / tool).read_text())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
