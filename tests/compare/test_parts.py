"""make compare without running anything: its catalogue, what it makes of samples, what it keeps, what it writes."""
import argparse
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "bench/runner"), str(ROOT / "bench")]

import catalogues  # noqa: E402
import evaluate  # noqa: E402
import measure  # noqa: E402
import tables  # noqa: E402
from catalogues import BadCatalogue, Catalogue  # noqa: E402
from contestants import Contestant  # noqa: E402
from model import PAPERS, Curve, Figure, Headline, Program, Run  # noqa: E402
from store import Store  # noqa: E402

OURS, PEER, FLOOR = (Run(side, "rma", 2, ("full",)) for side in ("copal", "oshmem", "floor"))


def figure(y="time", better="less", curves=None, **more):
    curves = curves or [Curve("Copal", "ours", [OURS], "put"), Curve("peer", "peer", [PEER], "put"),
                        Curve("floor", "floor", [FLOOR], "put")]
    return Figure("put", "thesis", "Figure 1", "Put", "bytes", y, curves, better=better, **more)


def records(run, *rounds):
    """One record for each round, given as {bytes: microseconds}."""
    return [{"key": run.key(), "round": number, "rows": [{"row": "put", "pes": 2, "bytes": size, "us": us}
                                                         for size, us in row.items()]}
            for number, row in enumerate(rounds)]


def judged(shown, samples):
    return evaluate.evaluate_figure(shown, evaluate.Samples(samples, False), {})


class Judging(unittest.TestCase):
    def test_the_median_of_the_rounds_counts(self):
        result = judged(figure(), records(OURS, {8: 1.0}, {8: 2.0}, {8: 30.0}))
        self.assertEqual(result["curves"][0]["points"], [[8, 2.0, 1.0, 30.0, 3]])

    def test_ratios_say_how_many_times_better(self):
        samples = records(OURS, {8: 1.0, 64: 4.0}) + records(PEER, {8: 3.0, 64: 2.0}) + records(FLOOR, {8: 0.5})
        result = judged(figure(), samples)
        self.assertEqual([point["times_peer"] for point in result["compared"]], [3.0, 0.5])
        self.assertAlmostEqual(result["peer"]["mean"], 1.5 ** 0.5)
        self.assertEqual(result["floor"], {"mean": 0.5, "least": 0.5, "most": 0.5, "points": 1})
        self.assertEqual(evaluate.count_points([result]), {"points": 2, "ahead": 1, "level": 0, "behind": 1})

    def test_bandwidth_is_better_when_it_is_more(self):
        result = judged(figure("bandwidth", "more"), records(OURS, {8000: 1.0}) + records(PEER, {8000: 4.0}))
        self.assertEqual(result["compared"][0]["ours"], 8.0)
        self.assertEqual(result["compared"][0]["times_peer"], 4.0)

    def test_our_best_curve_meets_the_best_peer(self):
        other, second = Run("copal", "other", 2), Run("openmpi", "twin", 2)
        curves = [Curve("a", "ours", [OURS], "put"), Curve("b", "ours", [other], "put"),
                  Curve("slow", "variant", [Run("copal", "slow", 2)], "put"),
                  Curve("p", "peer", [PEER], "put"), Curve("q", "peer", [second], "put")]
        samples = [*records(OURS, {8: 2.0}), *records(other, {8: 1.0}), *records(Run("copal", "slow", 2), {8: 0.1}),
                   *records(PEER, {8: 5.0}), *records(second, {8: 4.0})]
        point = judged(figure(curves=curves), samples)["compared"][0]
        self.assertEqual((point["ours_label"], point["peer_label"], point["times_peer"]), ("b", "q", 4.0))

    def test_level_is_neither_ahead_nor_behind(self):
        result = judged(figure(), records(OURS, {8: 1.02}) + records(PEER, {8: 1.0}))
        self.assertEqual(evaluate.count_points([result]), {"points": 1, "ahead": 0, "level": 1, "behind": 0})

    def test_fields_of_a_run_choose_rows(self):
        runs = [Run("copal", "is", 2, (name,), fields=(("class", name),)) for name in "SW"]
        shown = Figure("is", "apps", "", "IS", "class", "value", [Curve("Copal", "ours", runs, "is")], better="more")
        samples = [{"key": run.key(), "round": 0, "rows": [{"row": "is", "value": value}]}
                   for run, value in zip(runs, (5.0, 7.0))]
        self.assertEqual([point[:2] for point in judged(shown, samples)["curves"][0]["points"]], [["S", 5.0], ["W", 7.0]])

    def test_rows_that_do_not_fit_are_remarked(self):
        samples = evaluate.Samples(records(OURS, {8: 1.0}), False)
        shown = figure(curves=[Curve("a", "ours", [OURS], "putt"), Curve("b", "ours", [OURS, PEER], "put")])
        samples.of[PEER.key()] = samples.of[OURS.key()]
        evaluate.evaluate_figure(shown, samples, {})
        self.assertEqual(samples.remarks, ["figure put, curve 'a': its runs printed no row 'putt' with bytes that fits",
                                           "figure put, curve 'b': several rows 'put' at bytes 8"])

    def headline(self, holds, at=None, samples=None, up_to=False):
        catalogue = Catalogue({}, [figure()], [])
        claim = Headline("thesis", "faster", [("put", "Copal", "peer", at or {})], holds, "because", up_to)
        kept = records(OURS, {8: 1.0, 64: 1.0}) + records(PEER, {8: 4.0, 64: 1.0}) if samples is None else samples
        return evaluate.evaluate_headline(catalogue, evaluate.Samples(kept, False), claim)

    def test_a_headline_holds_from_its_ratio_on(self):
        self.assertEqual(self.headline(2.0)["verdict"], "holds")
        self.assertEqual(self.headline(2.1)["verdict"], "does not hold here")
        self.assertEqual(self.headline(4, up_to=True)["verdict"], "holds")
        self.assertEqual(self.headline(4.1, up_to=True)["verdict"], "does not hold here")
        self.assertEqual(self.headline(2.1, {"bytes": 8})["verdict"], "holds")
        self.assertEqual(self.headline(1.1, {"bytes": (16, 64)})["verdict"], "does not hold here")

    def test_a_headline_of_which_a_part_fails_does_not_hold(self):
        catalogue = Catalogue({}, [figure()], [])
        samples = evaluate.Samples(records(OURS, {8: 1.0}) + records(PEER, {8: 4.0}), False)
        for least, verdict in ((5, "does not hold here"), (3, "not measured")):
            parts = [("put", "Copal", "peer", {}), ("put", "Copal", "floor", {})]
            claim = Headline("thesis", "faster", parts, least, "because")
            self.assertEqual(evaluate.evaluate_headline(catalogue, samples, claim)["verdict"], verdict)

    def test_a_headline_without_samples_was_not_measured(self):
        self.assertEqual(self.headline(1.0, samples=records(OURS, {8: 1.0}))["verdict"], "not measured")
        self.assertEqual(self.headline(1.0, {"bytes": 4096})["verdict"], "not measured")


