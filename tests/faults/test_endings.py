#!/usr/bin/env python3
"""The job ends whenever a PE or oshrun ends: exit code, a message with the PE and the reason, and nothing
remains."""

import os
import pathlib
import random
import re
import signal
import time

from faults import Tests, sentences

# {end of a PE: the job's exit code, and the message of oshrun (None: no message)}
ENDINGS = {
    "exit7": (7, r"\b7\b"),
    "_exit3": (3, r"\b3\b"),
    "abort": (128 + signal.SIGABRT, r"signal 6\b"),
    "segv": (128 + signal.SIGSEGV, r"signal 11\b"),
    "kill": (128 + signal.SIGKILL, r"signal 9\b.*Killed"),
    "global5": (5, None),
    "global0": (0, None),
    "bad_pe": (1, r"shmem_long_p.*12345"),
}
PLACES = ("barrier", "sync", "lock", "wait", "test", "broadcast", "reduce", "malloc", "finalize", "loop", "sleep",
          "deaf")
WAITS = [place for place in PLACES if place not in ("test", "loop", "sleep", "deaf")]
FLUSHING = ("global5", "global0", "bad_pe")  # these ends give the other PEs time to write their output


def check_output(tests, name, ended, n_pes, who):
    """Checks that the earlier output of the other PEs appears."""
    said = sorted(ended.out.splitlines())
    tests.check(name, said == [f"PE {k} was here" for k in range(n_pes) if k != who], "output is lost, or other", ended)


def far_endings(tests, end):
    """shmem_global_exit in a job that spans nodes."""
    for number, place in enumerate(WAITS):
        name = f"end global5 PE {number % 4} while the others are in {place} -n 4 on two nodes"
        if tests.wanted(name):
            ended = tests.job(4, end, "global5", str(number % 4), place, env={"SHMEM_NODES": "2"})
            tests.check_clean(name, ended)
            tests.check(name, ended.code == 5, f"exit code is {ended.code}, expected 5", ended)
            check_output(tests, name, ended, 4, number % 4)


def endings(tests, end):
    """Every ending in every routine, with two and four PEs; the PE that ends changes each time."""
    number = 0
    for how, (code, says) in ENDINGS.items():
        for place in PLACES:
            number += 1
            n_pes = (2, 4)[number % 2]
            who = number // 2 % n_pes
            name = f"end {how} PE {who} while the others are in {place} -n {n_pes}"
            if not tests.wanted(name):
                continue
            ended = tests.job(n_pes, end, how, str(who), place)
            tests.check_clean(name, ended)
            tests.check(name, ended.code == code, f"exit code is {ended.code}, expected {code}", ended)
            if says:
                tests.check(name, any(re.search(rf"\bPE {who}\b.*{says}", line) for line in ended.err.splitlines()),
                            "no line says which PE ended how", ended)
            else:
                tests.check(name, not ended.err.strip(), "something is said about shmem_global_exit", ended)
            if how in FLUSHING and place in WAITS:
                check_output(tests, name, ended, n_pes, who)


def vanishing(tests, end):
    """_exit(0) without finalize also ends the job, because the other PEs would wait forever."""
    for n_pes, place in ((2, "barrier"), (4, "lock"), (4, "wait"), (2, "finalize")):
        name = f"end _exit0 while the others are in {place} -n {n_pes}"
        if tests.wanted(name):
            ended = tests.job(n_pes, end, "_exit0", "1", place)
            tests.check_clean(name, ended)
            tests.check(name, ended.code not in (0, "hangs"), "the job is said to have succeeded", ended)
            tests.check(name, re.search(r"\bPE 1\b", ended.err), "no line names PE 1", ended)


def start_busy(tests, busy, n_pes):
    """A running job, and the process of each PE."""
    job = tests.start([tests.args.oshrun, "-n", str(n_pes), busy])
    pids = {}
    while len(pids) < n_pes:
        line = job.process.stdout.readline()
        if not line:
            break
        match = re.match(r"pid (\d+) (\d+)", line)
        if match:
            pids[int(match[1])] = int(match[2])
    return job, pids


