#!/usr/bin/env python3
"""States that oshrun must not report as a deadlock, however often a report is requested; and oshrun's own report of a
real deadlock."""

import pathlib
import signal
import subprocess
import sys
import time

from faults import HERE, LIMIT, Tests

REPORTS = 40


def asked(tests, launcher, n_pes, program, *arguments, says="", reports=REPORTS):
    """Requests one report of a job after the other, until `reports` have arrived since one contained the text `says`.
    Returns the job's output and the number of reports."""
    job = tests.start([launcher, "-n", str(n_pes), program, *arguments]).process
    said, count, end = [], 0, time.monotonic() + LIMIT
    while count < reports and time.monotonic() < end:
        if not any(says in line for line in said):
            count = 0
            time.sleep(0.2)    # the PEs will soon be there
        job.send_signal(signal.SIGQUIT)
        while (line := job.stderr.readline()):
            said.append(line)
            if line.split()[2:3] == ["of"]:
                count += 1
                break
        else:
            break
    job.send_signal(signal.SIGKILL)
    job.communicate()
    return "".join(said), count


def no_deadlock(tests, name, launcher, n_pes, program, *arguments, says="", reports=REPORTS):
    if not tests.wanted(name):
        return
    text, count = asked(tests, launcher, n_pes, program, *arguments, says=says, reports=reports)
    tests.check(name, count == reports, f"{count} reports of {reports}: {text[-500:]}")
    tests.check(name, "a deadlock" not in text, f"called a deadlock: {text[-1000:]}")
    tests.check(name, says in text, f"it is not said that {says}: {text[-1000:]}")


def unasked(tests, hang, healthy):
    """A deadlock is reported by itself after ten seconds; with --watch it ends the job."""
    for name, program, code, option, times in (
            ("a deadlock is told of unasked", [hang, "two_locks"], 124, "--timeout", (13, 40)),
            ("--watch ends a deadlock", [hang, "two_locks"], 125, "--watch", (1, 5)),
            ("OpenMP's threads sleep in a deadlock", [healthy, "pool"], 125, "--watch", (1, 5))):
        if not tests.wanted(name):
            continue
        wanted = 2 if code == 124 else 1    # the report of --timeout repeats it

        def told(ended):
            return ended.err.count("a deadlock: PEs 0, 1 wait")
        ended = tests.with_time(lambda seconds: tests.run([tests.launcher, "-n", "2", option, seconds, *program],
                                                          {"OMP_NUM_THREADS": "4"}),
                                lambda ended: told(ended) == wanted, times)
        tests.check(name, ended.code == code, f"exit code is {ended.code}, expected {code}", ended)
        tests.check(name, told(ended) == wanted, f"told {told(ended)} times", ended)


def main():
    tests = Tests()
    healthy, = tests.build("healthy", more=["-fopenmp"])
    hang, = tests.build("hang")
    no_deadlock(tests, "a loop of barriers", tests.launcher, 4, healthy, "barriers")
    no_deadlock(tests, "a PE with another thread", tests.launcher, 2, healthy, "thread",
                says="another of its threads may continue", reports=3)
    no_deadlock(tests, "a stopped PE", tests.launcher, 2, healthy, "stopped",
                says="but its process is stopped by a signal", reports=3)
    folder = pathlib.Path(tests.launcher).parent
    if (folder / "caf").exists():
        late = str(tests.folder / "bin" / "late")
        if subprocess.run([folder / "caf", "-w", HERE / "late.c", HERE / "healthy.f90", "-o", late, "-ldl"],
                          cwd=tests.folder / "bin").returncode:
            sys.exit("late.c and healthy.f90 do not compile")
        no_deadlock(tests, "an image that is late at the start", folder / "cafrun", 3, late,
                    says="in start for", reports=3)
    unasked(tests, hang, healthy)
    tests.verdict()


if __name__ == "__main__":
    main()
