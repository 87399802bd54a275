"""Figures and second verdicts on emulated networks, without running anything."""
import argparse
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench/runner"))

import catalogues  # noqa: E402
import charts  # noqa: E402
import evaluate  # noqa: E402
import fabrics  # noqa: E402
import measure  # noqa: E402
import page  # noqa: E402
import summary  # noqa: E402
import words  # noqa: E402
from catalogues import BadCatalogue, Catalogue  # noqa: E402
from contestants import Contestant  # noqa: E402
from model import (AS_IT_IS, DOUBLED, HALVED, ON_ONE_CORE, Curve, Emulated, Figure, Headline, Program,  # noqa: E402
                   Run)

FAST, SLOW = (Run("copal", "teams", 8, ("emulated", way), nodes=2, fabric="net") for way in ("fast", "slow"))
HERE = Run("copal", "teams", 2, ("full",))
CLAIM = "twice as fast"


def figures():
    """A figure of this machine and an emulated figure, both with the same two curves."""
    return [Figure("here", "teams", "Figure 4", "Barrier", "bytes", "time",
                   [Curve("fast", "ours", [HERE], "sync"), Curve("slow", "variant", [HERE], "sync")]),
            Figure("emulated", "emulated", "Figure 4", "Barrier (emulated)", "bytes", "time",
                   [Curve("fast", "ours", [FAST], "sync"), Curve("slow", "variant", [SLOW], "sync")], judged=False)]


def records(run, times):
    """The records of a run; times is {condition: microseconds}."""
    return [{"key": run.key(), "round": number, "rows": [{"row": "sync", "pes": 8, "bytes": 8, "us": us}]}
            for number, us in times.items()]


def catalogue(second=True):
    claim = Headline("teams", CLAIM, [("here", "fast", "slow", {})], 2, "one machine")
    emulated = {CLAIM: Emulated(CLAIM, [("emulated", "fast", "slow", {})], "a network")} if second else {}
    return Catalogue({}, figures(), [claim], emulated)


def evaluated(fast, slow, chosen=None):
    """(figures, headlines, summary) for given emulated times under each condition."""
    of = catalogue()
    shown = [figure for figure in of.figures if chosen is None or figure.id in chosen]
    return evaluate.evaluate(of, shown, records(FAST, fast) + records(SLOW, slow), False, {})[:3]


def second(fast, slow):
    return evaluated(fast, slow, ["emulated"])[1][0]["emulated"]["verdict"]


