"""fpm builds, runs and tests the projects of examples/fpm, by the commands that they begin with."""
import os
import pathlib
import re
import shlex
import shutil
import tempfile
import unittest

from support import programs, run, wheel

BIN = None    # the build tree's, set from the command line
EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples/fpm"


class Fpm(unittest.TestCase):
    def setUp(self):
        installed = wheel("fpm==0.12.0")
        self.fpm = installed / "bin/fpm" if installed else shutil.which("fpm")
        if not self.fpm:
            self.skipTest("fpm is not there; scripts/install-deps check brings it where PyPI can be reached")

    def check_project(self, name, unit, first):
        with tempfile.TemporaryDirectory(prefix="test-fpm-") as folder:
            project = pathlib.Path(shutil.copytree(EXAMPLES / name, pathlib.Path(folder) / name))
            commands = re.findall(r"^# +fpm (.*)", (project / "fpm.toml").read_text(), re.M)
            said = [run(self.fpm, *shlex.split(command), *profile, folder=project, FPM_FC="",
                        PATH=f"{BIN}{os.pathsep}{os.environ['PATH']}")
                    for command, profile in zip(commands, ([], ["--profile", "release"]), strict=True)]
            heard = re.findall(rf"{unit} (\d) heard from {unit} (\d)\n", said[0])
            numbers = [str(first + i) for i in range(4)]
            self.assertEqual(sorted(heard), list(zip(numbers, numbers[-1:] + numbers[:-1])), said[0])
            self.assertIn("passed\n", said[1])

    def test_coarrays(self):
        if not (BIN / "caf").exists():
            self.skipTest("built without coarrays")
        self.check_project("coarrays", "image", 1)

    def test_openshmem(self):
        if not (BIN / "oshfort").exists():
            self.skipTest("built without gfortran")
        self.check_project("openshmem", "PE", 0)


if __name__ == "__main__":
    BIN = pathlib.Path(programs()[0]).parent
    unittest.main(verbosity=2)
