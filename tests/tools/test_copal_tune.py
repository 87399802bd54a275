"""copal-tune as a user calls it: its measurements, predictions, output and errors."""
import csv
import os
import pathlib
import re
import signal
import subprocess
import unittest
import xml.etree.ElementTree

from support import LIMIT, InFolder, processes_with, programs

OSHCC = OSHRUN = TUNE = None    # set from the command line
SOURCE = pathlib.Path(__file__).resolve().parents[2]
COLLECTIVES = ["sync", "broadcast", "fcollect", "collect", "alltoall", "alltoalls", "reduce", "inscan", "exscan"]

# A shmem_putmem that spoils transfers long enough to be data.
SPOIL = r"""
#include <pshmem.h>
#include <string.h>
static char spoilt[1 << 20];
void shmem_putmem(void *dest, const void *source, size_t nelems, int pe)
{
    if (nelems < 64 || nelems > sizeof spoilt) {
        pshmem_putmem(dest, source, nelems, pe);
        return;
    }
    memcpy(spoilt, source, nelems);
    spoilt[nelems - 1] ^= 1;
    pshmem_putmem(dest, spoilt, nelems, pe);
}
"""

# Hides matplotlib.
HIDE = 'raise ImportError("hidden")\n'
SHOW = 'import importlib.util, sys; sys.exit(importlib.util.find_spec("matplotlib") is None)'

SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1, "h": 3600}


def seconds(text):
    number, unit = text.split()
    return float(number) * SECONDS[unit]