class Judging(unittest.TestCase):
    def test_the_first_condition_is_the_figure(self):
        shown = evaluated({AS_IT_IS: 1.0, ON_ONE_CORE: 1.01, HALVED: 0.5, DOUBLED: 2.0}, {AS_IT_IS: 3.0})[0][1]
        self.assertEqual(shown["curves"][0]["points"], [[8, 1.0, 1.0, 1.0, 1]])
        self.assertEqual((shown["fabrics"], shown["unsteady"]), (["net"], []))

    def test_a_headline_has_a_second_verdict(self):
        for slow, verdict in ((2.0, "holds emulated"), (1.9, "does not")):
            self.assertEqual(second({AS_IT_IS: 1.0}, {AS_IT_IS: slow}), verdict)
        self.assertEqual(second({AS_IT_IS: 1.0}, {}), "not measured")

    def test_a_figure_that_changes_with_the_cores_is_not_trustworthy(self):
        steady, shaky = ({AS_IT_IS: 1.0, ON_ONE_CORE: us} for us in (1.04, 1.06))
        self.assertEqual(second(steady, {AS_IT_IS: 3.0}), "holds emulated")
        self.assertEqual(second(shaky, {AS_IT_IS: 3.0}), "not trustworthy")
        shown = evaluated(shaky, {AS_IT_IS: 3.0})[0][1]
        self.assertEqual(list(words.unsteady(shown)), ["not trustworthy: fast at 8 B: on one core it changes by 6 %"])

    def test_a_verdict_that_changes_with_the_charge_within_a_node_says_so(self):
        for condition in (HALVED, DOUBLED):
            verdict = second({AS_IT_IS: 1.0, condition: 1.0}, {AS_IT_IS: 3.0, condition: 1.0})
            self.assertEqual(verdict, "depends on the charge within a node")
        self.assertEqual(second({AS_IT_IS: 1.0, HALVED: 0.5}, {AS_IT_IS: 3.0, HALVED: 2.0}), "holds emulated")

    def test_what_cannot_be_emulated_says_why(self):
        of = catalogue(second=False)
        of.emulated = {CLAIM: Emulated(CLAIM, [], "there is no such network")}
        judged = evaluate.evaluate_headline(of, evaluate.Samples([], False), of.headlines[0])["emulated"]
        self.assertEqual((judged["verdict"], judged["why"]), ("not emulated", "there is no such network"))

    def test_both_verdicts_are_counted(self):
        counts = evaluated({AS_IT_IS: 1.0}, {AS_IT_IS: 3.0})[2]
        self.assertEqual((counts["verdicts"]["holds"], counts["emulated"]["holds emulated"]), (0, 1))
        self.assertEqual(counts["emulated"]["either"], 1)
        self.assertIsNone(evaluated({}, {})[2]["emulated"])

    def test_emulated_results_are_put_onto_others(self):
        def results(fast, slow, chosen):
            shown, headlines, counts = evaluated(fast, slow, chosen)
            return {"figures": shown, "headlines": headlines, "summary": counts, "commands": {}, "samples": [],
                    "notes": [], "problems": [], "fabrics": {"net": "latency 1us"}}
        base, new = results({}, {}, ["here"]), results({AS_IT_IS: 1.0}, {AS_IT_IS: 3.0}, ["emulated"])
        both = evaluate.put_onto(base, new)
        self.assertEqual([figure["id"] for figure in both["figures"]], ["here", "emulated"])
        self.assertEqual(both["headlines"][0]["verdict"], base["headlines"][0]["verdict"])
        self.assertEqual(both["summary"]["emulated"]["either"], 1)
        self.assertEqual(evaluate.put_onto(both, new)["summary"], both["summary"])


class Writing(unittest.TestCase):
    def test_the_second_verdict_stands_beside_the_first(self):
        shown, headlines, counts = evaluated({AS_IT_IS: 1.0}, {AS_IT_IS: 3.0})
        machine = {"cpu": "CPU", "cores": 2, "kernel": "6", "date": "2026-01-01", "compiler": "cc 1",
                   "load_average_at_start": 0, "load_average_at_end": 0}
        results = {"machine": machine, "cores": 2, "rounds": 1, "quick": False, "versions": {"copal": "Copal 1"},
                   "notes": [], "problems": [], "figures": shown, "headlines": headlines, "summary": counts,
                   "fabrics": {"net": "latency 1us"}}
        text = summary.page(results)
        self.assertIn("| twice as fast | **not measured** | - | **holds emulated**: 3.00x |", text)
        self.assertIn("emulated, with up to 2 PEs: 1 hold; 1 of 1 hold here or emulated", text)
        with tempfile.TemporaryDirectory() as folder:
            page.write_page(results, pathlib.Path(folder) / "index.html")
            html = (pathlib.Path(folder) / "index.html").read_text()
        self.assertIn("<span class='verdict holds'>holds emulated</span>", html)
        self.assertIn("<b>net</b>: latency 1us", html)


    def test_a_curve_of_zeros_has_no_place_on_a_logarithm(self):
        shown = evaluated({AS_IT_IS: 1.0}, {AS_IT_IS: 0.0})[0][1]
        svg, legend = charts.draw(shown)
        self.assertNotIn('d=""', svg)
        self.assertEqual((legend.count("fast"), legend.count("slow")), (1, 0))


