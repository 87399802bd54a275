#!/usr/bin/env python3
"""Coarray programs do the same with near accesses and without; usage: with_and_without.py --cafrun CAFRUN --caf CAF
[--all] [--nodes N]

The test compiles each program of tests/caf/features and sentences.f90 (with --all also of tests/caf) by caf -O3 and by
caf -O3 -fno-near, and runs it with 3 images. Both builds must fail, or both must succeed, with the same exit code and
the same lines of output in any order. With gfortran 15 and 16, a put beyond the end of a coarray is an error only as a
near access. Exit code 77 without a plugin."""

import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

CAF = pathlib.Path(__file__).resolve().parents[1]
MODULES = [CAF / "check_m.f90", CAF / "values_m.F90"]
# These programs take minutes to compile, and have tests of their own.
SLOW = ("random_sections", "conversions", "sections", "kinds", "repeated_sections")
SENTENCES = pathlib.Path(__file__).resolve().parent / "sentences.f90"
BACKTRACE = re.compile(r"  (at|in) ")
LIMIT_S = 300
SKIPPED = 77
IMAGES = "3"


def run(command, **more):
    """Runs a command: (exit code, output). If it hangs, the exit code is 124."""
    done = subprocess.run(["timeout", "--kill-after=5", str(LIMIT_S), *command], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", **more)
    return done.returncode, done.stdout


def compile_and_run(path, options, near, folder):
    """The results of one build: the part that is compared, and all output."""
    folder = folder / f"{path.parent.name}-{path.name}{near}"
    folder.mkdir()
    head = path.read_text(errors="replace")[:800]
    flags = [flag for line in re.findall(r"^! flags: (.*)$", head, re.M) for flag in line.split()]
    modules = MODULES if path.parent == CAF else []
    flags += ["-w", "-cpp", "-fno-backtrace", "-O3", near or "-O3"]
    code, said = run([options.caf, *flags, *modules, path, "-o", "program"], cwd=folder)
    if code:
        return ("does not compile", "internal compiler error" in said), said
    results = []
    runs = re.findall(r"^! args: (.*)$", head, re.M) or [""]
    for arguments in runs if path == SENTENCES else runs[:1]:
        images = re.search(r"^! images: (.*)$", head, re.M)
        n = IMAGES if not images or IMAGES in images[1].split() else images[1].split()[0]
        code, said = run([options.cafrun, "-n", n, "./program", *arguments.split()], cwd=folder,
                         env={**os.environ, "SHMEM_NODES": options.nodes})
        lines = [re.sub(r"^(ERROR STOP.*) \(image \d+\)$", r"\1", line) for line in said.splitlines()]    # of any
        lines = [re.sub(r"\bimage \d+", "image", line) if line.startswith("copal: ") else line for line in lines]
        results.append((arguments, code, sorted({line for line in lines if not BACKTRACE.match(line)})))
    return results, said


def only_near_is_checked(near, calls):
    """Whether a program's results differ only by reports of subscripts out of bounds."""
    def tells(result):
        return result[1] == 1 and "a subscript is out of bounds" in " ".join(result[2])
    return len(near) == len(calls) and all(
        a == b or (tells(a) and (b[1] == 0 or tells(b))) for a, b in zip(near, calls))


def main():
    parser = argparse.ArgumentParser(usage=__doc__.splitlines()[0].partition("usage: ")[2])
    parser.add_argument("--cafrun", required=True, type=os.path.abspath)
    parser.add_argument("--caf", required=True, type=os.path.abspath)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--nodes", default="1")
    options = parser.parse_args()
    shown = subprocess.run([options.caf, "-O3", "--show", "-c", "a.f90"], capture_output=True, text=True).stdout
    if "-fplugin=" not in shown:
        print("caf has no plugin for its compiler")
        sys.exit(SKIPPED)
    calls_check = re.search(r"caf_plugin_(\d+)", shown)[1] < "15"
    paths = [SENTENCES, *sorted((CAF / "features").glob("*.f90"))]
    if options.all:
        paths += sorted(path for path in CAF.glob("*.[fF]90")
                        if path not in MODULES and path.stem not in SLOW and "flang" not in path.name)
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="with-and-without-") as folder, \
            concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        jobs = [(path, pool.submit(compile_and_run, path, options, "", pathlib.Path(folder)),
                 pool.submit(compile_and_run, path, options, "-fno-near", pathlib.Path(folder))) for path in paths]
        for path, near, calls in jobs:
            (results, said), (expected, expected_said) = near.result(), calls.result()
            may_differ = not calls_check and path == SENTENCES and only_near_is_checked(results, expected)
            if results != expected and not may_differ:
                wrong += 1
                different = [pair for pair in zip(results, expected) if pair[0] != pair[1]]
                print(f"{path.name}: near, by calls: {different}\n{said[-500:]}\nby calls: {expected_said[-500:]}")
    print(f"{len(paths)} programs, different with near accesses: {wrong}")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
