#!/usr/bin/env python3
"""The size of the heap with little or watched memory, and the messages about it: limits of address space and of control
groups, Valgrind, and an exhausted heap."""

import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys

from faults import Tests, sentences

MB = 1 << 20


def said(tests, name, ended, *patterns):
    """Checks that one PE prints the sentence, once."""
    lines = sentences(ended.err)
    good = len(lines) == 1 and lines[0].startswith("copal: PE 0:") and all(re.search(p, lines[0]) for p in patterns)
    tests.check(name, good, f"{len(lines)} sentences, expected one with {patterns}", ended)


def exhausted(tests, heap):
    name = "an exhausted heap"
    if not tests.wanted(name):
        return
    ended = tests.job(3, heap, str(100 * MB), env={"SHMEM_SYMMETRIC_SIZE": "64m"})
    tests.check_good(name, ended)
    tests.check(name, "fits 0" in ended.out, "100 MiB are in a heap of 64", ended)
    said(tests, name, ended, "shmem_malloc", r"\b104857600 bytes", r"\b67108864\b", "SHMEM_SYMMETRIC_SIZE=")
    enough = re.search(r"SHMEM_SYMMETRIC_SIZE=(\d+m)", ended.err)
    ended = tests.job(3, heap, str(100 * MB), env={"SHMEM_SYMMETRIC_SIZE": enough[1] if enough else "64m"})
    tests.check(name, "fits 1" in ended.out and not ended.err, "with the setting that is named it does not fit", ended)
    ended = tests.job(2, heap, env={"SHMEM_SYMMETRIC_SIZE": "1m"})  # the search for the largest block fails many times
    said(tests, name, ended, "exhausted")


def advice(tests, heap):
    """Following the advice helps; if nothing can help, the message names the limit of the heap."""
    name = "advice within the bounds"
    if tests.sanitized or not tests.wanted(name):
        return

    def limited():
        resource.setrlimit(resource.RLIMIT_AS, (2048 * MB, 2048 * MB))

    small = {"SHMEM_SYMMETRIC_SIZE": "64m"}
    ended = tests.job(1, heap, str(1 << 50), env=small)
    said(tests, name, ended, "exhausted",
         r"each PE would need a heap of \d+ MiB, and for 1 PE on this node .* allows \d+")
    ended = tests.job(2, heap, str(1800 * MB), env=small, preexec_fn=limited)
    said(tests, name, ended, "exhausted", r"for 2 PEs on this node ulimit -v allows \d+ MiB each")
    most = re.search(r"ulimit -v allows (\d+) MiB", ended.err)
    if most:
        size = {"SHMEM_SYMMETRIC_SIZE": f"{most[1]}m"}
        tests.check_good(name, tests.job(2, heap, str(MB), env=size, preexec_fn=limited))
    ended = tests.job(2, heap, str(200 * MB), env=small, preexec_fn=limited)
    enough = re.search(r"SHMEM_SYMMETRIC_SIZE=(\d+m) would do", ended.err)
    tests.check(name, enough, "nothing is advised", ended)
    if enough:
        ended = tests.job(2, heap, str(200 * MB), env={"SHMEM_SYMMETRIC_SIZE": enough[1]}, preexec_fn=limited)
        tests.check(name, "fits 1" in ended.out and not ended.err, "it does not fit", ended)


def poor(tests, hello):
    name = "an address space in which no heap is left"
    if tests.sanitized or not tests.wanted(name):
        return
    limit = (1024 * MB, 1024 * MB)
    ended = tests.job(4, hello, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, limit))
    tests.check_clean(name, ended)
    lines = sentences(ended.err)
    tests.check(name, len(lines) == 2 and re.search(r"shmem_init: .*\b0 KiB.*ulimit -v", lines[0])
                and "exhausted" in lines[1],
                "the sentences are others than that no heap is left, and that this program wants some", ended)


def valgrind(tests, heap):
    name = "under Valgrind"
    if not tests.wanted(name):
        return
    if tests.sanitized or not shutil.which("valgrind"):
        print(f"skipped {name}: there is no valgrind here, or the library is sanitized")
        return
    ended = tests.job(2, "valgrind", "-q", heap, str(8 * MB))
    tests.check(name, ended.code == 0 and "fits 1" in ended.out, f"exit code is {ended.code}", ended)
    said(tests, name, ended, "Valgrind", r"\b64 MiB", "SHMEM_SYMMETRIC_SIZE")
    ended = tests.job(2, "valgrind", "-q", heap, str(8 * MB), env={"SHMEM_SYMMETRIC_SIZE": "16m"})
    tests.check(name, ended.code == 0 and not sentences(ended.err), "the size that was asked for is commented", ended)


