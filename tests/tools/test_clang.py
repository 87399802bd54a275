"""Clang compiles, without warnings, all files that the build compiles by another C compiler."""
import concurrent.futures
import json
import pathlib
import shlex
import shutil
import subprocess
import unittest

from support import programs

OSHRUN, _ = programs()
BUILD = pathlib.Path(OSHRUN).parents[1]
SOURCE = pathlib.Path(__file__).resolve().parents[2]
GCC_ALONE = ("-finstrument-functions", "-mmemset-strategy", "-mmemcpy-strategy")
PLACES = [str(SOURCE / folder) + "/" for folder in ("src", "tools", "tests/unit")]


def commands():
    """One command for each C file of the library, the tools and their unit tests, with clang as the compiler."""
    listed = subprocess.run(["ninja", "-C", BUILD, "-t", "compdb"], check=True, text=True, stdout=subprocess.PIPE)
    found = {}
    for entry in json.loads(listed.stdout):
        path = str((BUILD / entry["file"]).resolve())
        if path.endswith(".c") and path.startswith(tuple(PLACES)) and " -c " in entry["command"]:
            words = [word for word in shlex.split(entry["command"]) if not word.startswith(GCC_ALONE)]
            while not words[0].startswith("-"):    # a compiler cache, and the compiler
                del words[0]
            # without the options that name the output
            for option in ("-o", "-MT", "-MF"):
                if option in words:
                    at = words.index(option)
                    del words[at:at + 2]
            words = [word for word in words if word not in ("-MD", "-c")]
            found.setdefault(path, ["clang", "-fsyntax-only", *words])
    return found


@unittest.skipUnless(shutil.which("clang"), "there is no clang")
@unittest.skipUnless((BUILD / "build.ninja").exists(), "it was not built by ninja")
class Clang(unittest.TestCase):
    def test_all_files(self):
        all_of_them = commands()
        self.assertGreater(len(all_of_them), 250)

        def check(command):
            return subprocess.run(command, cwd=BUILD, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for path, result in zip(all_of_them, pool.map(check, all_of_them.values())):
                with self.subTest(path):
                    self.assertEqual((result.returncode, result.stdout), (0, ""))


if __name__ == "__main__":
    unittest.main()
