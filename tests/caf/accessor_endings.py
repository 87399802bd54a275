#!/usr/bin/env python3
"""Coindexed accesses that are impossible with gfortran 15 and 16 end the job with one sentence, within a node and
between two nodes."""

import itertools
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "faults"))
from faults import Tests  # noqa: E402

OUTSIDE = "outside of the coarray, which has {} bytes, on image .*a subscript is out of bounds"
# {access of image 1: a part of the sentence (regular expression)}
SENTENCES = (
    ("absent", "a component is not allocated"),
    ("absent_put", "a component is not allocated"),
    ("absent_puts", "a component is not allocated"),
    ("deep", "a component is not allocated"),
    ("pointer", "is not allocated or not associated"),
    ("shape", "dimension 1 has 3 elements on the left-hand side, and 5 on image"),
    ("outside", "a subscript is out of bounds"),
    ("far", "a subscript is out of bounds|no accessible memory"),
    ("more_put", OUTSIDE.format(40)),
    ("more_of_kind", OUTSIDE.format(40)),
    ("more_get", OUTSIDE.format(40)),
    ("more_new", OUTSIDE.format(40)),
    ("more_little", OUTSIDE.format(40)),
    ("learned_put", OUTSIDE.format(4000)),
    ("learned_get", OUTSIDE.format(4000)),
    ("image", "allowed are 1 to"),
)

# Nodes and images.
JOBS = ((1, 1), (1, 5), (2, 2), (2, 5))


class Endings(Tests):
    def __init__(self):
        super().__init__(("cafrun", "caf"), [("--net", {"action": "store_true", "help": "also between nodes"})])
        self.program = str(self.folder / "bin" / "accessor")
        subprocess.check_call([self.compiler, "-w", "-O1", HERE / "endings/accessor.f90", "-o", self.program])


def main():
    tests = Endings()
    for (what, sentence), (nodes, n), state in itertools.product(SENTENCES, JOBS, ((), ("busy",), ("each",))):
        if (nodes > 1 and not tests.args.net) or (what.startswith("more") and state == ("busy",)):
            continue    # the image itself detects the latter
        name = f"{' '.join((what, *state))} -n {n} on {nodes} nodes"
        if not tests.wanted(name):
            continue
        ended = tests.job(n, tests.program, what, *state, env={"SHMEM_NODES": str(nodes)})
        tests.check_clean(name, ended)
        tests.check(name, ended.code == 1, f"exit code is {ended.code}, expected 1", ended)
        tests.check(name, re.search(sentence, ended.err), f"standard error has no '{sentence}'", ended)
        tests.check(name, "Backtrace" not in ended.err, "an image has crashed", ended)
        # A put to another node is pending when the statement ends. The target image ends the job without checking
        # whether another image already prints a message: other images may print theirs, or that this image has failed.
        is_posted = nodes > 1 and what.startswith("absent_put")
        speakers = re.findall(r"^copal: image (\d+): ", ended.err, re.MULTILINE)
        tests.check(name, len(speakers) == len(set(speakers)), "an image speaks twice", ended)
        if not is_posted and "each" not in state:
            tests.check(name, len(speakers) == 1, "there is not one sentence", ended)
        if not is_posted:
            tests.check(name, "went on" not in ended.out, "the access has been made", ended)
    tests.verdict()


if __name__ == "__main__":
    main()
