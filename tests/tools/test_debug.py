"""Scripts drive oshrun --debug and --attach; and the table that parallel debuggers read."""
import json
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import socket
import subprocess

import oshrun_jobs
from oshrun_jobs import state_of, wait_for
from support import LIMIT, processes_with

# steps [SECONDS]: each PE calls tenfold with its number, and ends after so long.
STEPS = r"""
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int tenfold(int pe)
{
    return 10 * pe;
}

int main(int argc, char **argv)
{
    fprintf(stderr, "begun\n");
    shmem_init();
    const int result = tenfold(shmem_my_pe());
    shmem_barrier_all();
    for (int i = 0; argc > 1 && i < 100 * atoi(argv[1]); i++)
        usleep(10000);
    printf("result %d\n", result);
    shmem_finalize();
    return 0;
}
"""
CLIENT = pathlib.Path(__file__).resolve().parent / "mpir_client.py"


class Debug(oshrun_jobs.Jobs):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        missing = [tool for tool in ("gdb", "tmux") if not shutil.which(tool)]
        if missing:
            raise AssertionError(f"{missing}: not installed; scripts/install-deps check does that")
        (cls.folder / "steps.c").write_text(STEPS)
        subprocess.run([oshrun_jobs.OSHCC, "-g", "-O0", "steps.c", "-o", "steps"], cwd=cls.folder, check=True)
        os.environ["ASAN_OPTIONS"] = "detect_leaks=0"    # impossible in a process under a debugger
        for name in "TMUX", "TMUX_PANE", "DISPLAY":
            os.environ.pop(name, None)

    def debug(self, commands, *arguments, code=0, **options):
        """Types these commands; returns what gdb and the job print."""
        script = self.folder / "commands"
        script.write_text("".join(command + "\n" for command in commands))
        with open(script) as stdin:
            job = self.start(*arguments, stdin=stdin, **options)
            self.assertEqual(job.wait(), code, job.printed() + job.said())
        self.assertEqual(job.pids(), [], "processes are left")
        return job.printed() + job.said()

    # --- on the terminal

    def test_before_main(self):
        """A breakpoint in main's first call; the other PEs wait; all PEs end normally."""
        for pe in 0, 2:
            text = self.debug(["break main", "continue", "break tenfold", "continue", "backtrace", "continue"],
                              "-n", 3, f"--debug={pe}" if pe else "--debug", "./steps")
            self.assertRegex(text, rf"Breakpoint 2[.1]*, tenfold \(pe={pe}\)")
            self.assertRegex(text, r"#1 .* main \(.*\) at .*steps.c:16")
            self.assertEqual(sorted(re.findall(r"result (\d+)", text)), ["0", "10", "20"])

    def test_run(self):
        """A command that would start another process, which is no PE, prints what to do."""
        for command in "run", "r", "start":
            text = self.debug([command, "continue"], "-n", 2, "--debug", "./steps")
            self.assertIn("The PE has already started and is held at its beginning: type continue.", text)
            self.assertEqual(sorted(re.findall(r"result (\d+)", text)), ["0", "10"])

    def test_sanitizers(self):
        """Sanitized programs are debugged and end normally; they check for leaks then only on request."""
        show = subprocess.run([oshrun_jobs.OSHCC, "--show"], stdout=subprocess.PIPE, text=True, check=True).stdout
        if "-fsanitize" in show:
            self.skipTest("the library has a sanitizer itself")
        leaks = os.environ.pop("ASAN_OPTIONS")
        self.addCleanup(os.environ.update, {"ASAN_OPTIONS": leaks})
        for sanitizer in "address", "leak", "thread", "undefined":
            program = f"./steps-{sanitizer}"
            subprocess.run([oshrun_jobs.OSHCC, "-g", "-O0", f"-fsanitize={sanitizer}", "steps.c", "-o", program],
                           cwd=self.folder, check=True)
            text = self.debug(["break tenfold", "continue", "backtrace", "continue"], "-n", 2, "--debug=1", program)
            self.assertRegex(text, r"#0 .*tenfold \(pe=1\)")
            self.assertRegex(text, r"#1 .* main \(.*\) at .*steps.c:16")
            self.assertEqual(sorted(re.findall(r"result (\d+)", text)), ["0", "10"])

    def test_images_count_from_1(self):
        cafrun = pathlib.Path(oshrun_jobs.OSHRUN).parent / "cafrun"
        script = "break tenfold\ncontinue\ncontinue\n"
        done = subprocess.run([cafrun, "-n", "2", "--debug=2", "./steps"], input=script, cwd=self.folder, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=LIMIT)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("(image 2) ", done.stdout)
        self.assertRegex(done.stdout, r"tenfold \(pe=1\)")

    def test_a_debugger_that_leaves(self):
        """After gdb has detached, the PE continues."""
        text = self.debug(["detach"], "-n", 2, "--debug", "./steps")
        self.assertEqual(text.count("result"), 2, text)
        text = self.debug(["break tenfold", "continue", "quit"], "-n", 2, "--debug", "./steps")
        self.assertEqual(text.count("result"), 2, text)

    def test_a_pe_that_is_killed(self):
        text = self.debug(["break tenfold", "continue", "kill"], "-n", 2, "--debug", "./steps", code=137)
        self.assertIn("oshrun: PE 0 was killed by signal 9", text)

    def test_another_pe_that_fails(self):
        text = self.debug(["continue", "info program"], "-n", 2, "--debug", "./pe", "exit", 1, 7, code=7)
        self.assertIn("oshrun: PE 1 exited with code 7", text)

    def test_a_program_that_is_not_there(self):
        self.run_job("-n", 2, "--debug", "./none", code=127, said="oshrun: ./none cannot be run: .*")

    def test_time_limit(self):
        """oshrun writes no report while a debugger has a PE; afterwards it does as usual."""
        stopped = ["break tenfold", "continue", "shell sleep 7"]
        text = self.debug([*stopped, "continue"], "-n", 2, "--timeout", 6, "--debug", "./steps")
        self.assertEqual(text.count("result"), 2, text)
        self.debug([*stopped, "detach"], "-n", 2, "--timeout", 6, "--debug", "./steps", 60, code=124)

    def test_interrupt(self):
        """Ctrl-C at the terminal is gdb's."""
        pid, terminal = pty.fork()
        if pid == 0:
            os.chdir(self.folder)
            os.execve(oshrun_jobs.OSHRUN, ["oshrun", "-n", "2", "--debug", "./steps", "60"],
                      dict(os.environ, TERM="dumb", OSHRUN_TEST=str(os.getppid())))
        self.seen = ""

        def see(text, after=0):
            def has_come():
                if select.select([terminal], [], [], 0)[0]:
                    self.seen += os.read(terminal, 4096).decode()
                return text in self.seen[after:]
            try:
                wait_for(has_come)
            except AssertionError:
                self.fail(f"{text!r} has not come: {self.seen}")
            return len(self.seen)

        def type_in(text):
            os.write(terminal, text.encode())

        try:
            see("(PE 0) ")
            type_in("break tenfold\n")
            see("Breakpoint 1 at")
            type_in("\x03")    # at the prompt
            at = see("Quit")
            type_in("continue\n")
            at = see("Breakpoint 1", at)
            job = processes_with(f"OSHRUN_TEST={os.getpid()}")
            debugger = next(one for one in job if pathlib.Path(f"/proc/{one}/comm").read_text() == "gdb\n")
            type_in("continue\n")
            at = see("Continuing.", at)
            wait_for(lambda: "t" not in map(state_of, job))
            type_in("\x03")    # while the PE runs
            at = see("SIGINT", at)
            type_in("print 7 * 11\n")
            at = see("= 77", at)
            self.assertEqual(os.waitpid(pid, os.WNOHANG), (0, 0), self.seen)
            type_in("quit\n")
            see("Quit anyway?", at)
            type_in("y\n")
            see("detached", at)
            wait_for(lambda: not os.path.exists(f"/proc/{debugger}"))    # oshrun knows that it has ended
            type_in("\x03")    # no debugger is left
            see("oshrun: the job is ended by signal 2")
        finally:
            if "(Interrupt)" not in self.seen:
                os.kill(pid, signal.SIGKILL)
            code = os.waitpid(pid, 0)[1]
            os.close(terminal)
        self.assertEqual(os.waitstatus_to_exitcode(code), 130, self.seen)

    # --- in windows

    def type_in_panes(self, tmux, panes, *lines):
        for pane in panes:
            for line in lines:
                subprocess.run([*tmux, "send-keys", "-t", pane, line, "Enter"], check=True)

    def panes(self, tmux, count):
        """Waits until so many panes have gdb's prompt, and returns them."""
        def prompts():
            listed = subprocess.run([*tmux, "list-panes", "-s", "-F", "#{pane_id}"], stdout=subprocess.PIPE, text=True,
                                    stderr=subprocess.DEVNULL).stdout.split()
            return [pane for pane in listed if "(PE " in subprocess.run(
                [*tmux, "capture-pane", "-p", "-t", pane], stdout=subprocess.PIPE, text=True).stdout]
        wait_for(lambda: len(prompts()) == count)
        return prompts()

    def test_tmux_beside(self):
        """Outside tmux oshrun prints how to see its debuggers."""
        job = self.start("-n", 3, "--debug=0,2", "./steps")
        tmux = ["tmux", "-L", f"copal-{job.process.pid}"]
        self.addCleanup(subprocess.run, [*tmux, "kill-server"], stderr=subprocess.DEVNULL)
        panes = self.panes(tmux, 2)
        self.assertEqual(job.said().count("begun"), 1)    # PE 1
        self.assertIn(f"oshrun: gdb waits in tmux; see it by: {' '.join(tmux)} attach\n", job.said())
        self.type_in_panes(tmux, panes, "continue")
        wait_for(lambda: job.printed().count("result") == 3)
        self.assertIsNone(job.process.poll())    # a user may still read what gdb prints at the end
        self.type_in_panes(tmux, panes, "quit")
        self.assertEqual(job.wait(), 0)
        self.assertEqual(job.pids(), [], "processes are left")
        folder = pathlib.Path(os.environ.get("TMUX_TMPDIR", "/tmp")) / f"tmux-{os.getuid()}"
        self.assertFalse((folder / tmux[2]).exists())

    def test_tmux_inside(self):
        tmux = ["tmux", "-S", self.folder / "socket"]
        command = f"{oshrun_jobs.OSHRUN} -n 2 --debug=all ./steps > inside 2>&1; echo code $? >> inside"
        subprocess.run([*tmux, "-f", "/dev/null", "new-session", "-d", "-x", "150", "-y", "50", command],
                       cwd=self.folder, check=True)
        self.addCleanup(subprocess.run, [*tmux, "kill-server"], stderr=subprocess.DEVNULL)
        panes = self.panes(tmux, 2)
        self.type_in_panes(tmux, panes, "continue")
        wait_for(lambda: "code" in (self.folder / "inside").read_text())
        self.type_in_panes(tmux, panes, "quit")    # a gdb that loses its terminal may run for ever
        wait_for(lambda: subprocess.run([*tmux, "has-session"], stderr=subprocess.DEVNULL).returncode != 0)
        text = (self.folder / "inside").read_text()
        self.assertEqual((text.count("result"), text.count("code 0")), (2, 1), text)

    def test_xterm(self):
        """Uses a program with the terminal's name, which acts like the real one without a window."""
        tools = self.folder / "tools"
        tools.mkdir()
        (tools / "xterm").write_text("#!/bin/sh\n[ \"$1 $3\" = '-T -e' ] || exit 1\nexec >\"$2\" 2>&1\nshift 3\n"
                                     "printf 'break tenfold\\ncontinue\\ncontinue\\n' | \"$@\"\n")
        (tools / "xterm").chmod(0o755)
        environment = {"DISPLAY": ":9", "PATH": f"{tools}:{os.environ['PATH']}"}
        job = self.start("-n", 3, "--debug=1-2", "./steps", environment=environment)
        self.assertEqual(job.wait(), 0, job.said())
        self.assertEqual(job.printed().count("result"), 3)
        for pe in 1, 2:
            self.assertRegex((self.folder / f"PE {pe}").read_text(), rf"tenfold \(pe={pe}\)")

    # --- what is wrong

    def test_refusals(self):
        tools = self.folder / "few"
        tools.mkdir()
        self.run_job("-n", 2, "--debug", "./steps", code=1, said="oshrun: --debug: there is no gdb in the folders .*",
                     environment={"PATH": str(tools)})
        (tools / "gdb").symlink_to(shutil.which("gdb"))
        self.run_job("-n", 2, "--debug=all", "./steps", code=1, environment={"PATH": str(tools)},
                     said="oshrun: --debug: 2 debuggers need windows, and there is neither tmux .*")
        for chosen in "2", "-1", "x", "", "0,", "1-0", "0-2", "0;1", "0,1x":
            self.run_job("-n", 2, f"--debug={chosen}", "./steps", code=2,
                         said=re.escape(f"oshrun: --debug={chosen}: expected numbers of PEs from 0 to 1, ") + ".*")
        self.run_job("-n", 2, "--debug", "--launcher", "srun", "./steps", code=2,
                     said="oshrun: --debug: debuggers are started on one machine only.*")
        for job in "1", "x", "-5", "0", str(os.getpid()):
            self.run_job(f"--attach={job}", code=2, said=f"oshrun: --attach {job}: you have no running job .*")

    # --- jobs that run

    def test_attach(self):
        job = self.start("-n", 2, "./steps", 1000)
        program = os.path.realpath(self.folder / "steps")
        wait_for(lambda: f"{job.process.pid}: 2 PEs of {program}\n" in subprocess.run(
            [oshrun_jobs.OSHRUN, "--attach"], stdout=subprocess.PIPE, text=True, check=True).stdout)
        for options in [], ["--debug=1"]:
            done = None

            def attached():
                nonlocal done
                done = subprocess.run([oshrun_jobs.OSHRUN, "--attach", str(job.process.pid), *options], text=True,
                                      input="up 100\nprint argc\nset var argc = 1\n", stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT)
                return "has not called shmem_init" not in done.stdout

            wait_for(attached)
            self.assertEqual(done.returncode, 0, done.stdout)
            self.assertIn(f"(PE {1 if options else 0}) ", done.stdout)
            self.assertIn("$1 = 2", done.stdout)
        self.assertEqual(job.wait(), 0, job.said())
        self.assertEqual(job.printed().count("result"), 2)

    def test_attach_too_early(self):
        job = self.start("-n", 1, "sleep", 60)
        wait_for(lambda: job.pids() and state_of(job.pids()[0]) == "S")
        self.run_job("--attach", job.process.pid, code=1,
                     said="oshrun: PE 0 has not called shmem_init, so its process is not known")

    # --- parallel debuggers

    def client(self, *command, **environment):
        done = subprocess.run(["gdb", "-batch", "-nx", "-x", CLIENT, "--args", oshrun_jobs.OSHRUN, *map(str, command)],
                              cwd=self.folder, text=True, timeout=LIMIT, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=dict(os.environ, **environment))
        said = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        self.assertTrue(said, done.stdout)
        return said, done.stdout

    def test_mpir(self):
        said, text = self.client("-n", 2, "./steps", ":", "-n", 1, "env", "./steps")
        self.assertEqual(said[0], {"state": 1, "frame": "MPIR_Breakpoint"})
        processes = said[1:4]
        self.assertEqual(len({process["pid"] for process in processes}), 3)
        for process in processes:
            self.assertEqual((process["host"], process["process"]), (socket.gethostname(), "T"))
        steps, env = os.path.realpath(self.folder / "steps"), os.path.realpath(shutil.which("env"))
        self.assertEqual([process["executable"] for process in processes], [steps, steps, env])
        self.assertEqual(said[4], {"code": 0})
        self.assertEqual(text.count("result"), 3, text)

    def test_mpir_attaches_to_a_pe(self):
        said, text = self.client("-n", 3, "./steps")
        self.assertIn('"at main"', text)
        self.assertEqual(said[-1], {"code": 0}, text)

    def test_mpir_end_of_a_job(self):
        """A job that fails calls MPIR_Breakpoint once more."""
        said, _ = self.client("-n", 2, "./pe", "exit", 1, 7)
        why = "the job is ended before all its PEs have ended"
        self.assertEqual(said[-2:], [{"state": 2, "why": why}, {"code": 7}])

    def test_mpir_attaches_to_oshrun(self):
        said, text = self.client("-n", 1, "true", MPIR_LATE="1",
                                 MPIR_COMMAND=f"{oshrun_jobs.OSHRUN} -n 2 ./steps 60")
        steps = os.path.realpath(self.folder / "steps")
        self.assertEqual([entry["executable"] for entry in said[1:]], [steps] * 2, text)

    def test_mpir_names_survive_strip(self):
        shutil.copy(oshrun_jobs.OSHRUN, self.folder / "stripped")
        subprocess.run(["strip", "stripped"], cwd=self.folder, check=True)
        names = subprocess.run(["nm", "-D", "stripped"], cwd=self.folder, text=True, stdout=subprocess.PIPE).stdout
        for name in ("proctable", "proctable_size", "debug_state", "being_debugged", "Breakpoint", "i_am_starter",
                     "partial_attach_ok", "debug_abort_string"):
            self.assertRegex(names, rf" [BDT] MPIR_{name}\n")


if __name__ == "__main__":
    oshrun_jobs.main()
