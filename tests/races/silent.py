#!/usr/bin/env python3
"""Runs correct programs under `oshrun --races`, which must report nothing. A group is examples, apps or api (the
programs of tests/api, and stress/mixture.c); without names all programs of the group run. The command that users take
compiles each program, with --races."""

import argparse
import concurrent.futures
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import typing

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
COMPILERS = {".c": "oshcc", ".cpp": "oshc++", ".f": "oshfort", ".f90": "oshfort"}
LIMIT_S = 300
API_PES = 3
# Programs of tests/api that race on purpose, or need more memory than is left.
LOUD = {"clock": "a flag is polled by loads", "ordering": "litmus tests", "large": "gigabytes",
        "overlap": "a fence orders gets within a node"}
# Numbers of PEs, and sizes with which each application takes seconds. Two images of dss_coarrays use events.
APPS = {"dht": ([2], "atomic 200"), "dss": ([2], "2 1"), "dss_coarrays": ([2, 4], "2 1"),
        "gups": ([2], "-m buckets 10"), "himeno": ([2], "XS 2"), "hpl": ([2], "32 8"), "is": ([2], "S"),
        "sp": ([1], "S"), "stream": ([2], "-r get 2000")}


class Program(typing.NamedTuple):
    name: str
    compiler: str
    sources: list
    flags: list
    pes: list
    arguments: list


def comment(path, key):
    """The text of "/* key: ... */" in the first lines of a source, or nothing."""
    found = re.search(rf"^(?:/\*|//|!) {key}: *(.*?) *(?:\*/)?$", path.read_text()[:800], re.M)
    return found[1] if found else ""


def examples():
    for path in sorted((ROOT / "examples").iterdir()):
        run = re.match(r"(\w+) -n (\d+) \./\w+$", comment(path, "run")) if path.suffix in COMPILERS else None
        if run and not comment(path, "build"):
            compiler = "caf" if run[1] == "cafrun" else COMPILERS[path.suffix]
            yield Program(path.stem, compiler, [path], [], [int(run[2])], [])


def apps():
    for name, (pes, arguments) in APPS.items():
        folder = ROOT / "apps" / name.partition("_")[0]
        main = folder / f"{name}.f90"
        if main.exists():
            modules = comment(main, "modules").split()
            sources = [folder / f"{module}.f90" for module in modules] or sorted({*folder.glob("*.f90")} - {main})
            yield Program(name, comment(main, "compiler") or "caf", [*sources, main], comment(main, "flags").split(),
                          pes, arguments.split())
        else:
            yield Program(name, "oshcc", sorted(folder.glob("*.c")), ["-lm"], pes, arguments.split())


def api():
    for path in [*sorted((ROOT / "tests/api").glob("*.c")), ROOT / "tests/stress/mixture.c"]:
        if path.stem in LOUD:
            continue
        flags = shlex.split(comment(path, "flags"))
        arguments = shlex.split(comment(path, "args"))
        counts = (comment(path, "pes") or str(API_PES)).split()
        pes = min((int(n) for n in counts if int(n) >= API_PES), default=int(counts[-1]))
        yield Program(path.stem, "oshcc", [path], [*flags, f"-I{ROOT}/tests", "-D_GNU_SOURCE", "-lm"], [pes], arguments)


GROUPS = {"examples": examples, "apps": apps, "api": api}


def fault_of(program, bin_folder, scratch):
    """Runs a program: the error found, or nothing."""
    folder = pathlib.Path(scratch) / program.name
    folder.mkdir()
    binary = folder / "program"
    commands = [[bin_folder / program.compiler, "--races", "-O2", *program.sources, "-o", binary, *program.flags]]
    commands += [[bin_folder / "oshrun", "--races", "-n", str(n), binary, *program.arguments] for n in program.pes]
    for command in commands:
        try:
            job = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, text=True, errors="replace", timeout=LIMIT_S)
        except subprocess.TimeoutExpired as error:
            return f"{program.name}: hangs\n{error.stdout}"
        if job.returncode == 77:    # the part of Copal that the program tests is not built
            return ""
        if job.returncode or "copal: race" in job.stdout:
            return f"{program.name}: {shlex.join(map(str, command))} gave {job.returncode}\n{job.stdout}"
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--oshrun", required=True, type=os.path.abspath)
    parser.add_argument("--jobs", type=int, default=1, help="how many at a time")
    parser.add_argument("group", choices=GROUPS)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    bin_folder = pathlib.Path(options.oshrun).parent
    programs = [p for p in GROUPS[options.group]() if p.name in options.names or not options.names]
    with tempfile.TemporaryDirectory(prefix="copal-races-") as scratch, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        faults = [fault for fault in pool.map(lambda p: fault_of(p, bin_folder, scratch), programs) if fault]
    print("\n".join(faults), f"{len(programs)} programs, {len(faults)} that are not silent, or fail", sep="\n")
    return 1 if faults or not programs else 0


if __name__ == "__main__":
    sys.exit(main())
