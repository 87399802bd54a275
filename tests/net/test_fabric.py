"""Jobs on emulated networks (docs/fabric.md): options, the lines at the end, times that repeat, deaths, breaks.

usage: test_fabric.py --oshrun OSHRUN --oshcc OSHCC
"""
import pathlib
import re
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools"))
from support import OneFolder, outcome, programs  # noqa: E402

HEAP = {"SHMEM_SYMMETRIC_SIZE": "16M"}
REPORT = re.compile(r"copal: emulated network (\S+), (\d+) nodes, (\d+) PEs: ([0-9.]+) s\n"
                    r"copal: (\d+) messages, (\d+) bytes; busiest adapter: node (\d+)'s, (sending|receiving), "
                    r"([0-9.]+) % of the time\n")
TIMES = """
send_overhead = 0.5 us
receive_overhead = 0.25 us
put_overhead = 0.5 us
get_overhead = 0.5 us
copy_bandwidth = 10 GB/s
gap = 10 ns
bandwidth = 10 GB/s
latency = 1 us
hop_latency = 0 ns
node_latency = 100 ns
node_bandwidth = 10 GB/s
compute = 0
"""


NODE = """
node = 1 x 1 x 2
group_latency = 40 ns
socket_latency = 40 ns
node_latency = 40 ns
access_overhead = 5 ns
line_gap = 10 ns
node_bandwidth = 10 GB/s
memory_bandwidth = 20 GB/s
compute = 0
"""


class Fabric(OneFolder):
    sources = ("net/fabric",)

    def file(self, text):
        path = pathlib.Path(self.folder, "my.fabric")
        path.write_text(text)
        return str(path)

    def run_job(self, fabric, *words, n=4, nodes="2", options=(), code=0, **environment):
        command = [OSHRUN, "-n", str(n), *options]
        command += ["--fabric", fabric] if fabric else []
        command += ["--nodes", nodes] if nodes else []
        got, out, err = outcome([*command, f"{self.folder}/fabric", *words], self.folder, **HEAP, **environment)
        self.assertEqual(got, code, out + err)
        return out, err

    def test_refused(self):
        for options, nodes, sentence in (
                ([], None, "a job of one node has no network; give --nodes K, 2 or more"),
                ([], "1", "a job of one node has no network; give --nodes K, 2 or more"),
                (["--hosts", "a,b"], "2", "a network is emulated on one machine only, .* leave --fabric out"),
                (["--launcher", "mpirun"], "2", "a network is emulated on one machine only")):
            _, err = self.run_job("disorder:1", nodes=nodes, options=options, code=2)
            self.assertRegex(err, f"oshrun: --fabric disorder:1: {sentence}")
        for fabric, sentence in (("nowhere", "fabric nowhere: there is no such file, and no ready-made fabric"),
                                 ("disorder:x", "\"x\" is no seed"),
                                 (self.file("latency = -1 us\n"), "line 1.*latency")):
            _, err = self.run_job(fabric, code=1)
            self.assertRegex(err, sentence)
            self.assertEqual(err.count("copal: PE"), 1, err)
        for fabric in self.file(TIMES), "efa":    # the NICs of both have no atomics
            _, err = self.run_job(fabric, code=1, SHMEM_NET_ATOMICS="adapter")
            self.assertRegex(err, "shmem_init: SHMEM_NET_ATOMICS is adapter, and the network emulated .* does not "
                                  "report that its NICs have atomic operations that are coherent with processors")
        _, err = self.run_job(None, code=1, SHMEM_NET="emu")
        self.assertIn("SHMEM_FABRIC does not say which network to emulate", err)
        _, err = self.run_job(None, code=1, SHMEM_NET="udp")
        self.assertIn('SHMEM_NET is "udp", allowed is auto, ucx, ofi or emu', err)

    def test_one_node(self):
        """The file of a node with two cores needs no figures of a network; the node cannot have three PEs."""
        fabric = self.file(NODE)
        for nodes in None, "1":
            _, err = self.run_job(fabric, n=2, nodes=nodes)
            self.assertRegex(err, r"copal: emulated node \S+, 2 PEs: 0\.[0-9]+ s\n")
        _, err = self.run_job(fabric, n=3, nodes=None, code=1)
        self.assertRegex(err, "the emulated node has 2 cores, and the job has 3 PEs on a node")
        _, err = self.run_job(fabric, n=2, nodes="2", code=1)
        self.assertRegex(err, "send_overhead is missing; it is a time")
        _, err = self.run_job("nowhere", n=2, nodes=None, code=1)
        self.assertRegex(err, "the node cannot be emulated: fabric nowhere: there is no such file")

    def test_disorder(self):
        for n, nodes in (2, "2"), (3, "3"), (4, "3+1"), (5, "2"), (7, "3"), (8, "8"), (16, "4"):
            for seed in range(3):
                self.run_job(f"disorder:{seed}", n=n, nodes=nodes)

    def test_times(self):
        fabric = self.file(TIMES)
        for n, nodes in (2, "2"), (3, "3"), (4, "3+1"), (5, "2"), (7, "3"), (8, "8"), (16, "4"), (64, "16"):
            out, err = self.run_job(fabric, n=n, nodes=nodes)
            found = REPORT.search(err)
            self.assertTrue(found, err)
            self.assertEqual(found[3], str(n), err)
            self.assertGreater(int(found[5]), n - 1, err)
            again, err_again = self.run_job(fabric, n=n, nodes=nodes)
            self.assertEqual((out, err), (again, err_again))    # to the picosecond

    def test_alone_on_the_way(self):
        """A put and a get of 100 kB, and a signal, without other traffic."""
        out, _ = self.run_job(self.file(TIMES), "alone", n=2)
        seconds = {word: float(value) for word, value in re.findall(r"(\w+) ([0-9.]+) us", out)}
        # put: overhead, 10 us for the bytes, latency; complete when a word has returned
        self.assertAlmostEqual(seconds["put"], 0.5 + 10 + 1 + 1, delta=0.3, msg=out)
        # get: overhead, latency, 10 us for the bytes, latency
        self.assertAlmostEqual(seconds["get"], 0.5 + 1 + 10 + 1, delta=0.3, msg=out)
        # signal: a message: overhead, latency, overhead
        self.assertAlmostEqual(seconds["signal"], 0.5 + 1 + 0.25, delta=0.2, msg=out)

    def test_death(self):
        for fabric in "disorder:1", "disorder:2", "disorder:3", self.file(TIMES):
            for at in "1", "30":
                _, err = self.run_job(fabric, "kill", at, n=8, nodes="4", code=137)
                self.assertIn("oshrun: PE 1 was killed by signal 9", err)

    def test_break(self):
        fabric = self.file("disorder = 3\nbreak_at = 20\n")
        _, err = self.run_job(fabric, n=8, nodes="4", code=1)
        self.assertRegex(err, "PE [0-7] on .* is lost: it cannot be reached any more: (its peer has found it broken|"
                              "the fabric breaks it at this operation)")
        self.run_job(fabric, "lost", n=8, nodes="4", options=["--outlive"])    # two nodes believe each other dead


if __name__ == "__main__":
    OSHRUN, OSHCC = programs()
    unittest.main()
