"""In the catalogue, each curve of the cost model finds its rows, and each setting of SHCOLL names an algorithm."""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "bench/runner"), str(ROOT / "tests/tools")]

import catalogues  # noqa: E402
import contestants  # noqa: E402
import evaluate  # noqa: E402
import measure  # noqa: E402
from support import LIMIT  # noqa: E402

BUILD = None    # set from the command line


class Model(unittest.TestCase):
    def test_every_curve_of_the_model_finds_its_row(self):
        catalogue = catalogues.load()
        side = contestants.find_copal(BUILD)
        if not side.fabrics:
            self.skipTest("this build has no emulated networks, of which the model has its parameters")
        programs = {name: program for name, program in catalogue.programs.items() if program.interface == "model"}
        curves = [(figure, curve) for figure in catalogue.figures for curve in figure.curves
                  if all(run.program in programs for run in curve.runs)]
        self.assertGreater(len(curves), 20)
        records = []
        with tempfile.TemporaryDirectory() as scratch:
            for run in {run for _, curve in curves for run in curve.runs}:
                rows, _, wrong, _ = measure.measure_one(side, run, programs[run.program], None, 1, scratch)
                self.assertIsNone(wrong)
                records.append({"key": run.key(), "round": 0, "rows": rows})
        samples = evaluate.Samples(records, False)
        for figure, curve in curves:
            with self.subTest(figure=figure.id, curve=curve.label):
                found = list(samples.points(figure, curve))
                self.assertTrue(found, "no row")
                # algorithms that need memory for each PE, such as slots, have a largest number of PEs
                self.assertEqual(found, [run.pes for run in curve.runs][:len(found)])
        self.assertEqual(samples.remarks, [])

    def test_runs_choose_algorithms_that_exist(self):
        runs = {run for figure in catalogues.load().figures for curve in figure.curves for run in curve.runs}
        chosen = {pair for run in runs for pair in run.env if pair[0].startswith("SHCOLL_")}
        self.assertGreater(len(chosen), 30)
        for name, value in sorted(chosen):
            done = subprocess.run([BUILD / "bin/oshrun", "-n", "1", BUILD / "examples/hello"], timeout=LIMIT,
                                  env={**os.environ, name: value}, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            self.assertEqual((done.returncode, done.stderr), (0, b""), f"{name}={value}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--oshrun", required=True, type=os.path.abspath)
    parser.add_argument("--oshcc")
    options, rest = parser.parse_known_args()
    BUILD = pathlib.Path(options.oshrun).parent.parent
    unittest.main(argv=sys.argv[:1] + rest, verbosity=2)
