#!/usr/bin/python3
"""Measure Copal's collectives, team and active-set forms, beside Open MPI's OSHMEM, the collectives of Open MPI and
of MPICH, and the floor, interleaved.

Prints a table for each collective and number of PEs; writes results.json and a picture for each number of PEs into the
output folder.  Installs nothing.  docs/bench-collectives.md says what the figures mean."""

import json
import os
import shutil
import sys
import tempfile

import collectives_report as report
from sides import (CFLAGS, HERE, MPICH_ENV, OPEN_MPI_CROWDED, OPEN_MPI_ENV, OPEN_MPI_OPTIONS, OSHMEM_BASIC,
                   OSHMEM_OPTIONS, Progress, Samples, Side, copal, describe_machine, find_mpi, find_oshmem, first_cores,
                   load_results, load_samples, machine_line, open_mpi_files, parser, print_notes, warn)

LIMIT_S = 30  # of one program
CROWDED_ROUNDS = 3  # more PEs than cores take longer: this many rounds, spread over all
VECTORS = ["-ftree-vectorize", "-fvect-cost-model=dynamic", "-march=native"]  # the floor uses what the CPU has
SPINNERS = {"oshmem basic", "openmpi sm"}  # never give their core away
SECOND_WAYS = {*SPINNERS, "floor push"}  # of a program that is built already

# Symmetric heaps: Copal's and OSHMEM's name for them, and room for buddies.
HEAP_ENV = {"SHMEM_SYMMETRIC_SIZE": "512M", "SHMEM_SYMMETRIC_HEAP_SIZE": "1G"}
OPEN_MPI_SM = ["--mca", "coll_sm_priority", "90"]  # collectives through shared memory, off by default


def make_sides(build, output, scratch):
    """The sides that can run here, their versions, and what is missing.

    Open MPI keeps shared memory in files, which stay behind when a job has to be ended: they get the folder scratch."""
    sides, versions, missing = [], {}, []

    def add(name, program, compiler, launcher, **more):
        side = Side(name, output / name.split()[0], [compiler, *more.pop("flags", [])], launcher, **more)
        side.program = program
        sides.append(side)

    ours = copal(build)
    if ours:
        compiler, launcher, versions["Copal"] = ours
        add("team", "team", compiler, [launcher, "-n"], env=HEAP_ENV)
        add("set", "set", compiler, [launcher, "-n"], env=HEAP_ENV)
    else:
        missing.append(f"Copal: {build / 'bin/oshcc'} is not built")

    env = {**OPEN_MPI_ENV, **HEAP_ENV, **open_mpi_files(scratch)}
    of_open_mpi = {"crowded": OPEN_MPI_CROWDED, "env": env, "peer": True}
    oshmem = find_oshmem()
    if oshmem:
        compiler, launcher, versions["OSHMEM"] = oshmem
        add("oshmem", "set", compiler, [launcher, *OSHMEM_OPTIONS, "-n"], **of_open_mpi)
        add("oshmem basic", "set", compiler, [launcher, *OSHMEM_OPTIONS, *OSHMEM_BASIC, "-n"], **of_open_mpi)
    else:
        missing.append("OSHMEM: no Open MPI with OpenSHMEM on the path (Debian: openmpi-bin, libopenmpi-dev)")
    open_mpi = find_mpi("openmpi", r"\(Open MPI\) ([0-9.]+)")
    if open_mpi:
        compiler, launcher, version = open_mpi
        versions["Open MPI"] = f"Open MPI {version}"
        add("openmpi", "mpi", compiler, [launcher, *OPEN_MPI_OPTIONS, "-n"], **of_open_mpi)
        add("openmpi sm", "mpi", compiler, [launcher, *OPEN_MPI_OPTIONS, *OPEN_MPI_SM, "-n"], **of_open_mpi)
    else:
        missing.append("Open MPI: not on the path (Debian: openmpi-bin, libopenmpi-dev)")
    mpich = find_mpi("mpich", r"HYDRA[^V]*Version: *([0-9.]+)")
    if mpich:
        compiler, launcher, version = mpich
        versions["MPICH"] = f"MPICH {version}"
        add("mpich", "mpi", compiler, [launcher, "-n"], env=MPICH_ENV, peer=True)
    else:
        missing.append("MPICH: not on the path (Debian: mpich, libmpich-dev)")

    floor_cc, launch = shutil.which("cc") or "cc", str(output / "floor/launch")
    for way in ("pull", "push"):
        add(f"floor {way}", "floor", floor_cc, [launch], flags=[f"-I{HERE / 'floor/node'}", *VECTORS], arguments=[way])
    versions["floor"] = "bare processes"
    return sides, versions, missing


def build_all(sides):
    for side in sides:
        if side.name not in SECOND_WAYS:
            side.build(f"programs/collectives/{side.program}")
    sides[-1].build("floor/node/launch")


