"""What every benchmark run needs: the contestants, a way to start their programs and keep what they print, rounds."""

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

HERE = Path(__file__).resolve().parent
RUNNER = Path(sys.argv[0]).name
interrupts, starting = [], []  # signals that came; not empty: a program is being started
CFLAGS = ["-std=c17", "-D_GNU_SOURCE", "-O2", "-Wall", "-Wextra"]

# Open MPI at its best within one node.  Its finalize crashes with Debian's defaults; without the one-sided component
# "rdma", which neither OSHMEM nor the collectives use, it ends well.
OPEN_MPI_ENV = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
OPEN_MPI_OPTIONS = ["--mca", "osc", "^rdma"]
OPEN_MPI_CROWDED = ["--oversubscribe", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1"]
# Fewer UCX transports make OSHMEM's fence and quiet cheaper.
OSHMEM_OPTIONS = [*OPEN_MPI_OPTIONS, "-x", "UCX_TLS=posix,self"]
OSHMEM_BASIC = ["--mca", "scoll", "basic"]  # better for large collectives, but it never yields its core
MPI_OVER_TCP = ["--mca", "pml", "ob1", "--mca", "btl", "tcp,self"]  # as between nodes, on one machine
MPICH_ENV = {"MPIR_CVAR_NOLOCAL": "1"}  # one level of collectives, not two: never slower within one node


def on_interrupt(number, _):
    """Raises, but not while Python forks, where it would get lost."""
    interrupts.append(number)
    if not starting:
        raise KeyboardInterrupt


for number in (signal.SIGINT, signal.SIGTERM):  # both end the running program too
    signal.signal(number, on_interrupt)


class Side:
    """One of the contestants: how it compiles a program and how it starts one."""

    def __init__(self, name, folder, compiler, launcher, crowded=(), env=None, peer=False, arguments=()):
        self.name, self.folder, self.peer = name, folder, peer
        self.compiler, self.launcher, self.crowded = compiler, launcher, list(crowded)
        self.env = {**os.environ, **(env or {})}
        self.arguments = list(arguments)  # of the program, behind those that all sides get

    def build(self, program):
        self.folder.mkdir(parents=True, exist_ok=True)
        source, target = HERE / f"{program}.c", self.folder / Path(program).name
        run_checked([*self.compiler, *CFLAGS, str(source), "-o", str(target)], self.env)

    def command(self, program, pes, arguments, crowded):
        """crowded: more PEs than cores."""
        start = [*self.launcher, str(pes), *(self.crowded if crowded else [])]
        return [*start, str(self.folder / Path(program).name), *arguments, *self.arguments]


def run_checked(command, env):
    try:
        done = subprocess.run(command, env=env, capture_output=True, text=True)
    except OSError as error:
        sys.exit(f"{RUNNER}: cannot run {command[0]}: {error.strerror}")
    if done.returncode != 0:
        sys.exit(f"{RUNNER}: this failed with exit code {done.returncode}:\n  {' '.join(command)}\n{done.stderr}")


def output_of(command):
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20)
        return done.stdout or done.stderr
    except (OSError, subprocess.TimeoutExpired):
        return ""


def first_line(command):
    return next((line.strip() for line in output_of(command).splitlines()), "")


def find_oshmem():
    """(compiler, launcher, version) of an Open MPI with OpenSHMEM on the path, or None: Copal has the same names."""
    for folder in os.environ["PATH"].split(os.pathsep):
        compiler, launcher = Path(folder) / "oshcc", Path(folder) / "oshrun"
        if not compiler.exists() or not launcher.exists():
            continue
        version = re.search(r"Open (?:SHMEM|MPI) v?([0-9.]+)", first_line([compiler, "--showme:version"]))
        if version:
            return str(compiler), str(launcher), f"Open MPI {version.group(1)} OSHMEM"
    return None


def find_mpi(kind, text):
    """(compiler, launcher, version) of the MPI whose launcher's --version matches text, or None."""
    for suffix in (f".{kind}", ""):
        compiler, launcher = shutil.which(f"mpicc{suffix}"), shutil.which(f"mpirun{suffix}")
        version = re.search(text, output_of([launcher, "--version"])) if compiler and launcher else None
        if version:
            return compiler, launcher, version.group(1)
    return None


def find_opencoarrays():
    """(compiler, launcher, version), or None: Copal's compiler has the same name."""
    for name in ("caf.openmpi", "caf"):
        compiler, launcher = shutil.which(name), shutil.which("mpirun.openmpi") or shutil.which("mpirun")
        text = output_of([compiler, "--version"]) if compiler and launcher else ""
        version = re.search(r"OpenCoarrays.*version ([0-9.]+)", text)
        if version:
            return compiler, launcher, f"OpenCoarrays {version.group(1)}"
    return None


def open_mpi_files(scratch):
    """Has Open MPI keep the files of its shared memory in that folder: they stay behind when a job has to be ended."""
    return {"OMPI_MCA_btl_vader_backing_directory": scratch, "OMPI_MCA_osc_sm_backing_directory": scratch,
            "UCX_POSIX_DIR": scratch}


