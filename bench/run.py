#!/usr/bin/python3
"""Run the micro-benchmarks for Copal, for a peer (Open MPI's OpenSHMEM, if installed) and for the floor, interleaved.

Prints one table; writes results.json and latency_bandwidth.png and .svg into the output folder.  Installs nothing.
docs/benchmarks.md says what the rows mean."""

import argparse
import datetime
import json
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import report

HERE = Path(__file__).resolve().parent
PROGRAMS = ["rma", "amo", "strided", "sync", "lock", "memory", "collective"]
RUNS = [(name, 2) for name in PROGRAMS] + [("sync", 4), ("collective", 4)]
HELLO_PES = [2, 8, 16]
HELLO_REPEATS = {"ours": 5, "peer": 1, "floor": 5}
CFLAGS = ["-std=c17", "-D_GNU_SOURCE", "-O2", "-Wall", "-Wextra"]
CROWDED_CORES = 2  # more than 2 PEs run on this many, whatever the machine has
TIMEOUT_S = 60

# Open MPI at its best within one node.  Its finalize crashes with Debian's defaults; without the one-sided component
# "rdma", which OSHMEM does not use, it ends well.  Fewer UCX transports make its fence and quiet cheaper.
PEER_ENV = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
PEER_OPTIONS = ["--mca", "osc", "^rdma", "-x", "UCX_TLS=posix,self"]
PEER_CROWDED = ["--oversubscribe", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1"]
PEER_BASIC = ["--mca", "scoll", "basic"]  # better for large collectives, but it never yields its core


class Side:
    """One of the three contestants: how it compiles a program and how it starts one."""

    def __init__(self, name, folder, compiler, launcher, crowded=(), env=None):
        self.name, self.folder = name, folder
        self.compiler, self.launcher, self.crowded = compiler, launcher, list(crowded)
        self.env = {**os.environ, **(env or {})}

    def build(self, program):
        self.folder.mkdir(parents=True, exist_ok=True)
        source, target = HERE / f"{program}.c", self.folder / Path(program).name
        run_checked([*self.compiler, *CFLAGS, str(source), "-o", str(target)], self.env)

    def command(self, program, pes, arguments):
        crowded = self.crowded if pes > 2 else []
        return [*self.launcher, str(pes), *crowded, str(self.folder / program), *arguments]


def run_checked(command, env):
    try:
        done = subprocess.run(command, env=env, capture_output=True, text=True)
    except OSError as error:
        sys.exit(f"run.py: cannot run {command[0]}: {error.strerror}")
    if done.returncode != 0:
        sys.exit(f"run.py: this failed with exit code {done.returncode}:\n  {' '.join(command)}\n{done.stderr}")


def first_line(command):
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20)
        return (done.stdout or done.stderr).splitlines()[0].strip()
    except (OSError, subprocess.TimeoutExpired, IndexError):
        return ""


def find_peer():
    """(compiler, launcher, version) of an Open MPI with OpenSHMEM on the path, or None: Copal has the same names."""
    for folder in os.environ["PATH"].split(os.pathsep):
        compiler, launcher = Path(folder) / "oshcc", Path(folder) / "oshrun"
        if not compiler.exists() or not launcher.exists():
            continue
        version = re.search(r"Open (?:SHMEM|MPI) v?([0-9.]+)", first_line([compiler, "--showme:version"]))
        if version:
            return str(compiler), str(launcher), f"Open MPI {version.group(1)} OSHMEM"
    return None


def use_two_cores():
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:CROWDED_CORES])


def end(process):
    """Ask a launcher to end its job, which only it can do well; then end what is left of it."""
    for ask in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, ask)
            return process.communicate(timeout=5)
        except ProcessLookupError:
            return process.communicate()
        except subprocess.TimeoutExpired:
            pass
    return process.communicate()


def execute(side, program, pes, arguments):
    """Run one program: (stdout, stderr, exit code, seconds).  Nothing of it outlives this function."""
    start = time.perf_counter()
    process = subprocess.Popen(side.command(program, pes, arguments), env=side.env, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
                               preexec_fn=use_two_cores if pes > 2 and program != "hello" else None)
    try:
        out, err = process.communicate(timeout=TIMEOUT_S)
    except subprocess.TimeoutExpired:
        out, err = end(process)
        return out, f"{err}\nended by run.py after {TIMEOUT_S} s", process.returncode, TIMEOUT_S
    except KeyboardInterrupt:
        end(process)
        sys.exit("\nrun.py: interrupted; the running program has been ended, nothing is written")
    return out, err, process.returncode, time.perf_counter() - start


