"""scripts/check-style finds long lines, long files, tabs, blanks at the end and a last line without a newline."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

from support import LIMIT

SOURCE = pathlib.Path(__file__).resolve().parents[2]


class Style(unittest.TestCase):
    def check(self, text, name="src/a.c"):
        with tempfile.TemporaryDirectory(prefix="test-style-") as folder:
            path = pathlib.Path(folder) / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
            return self.checked(folder)

    def checked(self, *folder):
        result = subprocess.run([SOURCE / "scripts/check-style", *folder], text=True, timeout=LIMIT,
                                stdout=subprocess.PIPE)
        return result.returncode, result.stdout

    def test_the_project(self):
        status, said = self.checked()
        self.assertEqual(status, 0, said)

    def test_right(self):
        self.assertEqual(self.check("x" * 120 + "\n" + "x\n" * 599)[0], 0)

    def test_wrong(self):
        for text, expected in (("\n" + "x" * 121 + "\n", "src/a.c:2: 121 columns, allowed are 120\n"),
                               ("x\n" * 601, "src/a.c: 601 lines, allowed are 600\n"),
                               ("x\n\ty\n", "src/a.c:2: a tab, or blanks at the end\n"),
                               ("x \n", "src/a.c:1: a tab, or blanks at the end\n"),
                               ("x", "src/a.c: the last line has no newline\n")):
            with self.subTest(expected):
                self.assertEqual(self.check(text), (1, expected))

    def test_output_of_compilers(self):
        with tempfile.TemporaryDirectory(prefix="test-style-") as folder:
            (pathlib.Path(folder) / "src").mkdir()
            (pathlib.Path(folder) / "src/a.c").write_text("x\n")
            (pathlib.Path(folder) / "m.mod").touch()
            self.assertEqual(self.checked(folder), (1, "m.mod: a compiler's output\n"))

    def test_sleeps(self):
        wrong = ":2: a sleep; wait for an event, or say in a comment why not\n"
        for text, name, said in (("x\n" + "time.sleep" + "(1)\n", "tests/a.py", "tests/a.py" + wrong),
                                 ("x\n    usleep(9);\n", "tests/a.c", "tests/a.c" + wrong),
                                 ("x\n    usleep(9); /* late on purpose */\n", "tests/a.c", None),
                                 ("    while (!there())\n        usleep(9);\n", "tests/a.c", None),
                                 ("x\n    usleep(9);\n", "src/a.c", None)):    # texts alone
            with self.subTest(text):
                self.assertEqual(self.check(text, name), (1, said) if said else (0, "1 files are as they should be\n"))

    def test_what_builds(self):
        for name in ("CMakeLists.txt", "Makefile", "cmake/a.cmake", ".ci/run", "tests/a.py", "bench/a.js", "scripts/a",
                     "apps/README.md", "examples/a.f90"):
            with self.subTest(name):
                self.assertEqual(self.check("x" * 121 + "\n", name), (1, f"{name}:1: 121 columns, allowed are 120\n"))
        self.assertEqual(self.check("a:\n\tb\n", "Makefile")[0], 0)

    def test_lists_may_be_long(self):
        self.assertEqual(self.check("x\n" * 601, "tests/a.txt")[0], 0)
        self.assertEqual(self.check("x\n" * 601, "tests/a.c")[0], 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
