#!/usr/bin/env python3
"""What oshrun says of a job that hangs: for whom each PE waits, whatever it waits in, and that a deadlock is one."""

import re

from faults import Tests

COUNTS = (2, 3, 5, 8)
SYNCS = ("dissemination", "counter", "linear", "kary", "knomial", "two_level")
ROUTINES = {
    "barrier_all": "shmem_barrier_all", "sync_all": "shmem_sync_all", "team_sync": "shmem_team_sync",
    "barrier": "shmem_barrier", "reduce": "shmem_long_sum_reduce", "fcollect": "shmem_long_fcollect",
    "collect": "shmem_long_collect", "alltoall": "shmem_long_alltoall", "malloc": "shmem_malloc",
    "finalize": "shmem_finalize", "lock": "shmem_set_lock", "wait": "shmem_long_wait_until",
}
SECONDS = (0.6, 2, 8)    # for the PEs to fall asleep; the next if they have not


def reports(tests, name, n_pes, arguments, wanted, env=None):
    """Whether a job that is ended by --timeout is reported as these regular expressions say, one for each line."""
    if not tests.wanted(name):
        return
    for seconds in SECONDS:
        ended = tests.run([tests.launcher, "-n", str(n_pes), "--timeout", str(seconds), *arguments], env)
        missing = [line for line in wanted if not re.search(line, ended.err, re.MULTILINE)]
        if not missing:
            break
    ended.seconds -= seconds
    tests.check_clean(name, ended)
    tests.check(name, ended.code == 124, f"exit code is {ended.code}, expected 124", ended)
    tests.check(name, not missing, f"not said: {missing}", ended)
    tests.check(name, "a deadlock" not in ended.err or any("deadlock" in line for line in wanted),
                "it is said to be a deadlock", ended)


def waits(pe, where, whom):
    return rf"^oshrun:   PE {pe} \(process \d+\) in {ROUTINES[where]} for .*, waiting for {whom}$"


def waiters(where, n_pes, away):
    """What is said of all PEs but those that are away."""
    whom = f"PE{'s' * (len(away) > 1)} {', '.join(map(str, away))}" if where != "wait" else "another PE"
    return [waits(pe, where, whom) for pe in range(n_pes) if pe not in away]


def each_wait(tests, hang):
    for n_pes in COUNTS:
        for number, where in enumerate(ROUTINES):
            away = number % n_pes
            reports(tests, f"{where} -n {n_pes}", n_pes, [hang, where, str(away)], waiters(where, n_pes, [away]))
        for number, algorithm in enumerate(SYNCS):
            away = sorted({number % n_pes, (number + 2) % n_pes}) if n_pes > 3 else [number % n_pes]
            reports(tests, f"barrier_all by {algorithm} -n {n_pes}", n_pes, [hang, "barrier_all", *map(str, away)],
                    waiters("barrier_all", n_pes, away), {"SHCOLL_SYNC": algorithm})
    for where in ("barrier_all", "reduce", "lock", "finalize"):
        reports(tests, f"{where} on two nodes", 4, [hang, where, "2"], waiters(where, 4, [2]), {"SHMEM_NODES": "2"})


def deadlocks(tests, hang):
    both = r"^oshrun: a deadlock: PEs 0, 1 wait for each other, or for what has ended"
    reports(tests, "two locks", 2, [hang, "two_locks"], [waits(0, "lock", "PE 1"), waits(1, "lock", "PE 0"), both])
    reports(tests, "different collectives", 2, [hang, "different"],
            [waits(0, "reduce", "PE 1"), waits(1, "barrier_all", "PE 0"), both])
    reports(tests, "all wait for anybody", 2, [hang, "all_wait"], [waits(0, "wait", "another PE"), both])
    reports(tests, "a lock of one's own", 1, [hang, "lock_twice"],
            [waits(0, "lock", "PE 0 itself, which has the lock already"), "^oshrun: a deadlock: PE 0 waits for itself"])
    reports(tests, "the holder has left", 3, [hang, "lock_left"],
            [waits(0, "lock", "PE 2"), waits(2, "finalize", "PEs 0, 1"), r"a deadlock: PEs 0, 1, 2 wait"])
    name = "--watch tells of a deadlock before its time"
    if tests.wanted(name):
        ended = tests.run([tests.launcher, "-n", "2", "--watch", "600", "--timeout", "3", hang, "two_locks"])
        tests.check(name, ended.code == 124 and ended.err.count("a deadlock: PEs 0, 1") == 2, "it does not", ended)


def main():
    tests = Tests()
    hang, = tests.build("hang")
    each_wait(tests, hang)
    deadlocks(tests, hang)
    tests.verdict()


if __name__ == "__main__":
    main()