class Bench:
    def __init__(self, sides, quick):
        self.sides, self.quick = sides, quick
        self.samples = {side.name: {} for side in sides}
        self.problems, self.notes = [], []
        self.given_up = set()  # what of the peer did not end: not started again

    def trouble(self, side, text):
        """A peer that fails loses its rows and no more; Copal and the floor must not fail."""
        kept = self.notes if side.name.startswith("peer") else self.problems
        if text not in kept:
            kept.append(text)

    def add(self, side, key, us):
        self.samples[side.name].setdefault(key, []).append(us)

    def rows(self, side, program, pes):
        """Run one benchmark program and keep what it prints."""
        what = f"{side.name}, {program} with {pes} PEs"
        if what in self.given_up:
            return
        out, err, code, _ = execute(side, program, pes, ["quick"] if self.quick else [])
        lines = [json.loads(line) for line in out.splitlines() if line.startswith("{") and line.endswith("}")]
        for row in lines:
            if "row" in row:
                self.add(side, (row["row"], row["pes"], row["bytes"]), row["us"])
            elif "error" in row:
                self.trouble(side, f"{what}: {row['error']}")
        if {"done": True} not in lines:
            self.trouble(side, f"{what}: ended with {code} before its last row\n{err[-2000:]}".strip())
            self.given_up.add(what)
        elif code != 0:
            # A peer's rows are all there: how its finalize ends is not what is measured.
            self.trouble(side, f"{what}: exit code {code} after its last row")

    def hello(self, side, pes):
        out, err, code, seconds = execute(side, "hello", pes, [])
        missing = [pe for pe in range(pes) if f"hello from PE {pe} of {pes}" not in out]
        if missing or code != 0:
            self.trouble(side, f"{side.name}, hello with {pes} PEs: exit code {code}, nothing from PEs {missing}")
        if not missing:
            self.add(side, ("hello", pes, 0), seconds * 1e6)

    def round(self, number, progress):
        """Everything once, the sides taking turns in an order that moves on with each round."""
        turn = [self.sides[(number + i) % len(self.sides)] for i in range(len(self.sides))]
        for program, pes in RUNS:
            for side in turn:
                if side.name != "peer basic" or (program, pes) == ("collective", 2):
                    progress(f"{program} {pes} PEs, {side.name}")
                    self.rows(side, program, pes)
        for pes in HELLO_PES:
            for side in turn:
                for _ in range(HELLO_REPEATS.get(side.name, 0)):
                    progress(f"hello {pes} PEs, {side.name}")
                    self.hello(side, pes)


class Progress:
    def __init__(self, rounds):
        self.rounds, self.round, self.start = rounds, 0, time.monotonic()
        self.tty = sys.stderr.isatty()

    def __call__(self, what):
        if self.tty:
            line = f"[{time.monotonic() - self.start:4.0f} s] round {self.round + 1} of {self.rounds}: {what}"
            print(f"\r{line:<78}", end="", file=sys.stderr, flush=True)

    def end_round(self):
        seconds = time.monotonic() - self.start
        self.round += 1
        left = seconds / self.round * (self.rounds - self.round)
        line = f"round {self.round} of {self.rounds} done, about {left:.0f} s left"
        print(f"\r{line:<78}" if self.tty else line, file=sys.stderr, flush=True)


def cpu_name():
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.machine()


def describe_machine():
    return {
        "cpu": cpu_name(), "architecture": platform.machine(), "cores": len(os.sched_getaffinity(0)),
        "kernel": platform.release(), "date": datetime.datetime.now().astimezone().isoformat(timespec="seconds"),
        "compiler": first_line(["cc", "--version"]), "load_average_at_start": os.getloadavg()[0],
    }


