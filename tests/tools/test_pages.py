"""scripts/check-links: the pages' links have targets, and a broken link is found; scripts/check-docs writes nothing to
the checkout."""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from support import LIMIT

SOURCE = pathlib.Path(__file__).resolve().parents[2]

PAGE = """# A page

[it](page.md), [its second heading](#what-it-is-1), [a folder](.), [the web](https://example.org/x), `code](nowhere.md)`

## What it *is*
## What it *is*

```sh
[not](a/link.md)
```
"""


def check(*folder):
    return subprocess.run([SOURCE / "scripts/check-links", *folder], text=True, timeout=LIMIT, stdout=subprocess.PIPE)


class Pages(unittest.TestCase):
    def check_page(self, text):
        with tempfile.TemporaryDirectory(prefix="test-pages-") as folder:
            (pathlib.Path(folder) / "page.md").write_text(text)
            return check(folder)

    def test_this_project(self):
        result = check()
        self.assertEqual(result.returncode, 0, result.stdout)

    def test_right(self):
        result = self.check_page(PAGE)
        self.assertEqual(result.returncode, 0, result.stdout)

    def test_wrong(self):
        for link, expected in (("other.md", "there is no other.md"), ("../nowhere", "there is no ../nowhere"),
                               ("#missing", "page.md has no heading #missing"),
                               ("page.md#what-it-is-2", "page.md has no heading #what-it-is-2")):
            with self.subTest(link):
                result = self.check_page(f"{PAGE}\n[wrong]({link})\n")
                self.assertEqual(result.returncode, 1)
                self.assertRegex(result.stdout, rf"page.md:12: {expected}\n$")

    def test_paths(self):
        self.assertEqual(self.check_page("`build/bin/x`, `src/*.c`, `/src/x`").returncode, 0)
        for path in ("src/nowhere.c", "bench/nowhere", "packaging/nowhere"):
            with self.subTest(path):
                result = self.check_page(f"what is in `{path}`")
                self.assertEqual(result.returncode, 1)
                self.assertRegex(result.stdout, f"page.md:1: there is no {path}")


class Blocks(unittest.TestCase):
    """scripts/check-docs, in a checkout in which a user has files of the names that pages use."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="test-pages-")
        self.addCleanup(scratch.cleanup)
        self.checkout = pathlib.Path(scratch.name)
        for name in "scripts", "tests/tools", "docs", "build/bin":
            (self.checkout / name).mkdir(parents=True)
        for name in "scripts/check-docs", "tests/tools/support.py":
            shutil.copy(SOURCE / name, self.checkout / name)
        self.mine = [self.checkout / name for name in ("ring.c", "ring", "tracked.c", "docs/page.md")]
        for path in self.mine:
            path.write_text("mine\n")
        subprocess.run(["git", "init", "-q", self.checkout], check=True)
        subprocess.run(["git", "-C", self.checkout, "add", "docs", "scripts", "tracked.c"], check=True)

    def check_docs(self, text):
        page = self.checkout / "page"
        page.write_text(text)
        done = subprocess.run([self.checkout / "scripts/check-docs", "--bin", self.checkout / "build/bin", page],
                              stdout=subprocess.PIPE, text=True, timeout=LIMIT)
        self.assertEqual({path.read_text() for path in self.mine}, {"mine\n"}, done.stdout)
        return done

    def test_the_users_files_stay(self):
        done = self.check_docs("```c file=ring.c\nx\n```\n```c file=tracked.c\ny\n```\n"
                               "```sh run\ncat ring.c tracked.c\necho binary >ring\n```\n```text output\nx\ny\n```\n")
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_no_file_in_a_folder_of_the_checkout(self):
        done = self.check_docs("```text file=docs/page.md\nx\n```\n")
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("file=docs/page.md would be written to the checkout", done.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
