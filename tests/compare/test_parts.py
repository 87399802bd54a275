"""Parts of make bench, without benchmark runs: its catalogue, its statistics, the results that it keeps, its output."""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
from unittest.mock import patch

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench/runner"))

import catalogues  # noqa: E402
import contestants  # noqa: E402
import evaluate  # noqa: E402
import execute  # noqa: E402
import measure  # noqa: E402
import page  # noqa: E402
import summary  # noqa: E402
import tables  # noqa: E402
from catalogues import BadCatalogue, Catalogue  # noqa: E402
from contestants import Contestant  # noqa: E402
from model import FIELDS, VERDICTS, Curve, Figure, Headline, Program, Run, Target  # noqa: E402
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
        self.assertEqual(evaluate.count_points([result]), {"points": 2, "ahead": 1, "level": 0, "behind": 1,
                                                           "at_floor": 0})

    def test_behind_a_peer_at_the_floor(self):
        result = judged(figure(), records(OURS, {8: 2.0, 64: 2.0}) + records(PEER, {8: 1.0, 64: 1.0}) +
                        records(FLOOR, {8: 1.99, 64: 1.9}))
        points = evaluate.count_points([result])
        self.assertEqual((points["behind"], points["at_floor"]), (2, 1))

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
        self.assertEqual(evaluate.count_points([result]), {"points": 1, "ahead": 0, "level": 1, "behind": 0,
                                                           "at_floor": 0})

    def phases(self, run, *rows):
        """Records of one round each: (phase, slices, us)."""
        row = {"row": "put", "pes": 2, "bytes": 8}
        return [{"key": run.key(), "round": number, "rows": [{**row, "us": us, "phase": phase, "slices": slices}]}
                for number, (phase, slices, us) in enumerate(rows)]

    def at_distances(self, *samples):
        return evaluate.evaluate_phases(figure(), evaluate.Samples(sum(samples, []), False), {})

    def test_near_and_far_are_figures_of_their_own(self):
        near, far = self.at_distances(self.phases(OURS, ("near", 6, 1.0), ("far", 9, 4.0), ("near", 5, 2.0)),
                                      self.phases(PEER, ("near", 7, 3.0), ("far", 8, 2.0)))
        self.assertEqual(near["curves"][0]["points"], [[8, 1.0, 1.0, 2.0, 11]])  # the median of all slices
        self.assertEqual([each["id"] for each in (near, far)], ["put", "put-far"])
        self.assertEqual([each["compared"][0]["times_peer"] for each in (near, far)], [3.0, 0.5])
        self.assertEqual(tables.rows_of(far)[1], [["8 B", "4 us (9)", "2 us (8)", "0.5"]])

    def test_there_is_no_ratio_of_two_distances(self):
        samples = self.phases(OURS, ("near", 9, 1.0)), self.phases(PEER, ("far", 9, 3.0))
        for shown in self.at_distances(*samples):
            self.assertIsNone(shown["peer"])
            self.assertNotIn("x best peer", tables.rows_of(shown)[0])
        self.assertEqual(self.headline(1.0, samples=sum(samples, []))["verdict"], "not measured")

    def test_too_few_slices_say_so_and_changed_ones_do_not_count(self):
        near, = self.at_distances(self.phases(OURS, ("near", 2, 1.0), ("changed", 7, 9.0), ("near", 2, 1.0)),
                                  self.phases(PEER, ("near", 5, 3.0)))
        self.assertEqual((near["curves"][0]["points"], near["curves"][0]["few"]), ([], [[8, 4]]))
        self.assertEqual(tables.rows_of(near)[1], [["8 B", "too few slices (4)", "3 us (5)"]])
        self.assertEqual(near["compared"], [])

    def test_a_cell_of_changed_slices_alone_says_so(self):
        for peer in [], self.phases(PEER, ("near", 5, 3.0)):
            shown, = self.at_distances(self.phases(OURS, ("changed", 5, 9.0)), peer)
            self.assertEqual((shown["curves"][0]["points"], shown["curves"][0]["few"]), ([], [[8, 0]]))
            self.assertEqual(tables.rows_of(shown)[1][0][1], "too few slices (0)")

    def test_what_has_no_distance_is_with_the_first(self):
        near, far = self.at_distances(self.phases(OURS, ("near", 9, 1.0), ("far", 9, 1.0)), records(PEER, {64: 3.0}))
        self.assertEqual([len(each["curves"][1]["points"]) for each in (near, far)], [1, 0])

    def test_fields_of_a_run_choose_rows(self):
        runs = [Run("copal", "is", 2, (name,), fields=(("class", name),)) for name in "SW"]
        shown = Figure("is", "apps", "", "IS", "class", "value", [Curve("Copal", "ours", runs, "is")], better="more")
        samples = [{"key": run.key(), "round": 0, "rows": [{"row": "is", "value": value}]}
                   for run, value in zip(runs, (5.0, 7.0))]
        self.assertEqual([point[:2] for point in judged(shown, samples)["curves"][0]["points"]],
                         [["S", 5.0], ["W", 7.0]])

    def test_words_along_an_axis_name_rows(self):
        curves = [Curve("Copal", "ours", [OURS], {"store": "p", "load": "g", "load again": "g"})]
        shown = Figure("f", "node", "", "f", "operation", "time", curves)
        rows = [{"row": row, "pes": 2, "bytes": 8, "us": us} for row, us in (("g", 2.0), ("p", 1.0), ("q", 9.0))]
        result = judged(shown, [{"key": OURS.key(), "round": 0, "rows": rows}])
        self.assertEqual([point[:2] for point in result["curves"][0]["points"]],
                         [["store", 1.0], ["load", 2.0], ["load again", 2.0]])

    def targets_of(self, *targets, **more):
        samples = records(OURS, {8: 1.0, 64: 4.0}) + records(PEER, {8: 3.0, 64: 2.0}) + records(FLOOR, {8: 0.5})
        return judged(figure(targets=targets, **more), samples)["targets"]

    def test_targets_against_floor_peer_and_figure(self):
        for target, met in ((Target("floor", 0.5), [True]), (Target("floor", 0.6), [False]),
                            (Target("peer", 2), [True, False]),
                            (Target("peer", 2, {"bytes": (8, 16)}), [True]), (Target("figure", 2.0), [True, False]),
                            (Target("figure", 2.0, {"bytes": 8}, "Copal"), [True]),
                            (Target("peer", 2, {}, "other"), [])):
            with self.subTest(target):
                self.assertEqual([each["met"] for each in self.targets_of(target)], met)
        rates = self.targets_of(Target("figure", 0.5), y="rate", better="more")
        self.assertEqual([each["met"] for each in rates], [True, False])

    def test_rows_that_do_not_fit_are_remarked(self):
        samples = evaluate.Samples(records(OURS, {8: 1.0}), False)
        shown = figure(curves=[Curve("a", "ours", [OURS], "putt"), Curve("b", "ours", [OURS, PEER], "put")])
        samples.of[PEER.key()] = samples.of[OURS.key()]
        evaluate.evaluate_figure(shown, samples, {})
        self.assertEqual(samples.remarks, ["figure put, curve 'a': its runs printed no row 'putt' with bytes that fits",
                                           "figure put, curve 'b': several rows 'put' at bytes 8"])

    def headline(self, holds, at=None, samples=None, up_to=False, explains=""):
        catalogue = Catalogue({}, [figure()], [])
        claim = Headline("thesis", "faster", [("put", "Copal", "peer", at or {})], holds, "because", up_to, explains)
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

    def test_a_reason_stands_beside_the_verdict_that_it_explains(self):
        for explains, when_held, when_not in (("", "because", "because"), (VERDICTS[0], "because", ""),
                                              (VERDICTS[1], "", "because")):
            self.assertEqual(self.headline(2.0, explains=explains)["why"], when_held)
            self.assertEqual(self.headline(2.1, explains=explains)["why"], when_not)

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
        self.assertEqual([number for number in range(2) if measure.takes_part(Run("copal", "rma", 2), number, 2)],
                         [0, 1])

    def test_a_quick_run_leaves_runs_out_and_changes_full(self):
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

    def test_a_job_is_timed_when_every_pe_has_spoken(self):
        program = Program("hello", "shmem", right="hello from PE ", timed=True)
        for said, complete in (("echo hello from PE 0; echo hello from PE 1", True), ("echo hello from PE 0", False)):
            rows, _, problem, _ = self.started(said, program)
            self.assertEqual([row["row"] for row in rows], ["job"] if complete else [])
            self.assertEqual(problem is None, complete)

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

    def test_a_program_that_does_not_say_how_far_the_cores_are_is_looked_at_from_outside(self):
        row = """echo '{"row": "put", "pes": %d%s}'; """
        script = row % (2, "") + row % (2, ', "phase": "far"') + row % (1, "") + """echo '{"done": true}'; """
        side = Contestant("oshmem", "shell", {}, {"shmem": ["/bin/sh", "-c", script]})
        with tempfile.TemporaryDirectory() as scratch:
            tool = pathlib.Path(scratch) / "distance"
            for before, after, phase in ((".1", ".1 near", "near"), ("0.000", "0.000 ", None)):
                tool.write_text(f"#!/bin/sh\n[ $# = 0 ] && echo {before} && exit\necho {after}\n")
                tool.chmod(0o755)
                rows = measure.measure_one(side, Run("oshmem", "x", 2), Program("x", "shmem"), "x", 2, scratch,
                                           distance=tool)[0]
                self.assertEqual([each.get("phase") for each in rows], [phase, "far", None])

    def test_the_distance_of_two_cores_is_found(self):
        with tempfile.TemporaryDirectory() as scratch:
            tool = measure.find_distance(scratch)
            before = execute.output_of([tool])
            self.assertRegex(before, r"^[0-9]+\.[0-9]{3} \n")
            phases = "near|far|changed" if len(execute.first_cores(2)) == 2 else ""
            self.assertRegex(execute.output_of([tool, before.strip()]), rf"^[0-9]+\.[0-9]{{3}} ({phases})\n")

    def test_files_are_put_where_it_runs_and_read_there(self):
        program = Program("x", "shmem", reads={"n": r"n=(\d+)"}, files={"in.txt": "n=7"})
        self.assertEqual(self.started("cp in.txt theoutf.txt", program)[0], [{"row": "n", "pes": 2, "value": 7.0}])


    def test_a_newest_mpi_starts_between_nodes(self):
        """A side's folder has the name of its requirement, such as mpich==5.0.2: `env` takes such a path for a
        setting."""
        with tempfile.TemporaryDirectory() as cache, patch.dict(os.environ, XDG_CACHE_HOME=cache):
            launcher = pathlib.Path(cache) / "copal/mpich==5.0.2/bin/mpiexec"
            launcher.parent.mkdir(parents=True)
            launcher.write_text("#!/bin/sh\necho $UCX_TLS $*\n")
            launcher.chmod(0o755)
            (launcher.parents[1] / "complete").touch()
            side, run = contestants.find_newest("mpich5", cache), Run("mpich5", "twin", 2, ("full",), nodes=2)
            program = Program("twin", "mpi", ("twin.c",))
            said = subprocess.run(side.command(run, program, "twin", 2), env=side.environment(run), text=True,
                                  stdout=subprocess.PIPE).stdout
        self.assertEqual(said, "tcp,self -launcher fork -n 2 twin full\n")


