"""The module for jobs of mpirun, srun and prterun: starts boot.c, which tests the module, and reads its verdict.

usage: test_boot.py BOOT MODULE [LAUNCHER...]     LAUNCHER: words that start 4 processes, instead of mpirun's
"""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
from support import LIMIT, comes, outcome, processes_with, wait_for  # noqa: E402

BOOT, MODULE = (os.path.abspath(path) for path in sys.argv[1:3])
# On a host without a network, mpirun's own connections use loopback; more processes than processors are allowed.
MPIRUN = ["mpirun", "-n", "4", "--oversubscribe", "--bind-to", "none"]
LAUNCHER = sys.argv[3:] or MPIRUN
AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
ENVIRONMENT = dict(os.environ, **AS_ROOT)


class Boot(unittest.TestCase):
    def job(self, *words, options=(), **environment):
        return outcome([LAUNCHER[0], *options, *LAUNCHER[1:], BOOT, MODULE, *words], **AS_ROOT, **environment)

    def test_cards_and_file_in_many_rounds(self):
        code, out, err = self.job("cards", 30)
        self.assertEqual(code, 0, out + err)
        pes = re.findall(r"^PE (\d+) of 4, node from \d+ with \d+, node size \d+, .*PMIx \d", out, re.M)
        self.assertEqual(sorted(pes), ["0", "1", "2", "3"], out)

    def test_cards_asked_for_one_by_one(self):
        code, out, err = self.job("cards", 1, COPAL_PMIX_COLLECT="0")
        self.assertEqual(code, 0, out + err)

    def test_abort_gives_the_exit_code(self):
        for pe, exit_code in ((0, 7), (3, 11)):
            code, out, err = self.job("abort", pe, exit_code)
            self.assertEqual(code, exit_code, out + err)

    def test_abort_after_leaving_the_launcher(self):
        code, out, err = self.job("abort", 2, 7, TEST_OUTLIVE="1")
        self.assertEqual(code, 7, out + err)

    def test_orderly_end_is_no_death(self):
        for pause in (0, 300):
            code, out, err = self.job("watch", pause)
            self.assertEqual(code, 0, out + err)
            self.assertNotIn("hears", out)

    def heard(self, dead, how, also=()):
        """The deaths of which each PE is notified in a job that mpirun does not end, and the PEs that die with the
        killed PE."""
        options = ["--enable-recovery"] if LAUNCHER == MPIRUN else []
        _, out, err = self.job("die", ",".join(map(str, dead)), how, 2000, options=options)
        alive = [pe for pe in range(4) if pe not in dead and pe not in also]
        went_on = sorted(int(pe) for pe in re.findall(r"^PE (\d+) (?:goes on|has ended)$", out, re.M))
        self.assertEqual(went_on, alive, out + err)
        pairs = re.findall(r"^PE (\d+) hears at \S+ PE (\d+): its process", out, re.M)
        return {(int(by), int(of)) for by, of in pairs}, out + err

    def test_a_death_is_noticed(self):
        for pe, how in ((2, "kill"), (0, "exit"), (1, "quiet"), (3, "fork"), (1, "outlive")):
            heard, text = self.heard([pe], how)
            self.assertEqual({of for _, of in heard}, {pe}, text)

    def test_the_ring_closes(self):
        heard, text = self.heard([1, 2], "kill")
        self.assertEqual({of for _, of in heard}, {1, 2}, text)

    def test_who_was_to_tell_dies_too(self):
        heard, text = self.heard([2], "heard", also=[1])
        self.assertEqual({of for _, of in heard}, {1, 2}, text)

    @unittest.skipUnless(LAUNCHER == MPIRUN, "of mpirun on this host")
    def test_the_launcher_dies(self):
        with tempfile.TemporaryDirectory(prefix="test-boot-") as scratch:
            inner = f'exec "{BOOT}" "{MODULE}" watch 30000 >"{scratch}/$PMIX_RANK" 2>&1'
            job = subprocess.Popen([*LAUNCHER, "sh", "-c", inner], env=ENVIRONMENT, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            wait_for(lambda: sum("watches" in path.read_text() for path in pathlib.Path(scratch).iterdir()) == 4)
            job.kill()
            job.wait()
            def text():
                return "".join(path.read_text() for path in pathlib.Path(scratch).iterdir())

            def heard():
                return set(re.findall(r"^PE (\d) hears at \S+ PE \1: its launcher has ended$", text(), re.M))
            self.assertTrue(comes(lambda: heard() == set("0123")), text())

    @unittest.skipUnless(LAUNCHER == MPIRUN, "of mpirun on this host")
    def test_the_launcher_dies_before_all_have_begun(self):
        """The other PEs wait for the first PE of the host, which never begins."""
        wanted = 'share_file: the launcher has ended while this PE waited for the "file" of PE 0\n'
        mark = f"BOOT_JOB={os.getpid()}"
        with tempfile.TemporaryDirectory(prefix="test-boot-") as scratch:
            inner = f'[ $PMIX_RANK != 0 ] || exec sleep 100; exec "{BOOT}" "{MODULE}" cards 2>"{scratch}/$PMIX_RANK"'
            job = subprocess.Popen([*LAUNCHER, "sh", "-c", inner], env=dict([mark.split("=")], **ENVIRONMENT),
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            wait_for(lambda: len(list(pathlib.Path(scratch).iterdir())) == 3)
            time.sleep(2)    # most PEs wait by then; those that do not are notified too
            job.kill()
            job.wait()

            def said():
                return {path.name: path.read_text() for path in pathlib.Path(scratch).iterdir()}
            comes(lambda: all(said().get(pe) for pe in "123"))
            told = said()
            for pid in processes_with(mark):
                os.kill(pid, signal.SIGKILL)
        self.assertEqual(told, {pe: f"boot: PE {pe}: {wanted}" for pe in "123"})

    def test_without_a_launcher(self):
        environment = {name: value for name, value in ENVIRONMENT.items() if not name.startswith("PMIX_")}
        for extra, sentence in (({}, "was not started by"), ({"PMIX_RANK": "0", "PMIX_NAMESPACE": "none"},
                                                             "srun --mpi=pmix")):
            done = subprocess.run([BOOT, MODULE, "cards"], env=dict(environment, **extra), capture_output=True,
                                  text=True, timeout=LIMIT)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn(sentence, done.stderr)


if __name__ == "__main__":
    if not shutil.which(LAUNCHER[0]):
        print(f"skipped: there is no {LAUNCHER[0]}; scripts/install-deps check installs it")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