def random_kills(tests, busy):
    """SIGKILL of a random PE at a random moment of a busy job, a hundred times."""
    for number in range(100):
        name = f"random kill {number}"
        if not tests.wanted(name):
            continue
        n_pes = (2, 3, 4)[number % 3]
        job, pids = start_busy(tests, busy, n_pes)
        time.sleep(random.uniform(0, 0.03))    # the PE may be anywhere in the program
        who = random.randrange(n_pes)
        if who in pids:
            os.kill(pids[who], signal.SIGKILL)
        ended = job.wait()
        tests.check_clean(name, ended)
        tests.check(name, ended.code == 128 + signal.SIGKILL, f"exit code is {ended.code}, expected 137", ended)
        tests.check(name, re.search(rf"\bPE {who}\b.*signal 9", ended.err), f"no line says that PE {who} was killed",
                    ended)


def launcher_signals(tests, busy):
    """oshrun is killed, interrupted or terminated: every PE ends."""
    for number, sig in enumerate((signal.SIGKILL,) * 8 + (signal.SIGTERM, signal.SIGINT, signal.SIGHUP) * 2):
        name = f"{sig.name} to oshrun, {number}"
        if not tests.wanted(name):
            continue
        job, _ = start_busy(tests, busy, random.choice((2, 4)))
        time.sleep(random.uniform(0, 0.02))    # the job may be anywhere in the program
        job.process.send_signal(sig)
        ended = job.wait()
        tests.check_clean(name, ended)
        allowed = (-sig,) if sig == signal.SIGKILL else (-sig, 128 + sig)
        tests.check(name, ended.code in allowed, f"exit code is {ended.code}, expected one of {allowed}", ended)


def children(tests, child, hello):
    """fork, exit of a child, system and popen in every PE; a program that a PE starts is a separate job."""
    if tests.wanted("child run"):
        ended = tests.job(2, child, "run", hello)
        tests.check_good("child run", ended)
        tests.check("child run", ended.out.count("hello from PE 0 of 1") == 6, "not six jobs of one PE", ended)
    for how in ("fork", "threads", "exit", "system", "popen", "closed", "init"):
        for n_pes in (1, 2, 4):
            name = f"child {how} -n {n_pes}"
            if tests.wanted(name):
                tests.check_good(name, tests.job(n_pes, child, how))
        name = f"child {how} -n 4 on two nodes"
        if tests.wanted(name) and how != "closed":  # with several nodes, a program must keep the network's descriptors
            tests.check_good(name, tests.job(4, child, how, env={"SHMEM_NODES": "2"}))


def threads_left(tests, last_thread):
    """A process whose main thread has ended after shmem_finalize ends, with all network libraries."""
    folder = pathlib.Path(tests.launcher).parents[1] / "lib/copal"
    networks = [name for name in ("ucx", "ofi") if (folder / f"libcopal-{name}.so").exists()]
    for nodes, network in (("1", "auto"), *(("3", name) for name in networks)):
        name = f"pthread_exit of main, SHMEM_NODES={nodes}, SHMEM_NET={network}"
        if tests.wanted(name):
            env = {"SHMEM_NODES": nodes, "SHMEM_NET": network, "FI_PROVIDER": "tcp"}
            tests.check_good(name, tests.job(3, last_thread, env=env))


def main():
    tests = Tests()
    end, busy, child, hello, last_thread = tests.build("end", "busy", "child", "hello", "last_thread")
    for n_pes in (1, 2, 4):
        name = f"hello -n {n_pes}"
        if tests.wanted(name):
            ended = tests.job(n_pes, hello)
            tests.check_good(name, ended)
            said = sorted(ended.out.splitlines())
            tests.check(name, said == [f"hello from PE {k} of {n_pes}" for k in range(n_pes)], "other output", ended)
            tests.check(name, not sentences(ended.err), "complains", ended)
    endings(tests, end)
    far_endings(tests, end)
    vanishing(tests, end)
    children(tests, child, hello)
    threads_left(tests, last_thread)
    launcher_signals(tests, busy)
    random_kills(tests, busy)
    tests.verdict()


if __name__ == "__main__":
    main()
