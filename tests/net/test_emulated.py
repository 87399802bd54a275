"""Emulated time does not depend on the number of processors or on their load; deadlocks and deaths in emulated time.

usage: test_emulated.py --oshrun OSHRUN --oshcc OSHCC
"""
import os
import pathlib
import re
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools"))
from support import OneFolder, outcome, programs  # noqa: E402

FABRIC = """
latency = 0.7 us
hop_latency = 100 ns
put_overhead = 0.2 us
get_overhead = 0.2 us
send_overhead = 0.3 us
receive_overhead = 0.3 us
copy_bandwidth = 8 GB/s
gap = 10 ns
bandwidth = 10 GB/s
topology = crossbar
node_latency = 150 ns
node_bandwidth = 10 GB/s
"""
BUSY = [sys.executable, "-c", "while True: pass"]


class Emulated(OneFolder):
    sources = ("net/emulated",)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for name, compute in ("free", 0), ("charged", 1):
            pathlib.Path(cls.folder, f"{name}.fabric").write_text(FABRIC + f"compute = {compute}\n", encoding="ascii")

    def job(self, pes, nodes, *arguments, options=(), fabric="free.fabric", before=()):
        command = [*before, OSHRUN, "-n", str(pes), "--nodes", nodes, "--fabric", fabric, *options,
                   f"{self.folder}/emulated", *arguments]
        return outcome(command, self.folder, SHMEM_SYMMETRIC_SIZE="16M")

    def rows(self, *job, **options):
        code, out, err = self.job(*job, **options)
        self.assertEqual(code, 0, err)
        rows = re.findall(r"^(\w+ \d+): (\d+)$", out, re.MULTILINE)
        self.assertEqual(len(rows), 65, out)
        return rows

    def test_scheduling_does_not_show(self):
        for pes, nodes in (4, "2"), (7, "3+1+3"), (16, "4"), (5, "5"):
            with self.subTest(pes=pes, nodes=nodes):
                quiet = self.rows(pes, nodes)
                processor = str(min(os.sched_getaffinity(0)))
                self.assertEqual(self.rows(pes, nodes, before=["taskset", "-c", processor]), quiet)
                busy = [subprocess.Popen(BUSY) for _ in range(2)]
                try:
                    self.assertEqual(self.rows(pes, nodes), quiet)
                finally:
                    for process in busy:
                        process.kill()
                        process.wait()

    def test_work_is_the_longest(self):
        for name, ns in self.rows(8, "2"):
            if name == "work 3":
                self.assertGreaterEqual(int(ns), 24000)
                self.assertLess(int(ns), 24000 + 20000)

    def test_polling_lets_time_go_on(self):
        for fabric in "free.fabric", "charged.fabric":
            for pes, nodes in (2, "2"), (5, "2"), (8, "4"):
                code, _, err = self.job(pes, nodes, "poll", fabric=fabric)
                self.assertEqual(code, 0, err)

    def test_a_quiet_asks_nobody_whom_a_collective_has_told(self):
        messages = {}
        for how in "", "meet", "told":
            code, _, err = self.job(3, "3", how or "none")
            self.assertEqual(code, 0, err)
            messages[how] = int(re.search(r"^copal: (\d+) messages", err, re.MULTILINE)[1])
        # for each PE 100 times: a put, its reply, two signals; the program's own messages have no reply
        self.assertLess(messages["told"] - messages[""], 3 * 100 * 4 + 20)
        self.assertGreater(messages["meet"] - messages[""], 3 * 100 * 5)

    def test_deadlock_is_said(self):
        for pes, nodes in (2, "2"), (4, "2"), (16, "4"):
            code, _, err = self.job(pes, nodes, "deadlock")
            self.assertEqual(code, 1, err)
            self.assertRegex(err, r"a deadlock at 0\.\d+ s: all PEs wait")
            self.assertIn("shmem_finalize", err)
            if pes <= 8:
                self.assertIn(f"PE {pes - 1} in shmem_long_wait_until", err)

    def test_deadlock_of_threads_is_said(self):
        for pes, nodes in (2, "2"), (4, "2"):
            code, _, err = self.job(pes, nodes, "join")
            self.assertEqual(code, 1, err)
            self.assertRegex(err, r"a deadlock at 0\.\d+ s: all PEs wait")
            self.assertIn(f"PE {pes - 1} in shmem_long_wait_until", err)

    def test_who_spins_is_not_waited_for_for_ever(self):
        for fabric in "free.fabric", "charged.fabric":
            code, _, err = self.job(2, "2", "spin", fabric=fabric)
            self.assertEqual(code, 0, err)

    def test_a_death_ends_the_job(self):
        for pes, nodes in (2, "2"), (5, "2"), (8, "4"):
            code, _, err = self.job(pes, nodes, "die")
            self.assertEqual(code, 137, err)
            self.assertIn(f"PE {pes - 1}", err)

    def test_others_go_on(self):
        for pes, nodes in (3, "3"), (5, "2"), (8, "4"):
            code, _, err = self.job(pes, nodes, "die", options=["--outlive"])
            self.assertEqual(code, 0, err)


OSHRUN, OSHCC = programs()
unittest.main()
