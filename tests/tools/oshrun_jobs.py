"""Common parts of oshrun's tests: programs, jobs in the background, and the remains of jobs."""
import contextlib
import os
import pathlib
import resource
import signal
import subprocess
import time
import unittest
import uuid

from support import LIMIT, OneFolder, processes_with, programs, wait_for, without_backtraces

OSHRUN = OSHCC = None    # set from the command line

# pe MODE [WHO [VALUE]]: the action of PE number WHO, while the others wait for it.
PROGRAM = r"""
#define _GNU_SOURCE
#include <shmem.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *mode;
static int is(const char *name) { return strcmp(mode, name) == 0; }

int main(int argc, char **argv)
{
    mode = argv[1];
    int who = argc > 2 ? atoi(argv[2]) : -1, value = argc > 3 ? atoi(argv[3]) : 0;
    if (is("stubborn"))
        signal(SIGTERM, SIG_IGN);
    if (is("no-init") && getenv("LONER"))
        return value;
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    if (is("hello")) {
        printf("PE %d of %d, %s\n", me, n, argc > 2 ? argv[2] : "");
        shmem_finalize();
        return 0;
    }
    shmem_barrier_all();
    if (is("after")) { /* leave with VALUE after finalize, the others later */
        shmem_finalize();
        usleep(me == who ? 0 : 300000); /* late on purpose */
        printf("done %d\n", me);
        return me == who ? value : 0;
    }
    if (is("again")) { /* all but one begin a second time */
        shmem_finalize();
        if (me != who)
            shmem_init();
        return 0;
    }
    static int of_all;
    if (is("range-all") || is("range-each"))
        shmem_int_p(&of_all, 1, n + (is("range-each") ? me : 0));
    if (me == who) {
        usleep(20000); /* by then, the others wait */
        if (is("signal"))
            kill(getpid(), value);
        if (is("exit") || is("stubborn"))
            _exit(value);
        if (is("global"))
            shmem_global_exit(value);
        if (is("range")) {
            static int word;
            shmem_int_p(&word, 1, n);
        }
        if (is("hang"))
            for (;;)
                pause();
        if (is("stop"))
            raise(SIGSTOP);
    }
    if (is("ready") || is("line")) {
        printf("ready\n");
        fflush(stdout);
        if (is("line") && getchar() != EOF) {
            shmem_finalize();
            return 0;
        }
        for (;;)
            pause();
    }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
"""

# Writes lines in parts, which would mix with parts of other PEs' lines if oshrun did not prevent it.
CHATTER = r"""
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static void piece(int fd, const char *text) { if (write(fd, text, strlen(text)) < 0) _exit(3); }
int main(void)
{
    char text[64];
    for (int i = 0; i < 500; i++) {
        snprintf(text, sizeof text, "line %d ", i);
        piece(1, text);
        piece(1, "of some words ");
        piece(2, i % 2 ? "second half\n" : "first half, ");
        piece(1, "and an end\n");
    }
    for (int i = 0; i < 20000; i++)
        piece(1, "0123456789");
    piece(1, "\n\nunfinished");
    return 0;
}
"""


def state_of(pid):
    return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


class Job:
    """An oshrun in the background, with its output in files."""

    def __init__(self, folder, *arguments, **options):
        mark = uuid.uuid4().hex
        self.mark = f"OSHRUN_TEST={mark}"
        environment = dict(os.environ, OSHRUN_TEST=mark, **options.pop("environment", {}))
        self.out, self.err = open(folder / "out", "w+"), open(folder / "err", "w+")
        options = {"stdin": subprocess.DEVNULL, "stdout": self.out, "stderr": self.err, **options}
        self.began = time.monotonic()
        self.process = subprocess.Popen([OSHRUN, *map(str, arguments)], cwd=folder, env=environment, **options)

    def pids(self):
        return [pid for pid in processes_with(self.mark) if pid != self.process.pid]

    def printed(self):
        return pathlib.Path(self.out.name).read_text(errors="replace")

    def said(self):
        return without_backtraces(pathlib.Path(self.err.name).read_text(errors="replace"))

    def wait_for_output(self, text, count):
        wait_for(lambda: self.printed().count(text) == count)

    def wait(self):
        code = self.process.wait(LIMIT)
        self.seconds = time.monotonic() - self.began
        return code

    def close(self):
        self.process.kill()
        self.process.wait()
        for pid in self.pids():
            with contextlib.suppress(ProcessLookupError):    # it ends by itself, because oshrun has ended
                os.kill(pid, signal.SIGKILL)
        for file in self.out, self.err, self.process.stdout:
            if file:
                file.close()


class Jobs(OneFolder):
    """Test cases with a folder that has the programs."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for name, text in ("pe", PROGRAM), ("chatter", CHATTER):
            (cls.folder / f"{name}.c").write_text(text)
            subprocess.run([OSHCC, "-Wall", f"{name}.c", "-o", name], cwd=cls.folder, check=True)

    def start(self, *arguments, **options):
        job = Job(self.folder, *arguments, **options)
        self.addCleanup(job.close)
        return job

    def run_job(self, *arguments, code=0, said=None, **options):
        """Runs a job to its end; said: a regular expression for oshrun's stderr, by default empty."""
        job = self.start(*arguments, **options)
        self.assertEqual(job.wait(), code, job.said())
        self.assertEqual(job.pids(), [], "processes are left")
        self.assertRegex(job.said(), r"\A" + (said + r"\n\Z" if said else r"\Z"))
        return job

    def output(self, *arguments, **options):
        return sorted(self.run_job(*arguments, **options).printed().splitlines())

    # --- starting


def main():
    global OSHRUN, OSHCC
    OSHRUN, OSHCC = programs()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    unittest.main(verbosity=2)
