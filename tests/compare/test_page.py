"""make bench as a user calls it: a small real comparison, interrupted and continued; its page in a browser."""
import argparse
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "bench/runner"), str(ROOT / "tests/tools")]

import page  # noqa: E402
from support import LIMIT, wait_for  # noqa: E402

BUILD = None    # set from the command line

# Two figures of one program, one with lines and one with bars; "check" runs every row a few times.
CATALOGUE = """
from model import Curve, Figure, Headline, Program, Run, Target
PROGRAMS = [Program("pairs", "shmem", ("bench/programs/rma/pairs.c",))]
RUNS = [Run("copal", "pairs", 1, ("check",))]  # of one PE: no slice is dropped
FIGURES = [
    Figure("put", "thesis", "Figure 1", "Put", "bytes", "time",
           [Curve("Copal", "ours", RUNS, "put_latency")], targets=(Target("figure", 1e9),)),
    Figure("get", "phi", "Figure 2", "Get", "bytes", "bandwidth", [Curve("Copal", "ours", RUNS, "get_latency")],
           better="more", kind="bars")]
HEADLINES = [Headline("thesis", "put is as fast as put", [("put", "Copal", "Copal", {})], 1, "It is the same.")]
"""

# Runs of half a second, each of which prints one row; on request, with wrong data.
SLOW = """
#include <shmem.h>
#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    shmem_init();
    usleep(500000); /* the duration of a run */
    if (shmem_my_pe() == 0)
        printf("{\\"row\\": \\"nap\\", \\"pes\\": 1, \\"bytes\\": %s, \\"us\\": 5e5}\\n%s{\\"done\\": true}\\n",
               argv[1], argc > 2 ? "{\\"error\\": \\"nap: wrong\\"}\\n" : "");
    shmem_finalize();
    return argc > 2;
}
"""
SLOW_CATALOGUE = """
from model import Curve, Figure, Program, Run
PROGRAMS = [Program("slow", "shmem", ("{source}",))]
RUNS = [Run("copal", "slow", 1, (str(size),) + {more}) for size in (1, 2, 3, 4)]
FIGURES = [Figure("nap", "apps", "", "Nap", "bytes", "time", [Curve("Copal", "ours", RUNS, "nap")])]
HEADLINES = []
"""