class Keeping(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="test-compare-")
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "runs.jsonl"
        self.record = {"key": "a", "round": 0, "fingerprint": "f", "rows": [], "problem": None}

    def test_an_interrupted_comparison_goes_on(self):
        Store(self.path, "here").add(self.record)
        with self.path.open("a") as file:
            file.write('{"key": "b", "rou')  # the machine stopped here
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

    def test_a_smaller_one_keeps_the_runs_of_a_larger_one(self):
        Store(self.path, "here").add({**self.record, "key": "larger"})
        store = Store(self.path, "here")
        store.add(self.record)
        store.finish()
        self.assertEqual([key for key, _, _ in Store(self.path, "here").records], ["larger"])

    def test_a_finished_one_forgets_the_runs_of_an_earlier_build(self):
        Store(self.path, "here").add({**self.record, "fingerprint": "earlier"})
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
        for what, id, _ in summary.README_ROWS:
            self.assertIn(id, figures, f"README's row '{what}'")
        for name in FIELDS:
            self.assertTrue(any(name in figure.fields() for figure in catalogue.figures), name)

    def test_new_mpis_without_one_sided_operations_between_nodes(self):
        sides = {id: {run.side for curve in catalogues.load().figure(id).curves for run in curve.runs}
                 for id in ("thesis-put-nodes-1", "thesis-put-1", "apps-dss-2-2")}
        for mpi in "openmpi5", "intelmpi":
            self.assertEqual([id for id, names in sides.items() if mpi in names], ["thesis-put-1", "apps-dss-2-2"])

    def bad(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "bad.py"
            path.write_text("from model import Program, Run, Curve, Figure, Headline, Target\n" + text)
            with self.assertRaises(BadCatalogue) as caught:
                catalogues.load(pathlib.Path(folder))
            return str(caught.exception)

    def test_what_is_wrong_is_said(self):
        rest = "\nHEADLINES = []\n"
        rma = "PROGRAMS = [Program('rma', 'shmem', ('bench/programs/rma/elements.c',))]\n"
        curve = "Curve('c', 'ours', [Run('copal', 'rma', 2)], 'put')"
        shown = "FIGURES = [Figure('f', 'thesis', '', 't', 'bytes', 'time', [%s])]"
        for text, said in (
                ("1 / 0", "cannot be loaded: ZeroDivisionError"),
                ("PROGRAMS = FIGURES = []", "HEADLINES is not a list of Headline"),
                ("PROGRAMS = [1]\nFIGURES = []" + rest, "PROGRAMS is not a list of Program"),
                ("PROGRAMS = [Program('x', 'shmem', ('nowhere.c',))]\nFIGURES = []" + rest, "there is no nowhere.c"),
                ("PROGRAMS = [Program('x', 'smem', ('bench/programs/rma/elements.c',))]\nFIGURES = []" + rest,
                 "interface 'smem' is none of"),
                ("PROGRAMS = [Program('x', 'shmem', (f,)) for f in ('bench/programs/rma/elements.c', "
                 "'bench/programs/rma/atomics.c')]\nFIGURES = []" + rest,
                 "two different programs 'x'"),
                (rma + shown % curve.replace("'rma'", "'x'") + rest,
                 "'x' is none of a program and a side that are known"),
                (rma + shown % curve.replace("'copal'", "'mpich'") + rest, "mpich cannot build it"),
                (rma + shown % curve.replace("'ours'", "'us'") + rest, "role 'us' is none of"),
                (rma + shown % f"{curve}, {curve}" + rest, "curve 'c': is there twice"),
                (rma + shown % curve + " * 2" + rest, "figure 'f' is there twice"),
                (rma + (shown % curve).replace("'time'", "'bandwidth'") + rest,
                 "a bandwidth is better when it is more"),
                (rma + shown.replace("[%s])", "[%s], also=('nodes',))") % curve + rest,
                 "also 'nodes' is none of node,"),
                (rma + shown.replace("[%s])", "[%s], targets=[Target('peers', 1)])") % curve + rest,
                 "a target is against 'peers' is none of"),
                (rma + (shown % curve).replace("'thesis'", "'theses'") + rest, "section 'theses' is none of"),
                (rma + shown % curve + "\nHEADLINES = [Headline('thesis', 'h', [('f', 'c', 'd', {})], 1, 'w')]",
                 "there is no curve 'd' of a figure 'f'"),
                (rma + shown % curve + "\nHEADLINES = [Headline('thesis', 'h', [('g', 'c', 'c', {})], 1, 'w')]",
                 "there is no curve 'c' of a figure 'g'")):
            with self.subTest(said):
                self.assertIn(said, self.bad(text))


class Writing(unittest.TestCase):
    def results(self, headlines=(), others=0):
        samples = records(OURS, {8: 0.01, 65536: 2.0}) + records(PEER, {8: 0.03})
        shown = figure(targets=(Target("peer", 4, {"bytes": 8}),))
        figures, judgements, counts, _ = evaluate.evaluate(Catalogue({}, [shown], list(headlines)), [shown], samples,
                                                           False, {})
        machine = {"cpu": "CPU", "cores": 2, "kernel": "6", "date": "2026-01-01", "compiler": "cc 1", "others": others,
                   "load_average_at_start": 0, "load_average_at_end": 0}
        return {"machine": machine, "cores": 2, "rounds": 1, "quick": False, "versions": {"copal": "Copal 1"},
                "notes": [],
                "problems": [], "figures": figures, "headlines": judgements, "summary": counts}

    def page(self, results):
        with tempfile.TemporaryDirectory() as folder:
            page.write_page(results, pathlib.Path(folder) / "index.html")
            return (pathlib.Path(folder) / "index.html").read_text()

    def claims(self, number):
        return [Headline("thesis", f"claim {i}", [("put", "Copal", other, {})], 1, "w")
                for i in range(number) for other in ("peer" if i % 2 else "floor",)]

    def rows(self, rows):
        self.addCleanup(setattr, summary, "README_ROWS", summary.README_ROWS)
        summary.README_ROWS = rows

    def test_a_figures_table(self):
        header, rows = tables.rows_of(self.results()["figures"][0])
        self.assertEqual(header, ["message size", "Copal", "peer", "x best peer"])
        self.assertEqual(rows, [["8 B", "10 ns", "30 ns", "3"], ["64 KiB", "2 us", "-", "-"]])

    def test_the_terminal_counts_points_and_targets(self):
        text = tables.text(self.results())
        self.assertRegex(text, r"OpenSHMEM as an .* +1 +1 +0 +0 +0/1\n")
        self.assertIn("missed: Copal at 8 B: 10 ns, 3.00x; at least 4.00x as good as the best peer", text)

    def test_the_summary_stays_short(self):
        text = summary.page(self.results(self.claims(100)))
        self.assertEqual(len(text.splitlines()), summary.MOST_LINES)
        self.assertRegex(text, r"\n\n\d+ more are on the page.\n$")
        self.assertIn("| claim 1 | **holds** | 3.00x |", text)

    def test_a_headline_is_about_the_newest_mpi_that_was_measured(self):
        new, old = (Run(side, "rma", 2, ("full",)) for side in ("mpich5", "openmpi"))
        shown = figure(curves=[Curve("Copal", "ours", [OURS], "put"), Curve("Open MPI", "peer", [old], "put"),
                               Curve("MPICH 5", "peer", [new], "put")])
        headline = Headline("thesis", "claim", [("put", "Copal", "Open MPI", {})], 1, "w")
        samples = records(OURS, {8: 1.0}) + records(old, {8: 3.0})
        for more, label, ratio in (([], "Open MPI", 3), (records(new, {8: 2.0}), "MPICH 5", 2)):
            part = evaluate.evaluate(Catalogue({}, [shown], [headline]), [shown], samples + more, False,
                                     {})[1][0]["parts"][0]
            self.assertEqual((part["other"], round(part["ratio"]["mean"])), (label, ratio))

    def test_readme_has_the_distance_with_most_rows_and_the_summary_the_other(self):
        results = self.results()
        put, get = ({**results["figures"][0], "id": id, "phase": "near"} for id in ("put", "get"))
        self.rows([("put of 8 B", "put", 8), ("get of 8 B", "get", 8)])
        results["figures"] = [put, {**put, "id": "put-far", "phase": "far"}, {**get, "id": "get-far", "phase": "far"}]
        readme, other = summary.points_tables(results)
        self.assertEqual(readme.splitlines()[0], "| cores far apart | Copal | best peer | floor |")
        self.assertEqual(readme.count("10 ns"), 2)
        self.assertEqual(other.splitlines()[0], "| near cores | Copal | best peer | floor |")
        self.assertIn(other, summary.page(results))
        self.assertNotIn(readme, summary.page(results))

    def test_what_was_not_measured_is_counted(self):
        self.assertIn("<li>claims of the papers: 1 hold, 0 do not hold here, 1 not measured</li>",
                      self.page(self.results(self.claims(2))))

    def test_a_busy_machine_is_said_at_the_top_and_beside_each_verdict(self):
        idle, busy = (self.page(self.results(self.claims(2), others)) for others in (0, 1.5))
        self.assertNotIn("busy machine</small>", idle)
        self.assertEqual(busy.count("on a busy machine</small>"), 2)
        self.assertLess(busy.index("The machine was busy"), busy.index("<main>"))
        self.assertIn("The machine was busy", summary.page(self.results(others=1.5)))
        self.assertTrue(execute.is_busy({"load_average_at_start": 1}))

    def test_readmes_table_is_put_between_its_marks(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "README.md"
            path.write_text(f"before\n{summary.BEGIN}\nold\n{summary.END}\nafter\n")
            self.rows([("put of 8 B", "put", 8), ("not measured", "put", 16), ("no such figure", "get", 8)])
            summary.rewrite_readme(self.results(), path)
            text = path.read_text()
            self.assertIn("| put of 8 B | 10 ns | 30 ns (peer) | - |", text)
            self.assertNotIn("old", text)
            self.assertNotIn("no such figure", text)
            self.assertTrue(text.startswith(f"before\n{summary.BEGIN}\n")
                            and text.endswith(f"\n{summary.END}\nafter\n"))
            path.write_text("no marks\n")
            with self.assertRaises(SystemExit):
                summary.rewrite_readme(self.results(), path)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--oshrun")
    parser.add_argument("--oshcc")
    _, rest = parser.parse_known_args()
    unittest.main(argv=sys.argv[:1] + rest, verbosity=2)
