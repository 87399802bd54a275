#!/usr/bin/env python3
"""PEs that share a processor yield to each other for a while. If each PE is in a session of its own, the kernel
schedules sessions first, and the PEs soon detect that a yield does not let other PEs run."""

import os
import pathlib
import re
import sys

from faults import Tests

SWITCH = pathlib.Path("/proc/sys/kernel/sched_autogroup_enabled")


def divides_by_session():
    """Whether the kernel has a scheduling group for each session, and no control group overrides it for this
    process."""
    group = pathlib.Path("/sys/fs/cgroup" + pathlib.Path("/proc/self/cgroup").read_text().rpartition("::")[2].strip())
    controlled = any((folder / "cpu.weight").exists() for folder in (group, *group.parents))
    groups = pathlib.Path("/proc/self/cgroup").read_text()
    controlled |= any(re.search(r":cpu[:,].*:/.+|,cpu[:,].*:/.+", line) for line in groups.splitlines())
    return SWITCH.exists() and SWITCH.read_text().strip() == "1" and not controlled


def main():
    tests = Tests()
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    program, = tests.build("yields")
    yields = []
    ways = ("one session", []), ("a session for each", ["setsid"])
    for name, wrapper in ways[:1 + divides_by_session()]:
        if tests.wanted(name):
            ended = tests.job(3, *wrapper, program)
            tests.check_good(name, ended)
            yields.append(sum(int(line) for line in ended.out.split()))
            tests.check(name, yields[-1] and 4 * sum(yields[1:]) < yields[0], f"{yields} yields", ended)
    tests.verdict()


if __name__ == "__main__":
    sys.exit(main())
