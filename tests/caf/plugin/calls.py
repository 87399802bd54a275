#!/usr/bin/env python3
"""An object file has the calls that -fcaf-report lists; usage: calls.py --caf CAF

Each program of tests/caf/features is compiled without optimisations that copy code. A near access has one call as its
slow path, by value or gfortran's own; any other access has gfortran's call. Exit code 77 without a plugin."""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

FEATURES = pathlib.Path(__file__).resolve().parents[1] / "features"
FLAGS = ["-w", "-O1", "-fno-inline", "-fno-thread-jumps", "-fno-tree-dominator-opts", "-fcaf-report"]
CALL = re.compile(r"\bR_\S+\s+[0-9a-f]+\s+_gfortran_caf_(value_)?(put|get|put16|get16|put_by_ref|send|sendget"
                  r"|send_by_ref|get_by_ref|sendget_by_ref|send_to_remote|get_from_remote|transfer_between_remotes)"
                  r"[-+@ \n]")
LINE = re.compile(r"^\S+:\d+:\d+: (optimized|missed): ", re.M)
SKIPPED = 77


def counts(caf, path, folder):
    """(near accesses, others) in the report, (calls by value, others) in the object, and the report's text."""
    target = pathlib.Path(folder, f"{path.stem}.o")
    done = subprocess.run([caf, *FLAGS, "-J", folder, "-c", path, "-o", target], capture_output=True, text=True,
                          errors="replace")
    if done.returncode:
        return None    # the program is not for this compiler
    told = collections.Counter(LINE.findall(done.stderr))
    relocations = subprocess.run(["readelf", "-Wr", target], capture_output=True, text=True, check=True).stdout
    calls = [bool(by_value) for by_value, _ in CALL.findall(relocations)]
    behind = {bool(by_value) for by_value, name in CALL.findall(relocations) if name == "get_by_ref"}
    return (told["optimized"], told["missed"]), (sum(calls), len(calls) - sum(calls)), done.stderr, behind


def main():
    parser = argparse.ArgumentParser(usage=__doc__.splitlines()[0].partition("usage: ")[2])
    parser.add_argument("--caf", required=True, type=os.path.abspath)
    parser.add_argument("--cafrun")
    options = parser.parse_args()
    shown = subprocess.run([options.caf, "-O1", "--show", "-c", "a.f90"], capture_output=True, text=True).stdout
    if "-fplugin=" not in shown:
        print("caf has no plugin for its compiler")
        sys.exit(SKIPPED)
    paths = sorted(FEATURES.glob("*.f90"))
    wrong = near = by_value = 0
    behind_components = set()
    with tempfile.TemporaryDirectory(prefix="calls-") as folder, \
            concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for path, result in zip(paths, pool.map(lambda path: counts(options.caf, path, folder), paths)):
            if not result:
                continue
            told, found, said, behind = result
            behind_components |= behind
            near, by_value = near + told[0], by_value + found[0]
            if sum(told) != sum(found) or told[0] < found[0]:
                wrong += 1
                print(f"{path.name}: told of {told[0]} near accesses and {told[1]} others; the object has {found[0]} "
                      f"calls by value and {found[1]} others\n{said}")
    print(f"{near} near accesses, {by_value} calls by value, wrong programs: {wrong}")
    if behind_components == {False}:
        print("no get of an element behind a component is by value")
    sys.exit(wrong > 0 or by_value == 0 or behind_components == {False})


if __name__ == "__main__":
    main()
