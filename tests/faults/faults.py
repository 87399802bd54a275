"""Common parts of the fault tests: they compile, run jobs with a time limit, and search for remains of a job.

A job must not leave a process (found by a variable in its environment), or a file in its working folder or in
TMPDIR. If this script has the rights, it mounts a private /dev/shm, and searches for files there, too."""

import argparse
import atexit
import itertools
import os
import pathlib
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools"))
from support import LIMIT, comes, network_settings, processes_with, without_backtraces  # noqa: E402

NOTICED_US = 15000000    # limit for noticing a death, which takes a few milliseconds


def private_shm():
    """Start this script again with a private /dev/shm of 64 KiB; continue without it if that is not allowed."""
    if "FAULTS_PRIVATE_SHM" in os.environ:
        return
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", "/dev/shm"]
    unshare = shutil.which("unshare")
    if unshare and subprocess.run([unshare, "-m", *mount], stderr=subprocess.DEVNULL).returncode == 0:
        os.environ["FAULTS_PRIVATE_SHM"] = "1"
        script = " ".join(mount) + ' && exec "$@"'
        os.execv(unshare, [unshare, "-m", "sh", "-c", script, "sh", sys.executable, *sys.argv])


class Ended:
    """The end of a job: exit code (negative: killed by a signal), output, and the files and processes that it left."""

    def __init__(self, code, out, err, left):
        self.code, self.out, self.err, self.left = code, out, err, left


class Running:
    """A running job."""

    def __init__(self, tests, process, mark, before):
        self.tests, self.process, self.mark, self.before, self.said = tests, process, mark, before, ""

    def wait_for_said(self, pattern):
        """Reads standard error until it has a match, which is returned; None if the job ends or hangs."""
        end, stream = time.monotonic() + LIMIT, self.process.stderr.fileno()
        while not (match := re.search(pattern, self.said, re.MULTILINE)):
            text = select.select([stream], [], [], max(0, end - time.monotonic()))[0] and os.read(stream, 65536)
            if not text:
                break
            self.said += text.decode(errors="replace")
        return match

    def wait(self):
        try:
            out, err = self.process.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            for pid in processes_with(self.mark):
                os.kill(pid, signal.SIGKILL)
            self.process.kill()
            out, err = self.process.communicate()
            return Ended("hangs", out, self.said + err, [])
        return Ended(self.process.returncode, out, self.said + err, self.tests.leftovers(self.mark, self.before))


