#!/usr/bin/env python3
"""Every bad argument ends the job immediately with a message that names routine, argument, value and the allowed
values."""

import pathlib
import re
import subprocess

from faults import Tests, names_all, sentences


def cases_of(program):
    listing = subprocess.run([program, "--list"], capture_output=True, text=True, check=True).stdout
    return [line.split() for line in listing.splitlines()]


def check_mistake(tests, name, job, env=None):
    """The program prints the required contents of the sentence; any PE that makes the mistake may print it first."""
    # test_backtraces.py checks the source lines, which take half of such a job's time.
    ended = tests.run([tests.launcher, "-n", *job], {"SHMEM_BACKTRACE": "0", **(env or {})})
    tests.check_clean(name, ended)
    expected = [line.split(maxsplit=3)[1:] for line in ended.out.splitlines() if line.startswith("expect ")]
    tests.check(name, expected, "the program did not come to its mistake", ended)
    tests.check(name, ended.code not in (0, "hangs"), "exit code is 0", ended)
    said = sentences(ended.err)
    tests.check(name, said, "no sentence on stderr", ended)
    if said and expected:
        tests.check(name, any(names_all(line, *e) for line in said for e in expected),
                    f"no sentence names {' '.join(expected[0])}", ended)
        tests.check(name, all(re.search(r"copal: (PE \d+: )?\w+: .*\w{3}", line) for line in said),
                    "a sentence has another form", ended)


def other_programs(tests, other):
    """Two programs in a job, on one node and between two: the message is the same, and queries get a reply."""
    program, asks = tests.build("bad_program", "two_programs")
    has_net = (pathlib.Path(tests.launcher).parents[1] / "lib/copal/libcopal-ucx.so").exists()
    for nodes in ("1", "2")[:1 + has_net]:
        name = f"two_programs, SHMEM_NODES={nodes}"
        if tests.wanted(name):
            tests.check_good(name, tests.job(1, asks, ":", "-n", "1", other, "none", env={"SHMEM_NODES": nodes}))
        for case in cases_of(program):
            name = f"bad_program {' '.join(case)}, SHMEM_NODES={nodes}"
            if tests.wanted(name):
                check_mistake(tests, name, ["1", program, *case, ":", "-n", "1", other, "none"], {"SHMEM_NODES": nodes})


def let_pass(tests):
    """Calls that the specification does not allow, but other implementations accept: SHMEM_DEBUG prints a warning."""
    program, = tests.build("let_pass")
    if tests.wanted("let_pass"):
        ended = tests.job(2, program)
        tests.check_good("let_pass", ended)
        tests.check("let_pass", not ended.err, "something is said without SHMEM_DEBUG", ended)
        ended = tests.job(2, program, env={"SHMEM_DEBUG": "1"})
        tests.check_good("let_pass", ended)
        for word in "shmem_align: argument alignment is 63", "shmem_finalize: called after shmem_finalize":
            tests.check("let_pass", word in ended.err, f"SHMEM_DEBUG has no word on: {word}", ended)


def between_nodes(tests, program):
    """Errors that the called PE detects, if it is on another node."""
    if not (pathlib.Path(tests.launcher).parents[1] / "lib/copal/libcopal-ucx.so").exists():
        return
    for case in cases_of(program):
        name = f"bad_call {case[0]}, SHMEM_NODES=2"
        if re.match("call_|post_", case[0]) and tests.wanted(name):
            check_mistake(tests, name, ["4", program, *case], {"SHMEM_NODES": "2"})


def main():
    tests = Tests()
    programs = tests.build("bad_access", "bad_call", "bad_time", "bad_debug")
    for program in programs:
        stem = program.rsplit("/", 1)[1]
        for number, case in enumerate(cases_of(program)):
            # Two and four PEs; each case of the large table runs with only one of these numbers.
            for n_pes in ((2, 4)[number % 2:][:1] if stem == "bad_access" else (2, 4)):
                name = f"{stem} {' '.join(case)} -n {n_pes}"
                env = {"SHMEM_DEBUG": "1"} if stem == "bad_debug" else None
                if tests.wanted(name):
                    check_mistake(tests, name, [str(n_pes), program, *case], env)
    other_programs(tests, programs[1])
    between_nodes(tests, programs[1])
    let_pass(tests)
    alone = "bad_access shmem_long_put pe_high without oshrun"
    if tests.wanted(alone):
        ended = tests.run([programs[0], "shmem_long_put", "pe_high"])
        tests.check_clean(alone, ended)
        tests.check(alone, ended.code > 0 and sentences(ended.err), f"exit code is {ended.code}", ended)
        told = "allowed are 0 to 0; the program was started without oshrun"
        tests.check(alone, told in ended.err, f"{told} is not said", ended)
        ended = tests.job(1, programs[0], "shmem_long_put", "pe_high")
        tests.check(alone, "allowed are 0 to 0\n" in ended.err, "oshrun is said not to be there", ended)
    tests.verdict()


if __name__ == "__main__":
    main()
