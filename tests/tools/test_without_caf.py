"""Machines with other gfortrans: the build works, and says what has no coarrays; one compiler is used for all."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]

# The real one, which says that it is a newer one: to who asks for the version, and by its macros to CMake.
NEWER = """#!/bin/sh
case $1 in
-dumpversion) echo 16 ;;
*) exec {} -U__GNUC__ -D__GNUC__=16 "$@" ;;
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
        """With the newer gfortran before all others on the PATH."""
        environment = os.environ | {"PATH": f"{self.folder}:{os.environ['PATH']}"} | environment
        self.run_here("cmake", "-G", "Ninja", "-S", SOURCE, "-B", self.build, **environment)

    def run_here(self, *command, **environment):
        result = subprocess.run(command, env=environment or None, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(result.returncode, 0, f"{command}\n{result.stdout}")
        return result.stdout

    def check_stand_in(self, reason):
        said = subprocess.run([self.build / "bin/caf", "--version"], text=True, capture_output=True)
        sentence = f"caf: no coarrays: {reason} when Copal was built; install gfortran 12, 13 or 14 and build Copal anew\n"
        self.assertEqual((said.returncode, said.stdout, said.stderr), (1, "", sentence))
        # All there is to build can be built.
        self.run_here("ninja", "-C", self.build, "-n", "all", "tests")
        steps = self.run_here("ninja", "-C", self.build, "-t", "commands", "all", "tests").splitlines()
        self.assertEqual([step for step in steps if "/bin/caf " in step], [])

    def test_newer_gfortran(self):
        self.configure(FC=str(self.folder / "gfortran"))
        self.check_stand_in(f"gfortran was 16.{self.minor()}")

    def minor(self):
        version = self.run_here(self.real, "-dumpfullversion").strip()
        return version.partition(".")[2]

    def test_no_gfortran(self):
        self.configure(FC="false")
        self.check_stand_in("there was no gfortran")

    def test_one_for_all(self):
        """Where one that has coarrays is there too, it makes the module, and is what oshfort and caf call."""
        if not re.match("1[234]", self.run_here(self.real, "-dumpversion")):
            self.skipTest("there is no gfortran 12, 13 or 14")
        self.configure()
        cache = (self.build / "CMakeCache.txt").read_text()
        compiler = re.search(r"^CMAKE_Fortran_COMPILER:\w+=(.*)$", cache, re.MULTILINE)[1]
        self.assertNotEqual(compiler, str(self.folder / "gfortran"))
        for tool in "oshfort", "caf":
            self.assertIn(f":-{compiler}}}", (self.build / "bin" / tool).read_text())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
