"""Jobs of mpirun and of oshrun, on one machine: the loaded libraries, the ends of jobs, and MPI in the same program.

usage: test_launch.py --oshrun OSHRUN --oshcc OSHCC
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
from support import CONTAINED, LIMIT, OneFolder, comes, has_containers, outcome, programs, refusing  # noqa: E402

MPIRUN = ["mpirun", "-n", "4", "--oversubscribe", "--bind-to", "none"]
AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def run(command, folder, **environment):
    return outcome(command, folder, **AS_ROOT, **environment)


def is_there(pid, program):
    try:
        return os.readlink(f"/proc/{pid}/exe") == program
    except OSError:
        return False


class Launch(OneFolder):
    sources = ("net/place",)

    def places(self, launcher, *words, code=0, **environment):
        got, out, err = run([*launcher, f"{self.folder}/place", *words], self.folder, **environment)
        self.assertEqual(got, code, out + err)
        return sorted(line for line in out.splitlines() if line.startswith("PE ")), err

    def test_one_node_loads_nothing(self):
        lines, _ = self.places([OSHRUN, "-n", "2"])
        self.assertEqual(lines, [f"PE {pe} of 2, 2 near, UCX no, PMIx no" for pe in range(2)])

    def test_mpirun_on_one_host_needs_no_network(self):
        lines, _ = self.places(MPIRUN)
        self.assertEqual(lines, [f"PE {pe} of 4, 4 near, UCX no, PMIx yes" for pe in range(4)])

    @unittest.skipUnless(has_containers(), "user namespaces are not allowed here")
    def test_a_container_for_each(self):
        for again in [], ["again"]:
            lines, _ = self.places([*MPIRUN, *CONTAINED], *again)
            self.assertEqual([line for line in lines if " of 4" in line],
                             [f"PE {pe} of 4, 4 near, UCX no, PMIx yes" for pe in range(4)])

    def places_refusing(self, call, launcher, near, **environment):
        refused = refusing(call)
        try:
            subprocess.run(["true"], preexec_fn=refused, check=True)
        except subprocess.SubprocessError:
            self.skipTest("filters of system calls are not allowed here")
        done = subprocess.run([*launcher, f"{self.folder}/place"], preexec_fn=refused, text=True, capture_output=True,
                              timeout=LIMIT, env=dict(os.environ, SHMEM_SYMMETRIC_SIZE="16M", **environment))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(done.stdout.count(f" of 4, {near} near,"), 4, done.stdout + done.stderr)

    def test_memfds_are_refused(self):
        self.places_refusing("memfd_create", MPIRUN, 4, **AS_ROOT)

    def test_random_numbers_are_refused(self):
        """Without getrandom, Copal reads /dev/urandom."""
        for net in "ucx", "ofi":
            self.places_refusing("getrandom", [OSHRUN, "-n", "4"], 2, SHMEM_NODES="2", SHMEM_NET=net)

    def test_nodes_on_one_machine(self):
        for nodes, near in (("2", [2, 2, 2, 2]), ("3+1", [3, 3, 3, 1]), ("4", [1, 1, 1, 1]), ("3", [2, 2, 1, 1])):
            lines, _ = self.places([OSHRUN, "-n", "4"], SHMEM_NODES=nodes)
            self.assertEqual(lines, [f"PE {pe} of 4, {near[pe]} near, UCX yes, PMIx no" for pe in range(4)])

    def test_nodes_that_make_no_sense(self):
        for nodes in ("0", "5", "two", "3+2", "1+1", "3+", "+4", "-1", "2x"):
            code, _, err = run([OSHRUN, "-n", "4", f"{self.folder}/place"], self.folder, SHMEM_NODES=nodes)
            self.assertEqual(code, 1, err)
            self.assertIn(f'environment variable SHMEM_NODES is "{nodes}", allowed for 4 PEs is', err)

    def test_again_and_a_child_of_a_pe(self):
        for launcher, environment in ((MPIRUN, {}), ([OSHRUN, "-n", "4"], {"SHMEM_NODES": "2"})):
            lines, err = self.places(launcher, "again", **environment)
            self.assertEqual(len(lines), 5, err)
            self.assertEqual(sum(" of 1, 1 near, UCX no" in line for line in lines), 1, lines)

    def test_exit_codes_and_sentences(self):
        for launcher, environment in ((MPIRUN, {}), ([OSHRUN, "-n", "4"], {"SHMEM_NODES": "2"})):
            self.places(launcher, "exit", "7", code=7, **environment)
            _, err = self.places(launcher, "wrong", code=1, **environment)
            self.assertEqual(len(re.findall(r"^copal: PE 1: shmem_long_p: argument dest is 0x", err, re.M)), 1, err)
            self.assertEqual(err.count("copal: "), 1, err)

    def test_what_was_printed_when_the_launcher_is_killed(self):
        program, folder = f"{self.folder}/printed", pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        subprocess.run([OSHCC, HERE / "printed.c", "-o", program], check=True)
        with subprocess.Popen([*MPIRUN, program, folder], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                              stdin=subprocess.DEVNULL, env=dict(os.environ, **AS_ROOT), start_new_session=True) as job:
            for line in job.stderr:
                if line == "ready\n":
                    break
            pes = [int((folder / f"{pe}.pid").read_text()) for pe in range(4)]
            job.kill()
            said = job.stderr.read()
        comes(lambda: not any(is_there(pid, program) for pid in pes))
        left = [pid for pid in pes if is_there(pid, program)]
        for pid in left:
            os.kill(pid, signal.SIGKILL)
        self.assertEqual(left, [], said)
        printed = [(folder / f"{pe}").read_text() for pe in range(4)]
        self.assertEqual(printed, [f"PE {pe} has printed this\n" for pe in range(4)], said)
        self.assertLessEqual(said.count("copal: "), 1, said)

    def test_hybrid(self):
        program = f"{self.folder}/hybrid"
        warnings = ["-Wall", "-Wextra", "-Werror"]
        # From version 6 on, Open MPI's objects are in another library.
        libraries = ["-Wl,--copy-dt-needed-entries", "-l:libmpi.so.40"]
        subprocess.run([OSHCC, *warnings, HERE / "hybrid.c", *libraries, "-o", program], check=True)
        for first in "shmem", "mpi":
            code, out, err = run([*MPIRUN, "--mca", "osc", "^rdma", program, first], self.folder)
            self.assertEqual(code, 0, first + ": " + out + err)


OSHRUN, OSHCC = programs()
if not shutil.which("mpirun"):
    print("there is no mpirun (scripts/install-deps check)")
    sys.exit(77)
unittest.main()
