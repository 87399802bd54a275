"""Builds the programs of a comparison, in parallel, if they have changed since the last build."""

import hashlib
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from model import Program
from progress import Progress

BENCH = Path(__file__).resolve().parent.parent
ROOT = BENCH.parent
CFLAGS = ["-std=c17", "-D_GNU_SOURCE", "-O2", "-Wall", "-Wextra"]
FFLAGS = ["-std=f2018", "-O3", "-Wall", "-Wextra"]
LAUNCH = Program("launch", "bare", ("bench/floor/node/launch.c",))  # the launcher of the floor's programs
NOT_BUILT = ("installed", "model")
BUILD_LIMIT_S = 300
TIMING = "bench/timing/timing.f90"  # uses the C source beside it


def digest(*parts):
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def digest_of_files(files):
    return digest(*(f"{file}:{hashlib.sha256(Path(file).read_bytes()).hexdigest()}" for file in files))


def timing_object(program, folder):
    return folder / f"{program.name}.timing.o"


def compile_command(side, program, folder):
    """None if this side has no compiler for the program."""
    suffix = Path(program.sources[-1]).suffix
    compiler = side.compilers.get((program.interface, suffix))
    if not compiler:
        return None
    modules = ["-J", str(folder / f"{program.name}.modules")]
    flags = CFLAGS if suffix == ".c" else [*FFLAGS, *modules]
    sources = [str(ROOT / source) for source in program.sources]
    if TIMING in program.sources:
        sources.insert(0, str(timing_object(program, folder)))
    return [*compiler, *flags, *side.flags, *sources, "-o", str(folder / program.name), *program.flags, *side.libraries]


def fingerprint_of(side, program):
    """A hash of everything that affects times: sources, headers beside them, flags, compiler, the side's libraries and
    the options of its launcher."""
    started = digest(side.version, *map(repr, (side.launchers, side.over_tcp, side.tcp_env, side.crowded)))
    if program.interface in NOT_BUILT:
        return digest(started, program.name, digest_of_files(side.made_of))
    command = compile_command(side, program, Path()) or []
    folders = {(ROOT / source).parent for source in program.sources} | {BENCH / "timing", BENCH / "floor/node",
                                                                        BENCH / "floor/network"}
    headers = sorted(header for folder in folders for header in (*folder.glob("*.h"), *folder.glob("timing.c")))
    sources = [ROOT / source for source in program.sources]
    return digest(started, " ".join(command), digest_of_files([*sources, *headers]), digest_of_files(side.made_of))


def build(side, program, folder, fingerprint):
    """Builds a program; returns None, or a sentence about the error."""
    what = f"{side.name}, {program.name}"
    command = compile_command(side, program, folder)
    if not command:
        return f"{what}: {side.version} has no compiler for {program.interface} in {Path(program.sources[-1]).suffix}"
    stamp = folder / f"{program.name}.made"
    try:
        if stamp.read_text() == fingerprint and (folder / program.name).exists():
            return None
    except OSError:
        pass
    (folder / f"{program.name}.modules").mkdir(parents=True, exist_ok=True)
    timing = ["cc", *CFLAGS, "-c", str((ROOT / TIMING).with_suffix(".c")), "-o", str(timing_object(program, folder))]
    for step in [timing, command] if TIMING in program.sources else [command]:
        try:
            done = subprocess.run(step, env={**os.environ, **side.env}, capture_output=True, text=True,
                                  errors="replace", timeout=BUILD_LIMIT_S)
        except (OSError, subprocess.TimeoutExpired) as error:
            return f"{what}: could not be built: {error}"
        if done.returncode != 0:
            return f"{what}: could not be built:\n  {' '.join(step)}\n{done.stderr[-2000:]}".rstrip()
    stamp.write_text(fingerprint)
    return None


def build_all(sides, wanted, output):
    """Builds the pairs (side's name, Program) in wanted; returns {(side, program): (binary, fingerprint)} and {(side,
    program): error}."""
    jobs = {(side, program.name): (sides[side], program) for side, program in wanted}
    if any(program.interface == "bare" for _, program in wanted):
        jobs["floor", LAUNCH.name] = (sides["floor"], LAUNCH)
    made, failed = {}, {}
    progress = Progress("build", list(jobs))

    def work(item):
        (name, program_name), (side, program) = item
        fingerprint = fingerprint_of(side, program)
        if program.interface in NOT_BUILT:
            return item[0], program_name, fingerprint, None
        folder = output / "bin" / name
        folder.mkdir(parents=True, exist_ok=True)
        return item[0], folder / program_name, fingerprint, build(side, program, folder, fingerprint)

    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for key, binary, fingerprint, problem in pool.map(work, jobs.items()):
            progress.say(f"{key[0]}, {key[1]}")
            progress.finished(key, 0)
            if problem:
                failed[key] = problem
            else:
                made[key] = (binary, fingerprint)
    progress.end()
    return made, failed
