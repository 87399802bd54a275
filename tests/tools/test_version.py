"""One version: the headers for C and Fortran, the library, the tools and the build agree."""
import pathlib
import re
import subprocess
import tempfile
import unittest

from support import LIMIT, programs

BIN = None    # set from the command line
SOURCE = pathlib.Path(__file__).resolve().parents[2]

PROGRAM = r"""
#include <shmem.h>
#include <stdio.h>

int main(void)
{
    char name[SHMEM_MAX_NAME_LEN];
    shmem_info_get_name(name);
    printf("%d.%d.%d|", COPAL_VERSION_MAJOR, COPAL_VERSION_MINOR, COPAL_VERSION_PATCH);
    printf("%s|%s|%s\n", COPAL_VERSION, SHMEM_VENDOR_STRING, name);
}
"""


def printed(*command):
    return subprocess.run(command, check=True, text=True, timeout=LIMIT, stdout=subprocess.PIPE).stdout


def vendor_in(path):
    return re.search(r"SHMEM_VENDOR_STRING\s*=\s*[\"'](.*)[\"']", (SOURCE / path).read_text())[1]


class Version(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory(prefix="test-version-") as folder:
            (pathlib.Path(folder) / "version.c").write_text(PROGRAM)
            printed(BIN / "oshcc", "-Wall", "-Werror", f"{folder}/version.c", "-o", f"{folder}/version")
            cls.numbers, cls.text, *cls.names = printed(f"{folder}/version").strip().split("|")

    def test_header_and_library(self):
        self.assertEqual(self.text, self.numbers)
        self.assertEqual(self.names, [f"Copal {self.text}"] * 2)

    def test_fortran(self):
        self.assertEqual(vendor_in("src/fortran/shmem.F90.in"), f"Copal {self.text}")
        self.assertEqual(vendor_in("include/shmem.fh"), f"Copal {self.text}")

    def test_tools(self):
        for tool in "oshrun", "cafrun", "oshcc", "copal-info":
            self.assertRegex(printed(BIN / tool, "--version").splitlines()[0], rf"\b{re.escape(self.text)}\b", tool)

    def test_build(self):
        self.assertIn(f"\nCMAKE_PROJECT_VERSION:STATIC={self.text}\n", (BIN.parent / "CMakeCache.txt").read_text())

    def test_change_log(self):
        self.assertIn(f"\n## {self.text}", (SOURCE / "CHANGELOG.md").read_text())


if __name__ == "__main__":
    BIN = pathlib.Path(programs()[1]).resolve().parent
    unittest.main(verbosity=2)
