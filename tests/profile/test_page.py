"""The page of a profile in a browser, light and dark, as wide as a phone's and a desktop's screen: of a small job, and
of a generated job of 1024 PEs. Every chart draws, nothing is wider than the window, all texts can be read."""
import json
import pathlib
import shutil
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CHECK = ROOT / "scripts/check-page"
sys.path.insert(0, str(HERE.parent / "tools"))
from support import InFolder, programs

OSHRUN = OSHCC = None    # set from the command line
VIEWS = [(size, *dark) for size in ("390x844", "1280x1800") for dark in ((), ("--dark",))]


@unittest.skipUnless(shutil.which("chromium"), "there is no chromium, which opens the pages")
class Page(InFolder):
    def check(self, page, plots):
        for size, *dark in VIEWS:
            seen = self.run_tool(CHECK, *dark, "--size", size, page)
            self.assertEqual((seen.returncode, seen.stdout, seen.stderr), (0, f"{plots} of {plots} plots draw\n", ""))

    def test_small(self):
        """The page has a map, bars for each PE and for its awaited PEs, four histograms, and memory."""
        self.succeed(OSHCC, "-g", "-o", "program", HERE / "counts.c")
        self.succeed(OSHRUN, "-n", 4, "--profile", "./program")
        self.check("program.profile/index.html", 8)

    def test_gets_alone(self):
        """If a program only gets, the map starts with the gets."""
        self.write("gets.c", """#include <shmem.h>
            static long word;
            int main(void)
            {
                shmem_init();
                const long got = shmem_long_g(&word, 0);
                shmem_finalize();
                return (int)got;
            }""")
        self.succeed(OSHCC, "-g", "-o", "program", "gets.c")
        self.succeed(OSHRUN, "-n", 1, "--profile", "./program")
        seen = self.run_tool(CHECK, "program.profile/index.html")
        self.assertEqual((seen.stdout, seen.stderr), ("3 of 3 plots draw\n", ""))

    def test_1024(self):
        """Nodes of 50 PEs, whose borders are not those of the map's cells of 4 by 4 PEs."""
        self.succeed(OSHCC, f"-I{ROOT}/tools", "-o", "many", HERE / "many.c")
        self.succeed("./many", "here", 1024, 21)
        self.succeed(pathlib.Path(OSHRUN).parent / "copal-profile", "here")
        page = self.folder / "here/index.html"
        self.assertLess(page.stat().st_size, 4 << 20)
        profile = json.loads((self.folder / "here/profile.json").read_text())
        self.assertEqual((profile["pes"], profile["nodes"], profile["traffic_each"]), (1024, 21, 1))
        self.assertEqual(len(profile["traffic"]), 1 << 20)
        self.check(page, 8)

    def test_larger(self):
        """If there are more PEs than the map can show, it shows blocks: each has the sums of its PEs."""
        self.succeed(OSHCC, f"-I{ROOT}/tools", "-o", "many", HERE / "many.c")
        self.succeed("./many", "here", 1030, 1)
        self.succeed(pathlib.Path(OSHRUN).parent / "copal-profile", "here")
        profile = json.loads((self.folder / "here/profile.json").read_text())
        self.assertEqual((profile["pes"], profile["traffic_each"], len(profile["traffic"])), (1030, 2, 515 * 515))
        # All PEs but PE 0 wait for PE 0: the first block has one waiting PE, each other block has two.
        self.assertEqual([wait[:3] for wait in profile["waits"]],
                         [[pe, 0, 8 if pe == 0 else 16] for pe in range(0, 1030, 2)])
        self.assertAlmostEqual(sum(w[3] for w in profile["waits"]), profile["per_pe"][0]["late_seconds"], delta=1e-5)

    def test_check_page(self):
        """The checks find the errors of a wrong page."""
        page = "<!doctype html><meta name=viewport content=width=device-width>" \
               "<html data-plots='{}'><body><style>{}</style><p>text<p>other"
        for plots, style, said in (
                ("1/2", "", "^$"), ("0/0", "", "^$"), ("1/1", "p { color: #aaa }", "too little contrast, 2.32: text\n"),
                ("1/1", "body { margin: 0; width: 500px }", r"the page is 50\d pixels wide, the window 390\n"),
                ("1/1", "@media (prefers-color-scheme: dark) { p { background: #222 } }", "1.32: other\n")):
            self.write("page.html", page.format(plots, style))
            seen = self.run_tool(CHECK, "--dark", "--size", "390x844", "page.html")
            self.assertEqual(seen.returncode, 1, seen.stderr)
            self.assertRegex(seen.stderr, said)
        self.write("page.html", page.format("1/1", "p { color: #767676 }"))
        self.assertEqual(self.succeed(CHECK, "page.html"), "1 of 1 plots draw\n")


if __name__ == "__main__":
    OSHRUN, OSHCC = programs()
    unittest.main(verbosity=2)