class Measuring(unittest.TestCase):
    def test_each_run_is_planned_once_and_sides_take_turns(self):
        jobs = measure.plan([figure(), figure("bandwidth", "more")], 3, False)
        self.assertEqual([[run.side for number, run in jobs if number == round] for round in range(3)],
                         [["copal", "oshmem", "floor"], ["oshmem", "floor", "copal"], ["floor", "copal", "oshmem"]])

    def test_few_rounds_are_spread_over_all(self):
        run = Run("copal", "rma", 2, rounds=2)
        self.assertEqual([number for number in range(7) if measure.takes_part(run, number, 7)], [0, 4])
        self.assertEqual([number for number in range(2) if measure.takes_part(Run("copal", "rma", 2), number, 2)], [0, 1])

    def test_haste_leaves_runs_out_and_changes_full(self):
        slow = Run("copal", "slow", 2, ("full",), quick=False)
        shown = figure(curves=[Curve("a", "ours", [OURS, slow], "put")])
        self.assertEqual([run.arguments for _, run in measure.plan([shown], 1, True)], [("quick",)])

    def test_rows_of_wrong_data_do_not_count(self):
        text = '{"row": "put", "pes": 2, "us": 1}\n{"row": "get", "pes": 2, "us": 1}\n{"error": "get: PE 1 found 2"}\n'
        rows, errors, complete = measure.read_rows(Program("x", "shmem"), 2, text + '{"done": true}\n')
        self.assertEqual(([row["row"] for row in rows], errors, complete), (["put"], ["get: PE 1 found 2"], True))
        self.assertFalse(measure.read_rows(Program("x", "shmem"), 2, text)[2])

    def test_figures_are_found_in_a_report(self):
        program = Program("hpl", "installed", reads={"hpl": r"^Tflops=([0-9.e+-]+)"}, right="PASSED")
        rows, _, complete = measure.read_rows(program, 2, "x\nTflops=1.5e-03\nPASSED\n")
        self.assertEqual((rows, complete), ([{"row": "hpl", "pes": 2, "value": 0.0015}], True))
        self.assertFalse(measure.read_rows(program, 2, "Tflops=1.5e-03\nFAILED\n")[2])

    def started(self, script, program=Program("x", "shmem"), **run):
        side = Contestant("oshmem", "shell", {}, {"shmem": ["/bin/sh", "-c", script]})
        with tempfile.TemporaryDirectory() as scratch:
            return measure.measure_one(side, Run("oshmem", "x", 2, **run), program, "x", 2, scratch)

    def test_what_goes_wrong_is_said(self):
        row = """echo '{"row": "put", "pes": 2, "bytes": 8, "us": 1}'; """
        done = """echo '{"done": true}'; """
        self.assertEqual(self.started(row + done)[2:], (None, True))
        self.assertIn("before its last row", self.started(row)[2])
        self.assertIn("exit code 3 after its last row", self.started(row + done + "exit 3")[2])
        self.assertIn("after 1 s", self.started("sleep 20", limit_s=1)[2])
        self.assertFalse(self.started("sleep 20", limit_s=1)[3])

    def test_files_are_put_where_it_runs_and_read_there(self):
        program = Program("x", "shmem", reads={"n": r"n=(\d+)"}, files={"in.txt": "n=7"})
        self.assertEqual(self.started("cp in.txt theoutf.txt", program)[0], [{"row": "n", "pes": 2, "value": 7.0}])