class Running(unittest.TestCase):
    def test_each_condition_is_a_round(self):
        few = Run("copal", "teams", 512, nodes=64, fabric="net", rounds=2)
        shown = Figure("f", "emulated", "", "f", "pes", "time", [Curve("c", "ours", [FAST, few, HERE], "sync")])
        jobs = measure.plan([shown], 7, False)
        self.assertEqual([number for number, run in jobs if run == FAST], [0, 1, 2, 3])
        self.assertEqual([number for number, run in jobs if run == few], [0, 1])
        self.assertEqual([number for number, run in jobs if run == HERE], list(range(7)))
        self.assertEqual([run for _, run in measure.plan([shown], 1, False)], [FAST, few, HERE])

    def test_the_launcher_is_told_of_the_network(self):
        side = Contestant("copal", "Copal", {}, {"shmem": ["oshrun"]}, fabrics=pathlib.Path("/"))
        command = side.command(FAST, Program("teams", "shmem"), "teams", 2)
        self.assertEqual(command, ["oshrun", "--fabric", "net", "--nodes", "2", "-n", "8", "teams", "emulated", "fast"])
        self.assertEqual(side.own_environment(FAST), {})
        self.assertTrue(side.can_run(FAST, Program("teams", "shmem")))
        self.assertFalse(Contestant("copal", "Copal", {}, {"shmem": ["oshrun"]}).can_run(FAST, Program("t", "shmem")))

    def test_computing_is_free_and_charges_within_a_node_are_tried(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "net.fabric").write_text("# a network\nlatency = 1us   # Smith 2020\nnode_latency = 80ns\n"
                                               "node_bandwidth = 5 GB/s\ncompute = 1\n")
            for number, latency, bandwidth in ((AS_IT_IS, "80ns", "5 GB/s"), (HALVED, "40ns", "10 GB/s"),
                                               (DOUBLED, "160ns", "2.5 GB/s")):
                text = pathlib.Path(fabrics.file_for(folder, "net", number, name)).read_text()
                self.assertEqual(text, f"latency = 1us\nnode_latency = {latency}\nnode_bandwidth = {bandwidth}\n"
                                       "compute = 0\n")
            self.assertEqual(fabrics.described(folder, "net"), "latency 1us, node_latency 80ns, node_bandwidth 5 GB/s")


class TheCatalogue(unittest.TestCase):
    def test_each_headline_has_a_second_verdict(self):
        of = catalogues.load()
        self.assertEqual({headline.claim for headline in of.headlines}, set(of.emulated))
        for emulated in of.emulated.values():
            self.assertTrue(emulated.why, emulated.claim)

    def bad(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "bad.py"
            path.write_text("from model import Curve, Emulated, Figure, Headline, Program, Run\n"
                            "PROGRAMS = [Program('rma', 'shmem', ('bench/programs/rma/elements.c',))]\n"
                            "HEADLINES = []\nFIGURES = []\n" + text)
            with self.assertRaises(BadCatalogue) as caught:
                catalogues.load(pathlib.Path(folder))
            return str(caught.exception)

    def test_what_is_wrong_is_said(self):
        for text, said in (
                ("EMULATED = [Emulated('x', [], 'w')]", "second verdict on 'x': there are 0 such claims"),
                ("EMULATED = [Emulated('x', [], 'w')] * 2", "second verdict on 'x' is there twice"),
                ("EMULATED = [Emulated('x', [('f', 'a', 'b', {})], 'w')]", "there is no curve 'a' of a figure 'f'"),
                ("EMULATED = [1]", "EMULATED is not a list of Emulated"),
                ("FIGURES = [Figure('f', 'node', '', 't', 'bytes', 'time', [Curve('c', 'peer', "
                 "[Run('oshmem', 'rma', 2, fabric='net')], 'r')])]", "needs 2 nodes or more, of Copal"),
                ("FIGURES = [Figure('f', 'node', '', 't', 'bytes', 'time', [Curve('c', 'ours', "
                 "[Run('copal', 'rma', 2, fabric='net')], 'r')])]", "needs 2 nodes or more, of Copal")):
            with self.subTest(said):
                self.assertIn(said, self.bad(text))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--oshrun")
    parser.add_argument("--oshcc")
    _, rest = parser.parse_known_args()
    unittest.main(argv=sys.argv[:1] + rest, verbosity=2)