def make_sides(build, output):
    """The sides that can run here, their versions, and what is missing."""
    sides, versions, missing = [], {}, []
    oshcc, oshrun = build / "bin/oshcc", build / "bin/oshrun"
    if oshcc.exists() and oshrun.exists():
        sides.append(Side("ours", output / "ours", [str(oshcc)], [str(oshrun), "-n"]))
        versions["ours"] = first_line([oshrun, "--version"]) or "Copal"
    else:
        missing.append(f"ours: {oshcc} is not built")
    peer = find_peer()
    if peer:
        compiler, launcher, version = peer
        start = [launcher, *PEER_OPTIONS, "-n"]
        sides.append(Side("peer", output / "peer", [compiler], start, PEER_CROWDED, PEER_ENV))
        sides.append(Side("peer basic", output / "peer", [compiler], [launcher, *PEER_OPTIONS, *PEER_BASIC, "-n"],
                          PEER_CROWDED, PEER_ENV))
        versions["peer"] = version
    else:
        missing.append("peer: no Open MPI with OpenSHMEM on the path (Debian: openmpi-bin, libopenmpi-dev)")
    floor_cc = shutil.which("cc") or "cc"
    sides.append(Side("floor", output / "floor", [floor_cc, f"-I{HERE / 'floor'}"], [str(output / "floor/launch")]))
    versions["floor"] = "bare processes"
    return sides, versions, missing


def build_all(sides):
    for side in sides:
        if side.name != "peer basic":
            for program in [*PROGRAMS, "hello"]:
                side.build(program)
        if side.name == "floor":
            side.build("floor/launch")


def show(results, markdown):
    samples = {side: {tuple(key): us for key, us in rows} for side, rows in results["samples"].items()}
    machine = results["machine"]
    sections = report.evaluate(samples)
    where = f"{machine['cpu']}, {machine['cores']} cores, Linux {machine['kernel']}, {machine['date'][:10]}"
    print(f"{where}\nours: {results['versions'].get('ours', 'not built')}; peer: "
          f"{results['versions'].get('peer', 'not installed')}; medians of {results['rounds']} interleaved rounds\n")
    print(report.markdown_table(sections) if markdown else report.text_table(sections))
    print(f"\n{report.summary(sections)}")
    for text in results["notes"]:
        print(f"note: {text}")
    for text in results["problems"]:
        print(f"PROBLEM: {text}")
    return samples, sections, where


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="3 rounds and fewer sizes, under two minutes")
    parser.add_argument("--rounds", type=int, help="how many times each side runs (default 7, quick 3)")
    parser.add_argument("--build", type=Path, default=HERE.parent / "build", help="Copal's build folder")
    parser.add_argument("--output", type=Path, help="where results go (default: bench in the build folder)")
    parser.add_argument("--markdown", action="store_true", help="print the table as Markdown")
    parser.add_argument("--from", dest="stored", type=Path, metavar="JSON", help="show stored results, run nothing")
    options = parser.parse_args()
    if options.stored:
        show(json.loads(options.stored.read_text()), options.markdown)
        return 0
    rounds = options.rounds or (3 if options.quick else 7)
    if rounds < 1:
        parser.error(f"--rounds {rounds}: at least 1 is needed")
    output = (options.output or options.build / "bench").resolve()

    sides, versions, missing = make_sides(options.build.resolve(), output)
    build_all(sides)
    machine = describe_machine()
    for text in missing:
        print(f"run.py: {text}; its column stays empty", file=sys.stderr)
    if machine["load_average_at_start"] > 0.5:
        load = machine["load_average_at_start"]
        print(f"run.py: the machine is busy (load average {load:.1f}): figures will be noisy", file=sys.stderr)
    bench, progress = Bench(sides, options.quick), Progress(rounds)
    for number in range(rounds):
        bench.round(number, progress)
        progress.end_round()

    machine["load_average_at_end"] = os.getloadavg()[0]
    results = {
        "machine": machine, "versions": versions, "rounds": rounds, "quick": options.quick,
        "commands": {side.name: [" ".join(side.command("PROGRAM", pes, [])) for pes in (2, 4)] for side in sides},
        "cflags": CFLAGS, "notes": missing + bench.notes, "problems": bench.problems,
        "samples": {side: [[list(key), us] for key, us in rows.items()] for side, rows in bench.samples.items()},
    }
    samples, sections, where = show(results, options.markdown)
    results["table"] = [{"section": title, "rows": rows} for title, rows in sections]
    (output / "results.json").write_text(json.dumps(results, indent=1) + "\n")
    try:
        import plot
        names = {"ours": "Copal", "peer": versions.get("peer"), "floor": "floor: bare processes"}
        plot.draw(samples, names, where, output / "latency_bandwidth")
    except ImportError as error:
        print(f"run.py: no picture: {error} (Debian: python3-matplotlib)", file=sys.stderr)
    return 1 if bench.problems else 0


if __name__ == "__main__":
    sys.exit(main())