class Keeping(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="test-compare-")
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "runs.jsonl"
        self.record = {"key": "a", "round": 0, "fingerprint": "f", "rows": [], "problem": None}

    def test_an_interrupted_comparison_goes_on(self):
        Store(self.path, "here").add(self.record)
        with self.path.open("a") as file:
            file.write('{"key": "b", "rou')  # the machine went down
        store = Store(self.path, "here")
        self.assertEqual(store.resumed, 1)
        self.assertEqual(store.get("a", 0, "f")["rows"], [])
        for other in (("b", 0, "f"), ("a", 1, "f"), ("a", 0, "g")):
            self.assertIsNone(store.get(*other))

    def test_what_follows_a_line_cut_off_is_read(self):
        Store(self.path, "here").add(self.record)
        with self.path.open("a") as file:
            file.write('{"key": "b", "rou')
        Store(self.path, "here").add({**self.record, "key": "c"})
        self.assertEqual(Store(self.path, "here").resumed, 2)

    def test_a_finished_one_starts_afresh(self):
        store = Store(self.path, "here")
        store.add(self.record)
        store.finish()
        self.assertEqual(Store(self.path, "here").resumed, 0)

    def test_runs_of_another_machine_and_forgotten_ones_do_not_count(self):
        Store(self.path, "here").add(self.record)
        self.assertEqual(Store(self.path, "there").resumed, 0)
        Store(self.path, "here").add(self.record)
        self.assertEqual(Store(self.path, "here", fresh=True).resumed, 0)


