"""scripts/check-abi in a repository of one small library: the changes since the last tag that it accepts, and those
that it refuses."""
import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from support import LIMIT

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts/check-abi"

PROJECT = """
cmake_minimum_required(VERSION 3.16)
project(small LANGUAGES C)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
add_library(shmem SHARED shmem.c)
target_compile_options(shmem PRIVATE -g)
target_include_directories(shmem PRIVATE include)
set_target_properties(shmem PROPERTIES SOVERSION 1)
"""
HEADER = "typedef struct { int stride; } config_t;\nint put(config_t *config, int pe);\nint get(int pe);\n"
SOURCE = ('#include "shmem.h"\n'
          "int put(config_t *config, int pe) { return config->stride + pe; }\nint get(int pe) { return pe; }\n")


@unittest.skipUnless(shutil.which("abidiff") and shutil.which("git"), "there is no abidiff, or no git")
class CheckAbi(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="test-check-abi-")
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        for folder in "scripts", "include":
            (self.folder / folder).mkdir()
        shutil.copy(SCRIPT, self.folder / "scripts")
        (self.folder / "CMakeLists.txt").write_text(PROJECT)
        (self.folder / "include/shmem.h").write_text(HEADER)
        (self.folder / "shmem.c").write_text(SOURCE)
        (self.folder / ".gitignore").write_text("/build/\n")
        self.run_here("git", "init", "-q")
        self.commit()

    def run_here(self, *command):
        result = subprocess.run(command, cwd=self.folder, timeout=LIMIT, text=True, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT)
        return result.returncode, result.stdout

    def commit(self):
        self.run_here("git", "add", "--all")
        code, said = self.run_here("git", "-c", "user.name=test", "-c", "user.email=test@localhost", "commit", "-qm",
                                   "a")
        self.assertEqual(code, 0, said)

    def check(self, *arguments):
        code, said = self.run_here("sh", "-c", "cmake -S . -B build -G Ninja && cmake --build build")
        self.assertEqual(code, 0, said)
        result = self.run_here("scripts/check-abi", *arguments)
        self.assertEqual(self.run_here("git", "worktree", "list")[1].count("\n"), 1)    # no worktree remains
        return result

    def change(self, *replacements):
        for name in "include/shmem.h", "shmem.c", "CMakeLists.txt":
            text = (self.folder / name).read_text()
            for old, new in replacements:
                text = text.replace(old, new)
            (self.folder / name).write_text(text)
        self.commit()

    def test_without_a_tag(self):
        self.assertEqual(self.check(), (0, "check-abi: this clone has no tag v* to compare with\n"))

    def test_more_is_fine(self):
        self.run_here("git", "tag", "v0.1.0")
        self.change(("int get(int pe) {", "int swap(int pe);\nint swap(int pe) { return pe; }\nint get(int pe) {"))
        code, said = self.check()
        self.assertEqual(code, 0, said)
        self.assertIn("check-abi: the ABI of v0.1.0, perhaps with additions", said)

    def test_a_symbol_is_gone(self):
        self.run_here("git", "tag", "v0.1.0")
        self.run_here("git", "tag", "another")
        self.change(("int get(int pe)", "static inline int get(int pe)"))
        code, said = self.check()
        self.assertEqual(code, 1, said)
        self.assertRegex(said, r"'function int get\(int\)'")
        self.assertIn("the ABI is not that of v0.1.0 in: libshmem.so", said)
        # The named tag is used, and another SONAME is another library.
        self.run_here("git", "tag", "v0.2.0")
        self.assertEqual(self.check()[0], 0)
        self.assertEqual(self.check("v0.1.0")[0], 1)
        self.change(("SOVERSION 1", "SOVERSION 2"))
        code, said = self.check("v0.1.0")
        self.assertEqual(code, 0, said)
        self.assertIn("the SONAME libshmem.so.1 of v0.1.0 is libshmem.so.2 now", said)

    def test_a_type_has_changed(self):
        self.run_here("git", "tag", "v0.1.0")
        self.change(("int stride;", "long stride;"))
        code, said = self.check()
        self.assertEqual(code, 1, said)
        self.assertIn("config_t", said)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--oshrun")
    parser.add_argument("--oshcc")
    options, rest = parser.parse_known_args()
    unittest.main(argv=sys.argv[:1] + rest, verbosity=2)
