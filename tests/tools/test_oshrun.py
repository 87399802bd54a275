"""oshrun as a user calls it: starting, binding, output, signals, exit codes, and that nothing remains."""
import contextlib
import os
import pathlib
import pty
import re
import resource
import select
import signal
import stat
import subprocess
import sys
import time
import uuid

import oshrun_jobs
from oshrun_jobs import state_of, wait_for
from support import LIMIT, processes_with

CPUS = os.sched_getaffinity(0)


class Oshrun(oshrun_jobs.Jobs):
    def test_hello(self):
        self.assertEqual(self.output("-n", 3, "./pe", "hello", "x"), [f"PE {i} of 3, x" for i in range(3)])

    def test_plain_programs(self):
        self.assertEqual(self.output("-n", 3, "sh", "-c", "sleep 0.$$; echo me"), ["me"] * 3)

    def test_several_executables(self):
        lines = self.output("-n", 1, "./pe", "hello", "a", ":", "-n", 2, "./pe", "hello", "b")
        self.assertEqual(lines, ["PE 0 of 3, a", "PE 1 of 3, b", "PE 2 of 3, b"])

    def test_environment_and_folder(self):
        (self.folder / "inner").mkdir()
        show = "echo $A-$B-$(basename $(pwd))"
        lines = self.output("-n", 1, "-x", "A=1 2", "--env", "B=x=y", "-x", "HOME", "sh", "-c", show,
                            ":", "-n", 1, "--wdir", "inner", "sh", "-c", show, environment={"A": "outer"})
        self.assertEqual(lines, sorted([f"1 2-x=y-{self.folder.name}", "outer--inner"]))

    def test_stdin_goes_to_pe_0(self):
        text = "".join(f"line {i}\n" for i in range(20000))
        result = subprocess.run([oshrun_jobs.OSHRUN, "-n", "3", "cat"], input=text, text=True, stdout=subprocess.PIPE,
                                timeout=LIMIT)
        self.assertEqual((result.returncode, result.stdout), (0, text))

    def test_closed_standard_files(self):
        command = f"'{oshrun_jobs.OSHRUN}' -n 2 ./pe hello x <&- >&-"
        self.assertEqual(subprocess.run(["sh", "-c", command], cwd=self.folder, timeout=LIMIT).returncode, 0)

    def test_wrapper_that_closes_files(self):
        """A PE finds its job although its wrapper has closed the descriptor."""
        close = "for f in 3 4 5 6 7 8 9; do eval \"exec $f<&-\"; done; ./pe hello x; exit $?"
        self.assertEqual(len(self.output("-n", 2, "sh", "-c", close)), 2)

    def test_many(self):
        self.assertEqual(self.output("-n", 200, "--tag", "echo", "x"), sorted(f"[{i}] x" for i in range(200)))
        few = lambda hard: lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (20, hard))
        lines = self.output("-n", 30, "--tag", "sh", "-c", "ulimit -n", preexec_fn=few(100))
        self.assertEqual(lines, sorted(f"[{i}] 20" for i in range(30)))
        self.run_job("-n", 30, "--tag", "true", code=1, preexec_fn=few(60),
                     said="oshrun: --tag: 30 PEs need 92 file descriptors and the limit .* is 60")

    def test_inherited_signal_settings(self):
        """SIGCHLD ignored by oshrun's parent would lose exit codes; SIGHUP ignored (nohup) stays ignored."""
        self.run_job("-n", 2, "sh", "-c", "exit 4", code=4, said=r"oshrun: PE . exited with code 4",
                     preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))
        job = self.start("-n", 2, "./pe", "ready", preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        job.wait_for_output("ready\n", 2)
        job.process.send_signal(signal.SIGHUP)
        job.process.send_signal(signal.SIGTERM)
        self.assertEqual(job.wait(), 128 + signal.SIGTERM)

    # --- binding

    def masks(self, *arguments, cpus=CPUS):
        """The CPUs of each PE, in order."""
        show = f"{sys.executable} -c 'import os; print(sorted(os.sched_getaffinity(0)))'"
        job = self.run_job("--tag", *arguments, "sh", "-c", show, preexec_fn=lambda: os.sched_setaffinity(0, cpus))
        lines = dict(re.findall(r"^\[(\d+)\] \[(.*)\]$", job.printed(), re.MULTILINE))
        return [{int(cpu) for cpu in lines[str(pe)].split(", ")} for pe in range(len(lines))]

    @staticmethod
    def cores():
        """The kernel's cores, without CPUs that are not allowed here."""
        found = []
        for cpu in sorted(CPUS):
            path = pathlib.Path(f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list")
            core = {cpu}
            for part in path.read_text().strip().split(",") if path.exists() else []:
                first, _, last = part.partition("-")
                core |= set(range(int(first), int(last or first) + 1))
            if core & CPUS not in found:
                found.append(core & CPUS)
        return found

    def test_default_binding_shares_the_cores(self):
        cores = self.cores()
        self.assertEqual(self.masks("-n", 1), [CPUS])
        self.assertEqual(self.masks("-n", len(cores)), cores if len(cores) > 1 else [CPUS])
        self.assertEqual(self.masks("-n", len(cores) + 1), [CPUS] * (len(cores) + 1))
        shares = self.masks("-n", max(len(cores) // 2, 1))
        self.assertEqual(sum(map(len, shares)), len(CPUS))
        self.assertEqual(set.union(*shares), CPUS)
        one = {max(CPUS)}
        self.assertEqual(self.masks("-n", 2, cpus=one), [one, one])

    def test_explicit_binding(self):
        cores = self.cores()
        self.assertEqual(self.masks("-n", 1, "--bind", "core"), cores[:1])
        self.assertEqual(self.masks("-n", 2 * len(cores), "--bind", "core"), cores + cores)
        self.assertEqual(self.masks("-n", 2, "--bind", "none"), [CPUS, CPUS])
        nodes = self.masks("-n", 4, "--bind", "numa")
        for node in nodes:
            self.assertTrue(node and node <= CPUS)
            self.assertTrue(all(core <= node or not core & node for core in cores), "a core is on two nodes")

    def test_verbose(self):
        job = self.start("-v", "-n", 2, "--bind", "none", "./pe", "hello", "x")
        self.assertEqual(job.wait(), 0)
        self.assertEqual(re.sub(r"\d{2,}", "PID", job.said()),
                         "".join(f"oshrun: PE {i} is process PID on any CPU: ./pe\n" for i in range(2)))

    # --- output

    def test_tag(self):
        job = self.start("-n", 4, "--tag", "./chatter")
        self.assertEqual(job.wait(), 0)
        lines = [f"line {i} of some words and an end" for i in range(500)]
        lines += ["0123456789" * 20000, "", "unfinished"]
        for pe in range(4):
            mine = [line[4:] for line in job.printed().splitlines() if line.startswith(f"[{pe}] ")]
            self.assertTrue(mine == lines, f"PE {pe}: lines are torn, lost or out of order")
        self.assertEqual(len(job.printed().splitlines()), 4 * len(lines))
        self.assertEqual(sorted(job.said().splitlines()),
                         sorted(f"[{pe}] first half, second half" for pe in range(4) for _ in range(250)))

    def test_tag_with_a_slow_reader(self):
        """Output that no process reads does not block oshrun, and is complete when it is read later."""
        job = self.start("-n", 2, "--tag", "./chatter", stdout=subprocess.PIPE)
        time.sleep(0.3)    # no process reads for a while
        self.assertIsNone(job.process.poll())
        lines = job.process.stdout.read().decode().splitlines()
        self.assertEqual((job.wait(), len(lines)), (0, 2 * 503))
        job = self.start("-n", 2, "--tag", "yes", stdout=subprocess.PIPE)
        time.sleep(0.3)    # no process reads for a while
        job.process.send_signal(signal.SIGTERM)
        self.assertEqual(job.wait(), 128 + signal.SIGTERM)
        self.assertEqual(job.pids(), [])

    def test_tag_with_a_reader_that_leaves(self):
        job = self.start("-n", 2, "--tag", "yes", stdout=subprocess.PIPE)
        self.assertRegex(job.process.stdout.readline(), rb"^\[[01]\] y\n$")
        job.process.stdout.close()
        self.assertEqual(job.wait(), 128 + signal.SIGPIPE)
        self.assertRegex(job.said(), r"^oshrun: PE [01] was killed by signal 13 \(Broken pipe\)\n$")

    def test_unfinished_lines(self):
        """Lines of several PEs are not joined; a last line without a newline gets none."""
        for n in 1, 3:
            job = self.start("-n", n, "printf", "whole\\nno end")
            self.assertEqual((job.wait(), job.printed()), (0, "whole\n" * n + "\n".join(["no end"] * n)))

    # --- the end of a PE is the end of the job

    def test_failing_pe(self):
        for arguments, code, said in (
                (["signal", 3, 9], 137, r"oshrun: PE 3 was killed by signal 9 \(Killed\)"),
                (["signal", 0, 15], 143, r"oshrun: PE 0 was killed by signal 15 \(Terminated\)"),
                (["exit", 2, 7], 7, "oshrun: PE 2 exited with code 7 before shmem_finalize"),
                (["exit", 1, 0], 1, "oshrun: PE 1 exited with code 0 before shmem_finalize"),
                (["global", 1, 42], 42, None), (["global", 2, 0], 0, None),
                (["range", 1], 1, r"(?!oshrun)[^\n]*shmem_int_p[^\n]*")):
            with self.subTest(arguments):
                job = self.run_job("-n", 4, "./pe", *arguments, code=code, said=said)
                self.assertLess(job.seconds, 5)

    def test_one_speaks_for_all(self):
        """All PEs find the same error: one of them prints it once, with a list of the others."""
        for how, *tag in ["range-all"], ["range-all", "--tag"], ["range-each"]:    # range-each: with different values
            job = self.start("-n", 4, *tag, "./pe", how)
            self.assertEqual(job.wait(), 1)
            said = job.said().splitlines()
            speaker = int(re.fullmatch(r"(?:\[\d\] )?copal: PE (\d): shmem_int_p: argument pe is \d, .*", said[0])[1])
            if len(said) > 1:    # the others may be ended before they find it
                others = re.fullmatch(rf"oshrun: PEs? ([0-3, -]+) found the same error as PE {speaker}", said[1])[1]
                self.assertTrue(set(re.split(", |-", others)) <= set("0123") - {str(speaker)}, others)
            self.assertLessEqual(len(said), 2, said)

    def test_plain_program_that_fails(self):
        self.run_job("-n", 1, "sleep", 100, ":", "-n", 1, "sh", "-c", "exit 3", code=3,
                     said="oshrun: PE 1 exited with code 3")
        self.run_job("-n", 1, "sleep", 100, ":", "-n", 1, "sh", "-c", "kill -9 $$", code=137,
                     said=r"oshrun: PE 1 was killed by signal 9 \(Killed\)")

    def test_failing_after_finalize(self):
        """The others finish, and the code is returned."""
        job = self.run_job("-n", 3, "./pe", "after", 1, 9, code=9, said="oshrun: PE 1 exited with code 9")
        self.assertEqual(sorted(job.printed().split("\n")), ["", "done 0", "done 1", "done 2"])

    def test_stubborn_and_stopped_pes_end(self):
        job = self.run_job("-n", 3, "./pe", "stubborn", 1, 5, code=5, said=".* code 5 before shmem_finalize")
        self.assertLess(job.seconds, 5)
        job = self.start("-n", 3, "./pe", "stop", 1)
        wait_for(lambda: "T" in map(state_of, job.pids()))
        job.process.send_signal(signal.SIGTERM)
        self.assertEqual(job.wait(), 143)
        self.assertEqual(job.pids(), [])

    def test_programs_that_cannot_run(self):
        (self.folder / "text").write_text("no program\n")
        for program, code, why in (("./missing", 127, "No such file or directory"), ("missing", 127, "No such file .*"),
                                   ("./text", 126, "Permission denied; it is a file without .*"),
                                   ("./text/x", 127, "Not a directory")):
            with self.subTest(program):
                self.run_job("-n", 3, program, code=code, said=f"oshrun: {program} cannot be run: {why}")
                self.run_job("-n", 1, "./pe", "hello", ":", "-n", 1, program, code=code,
                             said=f"oshrun: {program} cannot be run: {why}")
        for name, what in (("none", "a file without the permission to be executed .chmod .x."),
                           ("a.c", "C source code: compile it by oshcc"), ("a.f90", "Fortran source code: .*"),
                           ("a.o", "an object file: .*")):
            (self.folder / name).write_text("int main(void)\n")
            self.run_job("-n", 2, f"./{name}", code=126,
                         said=f"oshrun: ./{name} cannot be run: Permission denied; it is {what}")
        self.run_job("-n", 2, f"{self.folder}/", code=126, said="oshrun: .*: Permission denied; it is a folder")
        self.run_job("-n", 2, "pe", "hello", code=127, said="oshrun: pe cannot be run: No such file or directory on "
                                                            "PATH; write ./pe for the one in this folder")
        script = self.folder / "no-shell"
        script.write_text("#! /missing/sh -e\n")
        script.chmod(0o755)
        for command in "./no-shell", "no-shell":
            self.run_job("-n", 2, command, code=127, environment={"PATH": f"{self.folder}:{os.environ['PATH']}"},
                         said=f"oshrun: {command} cannot be run: No such file or directory; its first line names "
                              "/missing/sh as its interpreter")
        self.run_job("-n", 2, "--wdir", "missing", "true", code=1, said="oshrun: --wdir missing: No such file .*")

    def test_files_past_their_limit(self):
        """The message names the limit that has ended a PE."""
        for where, kib in (("", "the limit on the size of files is 2048 KiB .ulimit -f."),
                           ("own", "it had its own limit .*")):
            limit = "ulimit -f 4096; "    # of 512 bytes
            writes = ["sh", "-c", (limit if where else "") + "exec head -c 3000000 /dev/zero >big"]
            done = subprocess.run(["sh", "-c", ("" if where else limit) + 'exec "$@"', "sh", oshrun_jobs.OSHRUN, "-n",
                                   "1", *writes], cwd=self.folder, stderr=subprocess.PIPE, text=True, timeout=LIMIT)
            self.assertEqual(done.returncode, 128 + signal.SIGXFSZ, done.stderr)
            self.assertRegex(done.stderr, f"oshrun: PE 0 was killed by signal 25 .*; {kib}\n")

    def test_more_than_the_system_has_room_for(self):
        """A job that is far too large is refused before any PE starts; a small excess is found while PEs start."""
        folders = pathlib.Path(oshrun_jobs.OSHRUN).resolve().parents
        if os.getuid() == 0 and not all(folder.stat().st_mode & stat.S_IXOTH for folder in folders):
            self.skipTest("another user than root, whom the limit is for, cannot reach oshrun")

        def few():
            resource.setrlimit(resource.RLIMIT_NPROC, (20, 20))
            if os.getuid() == 0:
                os.setuid(65533)

        limit = r"the limit on a user's processes and threads \(ulimit -u\) is 20"
        self.run_job("-n", 100, "sleep", 100, code=1, preexec_fn=few,
                     said=rf"oshrun: 100 PEs cannot be started: {limit}, which allows (\d+) more; start at "
                          r"most \1 PEs, or raise the limit")
        self.run_job("-n", 40, "sleep", 100, code=1, preexec_fn=few,
                     said=rf"oshrun: PE \d+ of 40 cannot be started: Resource temporarily unavailable; {limit}: start "
                          "fewer, or raise the limit")

    def test_pe_that_never_joins(self):
        """The other PEs are in shmem_init and would wait forever."""
        self.run_job("-n", 1, "./pe", "hello", ":", "-n", 1, "-x", "LONER=1", "./pe", "no-init", code=1,
                     said="oshrun: PE 1 ended without calling shmem_init, where PE 0 waits for it")

    def test_pe_that_does_not_join_again(self):
        said = "oshrun: PE 1 ended after shmem_finalize and did not call shmem_init again, where PE [02] waits for it"
        self.run_job("-n", 3, "./pe", "again", 1, code=1, said=said)
        self.run_job("-n", 3, "./pe", "again", 7, code=0)

    def test_behind_a_wrapper(self):
        wrapped = ["sh", "-c", './pe "$@"; code=$?; exit $code', "sh"]
        self.run_job("-n", 3, *wrapped, "exit", 1, 7, code=7, said="oshrun: PE 1 exited with code 7 before .*")
        self.run_job("-n", 3, *wrapped, "global", 1, 5, code=5)
        self.run_job("-n", 3, "sh", "-c", './pe "$@"; true', "sh", "exit", 2, 7, code=1,
                     said="oshrun: PE 2 exited with code 0 before shmem_finalize")

    def test_behind_a_wrapper_of_several_threads(self):
        """The thread that has started the PE's program ends before the program."""
        (self.folder / "threads.py").write_text(
            "import subprocess, sys, threading, time\n"
            "pe = []\n"
            "def start():\n"
            "    pe.append(subprocess.Popen(['./pe', 'line'], stdin=subprocess.PIPE, stdout=subprocess.PIPE))\n"
            "    pe[0].stdout.readline()\n"
            "thread = threading.Thread(target=start)\n"
            "thread.start()\n"
            "thread.join()\n"
            "time.sleep(0.1)\n"    # the kernel ends the thread after join has returned
            "pe[0].communicate(b'go on')\n"
            "sys.exit(pe[0].returncode != 0)\n")
        self.run_job("-n", 2, sys.executable, "threads.py")

    def test_two_processes_of_one_pe(self):
        """Two processes of a PE at the same time would share a heap. If one follows the other, the second is the PE,
        however the first ended."""
        beside = "mkfifo beside; ./pe ready >beside & read line <beside; ./pe hello; code=$?; kill $!; exit $code"
        self.run_job("-n", 1, "sh", "-c", beside, code=1, said=r"copal: PE 0: shmem_init: process \d+ is PE 0 already, "
                     "and has not called shmem_finalize; .*")
        for first in "hello", "exit 0 3":
            job = self.run_job("-n", 2 if first == "hello" else 1, "sh", "-c", f"./pe {first}; ./pe hello second")
            self.assertRegex(job.printed(), r"PE 0 of \d, second\n")

    def test_leftovers_are_ended(self):
        for leave in "sleep 1000 &", "setsid sleep 1000 &", "(trap '' TERM; setsid sleep 1000 & sleep 1000) &":
            with self.subTest(leave):
                self.assertLess(self.run_job("-n", 2, "sh", "-c", leave).seconds, 5)
                self.run_job("-n", 2, "sh", "-c", leave + " exit 3", code=3, said="oshrun: PE . exited with code 3")

    # --- signals to oshrun

    def test_ending_signals(self):
        for number in signal.SIGTERM, signal.SIGINT, signal.SIGHUP:
            with self.subTest(number):
                job = self.start("-n", 3, "./pe", "ready")
                job.wait_for_output("ready\n", 3)
                job.process.send_signal(number)
                self.assertEqual(job.wait(), 128 + number)
                self.assertEqual(job.pids(), [])
                self.assertRegex(job.said(), rf"^oshrun: the job is ended by signal {int(number)} \(\w+\)\n$")

    def test_hint_at_how_hangs_are_explained(self):
        for options, hint in ([], "; oshrun --watch SECONDS, or kill -QUIT of oshrun, prints what PEs wait for"), (
                ["--watch", 100], ""):
            job = self.start("-n", 3, *options, "./pe", "hang", 1)
            self.ask_for_report(job, 3)
            job.process.send_signal(signal.SIGINT)
            self.assertEqual(job.wait(), 130)
            said = f"oshrun: the job is ended by signal 2 (Interrupt){hint}\n"
            self.assertIn(said, job.said())    # a report that was requested before may follow

    def test_time_to_end(self):
        """A PE may handle the signal to end; oshrun kills a PE that ignores it."""
        script = "trap 'echo bye; exit 0' TERM; echo ready; while :; do sleep 0.01; done"
        job = self.start("-n", 2, "sh", "-c", script)
        job.wait_for_output("ready\n", 2)
        job.process.send_signal(signal.SIGTERM)
        self.assertEqual(job.wait(), 143)
        self.assertEqual(job.printed().count("bye\n"), 2)
        job = self.start("-n", 2, "sh", "-c", script.replace("echo bye; exit 0", "echo no"))
        job.wait_for_output("ready\n", 2)
        job.process.send_signal(signal.SIGTERM)
        self.assertEqual(job.wait(), 143)
        self.assertEqual(job.pids(), [])

    def test_user_signals_are_forwarded(self):
        script = "trap 'echo one' USR1; trap 'echo two; exit 0' USR2; echo ready; while :; do sleep 0.01; done"
        job = self.start("-n", 3, "sh", "-c", script)
        job.wait_for_output("ready\n", 3)
        job.process.send_signal(signal.SIGUSR1)
        job.wait_for_output("one\n", 3)
        job.process.send_signal(signal.SIGUSR2)
        self.assertEqual(job.wait(), 0)
        self.assertEqual(job.printed().count("two\n"), 3)

    def test_stop_and_continue(self):
        job = self.start("-n", 2, "./pe", "ready")
        job.wait_for_output("ready\n", 2)
        pids = job.pids() + [job.process.pid]
        self.assertEqual(len(pids), 3)
        job.process.send_signal(signal.SIGTSTP)
        wait_for(lambda: all(state_of(pid) == "T" for pid in pids))
        job.process.send_signal(signal.SIGCONT)
        wait_for(lambda: all(state_of(pid) in "SR" for pid in pids))
        job.process.send_signal(signal.SIGTERM)
        self.assertEqual(job.wait(), 143)

    def test_killing_oshrun_ends_every_pe(self):
        for command in ["./pe", "ready"], ["sh", "-c", "./pe ready; exit $?"]:
            with self.subTest(command):
                job = self.start("-n", 3, *command)
                job.wait_for_output("ready\n", 3)
                self.assertGreaterEqual(len(job.pids()), 3)
                job.process.kill()
                job.wait()
                wait_for(lambda: not job.pids())

    def test_pe_that_joins_after_oshrun_was_killed(self):
        """oshrun is a zombie by then, because its parent has not read its exit code."""
        job = self.start("-n", 2, "sh", "-c", "sh -c 'echo up; sleep 0.5; exec ./pe ready'; true")
        job.wait_for_output("up\n", 2)
        job.process.kill()
        wait_for(lambda: not job.pids())

    def test_terminal(self):
        """Ctrl-\\ requests a report and has no other effect; Ctrl-C reaches each PE once."""
        mark = uuid.uuid4().hex
        script = "trap 'echo caught' INT; echo ready; while :; do sleep 0.01; done"
        pid, terminal = pty.fork()
        if pid == 0:
            os.execve(oshrun_jobs.OSHRUN, [oshrun_jobs.OSHRUN, "-n", "2", "sh", "-c", script],
                      dict(os.environ, OSHRUN_TEST=mark))
        seen = ""

        def read_until(text, count):
            nonlocal seen
            while seen.count(text) < count:
                self.assertTrue(select.select([terminal], [], [], LIMIT)[0], f"no {text} in {seen!r}")
                seen += os.read(terminal, 4096).decode()

        read_until("ready", 2)
        os.write(terminal, b"\x1c")
        read_until("has not called shmem_init", 2)
        os.write(terminal, b"\x03")
        read_until("caught", 2)
        while select.select([terminal], [], [], 5)[0]:
            try:
                seen += os.read(terminal, 4096).decode()
            except OSError:    # the terminal's end of file
                break
        _, status = os.waitpid(pid, 0)
        os.close(terminal)
        self.assertEqual(os.waitstatus_to_exitcode(status), 128 + signal.SIGINT, seen)
        self.assertEqual(seen.count("caught"), 2, seen)
        self.assertEqual(processes_with(f"OSHRUN_TEST={mark}"), [])

    # --- what the PEs wait for

    WAITING = r"oshrun:   PE {} \(process \d+\) in shmem_barrier_all for \d+\.\d s, since \d\d:\d\d:\d\d, waiting for "

    def check_report(self, text, n, hanging):
        self.assertIn(f"oshrun: {n - 1} of {n} PEs wait in shmem routines\n", text)
        for pe in range(n):
            line = self.WAITING.format(pe) + rf"PE {hanging}\n" if pe != hanging else \
                rf"oshrun:   PE {pe} \(process \d+\) waits in no shmem routine, its process is asleep\n"
            self.assertRegex(text, line)

    @staticmethod
    def ask_for_report(job, n):
        """Requests reports until all PEs wait."""
        def is_told():
            job.process.send_signal(signal.SIGQUIT)
            time.sleep(0.1)    # the request is repeated if no reply has arrived
            last = job.said().rpartition(f"oshrun: {n - 1} of {n} PEs wait in shmem routines\n")[2]
            return last.count("in shmem_barrier_all for") == n - 1 and "process is asleep" in last

        wait_for(lambda: len(job.pids()) == n)
        wait_for(is_told)

    def test_files_of_killed_pes(self):
        """The files that libfabric's shared memory leaves of a PE are removed with the job, and no others."""
        script = "for end in 0:1 0:1:2 x:1; do : >/dev/shm/$$:$end; done; echo $$; kill -9 $$"
        for provider, kept in ("shm", ["0:1:2", "x:1"]), ("tcp", ["0:1", "0:1:2", "x:1"]):
            job = self.run_job("-n", 1, "sh", "-c", script, code=137, said="oshrun: PE 0 was killed by .*",
                               environment={"FI_PROVIDER": provider})
            pid = int(job.printed())
            left = {path.name for path in pathlib.Path("/dev/shm").glob(f"{pid}:*")}
            for name in left:
                os.unlink(f"/dev/shm/{name}")
            self.assertEqual(left, {f"{pid}:{end}" for end in kept})

    def test_watch(self):
        job = self.start("-n", 3, "--watch", 0.4, "./pe", "hang", 1)
        wait_for(lambda: job.said().count("oshrun: 2 of 3 PEs wait in shmem routines") >= 2)
        self.assertGreater(time.monotonic() - job.began, 0.8)
        job.process.send_signal(signal.SIGTERM)
        self.assertEqual(job.wait(), 143)
        self.check_report(job.said(), 3, 1)
        self.run_job("-n", 2, "--watch", 0.05, "sh", "-c", "sleep 0.3")    # no PE waits: no report

    def test_report_on_request(self):
        job = self.start("-n", 3, "./pe", "hang", 2)
        self.ask_for_report(job, 3)
        self.check_report(job.said(), 3, 2)
        job.process.send_signal(signal.SIGTERM)
        self.assertEqual(job.wait(), 143)

    def test_report_shows_a_stopped_pe(self):
        job = self.start("-n", 2, "--watch", 0.2, "./pe", "stop", 0)
        line = r"PE 0 \(process \d+\) waits in no .* routine, its process is stopped by a signal"
        wait_for(lambda: re.search(line, job.said()))    # the first report may find it in shmem_init
        for pid in job.pids():
            with contextlib.suppress(ProcessLookupError):    # all end when PE 0 continues
                os.kill(pid, signal.SIGCONT)
        self.assertEqual(job.wait(), 0)

    def test_report_names_whom(self):
        if os.sched_getaffinity(0).__len__() < 2:
            self.skipTest("PEs that share processors use a counter, which does not show the missing PEs")
        job = self.start("-n", 2, "--watch", 0.3, "./pe", "hang", 1)
        wait_for(lambda: re.search(self.WAITING.format(0) + "PE 1\n", job.said()) and "waits in no" in job.said())
        job.process.send_signal(signal.SIGTERM)
        self.assertEqual(job.wait(), 143)
        self.assertRegex(job.said(), self.WAITING.format(0) + "PE 1\n")

    def test_timeout(self):
        for seconds in 0.5, 5, 50:    # until all PEs wait; a process may start late
            job = self.start("-n", 3, "--timeout", seconds, "./pe", "hang", 0)
            self.assertEqual(job.wait(), 124)
            self.assertGreaterEqual(job.seconds, seconds)
            said = job.said()
            self.assertRegex(said, rf"\noshrun: the job is ended: it ran longer than --timeout {seconds} seconds\n\Z")
            if "2 of 3 PEs wait" in said:
                break
        self.check_report(said, 3, 0)
        self.assertEqual(job.pids(), [])
        self.run_job("-n", 2, "--timeout", 60, "./pe", "hello")


if __name__ == "__main__":
    oshrun_jobs.main()
