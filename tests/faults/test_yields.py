#!/usr/bin/env python3
"""PEs that share a processor yield to each other, but not where each is in a session of its own, to which the kernel
gives its share first: then to yield only delays the others."""

import os
import pathlib
import re
import sys

from faults import Tests

SWITCH = pathlib.Path("/proc/sys/kernel/sched_autogroup_enabled")


def divides_by_session():
    """Whether the kernel has a scheduling group for each session, and this process is in none of a control group."""
    group = pathlib.Path("/sys/fs/cgroup" + pathlib.Path("/proc/self/cgroup").read_text().rpartition("::")[2].strip())
    controlled = any((folder / "cpu.weight").exists() for folder in (group, *group.parents))
    groups = pathlib.Path("/proc/self/cgroup").read_text()
    controlled |= any(re.search(r":cpu[:,].*:/.+|,cpu[:,].*:/.+", line) for line in groups.splitlines())
    return SWITCH.exists() and SWITCH.read_text().strip() == "1" and not controlled


def main():
    tests = Tests()
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    program, = tests.build("yields")
    for name, wrapper in ("one session", []), ("a session for each", ["setsid"]):
        if not tests.wanted(name) or (wrapper and not divides_by_session()):
            continue
        ended = tests.job(3, *wrapper, program)
        tests.check_good(name, ended)
        yields = sum(int(line) for line in ended.out.split())
        tests.check(name, (yields == 0) == bool(wrapper), f"{yields} yields", ended)
    tests.verdict()


if __name__ == "__main__":
    sys.exit(main())