class TheCatalogue(unittest.TestCase):
    def test_it_is_consistent(self):
        catalogue = catalogues.load()
        figures = {figure.id for figure in catalogue.figures}
        self.assertGreater(len(figures), 0)
        for what, id, _ in tables.README_ROWS:
            self.assertIn(id, figures, f"README's row '{what}'")

    def bad(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "bad.py"
            path.write_text("from model import Program, Run, Curve, Figure, Headline\n" + text)
            with self.assertRaises(BadCatalogue) as caught:
                catalogues.load(pathlib.Path(folder))
            return str(caught.exception)

    def test_what_is_wrong_is_said(self):
        rest = "\nHEADLINES = []\n"
        rma = "PROGRAMS = [Program('rma', 'shmem', ('bench/programs/rma/rma.c',))]\n"
        curve = "Curve('c', 'ours', [Run('copal', 'rma', 2)], 'put')"
        shown = "FIGURES = [Figure('f', 'thesis', '', 't', 'bytes', 'time', [%s])]"
        for text, said in (
                ("1 / 0", "cannot be loaded: ZeroDivisionError"),
                ("PROGRAMS = FIGURES = []", "HEADLINES is not a list of Headline"),
                ("PROGRAMS = [1]\nFIGURES = []" + rest, "PROGRAMS is not a list of Program"),
                ("PROGRAMS = [Program('x', 'shmem', ('nowhere.c',))]\nFIGURES = []" + rest, "there is no nowhere.c"),
                ("PROGRAMS = [Program('x', 'smem', ('bench/programs/rma/rma.c',))]\nFIGURES = []" + rest, "interface 'smem' is none of"),
                ("PROGRAMS = [Program('x', 'shmem', (f,)) for f in ('bench/programs/rma/rma.c', 'bench/programs/rma/amo.c')]\nFIGURES = []" + rest,
                 "two different programs 'x'"),
                (rma + shown % curve.replace("'rma'", "'x'") + rest, "there is no program 'x'"),
                (rma + shown % curve.replace("'copal'", "'mpich'") + rest, "mpich cannot build 'rma'"),
                (rma + shown % curve.replace("'ours'", "'us'") + rest, "role 'us' is none of"),
                (rma + shown % f"{curve}, {curve}" + rest, "curve 'c' is there twice"),
                (rma + shown % curve + " * 2" + rest, "figure 'f' is there twice"),
                (rma + (shown % curve).replace("'time'", "'bandwidth'") + rest, "a bandwidth is better when it is more"),
                (rma + (shown % curve).replace("'thesis'", "'theses'") + rest, "paper 'theses' is none of"),
                (rma + shown % curve + "\nHEADLINES = [Headline('thesis', 'h', [('f', 'c', 'd', {})], 1, 'w')]",
                 "figure 'f' has no curve 'd'"),
                (rma + shown % curve + "\nHEADLINES = [Headline('thesis', 'h', [('g', 'c', 'c', {})], 1, 'w')]",
                 "there is no figure 'g'")):
            with self.subTest(said):
                self.assertIn(said, self.bad(text))


class Writing(unittest.TestCase):
    def results(self):
        samples = records(OURS, {8: 0.01, 65536: 2.0}) + records(PEER, {8: 0.03})
        shown, headlines, summary, _ = evaluate.evaluate(Catalogue({}, [figure()], []), [figure()], samples, False, {})
        machine = {"cpu": "CPU", "cores": 2, "kernel": "6", "date": "2026-01-01", "compiler": "cc 1"}
        return {"machine": machine, "cores": 2, "rounds": 1, "quick": False, "versions": {"copal": "Copal 1"}, "notes": [],
                "problems": [], "figures": shown, "headlines": headlines, "summary": summary}

    def test_a_figures_table(self):
        page = tables.results_page(self.results())
        self.assertIn(PAPERS["thesis"], page)
        self.assertIn("| message size | Copal | peer | x best peer |", page)
        self.assertIn("| 8 B | 10 ns | 30 ns | 3 |", page)
        self.assertIn("| 64 KiB | 2 us | - | - |", page)

    def test_readmes_table_is_put_between_its_marks(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "README.md"
            path.write_text(f"before\n{tables.BEGIN}\nold\n{tables.END}\nafter\n")
            rows = tables.README_ROWS
            self.addCleanup(setattr, tables, "README_ROWS", rows)
            tables.README_ROWS = [("put of 8 B", "put", 8), ("not measured", "put", 16), ("no such figure", "get", 8)]
            tables.rewrite_readme(self.results(), path)
            text = path.read_text()
            self.assertIn("| put of 8 B | 10 ns | 30 ns (peer) | - |", text)
            self.assertNotIn("old", text)
            self.assertNotIn("no such figure", text)
            self.assertTrue(text.startswith(f"before\n{tables.BEGIN}\n") and text.endswith(f"\n{tables.END}\nafter\n"))
            path.write_text("no marks\n")
            with self.assertRaises(SystemExit):
                tables.rewrite_readme(self.results(), path)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--oshrun")
    parser.add_argument("--oshcc")
    _, rest = parser.parse_known_args()
    unittest.main(argv=sys.argv[:1] + rest, verbosity=2)
