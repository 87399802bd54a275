#!/usr/bin/env python3
"""Ends of programs compiled by flang, which notify the library by callbacks: exit codes, and other images' statuses."""

import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "faults"))
from faults import Tests  # noqa: E402

STOPPED, FAILED = "state 104", "state 101"  # flang's STAT_STOPPED_IMAGE and STAT_FAILED_IMAGE

# {end of image 2: exit codes of jobs with one image and with several; the others' output; a part of standard error}.
# For a STOP with a code, flang 22 passes only the code to exit, which then ends all images.
ENDS = (
    ("end", 0, 0, ["state 0"], ""),
    ("stop", 0, 0, [STOPPED], ""),
    ("stop_code", 3, 3, [STOPPED], "STOP: code 3"),
    ("stop_quiet", 4, 4, [STOPPED], ""),
    ("error_stop", 1, 1, [], "ERROR STOP"),
    ("error_stop_code", 7, 7, [], "ERROR STOP: code 7"),
    ("error_stop_text", 1, 1, [], "ERROR STOP: no more"),
    ("fail", 1, 0, [FAILED, "co_sum 101"], ""),
)


class Endings(Tests):
    def __init__(self):
        super().__init__(("cafrun", "caf"), [("--version", {"type": int, "required": True, "help": "flang's"})])
        self.program = str(self.folder / "bin" / "ends")
        more = ["-DHAS_FAIL_IMAGE"] if self.args.version > 22 else []
        subprocess.check_call([self.compiler, "-w", "-cpp", "-O1", *more, HERE / "endings/flang.f90",
                               "-o", self.program])


def main():
    tests = Endings()
    old = tests.args.version == 22
    for how, code_of_one, code, said, error in ENDS:
        for n in (1, 2, 5):
            name = f"{how} -n {n}"
            if how == "fail" and old or not tests.wanted(name):
                continue
            ended = tests.job(n, tests.program, how)
            tests.check_clean(name, ended)
            expected = code_of_one if n == 1 else code
            tests.check(name, ended.code == expected, f"exit code is {ended.code}, expected {expected}", ended)
            lines = ended.out.splitlines()
            tests.check(name, "last words" in lines, "what was printed before is lost", ended)
            tests.check(name, error in ended.err, f"standard error has no '{error}'", ended)
            if n > 1 and not (old and how in ("stop_code", "stop_quiet")):
                wrong = [line for line in said if lines.count(line) < n - 1]
                tests.check(name, not wrong, f"not all others say {wrong}", ended)
    tests.verdict()


if __name__ == "__main__":
    main()