class Bench(Samples):
    def __init__(self, sides, options, rounds):
        super().__init__(sides, LIMIT_S)
        self.options = options
        self.crowded_rounds = range(0, rounds, -(-rounds // CROWDED_ROUNDS))

    def takes_part(self, side, pes, number):
        """Crowded jobs run in some rounds only, and without what never yields; MPICH once, with few sizes."""
        if pes <= self.options.cores:
            return True
        if side.name == "mpich":
            return number == 0 and not self.options.quick
        return number in self.crowded_rounds and side.name not in SPINNERS

    def round(self, number, progress):
        """Everything once, the sides taking turns in an order that moves on with each round."""
        turn = [self.sides[(number + i) % len(self.sides)] for i in range(len(self.sides))]
        for pes in self.options.pes:
            crowded = pes > self.options.cores
            for side in turn:
                if not self.takes_part(side, pes, number):
                    continue
                few = self.options.quick or crowded and side.name == "mpich"
                progress(f"{pes} PEs, {side.name}")
                self.run(side, side.program, pes, ["quick" if few else "full", self.options.only], crowded,
                         self.options.cores)


def show(results, markdown):
    samples, cores = load_samples(results["samples"]), results["cores"]
    tables = report.evaluate(samples, cores)
    where = f"{machine_line(results['machine'])}; {', '.join(results['versions'].values())}"
    print(f"{where}\nmedians of {results['rounds']} interleaved rounds, of {results['crowded_rounds']} with more PEs "
          f"than cores; x peer, / floor: team / active set\n")
    print(report.markdown_table(tables) if markdown else report.text_table(tables))
    print(f"\n{report.summary(tables)}")
    print_notes(results)
    return samples, tables, where


def read_options():
    arguments = parser(__doc__, "bench-collectives", "3 rounds and fewer sizes, under two minutes", "7, quick 3")
    arguments.add_argument("--pes", default="2,4,8", help="numbers of PEs, with commas between (default 2,4,8)")
    arguments.add_argument("--cores", default="2", help="how many cores the jobs may use, or all (default 2)")
    arguments.add_argument("--only", default="all", help="the collectives to measure, with commas between")
    options = arguments.parse_args()

    here = len(first_cores(None))
    if options.cores != "all" and not (options.cores.isdigit() and 1 <= int(options.cores) <= here):
        arguments.error(f"--cores {options.cores}: a number from 1 to {here}, or all, is needed")
    options.cores = here if options.cores == "all" else int(options.cores)
    for pes in options.pes.split(","):
        if not (pes.isdigit() and 2 <= int(pes) <= 64):
            arguments.error(f"--pes {options.pes}: numbers from 2 to 64 with commas between are needed")
    options.pes = [int(pes) for pes in options.pes.split(",")]
    for name in options.only.split(","):
        if name not in report.COLLECTIVES and options.only != "all":
            arguments.error(f"--only {options.only}: '{name}' is none of {', '.join(report.COLLECTIVES)}")
    if options.rounds is None:
        options.rounds = 3 if options.quick else 7
    if options.rounds < 1:
        arguments.error(f"--rounds {options.rounds}: at least 1 is needed")
    return options


def measure(options, scratch):
    output = (options.output or options.build / "bench-collectives").resolve()
    sides, versions, missing = make_sides(options.build.resolve(), output, scratch)
    build_all(sides)
    machine = describe_machine()
    warn(missing, machine)
    bench, progress = Bench(sides, options, options.rounds), Progress(options.rounds)
    for number in range(options.rounds):
        bench.round(number, progress)
        progress.end_round()

    machine["load_average_at_end"] = os.getloadavg()[0]
    results = {
        "machine": machine, "versions": versions, "rounds": options.rounds,
        "crowded_rounds": len(bench.crowded_rounds), "quick": options.quick, "cores": options.cores,
        "commands": {side.name: [" ".join(side.command(side.program, pes, ["full", "all"], pes > options.cores))
                                 for pes in options.pes] for side in sides},
        "cflags": CFLAGS, "notes": missing + bench.notes, "problems": bench.problems, "samples": bench.stored(),
    }
    samples, tables, where = show(results, options.markdown)
    results["table"] = [{"title": title, "rows": rows} for title, rows in tables]
    (output / "results.json").write_text(json.dumps(results, indent=1) + "\n")
    try:
        import collectives_plot
        for pes in options.pes:
            collectives_plot.draw(samples, pes, options.cores, where, output / f"collectives_{pes}pes")
    except ImportError as error:
        print(f"collectives.py: no picture: {error} (Debian: python3-matplotlib)", file=sys.stderr)
    return 1 if bench.problems else 0


def main():
    options = read_options()
    if options.stored:
        show(load_results(options.stored), options.markdown)
        return 0
    memory = "/dev/shm" if os.path.isdir("/dev/shm") else None
    with tempfile.TemporaryDirectory(prefix="bench-collectives-", dir=memory) as scratch:
        return measure(options, scratch)


if __name__ == "__main__":
    sys.exit(main())
