#!/usr/bin/env python3
"""Runs a job whose PEs are sometimes late: any PE stops (SIGSTOP) and continues (SIGCONT) at any point.

usage: late.py [--seed N] [--stops N] oshrun -n 4 PROGRAM...

PEs are the child processes of the launcher, oshrun or cafrun. The seed determines which of them stop, when and for
how long, up to a few milliseconds. There are at most --stops stops (400), which become rarer as a job runs longer,
so that a test takes about a second more. The exit code is the launcher's; signals are passed to it."""
import argparse
import os
import pathlib
import random
import signal
import subprocess
import sys
import time

STOP = 0.004    # longest stop in s, far below the limit at which a failure detector reports a death
GAP = 0.002     # longest time between two stops at the beginning, in s
TWICE_AS_RARE = 100    # the time between stops doubles after this many stops


def children(pid):
    try:
        return [int(word) for word in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []    # it has just ended


def send(pids, number):
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            pass


def make_late(job, draws, stops):
    """Does not wait for PEs: a process number is reused only after the launcher has waited for the process."""
    for number in range(stops):
        pes = children(job.pid)
        late = draws.sample(pes, min(len(pes), draws.choice([1, 1, 2])))
        try:
            send(late, signal.SIGSTOP)
            time.sleep(draws.random() * STOP)    # the PE is late
        finally:
            send(late, signal.SIGCONT)
        time.sleep(draws.random() * GAP * (1 + number / TWICE_AS_RARE))    # the PE runs
        if job.poll() is not None:
            return


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--stops", type=int, default=400, metavar="N")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    arguments = parser.parse_args()
    if not arguments.command:
        parser.error("no command to run, such as oshrun -n 4 PROGRAM")
    job = subprocess.Popen(arguments.command)
    for number in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
        signal.signal(number, lambda number, frame: job.send_signal(number))
    make_late(job, random.Random(arguments.seed), arguments.stops)
    code = job.wait()
    sys.exit(code if code >= 0 else 128 - code)


if __name__ == "__main__":
    main()
