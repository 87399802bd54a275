"""scripts/check-links: the pages' links lead somewhere, and one that does not is found."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

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
    return subprocess.run([SOURCE / "scripts/check-links", *folder], text=True, timeout=60, stdout=subprocess.PIPE)


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


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