class Group:
    """A control group below this process's, with a limit of 128 MiB; None if this process may not create one."""

    def __init__(self):
        lists = [line.rstrip("\n").split(":", 2) for line in open("/proc/self/cgroup")]
        v1 = [path for _, names, path in lists if "memory" in names.split(",")]
        base = pathlib.Path("/sys/fs/cgroup/memory" if v1 else "/sys/fs/cgroup")
        own = base / (v1 or [path for _, names, path in lists if not names] or [""])[0].lstrip("/")
        self.folder = (own if own.is_dir() else base) / f"copal-test-{os.getpid()}"
        self.made = False
        try:
            self.folder.mkdir()
            self.made = True
            (self.folder / ("memory.limit_in_bytes" if v1 else "memory.max")).write_text(str(128 * MB))
            self.inner = self.folder / "inner"  # the limit is that of a level above the job's own
            self.inner.mkdir()
            self.able = (self.inner / "cgroup.procs").exists() and (v1 or (self.folder / "memory.max").exists())
        except OSError as error:
            self.able, self.why = False, error

    def enter(self):
        (self.inner / "cgroup.procs").write_text(str(os.getpid()))

    def end(self):
        for folder in (self.folder / "inner", self.folder):
            if self.made and folder.is_dir():
                folder.rmdir()


def grouped(tests, heap, end):
    name = "a control group's limit"
    if not tests.wanted(name):
        return
    group = Group()
    try:
        if not group.able:
            print(f"skipped {name}: a control group with a limit of memory cannot be made here")
            return
        ended = tests.job(2, heap, preexec_fn=group.enter)
        size = re.search(r"heap (\d+)", ended.out)
        tests.check(name, size and 100 * MB < int(size[1]) <= 128 * MB, "the heap is not as large as the limit", ended)
        ended = tests.job(2, heap, str(512 * MB), env={"SHMEM_SYMMETRIC_SIZE": "1g"}, preexec_fn=group.enter)
        tests.check(name, ended.code == 137 and re.search(r"signal 9 .*out of memory\?.*\b128 MiB", ended.err),
                    "the sentence does not ask whether memory was short", ended)
        small = {"SHMEM_SYMMETRIC_SIZE": "16m"}
        ended = tests.job(2, heap, str(100 * MB), env=small, preexec_fn=group.enter)
        said(tests, name, ended, "exhausted", "for 2 PEs on this node the control group allows 51 MiB each")
        ended = tests.job(2, heap, str(48 * MB), env={"SHMEM_SYMMETRIC_SIZE": "51m"}, preexec_fn=group.enter)
        tests.check(name, "fits 1" in ended.out and not ended.err, "what it allows does not fit", ended)
        ended = tests.job(2, heap, str(30 * MB), env=small, preexec_fn=group.enter)
        said(tests, name, ended, "exhausted", r"SHMEM_SYMMETRIC_SIZE=\d+m would do")
        ended = tests.job(2, end, "kill", "1", "barrier", preexec_fn=group.enter)
        tests.check(name, "signal 9" in ended.err and "memory" not in ended.err, "memory was not short", ended)
    finally:
        group.end()


def thread_sanitizer(tests):
    """A program compiled with a sanitizer starts with a library compiled without it."""
    name = "-fsanitize=thread"
    if tests.sanitized or not tests.wanted(name):
        return
    program = tests.folder / "bin" / "tsan"
    source = pathlib.Path(__file__).parent / "hello.c"
    plain = subprocess.run(["setarch", "-R", "true"], capture_output=True)
    built = subprocess.run([tests.args.oshcc, "-fsanitize=thread", "-g", source, "-o", program], capture_output=True)
    if built.returncode != 0 or plain.returncode != 0:
        print(f"skipped {name}: the compiler has no thread sanitizer, or setarch -R is not allowed")
        return
    ended = tests.job(2, "setarch", "-R", str(program))
    tests.check(name, ended.code == 0 and "hello from PE 1 of 2" in ended.out and not ended.err, "does not run", ended)
    ended = tests.run([tests.args.oshrun, "-n", "1", "setarch", "-R", str(program), ":", "-n", "1",
                       str(tests.build("hello")[0])])
    tests.check(name, ended.code == 0 and "hello from PE 1 of 2" in ended.out and not ended.err,
                "does not run beside a program that was compiled without", ended)


def main():
    tests = Tests()
    heap, hello, end = tests.build("heap", "hello", "end")
    exhausted(tests, heap)
    advice(tests, heap)
    poor(tests, hello)
    valgrind(tests, heap)
    grouped(tests, heap, end)
    thread_sanitizer(tests)
    tests.verdict()


if __name__ == "__main__":
    sys.exit(main())