class Tests:
    """The programs, jobs and verdicts of one script."""

    def __init__(self, tools=("oshrun", "oshcc"), options=()):
        """The tools, launcher and compiler, are required command-line options; options: (name, arguments) of others."""
        parser = argparse.ArgumentParser()
        for tool in tools:
            parser.add_argument(f"--{tool}", required=True, type=os.path.abspath)
        for name, arguments in options:
            parser.add_argument(name, **arguments)
        parser.add_argument("--only", default="", help="regular expression: the tests to run")
        self.args = parser.parse_args()
        private_shm()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="faults-"))
        atexit.register(shutil.rmtree, self.folder)
        for name in ("bin", "work", "tmp"):
            (self.folder / name).mkdir()
        self.failures, self.count = [], 0
        self.jobs = itertools.count(1)
        self.launcher, self.compiler = (getattr(self.args, tool) for tool in tools)
        show = subprocess.run([self.compiler, "--show"], capture_output=True, text=True).stdout
        self.sanitized = "-fsanitize" in show

    def build(self, *names, more=()):
        """Compile NAME.c, all in parallel; returns the paths of the programs."""
        flags = [*more, "-std=gnu17", "-Wall", "-Wextra", "-g", "-O1", "-pthread"]
        paths = [self.folder / "bin" / name for name in names]
        compilers = [subprocess.Popen([self.compiler, *flags, HERE / f"{name}.c", "-o", path])
                     for name, path in zip(names, paths)]
        if any(compiler.wait() != 0 for compiler in compilers):
            sys.exit("a test program does not compile")
        return [str(path) for path in paths]

    def start(self, command, env=None, **more):
        """Start a command in an empty folder, with SHMEM_ variables only from `env` (None there removes one)."""
        mark = f"FAULTS_JOB={os.getpid()}.{next(self.jobs)}"
        full = {k: v for k, v in os.environ.items() if not k.startswith(("SHMEM_", "SMA_", "COPAL_"))}
        full.update({"TMPDIR": str(self.folder / "tmp"), **dict([mark.split("=")]), **network_settings()})
        for name, value in (env or {}).items():
            if value is None:
                full.pop(name, None)
            else:
                full[name] = value
        more.setdefault("stdin", subprocess.DEVNULL)
        before = self.files()
        process = subprocess.Popen(command, env=full, cwd=self.folder / "work", stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, errors="replace", start_new_session=True, **more)
        return Running(self, process, mark, before)

    def run(self, command, env=None, **more):
        return self.start(command, env, **more).wait()

    def job(self, n_pes, *program, env=None, **more):
        return self.run([self.launcher, "-n", str(n_pes), *program], env, **more)

    @staticmethod
    def with_time(job, enough, times=(0.6, 5, 40)):
        """The result of job(SECONDS), a job that this time limit ends. Until enough(result) holds, the job is repeated
        with a longer limit: on a loaded machine the PEs may not have reached the state that the test examines."""
        for seconds in times:
            ended = job(str(seconds))
            if enough(ended):
                break
        return ended

    def files(self):
        folders = [self.folder / "work", self.folder / "tmp"]
        if "FAULTS_PRIVATE_SHM" in os.environ:    # otherwise other programs' files appear there
            folders.append(pathlib.Path("/dev/shm"))
        return {str(entry) for folder in folders for entry in folder.iterdir()}

    def leftovers(self, mark, before):
        return self.processes_left(mark) + self.files_left(before)

    def files_left(self, before):
        # The thread sanitizer has a file of its own while a process starts, which remains if the process is killed
        # then.
        return sorted(name for name in self.files() - before if "/tsan.rodata." not in name)

    def processes_left(self, mark):
        found = []
        for pid in [] if comes(lambda: not processes_with(mark), LIMIT) else processes_with(mark):
            try:
                found.append(f"process {pid} ({pathlib.Path(f'/proc/{pid}/comm').read_text().strip()})")
                os.kill(pid, signal.SIGKILL)
            except OSError:
                pass
        return found

    def wanted(self, name):
        if not re.search(self.args.only, name):
            return False
        self.count += 1
        return True

    def check(self, name, condition, what, ended=None):
        """Note a failure of the test `name`."""
        if condition:
            return
        self.failures.append(name)
        print(f"FAILED {name}: {what}", flush=True)
        if ended:
            for label, text in (("stdout", ended.out), ("stderr", ended.err)):
                for line in text.strip().splitlines()[:6]:
                    print(f"    {label}: {line[:400]}", flush=True)

    def check_clean(self, name, ended):
        """Checks that a job has ended and left nothing."""
        self.check(name, ended.code != "hangs", f"does not end in {LIMIT} s", ended)
        self.check(name, not ended.left, f"left {', '.join(ended.left)}", ended)

    def check_good(self, name, ended):
        """Checks that a job has ended with exit code 0 and left nothing."""
        self.check_clean(name, ended)
        self.check(name, ended.code == 0, f"exit code is {ended.code}, expected 0", ended)

    def verdict(self):
        failed = len(set(self.failures))
        print(f"{self.count} tests, {failed} failed")
        sys.exit(1 if failed or not self.count else 0)


def sentences(text):
    """The lines in which the library explains an error."""
    return [line for line in text.splitlines() if line.startswith("copal:")]


def names_all(line, routine, argument, value):
    """Whether a sentence names routine, argument and value; "-" stands for nothing, "a|b" for either."""
    for part in (routine, argument):
        if part != "-" and not any(re.search(rf"(?<!\w){re.escape(p)}(?!\w)", line) for p in part.split("|")):
            return False
    if value == "null":
        return bool(re.search(r"null|NULL|\bnil\b|0x0\b", line))
    return value == "-" or bool(re.search(rf"(?<![\w.-]){re.escape(value)}(?!\w)", line))