def copal(build):
    """(compiler, launcher, version) in Copal's build folder, or None where it is not built."""
    oshcc, oshrun = build / "bin/oshcc", build / "bin/oshrun"
    if not oshcc.exists() or not oshrun.exists():
        return None
    return str(oshcc), str(oshrun), first_line([oshrun, "--version"]) or "Copal"


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


def first_cores(number):
    return sorted(os.sched_getaffinity(0))[:number]


def execute(command, env, cores, limit_s, folder=None, interrupted="nothing is written"):
    """Run one program on the first cores: (stdout, stderr, exit code, seconds).  Nothing of it outlives this function.

    cores is None where it may use all of them; folder is where it runs; interrupted, what its end by hand means."""
    start = time.perf_counter()
    confine = None if cores is None else lambda: os.sched_setaffinity(0, first_cores(cores))
    starting.append(command)
    process = subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, errors="replace", start_new_session=True,
                               preexec_fn=confine, cwd=folder)
    starting.clear()
    try:
        if interrupts:
            raise KeyboardInterrupt
        out, err = process.communicate(timeout=limit_s)
    except subprocess.TimeoutExpired:
        out, err = end(process)
        return out, f"{err}\nended by {RUNNER} after {limit_s} s", process.returncode, limit_s
    except KeyboardInterrupt:
        end(process)
        sys.exit(f"\n{RUNNER}: interrupted; the running program has been ended, {interrupted}")
    return out, err, process.returncode, time.perf_counter() - start


class Samples:
    """What the programs of all sides print, and what went wrong."""

    def __init__(self, sides, limit_s):
        self.sides, self.limit_s = sides, limit_s
        self.samples = {side.name: {} for side in sides}
        self.problems, self.notes = [], []
        self.given_up = set()  # what did not end: not started again
        self.figure = "us"  # of what a program prints: the median batch; "min" is its best one

    def trouble(self, side, text):
        """A peer that fails loses its rows and no more; Copal and the floor must not fail."""
        kept = self.notes if side.peer else self.problems
        if text not in kept:
            kept.append(text)

    def add(self, side, key, us):
        self.samples[side.name].setdefault(key, []).append(us)

    def run(self, side, program, pes, arguments, crowded, cores):
        """Run one benchmark program and keep what it prints."""
        what = f"{side.name}, {program} with {pes} PEs"
        if what in self.given_up:
            return
        out, err, code, _ = execute(side.command(program, pes, arguments, crowded), side.env, cores, self.limit_s)
        lines = [json.loads(line) for line in out.splitlines() if line.startswith("{") and line.endswith("}")]
        for row in lines:
            if "row" in row:
                self.add(side, (row["row"], row["pes"], row["bytes"]), row[self.figure])
            elif "error" in row:
                self.trouble(side, f"{what}: {row['error']}")
        if {"done": True} not in lines:
            self.trouble(side, f"{what}: ended with {code} before its last row\n{err[-2000:]}".strip())
            self.given_up.add(what)
        elif code != 0:
            # A peer's rows are all there: how its finalize ends is not what is measured.
            self.trouble(side, f"{what}: exit code {code} after its last row")

    def stored(self):
        return {side: [[list(key), us] for key, us in rows.items()] for side, rows in self.samples.items()}


def load_results(path):
    try:
        return json.loads(path.read_text())
    except (OSError, ValueError) as error:
        sys.exit(f"{RUNNER}: --from {path}: no results of an earlier run: {error}")


def load_samples(stored):
    return {side: {tuple(key): us for key, us in rows} for side, rows in stored.items()}


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


def machine_line(machine):
    return f"{machine['cpu']}, {machine['cores']} cores, Linux {machine['kernel']}, {machine['date'][:10]}"


def warn(missing, machine):
    for text in missing:
        print(f"{RUNNER}: {text}; its column stays empty", file=sys.stderr)
    if machine["load_average_at_start"] > 0.5:
        load = machine["load_average_at_start"]
        print(f"{RUNNER}: the machine is busy (load average {load:.1f}): figures will be noisy", file=sys.stderr)


def print_notes(results):
    for text in results["notes"]:
        print(f"note: {text}")
    for text in results["problems"]:
        print(f"PROBLEM: {text}")


def parser(description, output, quick, rounds):
    """The options that all runners have; output, quick and rounds are the defaults that their help names."""
    options = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--quick", action="store_true", help=quick)
    options.add_argument("--rounds", type=int, help=f"how many times each side runs (default {rounds})")
    options.add_argument("--build", type=Path, default=HERE.parent / "build", help="Copal's build folder")
    options.add_argument("--output", type=Path, help=f"where results go (default: {output} in the build folder)")
    options.add_argument("--markdown", action="store_true", help="print the table as Markdown")
    options.add_argument("--from", dest="stored", type=Path, metavar="JSON", help="show stored results, run nothing")
    return options
