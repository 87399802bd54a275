#!/usr/bin/env python3
"""A program that uses an allocatable component of a whole object got from another image ends with a sentence that
explains what to write, or has the right value, if the compiler has copied the component."""

import itertools
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "faults"))
from faults import Tests, sentences  # noqa: E402

USES = ("array", "scalar", "printed", "copied", "element", "inner", "argument")
OF_ARRAYS = ("section", "stride")    # not with gfortran 15 and 16
SENTENCE = ("copal: image 1: get: the program uses x%v, an allocatable or pointer component of an object copied from "
            "image {0} by x = a[{0}]: gfortran copies the object without it; write x%v = a[{0}]%v for each allocatable "
            "component (if v is a scalar, 'deallocate (x%v)' first)")


class Endings(Tests):
    def __init__(self):
        super().__init__(("cafrun", "caf"), [("--net", {"action": "store_true", "help": "also between nodes"})])
        version = subprocess.run([self.compiler, "-dumpversion"], capture_output=True, text=True).stdout
        self.copies_components = int(version.split(".")[0]) >= 15    # within a node
        folder = self.folder / "bin"
        self.program = str(folder / "objects")
        subprocess.check_call([self.compiler, "-w", "-O1", "-J", folder, HERE / "endings/objects.F90",
                               "-o", self.program])


def main():
    tests = Endings()
    uses = USES if tests.copies_components else USES + OF_ARRAYS
    for use, nodes, n in itertools.product(uses, (1, 2) if tests.args.net else (1,), (2, 3)):
        name = f"{use} -n {n} on {nodes} nodes"
        if not tests.wanted(name):
            continue
        ended = tests.job(n, tests.program, use, env={"SHMEM_NODES": str(nodes)})
        tests.check_clean(name, ended)
        if nodes == 1 and tests.copies_components:
            tests.check(name, ended.code == 0 and ended.out.count("right") == n, "a component is not right", ended)
        else:
            tests.check(name, ended.code == 1, f"exit code is {ended.code}, expected 1", ended)
            tests.check(name, sentences(ended.err) == [SENTENCE.format(n)], "not the sentence alone", ended)
    tests.verdict()


if __name__ == "__main__":
    main()
