#!/usr/bin/env python3
"""The PEs' output reaches a file or pipe in all ways in which a job ends, and no line is torn."""

import pathlib
import re
import signal
import subprocess
import sys

from faults import HERE, Tests

LINES = 150    # of about 30 bytes: more than the buffers of the C and Fortran libraries
ENDINGS = {"segv": 139, "abort": 134, "exit": 3, "kill": 137, "global": 4, "bad_pe": 1, "stay": 124,
           "write": 143}
LAUNCHER_ENDINGS = {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGHUP: 129}


def check(tests, name, ended, code, pes):
    """Checks that all lines of these PEs are complete and in order."""
    tests.check(name, ended.code == code, f"exit code is {ended.code}, expected {code}", ended)
    said = re.findall(r"PE (\d) says that this is line (\d+)\n", ended.out)
    for pe in pes:
        lines = [int(line) for who, line in said if int(who) == pe]
        tests.check(name, lines == list(range(LINES)), f"PE {pe} has {len(lines)} lines of {LINES}", ended)
    whole = re.compile(r"PE \d says that this is line \d+|on|")
    torn = [line for line in ended.out.splitlines() if not whole.fullmatch(line)]
    if code == 137 and torn and "PE 1 says that this is line".startswith(torn[0][:27]):
        del torn[0]    # the killed PE had written half of it
    tests.check(name, not torn, f"torn: {torn[:3]}", ended)


def job(tests, launcher, program, how, stays):
    """Runs a job. stays: its PEs end only by the time limit, and have written all their lines by then."""
    def run(*options):
        return tests.run([launcher, "-n", "4", *options, program, how, str(LINES)])
    return tests.with_time(lambda seconds: run("--timeout", seconds),
                           lambda ended: ended.out.count(f"line {LINES - 1}\n") == 4) if stays else run()


def endings(tests, program):
    for how, code in ENDINGS.items():
        name = f"output at {how}"
        for _ in range(tests.args.times if tests.wanted(name) else 0):
            ended = job(tests, tests.launcher, program, how, how == "stay")
            check(tests, name, ended, code, [0, 2, 3] if how == "kill" else range(4))


def launcher_endings(tests, program):
    for sent, code in LAUNCHER_ENDINGS.items():
        name = f"output at {sent.name} to oshrun"
        for _ in range(tests.args.times if tests.wanted(name) else 0):
            running = tests.start([tests.launcher, "-n", "4", program, "stay", str(LINES)])
            running.process.stderr.readline()
            running.process.send_signal(sent)
            check(tests, name, running.wait(), code, range(4))


def endings_of_images(tests, folder):
    program = str(tests.folder / "bin" / "output_caf")
    if subprocess.run([folder / "caf", "-g", "-w", HERE / "output.f90", "-o", program],
                      cwd=tests.folder / "bin").returncode:
        sys.exit("output.f90 does not compile")
    for how, code in (("segv", 139), ("abort", 134), ("stop", 3), ("stay", 124)):
        name = f"output of images at {how}"
        for _ in range(tests.args.times if tests.wanted(name) else 0):
            ended = job(tests, folder / "cafrun", program, how, how != "stop")
            check(tests, name, ended, ended.code if how in ("segv", "abort") else code, range(4))


def main():
    tests = Tests(options=[("--times", {"type": int, "default": 2, "help": "how often each ending is tried"})])
    program, = tests.build("output")
    endings(tests, program)
    launcher_endings(tests, program)
    folder = pathlib.Path(tests.launcher).parent
    if (folder / "caf").exists():
        endings_of_images(tests, folder)
    tests.verdict()


if __name__ == "__main__":
    main()