class Tune(InFolder):

    def run_tool(self, *words, program=None, **environment):
        return super().run_tool(program or TUNE, *words, **environment)

    def succeed(self, *words, **environment):
        result = self.run_tool(*words, **environment)
        self.assertEqual((result.returncode, result.stderr), (0, ""), f"{words}: {result.stdout}{result.stderr}")
        return result.stdout

    def refuse(self, *words, **environment):
        said = super().refuse(*words, **environment)
        self.assertTrue(said.startswith("copal-tune: "), said)
        return said

    def read_table(self, name):
        lines = [line.split("#")[0].split() for line in (self.folder / name).read_text().splitlines()]
        return ({line[1]: float(line[2]) for line in lines if line[:1] == ["parameter"]},
                [line for line in lines if line and line[0] != "parameter"])

    # --- measuring

    def test_measuring_writes_a_table_that_is_taken(self):
        printed = self.succeed("--quick", "--pes", "2,3", "-o", "my.table")
        parameters, lines = self.read_table("my.table")
        self.assertEqual({line[0] for line in lines}, set(COLLECTIVES))
        for pes in "2", "3":
            for collective in COLLECTIVES:
                self.assertIn(f"\n{collective}, {pes} PEs", printed)
                limits = [line[3] for line in lines if line[:2] == [collective, pes]]
                self.assertEqual((limits.count("max"), limits[-1]), (1, "max"))
        for name, value in parameters.items():
            self.assertTrue(0 <= value < 1e-3, f"{name} {value}")
        self.assertGreater(parameters["crowded_alpha"], 0)
        shown = self.succeed("--show", "--pes", "3", SHCOLL_TABLE="my.table")
        self.assertEqual(self.shown_choices(shown), {(line[0], line[4]) for line in lines if line[1] == "3"})
        again = self.succeed("--table", SHCOLL_TABLE="my.table").splitlines()
        self.assertEqual([line.split() for line in again if not line.startswith("parameter")], lines)

    def shown_choices(self, shown):
        found, collective = set(), None
        for line in shown.splitlines()[2:]:
            collective = line[2:12].strip() or collective
            self.assertTrue(line.endswith("tuning table"), line)
            found.add((collective, line[13:].split()[1]))
        return found

    def test_measuring_across_forced_nodes(self):
        self.succeed("--quick", "--pes", "4", "--collective", "sync,broadcast", "-o", "my.table", SHCOLL_NODE_SIZE="2")
        _, lines = self.read_table("my.table")
        self.assertEqual({line[1] for line in lines}, {"4/2"})
        shown = self.succeed("--show", "--pes", "4", SHCOLL_TABLE="my.table", SHCOLL_NODE_SIZE="2")
        self.assertIn("4 PEs on 2 nodes", shown)
        self.assertRegex(shown, r"sync +all .* tuning table")

    def test_wrong_results_are_found(self):
        """The tool reports a wrong result, and does not put it into the table."""
        (self.folder / "spoil.c").write_text(SPOIL)
        self.succeed("-shared", "-fPIC", "spoil.c", "-o", "spoil.so", program=OSHCC)
        words = ("--quick", "--pes", "2", "--collective", "broadcast", "-o", "my.table")
        self.succeed(*words)
        sound = {line[4].split(":k")[0] for line in self.read_table("my.table")[1]}
        result = self.run_tool(*words, LD_PRELOAD=self.folder / "spoil.so")
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertRegex(result.stderr, r"broadcast of 64 bytes by \S*:put\S* on 2 PEs gives a wrong result")
        self.assertRegex(result.stderr, r"PE 0: the result of broadcast of 64 bytes by \S+ is wrong")
        larger = [line[4] for line in self.read_table("my.table")[1] if line[3] == "max"]
        self.assertTrue(sound and all(":put" not in name for name in larger), larger)

    def said_by_the_alarm(self, pes, *options):
        """The output of a measuring job whose algorithm exceeds its time; the alarm comes immediately instead of after
        minutes."""
        job = subprocess.Popen([OSHRUN, "-n", str(pes), *options, pathlib.Path(TUNE).parent.parent /
                                "libexec/copal/copal-tune-job", "measure", "broadcast", "8", "64k", "2", "1", "0.1"],
                               env=dict(os.environ, TEST_COPAL_TUNE=str(self.folder), SHMEM_SYMMETRIC_SIZE="16M"),
                               text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in "members", "times":    # the first size is done, so the alarm is set
            job.stdout.readline()
        for pid in processes_with(f"TEST_COPAL_TUNE={self.folder}"):
            if pid != job.pid:
                os.kill(pid, signal.SIGALRM)
                break
        _, err = job.communicate(timeout=LIMIT)
        self.assertNotEqual(job.returncode, 0, err)
        return err

    def test_patience_grows_with_the_pes_of_a_processor(self):
        self.assertIn("copal-tune: this takes more than 1 minute: broadcast of ", self.said_by_the_alarm(2))
        if (pathlib.Path(TUNE).parent.parent / "lib/copal/libcopal-emu.so").exists():
            said = self.said_by_the_alarm(20, "--fabric", "slingshot", "--nodes", "2")    # one of them runs at a time
            self.assertIn("copal-tune: this takes more than 3 minutes: broadcast of ", said)

    # --- predicting

    def predict(self, *words, **environment):
        """{collective: {algorithm: [seconds, or None, for each size]}}, and the whole output; notes the marks."""
        printed = self.succeed("--predict", "--plot", "none", *words, **environment)
        found, collective, self.marks = {}, None, {}
        for line in printed.split("Memory of")[0].splitlines():
            title = re.match(r"(\w+) {5,}", line)
            if title and title[1] in COLLECTIVES:
                collective = title[1]
                found[collective], self.marks[collective] = {}, set()
            elif collective and line.startswith("  "):
                cells = [line[30 + 15 * i:45 + 15 * i] for i in range((len(line) - 30 + 14) // 15)]
                times = [re.match(r" *([\d.e+]+ \w+)", cell) for cell in cells]
                name = line[2:30].strip()
                found[collective][name] = [time and seconds(time[1]) for time in times]
                self.marks[collective] |= {(name, i) for i, cell in enumerate(cells) if "*" in cell}
        return found, printed

    def test_prediction_at_scale(self):
        found, printed = self.predict("--pes", "1048576", "--nodes", "16384")
        self.assertEqual(list(found), COLLECTIVES)
        for collective, algorithms in found.items():
            for name, times in algorithms.items():
                known = [time for time in times if time is not None]
                self.assertTrue(known and all(0 < time < 1e9 for time in known), f"{collective} {name} {times}")
                self.assertEqual(known, sorted(known), f"{collective} by {name} is cheaper for more bytes")
            for i, least in enumerate(self.least(algorithms)):
                marked = {times[i] for name, times in algorithms.items() if (name, i) in self.marks[collective]}
                self.assertEqual(marked, {least}, f"{collective}, size {i}")
        self.assertRegex(printed, r"each PE and team: 56 KiB, whatever (.*\n)+ +1048576 PEs: [\d.]+ KiB")
        self.assertLess(found["sync"]["dissemination"][0], found["sync"]["linear"][0])
        self.assertLess(found["sync"]["two_level"][0], found["sync"]["linear"][0])

    @staticmethod
    def least(algorithms):
        return [min(time for time in column if time is not None) for column in zip(*algorithms.values())]

    def test_prediction_grows_with_the_job(self):
        before = None
        for pes, nodes in (2, 1), (16, 1), (16, 16), (1024, 16), (1 << 20, 1 << 14):
            found, _ = self.predict("--pes", pes, "--nodes", nodes, "--bytes", "8..64")
            best = {name: self.least(algorithms)[0] for name, algorithms in found.items()}
            for name in best:
                self.assertGreaterEqual(best[name], before[name] if before else 0, f"{name} at {pes} PEs")
            before = best

    def test_prediction_of_nodes_of_several_pes(self):
        """Two of the three rounds stay on their node."""
        words = "--pes", 8, "--nodes", 2, "--collective", "reduce", "--bytes", "8..8", "--node", "1e-6,0,0"
        found, _ = self.predict(*words, "--net", "1e-3,0,0")
        self.assertAlmostEqual(found["reduce"]["recursive_doubling:slots"][0], 1e-3, delta=1e-5)

    def test_prediction_of_a_tree(self):
        """Each of 16 members with radix four sends to three on both levels, not to 15 / 4 on the last."""
        found, _ = self.predict("--pes", 16, "--nodes", 16, "--collective", "broadcast", "--bytes", "8..8",
                                "--net", "1e-3,1e-4,0")
        self.assertAlmostEqual(found["broadcast"]["knomial:signal"][0], 2.4e-3, delta=1e-5)

    def test_prediction_of_data_with_its_flag(self):
        """If data and flag are one message, sending the data in parts gains nothing; if the flag waits for the data, it
        does."""
        (self.folder / "nic.table").write_text("parameter reply 13.6e-6\n")
        for table, best, other in (None, "kary:signal", "chain:signal"), ("nic.table", "chain:signal", "kary:signal"):
            found, _ = self.predict("--pes", 2, "--nodes", 2, "--collective", "broadcast", "--bytes", "64k..64k",
                                    **({"SHCOLL_TABLE": table} if table else {}))
            self.assertLess(found["broadcast"][best][0], found["broadcast"][other][0])
            self.assertEqual(found["broadcast"][best][0], self.least(found["broadcast"])[0])

    def test_prediction_of_a_counter_between_nodes(self):
        """The last member's count and reset are one round trip; then the others are released."""
        found, _ = self.predict("--pes", 8, "--nodes", 8, "--collective", "sync", "--net", "1e-3,0,0")
        self.assertAlmostEqual(found["sync"]["counter"][0], 5e-3)

    def emulated_points(self, *words):
        """The results of check-choices on slingshot: {point: [(emulated, algorithm, predicted or "-", chosen or
        "")]}."""
        self.run_tool("--build", pathlib.Path(TUNE).parent.parent, "--fabric", "slingshot", *words, "-o", "points",
                      program=SOURCE / "scripts/check-choices")
        points = {}
        for *point, name, emulated, predicted, is_chosen in csv.reader(
                (self.folder / "points").read_text().splitlines()[1:], delimiter="\t"):
            points.setdefault(tuple(point), []).append((float(emulated), name, predicted, is_chosen))
        for point, algorithms in points.items():
            chosen = [emulated for emulated, _, _, is_chosen in algorithms if is_chosen]
            self.assertTrue(chosen and chosen[0] <= 1.1 * min(algorithms)[0], f"{point}: {algorithms}")
        return points

    def test_choice_and_prediction_on_an_emulated_network(self):
        """Emulated times repeat: the chosen algorithm is among the best, and its prediction is close."""
        points = self.emulated_points("--nodes", "4", "--per-node", "2", "--bytes", "8..4k", "--factor", "512",
                                      "--collective", "sync,broadcast,fcollect,alltoall,reduce")
        self.assertGreaterEqual(len(points), 9)
        ratios = [float(predicted) / emulated for algorithms in points.values()
                  for emulated, _, predicted, _ in algorithms if predicted != "-"]
        near = sum(0.75 <= ratio <= 1.25 for ratio in ratios)
        self.assertGreaterEqual(near / len(ratios), 0.9)

    def test_choice_and_prediction_with_many_pes_on_a_node(self):
        """Algorithms that load another member's memory directly take as long as predicted."""
        points = self.emulated_points("--nodes", "2", "--per-node", "8", "--bytes", "32k..32k",
                                      "--collective", "broadcast,alltoall,reduce,inscan")
        self.assertGreaterEqual(len(points), 4)
        ratios = {name: float(predicted) / emulated for (_, _, _, collective, _), algorithms in points.items()
                  for emulated, name, predicted, _ in algorithms if collective == "reduce" and predicted != "-"}
        for name in "two_level:get", "parts:shmem_ptr", "binomial:get":
            self.assertTrue(0.85 <= ratios[name] <= 1.15, f"{name}: {ratios[name]}")

    def test_two_levels_with_many_pes_on_a_node(self):
        """A leader needs one store for each member of its node: otherwise levels would gain nothing."""
        points = self.emulated_points("--nodes", "4", "--per-node", "8", "--bytes", "8..8",
                                      "--collective", "sync,reduce")
        times = {(collective, name): emulated for (_, _, _, collective, _), algorithms in points.items()
                 for emulated, name, _, _ in algorithms}
        self.assertLess(times["sync", "two_level"], 0.7 * times["sync", "dissemination"])
        self.assertLess(times["reduce", "two_level:slots"], times["reduce", "recursive_doubling:slots"])

    def test_parameters_of_an_emulated_network(self):
        found, printed = self.predict("--pes", 8, "--nodes", 4, "--collective", "sync", "--fabric", "slingshot")
        self.assertIn("net.alpha 1.6 us, net.gap 300 ns", printed)
        self.assertAlmostEqual(found["sync"]["counter"][0], 5 * 1.6e-6 + 10 * 0.3e-6, delta=1e-7)
        self.assertIn("is for --nodes 2 or more", self.refuse("--predict", "--pes", "8", "--fabric", "slingshot"))
        self.assertIn("no-such", self.refuse("--predict", "--pes", "8", "--nodes", "4", "--fabric", "no-such"))

    def test_parameters_of_the_prediction(self):
        slow = "--pes", 16, "--nodes", 16, "--collective", "sync", "--net"
        times = [self.predict(*slow, f"{alpha},0,0")[0]["sync"]["dissemination"][0] for alpha in ("1e-6", "1e-3")]
        self.assertAlmostEqual(times[0], 4e-6)
        self.assertAlmostEqual(times[1], 4e-3)
        (self.folder / "my.table").write_text("parameter node.alpha 1e-3\n")
        for settings, wanted in ((), 2e-3), (("--node", "1e-4,0,0"), 2e-4):
            found, _ = self.predict("--pes", 4, "--collective", "sync", *settings, SHCOLL_TABLE="my.table")
            self.assertAlmostEqual(found["sync"]["dissemination"][0], wanted)

    def test_the_plot(self):
        for name in "pictures/a.svg", "b.svg":
            result = self.run_tool("--predict", "--pes", "64", "--collective", "reduce,fcollect", "--plot", name)
            if subprocess.run(["/usr/bin/env", "python3", "-c", SHOW]).returncode:
                self.assertIn(f"{name} is not drawn", result.stdout)
            elif name == "b.svg":
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertTrue(xml.etree.ElementTree.parse(self.folder / name).getroot().tag.endswith("svg"))
            else:
                self.assertEqual((result.returncode, result.stderr.count("\n")), (1, 1))
                self.assertIn(f"cannot be written to {name}", result.stderr)

    def test_the_plot_in_characters(self):
        (self.folder / "matplotlib.py").write_text(HIDE)
        printed = self.succeed("--predict", "--pes", "64", "--collective", "reduce,sync", PYTHONPATH=self.folder,
                               PYTHONDONTWRITEBYTECODE="1")  # of the hidden matplotlib
        self.assertRegex(printed, r"copal-tune\.svg is not drawn: \S+ has no matplotlib")
        self.assertRegex(printed, r"reduce: .* at the bottom, .* at the top\n( +\|.*\n){16} +\+8 ")
        self.assertIn("cheapest: ", printed)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["matplotlib.py"])

    # --- checking, showing, converting

    def test_check(self):
        printed = self.succeed("--check", "--quick", "--pes", "2", "--collective", "sync,reduce")
        ratios = re.findall(r"^  (\S+) +([\d.]+)  \(([\d.]+) to ([\d.]+) over (\d+) sizes\)$", printed, re.MULTILINE)
        self.assertIn("dissemination", [ratio[0] for ratio in ratios])
        for _, mean, least, most, _ in ratios:
            self.assertTrue(float(least) <= float(mean) <= float(most))
        losses = re.findall(r"would choose is ([\d.]+) times as slow as the best, at worst ([\d.]+) times", printed)
        self.assertEqual(len(losses), 2)
        for mean, worst in losses:
            self.assertTrue(1 <= float(mean) <= float(worst))

    def test_show(self):
        printed = self.succeed("--show", "--pes", "1,2", SHCOLL_REDUCE="parts@..100")
        self.assertEqual(printed.count("Algorithms of collectives, for 1 PEs on 1 node"), 1)
        self.assertEqual(printed.count("Algorithms of collectives, for 2 PEs on 1 node"), 1)
        self.assertEqual(len(re.findall(r"reduce +\.\.100 +parts:shmem_ptr +requested", printed)), 2)

    def test_the_default_table(self):
        """All lines of the table are valid, and as C they equal the compiled table."""
        (self.folder / "default.table").write_text(self.succeed("--table"))
        self.assertEqual(self.succeed("--table", SHCOLL_TABLE="default.table"), self.succeed("--table"))
        printed = self.succeed("--c", "default.table")
        entry = re.compile(r'\{0, (\w+), (\d+), (\d+), SHCOLL_(\w+), (\w+), "([\w:]+)"\}')
        compiled = (SOURCE / "src/shcoll/choice/tuned.c").read_text()
        self.assertEqual(entry.findall(printed), entry.findall(compiled))
        (self.folder / "tuned.c").write_text(printed)
        flags = ["-fsyntax-only", "-Wall", "-Wextra", "-Werror", f"-I{SOURCE / 'src/shcoll/choice'}"]
        self.succeed(*flags, "tuned.c", program=OSHCC)

    def test_tables_are_joined(self):
        (self.folder / "a.table").write_text("parameter gamma 1e-9\nsync 4 free max linear\nreduce 8/2 free 4k parts\n"
                                             "reduce 8/2 free max parts\nreduce 4 crowded max parts\n")
        (self.folder / "b.table").write_text("parameter gamma 2e-9\nsync 4 free max counter\nsync 2 free max linear\n")
        printed = self.succeed("--c", "a.table", "b.table")
        self.assertIn(".gamma = 2e-09,", printed)
        lines = [line.strip(" ,") for line in printed.splitlines() if line.startswith("    {")]
        self.assertEqual(lines, ['{0, MAX, 2, 1, SHCOLL_SYNC, false, "linear"}',
                                 '{0, MAX, 4, 1, SHCOLL_SYNC, false, "counter"}',
                                 '{0, 4096, 8, 2, SHCOLL_REDUCE, false, "parts"}',
                                 '{0, MAX, 8, 2, SHCOLL_REDUCE, false, "parts"}',
                                 '{0, MAX, 4, 1, SHCOLL_REDUCE, true, "parts"}'])

    # --- the command line

    def test_refusals(self):
        for words, said in ((["--pes", "2,x"], "'2,x'"), (["--pes", "0"], "'0'"), (["--pes", ""], "''"),
                            (["--collective", "redcue"], "'redcue'; allowed are sync, broadcast"),
                            (["--bytes", "9..64"], "'9..64'"), (["--bytes", "64..8"], "'64..8'"),
                            (["--bytes", "64"], "'64'"),
                            (["--nodes", "2"], "--nodes is for --predict alone"), (["--net", "1,2"], "'1,2'"),
                            (["--predict"], "--predict needs --pes"), (["--predict", "--pes", "2,4"], "one number"),
                            (["--predict", "--pes", "4", "--nodes", "5"], "--nodes is 5; allowed are 1 to 4"),
                            (["--predict", "--show"], "not allowed with"), (["--fast"], "--fast"), (["more"], "more"),
                            (["-o", "missing/my.table"], "whose folder does not exist"),
                            (["--show", "-o", "my.table"], "-o is for measuring alone"), (["--c"], "--c")):
            self.assertIn(said, self.refuse(*words))
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_bad_table_or_request(self):
        for words in (["--show"], ["--table"], ["--predict", "--pes", "4"], ["--quick", "--collective", "sync"]):
            result = self.run_tool(*words, SHCOLL_TABLE="missing.table")
            self.assertEqual(result.returncode, 1, f"{words} {result.stdout}")
            self.assertIn('SHCOLL_TABLE is "missing.table"', result.stderr)

    def test_installed_and_moved(self):
        build = pathlib.Path(OSHRUN).parent.parent
        self.succeed("--install", build, "--prefix", "/opt/copal", program="cmake", DESTDIR=self.folder / "staging")
        (self.folder / "staging/opt/copal").rename(self.folder / "moved elsewhere")
        tune = self.folder / "moved elsewhere/bin/copal-tune"
        self.assertIn("for 2 PEs on 1 node", self.succeed("--show", program=tune))
        self.assertTrue((self.folder / "moved elsewhere/share/man/man1/copal-tune.1").exists())

    def test_help_and_version(self):
        self.assertIn("usage: copal-tune", self.succeed("--help"))
        self.assertRegex(self.succeed("--version"), r"^copal-tune \(Copal\) \d+\.\d+\.\d+\n$")


if __name__ == "__main__":
    OSHRUN, OSHCC = programs()
    TUNE = os.path.join(os.path.dirname(OSHRUN), "copal-tune")
    unittest.main(verbosity=2)