def plots_drawn(path, *options):
    """The report on a page's plots: "2 of 2 plots draw", or the page's errors."""
    command = [str(ROOT / "scripts/check-page"), *options, str(path)]
    done = subprocess.run(command, timeout=LIMIT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    all_draw = re.fullmatch(r"([1-9]\d*) of \1 plots draw\n", done.stdout)
    if bool(all_draw) != (done.returncode == 0):
        raise AssertionError(f"exit code {done.returncode} and {done.stdout}")
    return done.stdout.strip()


class Comparison(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="test-compare-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.output = self.folder / "out"
        (self.folder / "catalogue").mkdir()

    def catalogue(self, text):
        (self.folder / "catalogue/test.py").write_text(text)

    def slow_catalogue(self, more="()"):
        (self.folder / "slow.c").write_text(SLOW)
        self.catalogue(SLOW_CATALOGUE.format(source=self.folder / "slow.c", more=more))

    def command(self, *words):
        return [sys.executable, str(ROOT / "bench/runner"), "--build", str(BUILD), "--output", str(self.output),
                "--catalogue", str(self.folder / "catalogue"), *words]

    def compare(self, *words):
        return subprocess.run(self.command(*words), timeout=LIMIT, text=True, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def results(self):
        return json.loads((self.output / "results.json").read_text())

    def test_a_real_comparison_and_its_page(self):
        self.catalogue(CATALOGUE)
        done = self.compare("--rounds", "1")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        figures = {figure["id"]: figure for figure in self.results()["figures"]}
        for id in ("put", "get"):
            self.assertGreater(len(figures[id]["curves"][0]["points"]), 3)
        self.assertEqual(self.results()["headlines"][0]["verdict"], "holds")
        self.assertEqual(self.results()["headlines"][0]["parts"][0]["ratio"]["mean"], 1.0)
        index = self.output / "index.html"
        self.assertNotRegex(index.read_text(), r"(src|href)=.?(http|//)")
        kept = BUILD / "compare-test"
        kept.mkdir(exist_ok=True)
        self.assertEqual(plots_drawn(index, "--screenshot", str(kept / "page.png")), "2 of 2 plots draw")
        self.assertGreater((kept / "page.png").stat().st_size, 20000)
        for width in (390, 500):
            self.assertEqual(plots_drawn(index, "--size", f"{width}x800"), "2 of 2 plots draw")
        again = self.compare("--from", str(self.output / "results.json"), "--output", str(self.folder / "again"),
                             "--summary", str(self.folder / "results.md"))
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual((self.folder / "again/index.html").read_text(), index.read_text())
        self.assertIn("| put is as fast as put | **holds** | 1.00x |", (self.folder / "results.md").read_text())

    def test_what_is_interrupted_goes_on(self):
        self.slow_catalogue()
        first = subprocess.Popen(self.command("--rounds", "2"), text=True, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE)
        runs = self.output / "runs.jsonl"
        wait_for(lambda: runs.exists() and runs.read_text().count("\n") >= 2)
        first.send_signal(signal.SIGTERM)
        _, said = first.communicate(timeout=LIMIT)
        self.assertEqual(first.returncode, 1, said)
        self.assertRegex(said, "interrupted; (the running program has been ended, )?start again to continue from here")
        self.assertNotIn("Traceback", said)
        kept = runs.read_text()
        self.assertLess(kept.count("\n"), 8)
        late = self.compare("--rounds", "2", "--minutes", "1e-6")
        self.assertIn("by --minutes", late.stderr)
        self.assertTrue(self.results()["figures"][0]["curves"][0]["points"])  # from the stored runs
        runs.write_text(kept)
        second = self.compare("--rounds", "2")
        self.assertEqual(second.returncode, 0, second.stderr)
        self.assertIn(f"an interrupted measurement, of which {kept.count(chr(10))} runs are stored", second.stderr)
        samples = [(sample["key"], sample["round"], sample["seconds"]) for sample in self.results()["samples"]]
        for record in map(json.loads, kept.splitlines()):
            self.assertIn((record["key"], record["round"], record["seconds"]), samples)
        self.assertEqual(runs.read_text(), "")  # it is finished
        self.assertEqual([point[0] for point in self.results()["figures"][0]["curves"][0]["points"]], [1, 2, 3, 4])
        self.assertEqual({point[4] for point in self.results()["figures"][0]["curves"][0]["points"]}, {2})
        third = self.compare("--rounds", "1")
        self.assertNotIn("continues", third.stderr)

    def test_wrong_data_of_copal_is_a_failure(self):
        self.slow_catalogue('("wrong",)')
        done = self.compare("--rounds", "1")
        self.assertEqual(done.returncode, 1)
        self.assertIn("PROBLEM: copal, slow 1 wrong with 1 PEs: nap: wrong", done.stdout)
        self.assertEqual(self.results()["figures"][0]["curves"][0]["points"], [])

    def test_what_does_not_build_is_a_failure(self):
        self.slow_catalogue()
        (self.folder / "slow.c").write_text("int main(void) { return nothing; }\n")
        done = self.compare("--rounds", "1")
        self.assertEqual(done.returncode, 1)
        self.assertIn("PROBLEM: copal, slow: could not be built", done.stdout)

    def test_bad_options_are_said_in_one_sentence(self):
        self.catalogue(CATALOGUE)
        for words, said in ((("--only", "putt"), "--only putt: 'putt' is neither a figure nor a section"),
                            (("--field", "nodes"), "--field nodes: 'nodes' is none of node, network,"),
                            (("--rounds", "0"), "--rounds 0: at least 1 is needed"),
                            (("--cores", "none"), "--cores none: a number from 1 to"),
                            (("--implementations", "copal,them"),
                             "--implementations copal,them: 'them' is none of copal,"),
                            (("--catalogue", str(self.folder / "no")), "no catalogue is there")):
            done = self.compare(*words)
            self.assertEqual(done.returncode, 2, words)
            self.assertIn(said, done.stderr)
        listed = self.compare("--list")
        self.assertRegex(listed.stdout, r"thesis: .*\n  put +Put\nphi: .*\n  get +Get\n")


class Page(unittest.TestCase):
    """The page alone, with invented figures of every kind."""

    def figure(self, id, **more):
        points = [[8 << i, 0.01 * 1.7 ** i, 0.009 * 1.7 ** i, 0.012 * 1.7 ** i, 3] for i in range(20)]
        curves = [("Copal", "ours", "copal", 1), ("Copal by hand", "variant", "copal", 1.3),
                  ("floor", "floor", "floor", 0.9), ("Open MPI OSHMEM", "peer", "oshmem", 2),
                  ("Open MPI", "peer", "openmpi", 3), ("MPICH", "peer", "mpich", 4)]
        points = more.pop("points", points)
        return {"id": id, "section": "thesis", "targets": [], "like": "Figure 1", "title": f"A figure <{id}>",
                "text": "It & its text.",
                "x": "bytes", "y": "time", "unit": "", "better": "less", "kind": "lines", "judged": True, "log_x": True,
                "log_y": True, "compared": [], "peer": {"mean": 2.0, "least": 1.0, "most": 3.0, "points": 20},
                "floor": None,
                "curves": [{"label": label, "role": role, "side": side, "commands": ["oshrun -n 2 rma"], "points":
                            [[x, *(y * by for y in ys), n] for x, *ys, n in points]}
                           for label, role, side, by in curves],
                **more}

    def written(self, figures):
        folder = tempfile.TemporaryDirectory(prefix="test-compare-")
        self.addCleanup(folder.cleanup)
        machine = {"cpu": "CPU", "cores": 2, "kernel": "6", "date": "2026-01-01", "compiler": "cc 1",
                   "load_average_at_start": 0, "load_average_at_end": 0}
        path = pathlib.Path(folder.name) / "index.html"
        page.write_page({"machine": machine, "cores": 2, "rounds": 3, "quick": False, "versions": {"copal": "Copal 1"},
                         "notes": ["a peer <failed>"], "problems": [], "figures": figures, "headlines": [], "summary": {
                             "points": {"points": 20, "ahead": 18, "level": 1, "behind": 1, "at_floor": 0},
                             "targets": {"met": 0, "of": 0},
                             "verdicts": {"holds": 0, "does not hold here": 0, "not measured": 0}}}, path)
        return path

    def test_every_kind_of_plot_draws(self):
        classes = [[name, 10.0 ** i, 10.0 ** i, 10.0 ** i, 1] for i, name in enumerate("SWA")]
        figures = [self.figure("lines"), self.figure("linear", log_x=False, log_y=False, y="value", unit="%"),
                   self.figure("bars", kind="bars", x="class", y="value", points=classes),
                   self.figure("words", x="class", points=classes), self.figure("one", points=[[8, 1.0, 1.0, 1.0, 1]]),
                   self.figure("zero", y="value", points=[[1, 0, 0, 0, 1], [2, 5.0, 5.0, 5.0, 1]]),
                   self.figure("none", points=[])]
        self.assertEqual(plots_drawn(self.written(figures)), "6 of 6 plots draw")

    def test_a_plot_that_does_not_draw_is_not_counted(self):
        path = self.written([self.figure("lines"), self.figure("other")])
        text = path.read_text()
        for broken in (re.sub(r'(<path class="data" )d="[^"]*"', r'\1d=""', text, count=2),
                       re.sub(r'(<path class="data" )d="M', r'\1d="M-900 5L', text, count=2),
                       text.replace("<header>", '<header><p style="width: 3000px">wide</p>'),
                       text.replace("svg.plot { display: block", "svg.plot { display: none")):
            self.assertNotEqual(text, broken)
            path.write_text(broken)
            self.assertRegex(plots_drawn(path), "(?m)^[01] of 2 plots draw")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--oshrun", required=True, type=os.path.abspath)
    parser.add_argument("--oshcc")
    options, rest = parser.parse_known_args()
    BUILD = pathlib.Path(options.oshrun).parent.parent
    unittest.main(argv=sys.argv[:1] + rest, verbosity=2)
