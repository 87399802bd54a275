"""bench/scaling with the smallest problems: every program once, and the list of points behind peers."""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/tools"))

from support import LIMIT  # noqa: E402

BUILD = None  # set from the command line


class Scaling(unittest.TestCase):
    def test_each_figure_has_points_where_its_compiler_is_there(self):
        with tempfile.TemporaryDirectory(prefix="test-scaling-") as folder:
            done = subprocess.run([sys.executable, str(ROOT / "bench/scaling"), "--least", "--rounds", "1", "--output",
                                   folder, "--build", str(BUILD), "--implementations", "copal"], timeout=LIMIT,
                                  text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            self.assertEqual(done.returncode, 0, done.stdout)
            figures = json.loads((pathlib.Path(folder) / "results.json").read_text())["figures"]
        coarrays = os.access(BUILD / "bin/caf", os.X_OK)
        self.assertGreater(len(figures), 20)
        for figure in figures:
            points = [point for curve in figure["curves"] if curve["role"] == "ours"
                      for point in (*curve["points"], *curve["few"])]    # few: other tests disturb slices
            fortran = figure["id"].startswith(("scaling-dht", "scaling-himeno"))
            self.assertEqual(bool(points), coarrays or not fortran, figure["id"])
        self.assertIn("behind the best peer at:\nno point\n", done.stdout)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--oshrun", type=pathlib.Path)
    parser.add_argument("--oshcc")
    known, rest = parser.parse_known_args()
    BUILD = known.oshrun.resolve().parent.parent
    unittest.main(argv=sys.argv[:1] + rest, verbosity=2)
