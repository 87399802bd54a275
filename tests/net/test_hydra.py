"""Jobs of MPICH's mpiexec on this machine, on one node and on two simulated nodes: the loaded libraries, and the ends
of jobs, which must leave no process or file.

usage: test_hydra.py --oshrun OSHRUN --oshcc OSHCC FOLDER     FOLDER: where the programs of tests/ are built
"""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools"))
from support import OneFolder, comes, hydra_loses_codes, outcome, processes_with, programs  # noqa: E402

# mpiexec is also another launcher's name.
HYDRA = shutil.which("mpiexec.hydra")
ONE, TWO = "127.0.0.1:4", "127.0.0.1:2,127.0.0.2:2"
API = ["rma", "atomics_contended", "coll_reduce", "coll_data", "team_split", "locks",
       "sessions"]


def words(hosts, n=4):
    return [HYDRA, "-launcher", "fork", "-hosts", hosts, "-n", str(n)]


class Hydra(OneFolder):
    sources = ("faults/hello", "faults/end", "net/place", "net/printed")

    def setUp(self):
        self.mark = f"HYDRA_JOB={os.getpid()}.{self.id()}"
        self.environment = dict([self.mark.split("=")], SHMEM_SYMMETRIC_SIZE="32M")

    def tearDown(self):
        """Shortly after the end no process is left, and the shared memory has no name, so it is freed with the
        processes."""
        comes(lambda: not processes_with(self.mark))
        left = processes_with(self.mark)
        for pid in left:
            os.kill(pid, signal.SIGKILL)
        self.assertEqual(left, [])

    def run_job(self, command, **environment):
        return outcome(command, self.folder, **self.environment, **environment)

    def places(self, hosts, *arguments, n=4, code=0):
        got, out, err = self.run_job([*words(hosts, n), "./place", *arguments])
        self.assertEqual(got, code, out + err)
        return sorted(line for line in out.splitlines() if line.startswith("PE ")), err

    def test_what_is_loaded(self):
        for hosts, near, network in (ONE, 4, "no"), (TWO, 2, "yes"):
            lines, _ = self.places(hosts)
            self.assertEqual(lines, [f"PE {pe} of 4, {near} near, UCX {network}, PMIx no" for pe in range(4)])

    def test_ranks_dealt_out_in_turns(self):
        for hosts, near in (("127.0.0.1:1,127.0.0.2:1", [1] * 5), ("127.0.0.1:3,127.0.0.2:1", [3, 3, 3, 1, 1])):
            lines, _ = self.places(hosts, n=5)
            self.assertEqual(lines, [f"PE {pe} of 5, {near[pe]} near, UCX yes, PMIx no" for pe in range(5)])

    def test_again_and_a_child_of_a_pe(self):
        for hosts in ONE, TWO:
            lines, err = self.places(hosts, "again")
            self.assertEqual(len(lines), 5, err)
            self.assertEqual(sum(" of 1, 1 near, UCX no" in line for line in lines), 1, lines)

    def test_many_sessions(self):
        for hosts in ONE, TWO:
            code, out, err = self.run_job([*words(hosts), TESTS / "net/boot", MODULE, "cards", "30"])
            self.assertEqual(code, 0, out + err)
            pes = re.findall(r"^PE (\d) of 4, node from \d with \d, node size \d, mpiexec \(Hydra\), PMI 1.1$", out,
                             re.M)
            self.assertEqual(sorted(pes), ["0", "1", "2", "3"], out)

    def test_programs_of_all_kinds(self):
        coarrays = [path for path in (TESTS / "caf/caf/co_sums", TESTS / "caf/caf/sections") if path.exists()]
        for program in [TESTS / "api" / name for name in API] + coarrays:
            for hosts in ONE, TWO:
                code, out, err = self.run_job([*words(hosts), program])
                self.assertEqual(code, 0, f"{program} on {hosts}: {out}{err}")

    def test_exit_codes_and_sentences(self):
        for hosts in ONE, TWO:
            for code in 7, 0:
                self.places(hosts, "exit", str(code), code=code)
            _, err = self.places(hosts, "wrong", code=1)
            self.assertEqual(len(re.findall(r"^copal: PE 1: shmem_long_p: argument dest is 0x", err, re.M)), 1, err)
            self.assertEqual(err.count("copal: "), 1, err)

    def test_what_the_pe_has_printed_that_ends_the_job(self):
        """Hydra reads no output after it has received a signal to end."""
        for hosts in ONE, TWO:
            for _ in range(5):
                code, out, err = self.run_job([*words(hosts), "./end", "global7", "1", "barrier", "say"])
                self.assertEqual((code, out.count("ends at")), (7, 1), out + err)

    def test_a_pe_dies(self):
        for hosts in ONE, TWO:
            for how in "kill", "_exit0", "exit7", "segv":
                for where in "barrier", "sleep":
                    code, out, err = self.run_job([*words(hosts), "./end", how, "2", where])
                    if how == "_exit0" or hydra_loses_codes():    # _exit0 is 0 or 9 to Hydra
                        continue
                    self.assertNotEqual(code, 0, f"{how} {where} on {hosts}: {out}{err}")
                    if how == "exit7":
                        self.assertEqual(code, 7, f"{where} on {hosts}: {out}{err}")

    def killed(self, hosts, who):
        """Kills a process of the launcher: mpiexec, or its daemon on a node.  tearDown checks that all PEs have
        ended."""
        folder = tempfile.mkdtemp(dir=self.folder)
        with subprocess.Popen([*words(hosts), "./printed", folder], cwd=self.folder, stdin=subprocess.DEVNULL,
                              env=dict(os.environ, **self.environment), stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True) as job:
            for line in job.stderr:
                if line == "ready\n":
                    break
            pes = [int((pathlib.Path(folder) / f"{pe}.pid").read_text()) for pe in range(4)]
            parent = int(pathlib.Path(f"/proc/{pes[0]}/stat").read_text().rpartition(")")[2].split()[1])
            os.kill(job.pid if who == "mpiexec" else parent, signal.SIGKILL)
            job.stderr.read()
        if not hydra_loses_codes():
            self.assertNotEqual(job.returncode, 0)
        self.assertTrue(comes(lambda: not processes_with(self.mark)), f"{who} on {hosts}: processes are left")

    def test_the_launcher_is_killed(self):
        for hosts in ONE, TWO:
            for who in "mpiexec", "daemon":
                self.killed(hosts, who)

    def test_what_is_not_possible(self):
        code, _, err = self.run_job([*words(ONE), "./hello"], COPAL_OUTLIVE="1")
        self.assertNotEqual(code, 0)
        self.assertIn("environment variable COPAL_OUTLIVE is set, but PMI-1, which mpiexec uses,", err)
        code, _, err = self.run_job([*words(TWO), "./hello"], SHMEM_NET="emu")
        self.assertNotEqual(code, 0)
        self.assertRegex(err, "copal: .*SHMEM_NODES")
        code, _, err = self.run_job([HYDRA, "-pmi-port", *words(ONE)[1:], "./hello"])
        self.assertNotEqual(code, 0)
        self.assertIn("copal: shmem_init: a launcher has started this process with PMI_PORT, as mpiexec -pmi-port", err)


OSHRUN, OSHCC = programs()
TESTS = pathlib.Path(sys.argv.pop()).resolve()
MODULE = pathlib.Path(OSHRUN).parents[1] / "lib/copal/libcopal-pmi.so"
if not HYDRA:
    print("there is no mpiexec.hydra (scripts/install-deps check-all)")
    sys.exit(77)
unittest.main()
