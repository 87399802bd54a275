"""Jobs that no launcher starts: processes that meet in a folder (SHMEM_BOOT=directory).

usage: test_directory.py --oshrun OSHRUN --oshcc OSHCC
"""
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools"))
from support import CONTAINED, has_containers, programs, without_backtraces  # noqa: E402

JOIN = "copal: shmem_init: cannot join the job: "
ON_HOST = ["unshare", "--uts", "sh", "-c", 'hostname "$0" && exec "$@"']
HAS_HOSTS = subprocess.run([*ON_HOST, "h1", "true"], capture_output=True, check=False).returncode == 0

STALE = r"""
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

ssize_t read(int fd, void *bytes, size_t n)
{
    static _Thread_local int fails;
    char link[64], path[4096] = "";
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    readlink(link, path, sizeof path - 1);
    if (strstr(path, "/copal.") && (fails = !fails)) {
        errno = ESTALE;
        return -1;
    }
    return syscall(SYS_read, fd, bytes, n);
}
"""

SYNC = r"""
#include <shcoll.h>
#include <shmem.h>

int main(void)
{
    shmem_init();
    shcoll_init();
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
"""


class Directory(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory(prefix="copal-test-")
        cls.addClassCleanup(scratch.cleanup)
        cls.built = pathlib.Path(scratch.name)
        for name in "faults/end", "faults/heap", "net/place":
            subprocess.run([OSHCC, HERE.parent / f"{name}.c", "-o", cls.built / pathlib.Path(name).name], check=True)

    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="copal-test-")
        self.addCleanup(scratch.cleanup)
        self.meeting = pathlib.Path(scratch.name)

    def start(self, pe, n_pes, *words, host=None, contained=False, **environment):
        """A process. host: the name of the host that it takes this machine for; contained: it is in a container."""
        variables = {"SHMEM_BOOT": "directory", "SHMEM_BOOT_DIRECTORY": str(self.meeting), "SHMEM_BOOT_PE": str(pe),
                     "SHMEM_BOOT_PES": str(n_pes), "SHMEM_SYMMETRIC_SIZE": "16M"}
        before = [*([*ON_HOST, host] if host else []), *(CONTAINED if contained else [])]
        process = subprocess.Popen([*before, f"./{words[0]}", *words[1:]], text=True,
                                   env=dict(os.environ, **variables | environment), cwd=self.built,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.kill)
        return process

    def job(self, n_pes, *words, hosts=None, **environment):
        return [self.start(pe, n_pes, *words, host=hosts and hosts[pe], **environment) for pe in range(n_pes)]

    def ends(self, processes, limit_s=60):
        """Exit code, standard output and standard error of each."""
        give_up = time.monotonic() + limit_s
        ended = []
        for process in processes:
            try:
                out, err = process.communicate(timeout=max(give_up - time.monotonic(), 0.1))
            except subprocess.TimeoutExpired:
                process.kill()
                raise AssertionError("hangs\n{}{}".format(*process.communicate())) from None
            ended.append((process.returncode, out, without_backtraces(err)))
        return ended

    def left(self):
        return sorted(path.name for path in self.meeting.iterdir())

    def succeeds(self, n_pes, near, again=False, hosts=None):
        ended = self.ends(self.job(n_pes, "place", *(["again"] if again else []), hosts=hosts))
        for pe, (code, out, err) in enumerate(ended):
            self.assertEqual((code, err), (0, ""), ended)
            lines = re.findall(r"PE \d+ of \d+, \d+ near", out)
            alone = ["PE 0 of 1, 1 near"] if again and pe == 0 else []    # the program that PE 0 starts
            self.assertEqual(lines, [f"PE {pe} of {n_pes}, {near[pe]} near", *alone], ended)
        self.assertEqual(self.left(), [])

    def test_one_node(self):
        for n_pes in 1, 2, 5:
            self.succeeds(n_pes, [n_pes] * n_pes)

    @unittest.skipUnless(has_containers(), "user namespaces are not allowed here")
    def test_containers(self):
        """One for each PE; or for all but the first, which counts as another node."""
        for first, near in (True, [3, 3, 3]), (False, [1, 2, 2]):
            ended = self.ends([self.start(pe, 3, "place", contained=first or pe > 0) for pe in range(3)])
            for pe, (code, out, err) in enumerate(ended):
                self.assertEqual((code, err), (0, ""), ended)
                self.assertIn(f"PE {pe} of 3, {near[pe]} near", out)

    @unittest.skipUnless(HAS_HOSTS, "hosts are names of their own")
    def test_files_that_are_replaced_while_they_are_read(self):
        """As NFS has it: each first read fails."""
        (self.built / "stale.c").write_text(STALE)
        subprocess.run(["cc", "-shared", "-fPIC", "-w", "stale.c", "-o", "stale.so"], cwd=self.built, check=True)
        ended = self.ends(self.job(3, "place", hosts=["h1", "h1", "h2"], LD_PRELOAD=str(self.built / "stale.so")))
        for pe, (code, out, err) in enumerate(ended):
            self.assertEqual((code, err), (0, ""), ended)
            self.assertIn(f"PE {pe} of 3, {(2, 2, 1)[pe]} near", out)

    @unittest.skipUnless(HAS_HOSTS and len(os.sched_getaffinity(0)) > 1, "takes root, and two processors")
    def test_nodes_that_share_processors(self):
        """Four PEs, each on a host of its own, are four on a machine: the library's collectives and the program's know
        that.  With processors for each host they share nothing."""
        (self.built / "sync.c").write_text(SYNC)
        subprocess.run([OSHCC, "sync.c", "-lshcoll", "-o", "sync"], cwd=self.built, check=True)
        mine = os.sched_getaffinity(0)
        self.addCleanup(os.sched_setaffinity, 0, mine)
        one, other, *_ = mine
        for processors, shared in ((one, one, one, one), True), ((one, other), False), ((one, one, one, other), True):
            job = []
            for pe, processor in enumerate(processors):
                os.sched_setaffinity(0, {processor})
                job.append(self.start(pe, len(processors), "sync", host=f"h{pe}", SHCOLL_INFO="1"))
            os.sched_setaffinity(0, mine)
            ended = self.ends(job)
            self.assertEqual([code for code, _, _ in ended], [0] * len(job), ended)
            self.assertEqual(ended[0][1].count("with fewer processors than PEs"), 2 * shared, ended[0][1])
            self.assertEqual(len(re.findall(r"sync +all +two_level_tree", ended[0][1])), 2 * shared, ended[0][1])

    def test_again_in_the_same_processes(self):
        self.succeeds(3, [3] * 3, again=True)

    @unittest.skipUnless(HAS_HOSTS, "other host names take root")
    def test_several_nodes(self):
        self.succeeds(4, [2, 2, 1, 1], again=True, hosts=["h1", "h1", "h2", "h3"])
        self.succeeds(3, [1, 1, 1], hosts=["h1", "h2", "h1"])    # nodes are of consecutive PEs

    @unittest.skipUnless(HAS_HOSTS, "other host names take root")
    def test_nodes_that_differ_in_memory(self):
        """All have as much heap as the node that has least."""
        job = [self.start(pe, 2, "heap", host=f"h{pe}", SHMEM_SYMMETRIC_SIZE=f"{32 >> pe}M") for pe in range(2)]
        (code, out, err), other = self.ends(job)
        self.assertEqual((code, out, other), (0, "heap 16777216\n", (0, "", "")))
        self.assertIn("the largest free block of its 16777216 has 16777216", err)

    def test_files_of_an_earlier_job(self):
        """That was killed: with more, fewer and the same number of PEs."""
        for before in 3, 2, 4:
            job = self.job(before, "end", "stay", "0", "sleep", "say")
            self.assertEqual(job[0].stdout.readline(), "ready\n")
            for process in job:
                process.kill()
            self.ends(job)
            left = self.left()
            self.assertEqual([name for name in left if name != "copal.end"],
                             [*(f"copal.{pe}" for pe in range(before)), "copal.all"])
            ended = self.ends(self.job(3, "place"))
            self.assertEqual([(code, err) for code, _, err in ended], [(0, "")] * 3)
            self.assertEqual(self.left(), ["copal.3"] if before == 4 else [])

    def test_one_comes_late(self):
        for late in 0, 1:
            first = self.start(1 - late, 2, "place")
            time.sleep(0.5)
            self.assertEqual([code for code, _, _ in self.ends([first, self.start(late, 2, "place")])], [0, 0])

    def test_one_does_not_come(self):
        timeout = {"SHMEM_BOOT_TIMEOUT": "2"}
        started = "; each of the 4 PEs is started with its own SHMEM_BOOT_PE, the same SHMEM_BOOT_PES and the same " \
                  "folder SHMEM_BOOT_DIRECTORY\n"
        zero, two = self.ends([self.start(pe, 4, "place", **timeout) for pe in (0, 2)])
        self.assertEqual(zero, (1, "", f"{JOIN}PEs 1 and 3 have not come to {self.meeting} within 2 s{started}"))
        self.assertEqual(two, (1, "", f"{JOIN}PE 0 has seen this process in {self.meeting}, but not all others, within "
                                      "2 s\n"))
        self.assertEqual(self.left(), [])
        one, = self.ends([self.start(1, 2, "place", **timeout)])
        self.assertEqual(one, (1, "", f"{JOIN}PE 0 has not seen this process in {self.meeting} within 2 s; is it "
                                      "started, with the same folder SHMEM_BOOT_DIRECTORY and the same "
                                      "SHMEM_BOOT_PES?\n"))
        zero, one = self.ends([self.start(0, 4, "place", **timeout), self.start(1, 2, "place", **timeout)])
        self.assertIn("within 2 s (a PE 1 has, of a job of 2 PEs)", zero[2])
        self.assertEqual([zero[0], one[0], self.left()], [1, 1, []])

    def test_two_with_one_number(self):
        for pe in 0, 1:
            first = self.start(pe, 3, "place")
            while not (self.meeting / f"copal.{pe}").exists():
                time.sleep(0.01)
            second = self.start(pe, 3, "place")
            said, = self.ends([first])
            ended = self.ends([second, *(self.start(other, 3, "place") for other in range(3) if other != pe)])
            self.assertEqual(said, (1, "", f"{JOIN}another process has come to {self.meeting} as PE {pe}: each has a "
                                           "SHMEM_BOOT_PE of its own, and each job that runs at a time its own folder "
                                           "SHMEM_BOOT_DIRECTORY\n"))
            self.assertEqual([code for code, _, _ in ended], [0, 0, 0], ended)

    def test_the_end_has_a_code(self):
        for how, code in ("global7", 7), ("global0", 0), ("exit7", 7), ("bad_pe", 1):
            for where in "barrier", "loop", "sleep":
                ended = self.ends(self.job(3, "end", how, "1", where))
                self.assertEqual([code for code, _, _ in ended], [code] * 3, ended)
                self.assertEqual([bool(err) for _, _, err in ended], [False, how == "bad_pe", False], ended)
                if where != "loop":
                    self.assertEqual([out for _, out, _ in ended], ["PE 0 was here\n", "", "PE 2 was here\n"])
                self.assertEqual(self.left(), ["copal.end"])

    @unittest.skipUnless(HAS_HOSTS, "other host names take root")
    def test_the_end_on_other_nodes(self):
        ended = self.ends(self.job(3, "end", "global7", "1", "barrier", hosts=["h1", "h2", "h2"]))
        self.assertEqual([(code, err) for code, _, err in ended],
                         [(7, "copal: PE 0: PE 1 on h2 has ended the job with code 7\n"), (7, ""), (7, "")])

    def dies(self, hosts, clause, **environment):
        """PE 1 does, and the others end with a sentence that names it."""
        for how in "kill", "_exit0":
            ended = self.ends(self.job(3, "end", how, "1", "sleep", "say", hosts=hosts, **environment))
            self.assertEqual([code for code, _, _ in ended], [1, -signal.SIGKILL if how == "kill" else 0, 1], ended)
            said = "".join(err for _, _, err in ended)
            self.assertRegex(said, rf"copal: PE \d: the job: PE 1 is lost: {clause}.*; the job is ended\n")

    def test_a_death(self):
        self.dies(None, r"its process, \d+, has ended")

    @unittest.skipUnless(HAS_HOSTS, "other host names take root")
    def test_a_death_on_another_node(self):
        """Signs of life tell, or the network does."""
        self.dies(["h1", "h2", "h3"], r"(its process, \d+ on h2, has given no sign of life|it cannot be reached)",
                  SHMEM_BOOT_TIMEOUT="2")

    def test_an_error_in_shmem_init(self):
        job = [self.start(pe, 3, "place", SHMEM_SYMMETRIC_SIZE="x" if pe == 1 else "16M") for pe in range(3)]
        ended = self.ends(job)
        self.assertEqual([(code, out, bool(err)) for code, out, err in ended],
                         [(1, "", pe == 1) for pe in range(3)])

    def test_values_that_make_no_sense(self):
        numbers = "allowed is a number from 0 and a number of PEs above it\n"
        for pe, n_pes in (("2", 2), ("-1", 2), ("", 2), ("1x", 2), ("0", "0"), ("0", "")):
            ended, = self.ends([self.start(pe, n_pes, "place")])
            self.assertEqual(ended, (1, "", f'{JOIN}SHMEM_BOOT is "directory", environment variable SHMEM_BOOT_PE is '
                                            f'"{pe}" and SHMEM_BOOT_PES is "{n_pes}", {numbers}'))
        for folder, why in (("/nowhere", "No such file or directory"), ("/dev/null", "it is no folder")):
            ended, = self.ends([self.start(0, 2, "place", SHMEM_BOOT_DIRECTORY=folder)])
            self.assertEqual(ended, (1, "", f'{JOIN}environment variable SHMEM_BOOT_DIRECTORY is "{folder}", allowed '
                                            f"is a folder that this process may write to: {why}\n"))
        for name, value, sentence in (
                ("SHMEM_BOOT_DIRECTORY", "", f'{JOIN}SHMEM_BOOT is "directory", and SHMEM_BOOT_DIRECTORY is not set; '
                                             "it names the folder where the PEs meet, which all hosts see"),
                ("SHMEM_BOOT_TIMEOUT", "0", f'{JOIN}environment variable SHMEM_BOOT_TIMEOUT is "0", allowed is a '
                                            "number of seconds, 1 or more"),
                ("COPAL_OUTLIVE", "1", f"{JOIN}environment variable COPAL_OUTLIVE is set, but a job without a launcher "
                                       "ends when a PE dies; start it by oshrun --outlive, srun --mpi=pmix, mpirun or "
                                       "prterun, or without COPAL_OUTLIVE"),
                ("SHMEM_BOOT", "folder", 'copal: shmem_init: environment variable SHMEM_BOOT is "folder", allowed is '
                                         "auto, directory or mpi")):
            ended, = self.ends([self.start(0, 2, "place", **{name: value})])
            self.assertEqual(ended, (1, "", sentence + "\n"))


OSHRUN, OSHCC = programs()
unittest.main()
