#!/usr/bin/python3
"""Measure Copal's coarrays beside OpenCoarrays, MPI programs that do the same (Open MPI, MPICH) and the floor,
interleaved.

Prints one table; writes results.json into the output folder.  Installs nothing.  docs/bench-coarrays.md says what the
figures mean."""

import json
import os
import re
import shutil
import sys
import tempfile

import coarrays_report as report
from report import summary
from sides import (CFLAGS, HERE, OPEN_MPI_CROWDED, OPEN_MPI_ENV, OPEN_MPI_OPTIONS, Progress, Samples, Side,
                   describe_machine, execute, find_mpi, find_opencoarrays, first_line, load_results, load_samples,
                   machine_line, open_mpi_files, parser, print_notes, run_checked, warn)

LIMIT_S = 60  # of one program
CORES = 2  # all programs run on this many, whatever the machine has
CROWDED_ROUNDS = 3  # more images than cores take longer: this many rounds, spread over all
FFLAGS = ["-std=f2018", "-O3", "-Wall", "-Wextra"]
HIMENO = ["S", "100"]  # size and sweeps

# Name, sources, and how many images it is run with; more than CORES is crowded.
COARRAYS = [
    ("rma", ["timing/timing.f90", "timing/images.f90", "programs/coarrays/rma.f90"], [2]),
    ("sync", ["timing/timing.f90", "timing/images.f90", "programs/coarrays/sync.f90"], [2, 4, 8]),
    ("collective", ["timing/timing.f90", "timing/images.f90", "programs/coarrays/collective.f90"], [2, 4, 8]),
    ("halo", ["timing/timing.f90", "timing/images.f90", "programs/coarrays/mesh.f90", "programs/coarrays/halo.f90"], [2]),
    ("himeno", ["../apps/himeno/problem.f90", "../apps/himeno/himeno.f90"], [2]),
]
MPI = [
    ("mpi", ["programs/coarrays/mpi.c"], [2, 4, 8]),
    ("halo", ["timing/timing.f90", "programs/coarrays/mesh.f90", "programs/coarrays/halo_mpi.f90"], [2]),
    ("himeno", ["../apps/himeno/problem.f90", "twins/himeno_mpi.f90"], [2]),
]
FLOOR = [("floor", ["programs/coarrays/floor.c"], [2, 4, 8])]


class Contestant(Side):
    """A side with programs in C and in Fortran; flags go before its compiler's own."""

    def __init__(self, name, folder, compilers, launcher, programs, flags=(), most=8, **more):
        super().__init__(name, folder, compilers, launcher, **more)
        self.programs, self.flags, self.most = programs, list(flags), most

    def build_all(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        for program, sources, _ in self.programs:
            kind = sources[-1].rsplit(".", 1)[1]
            flags = CFLAGS if kind == "c" else [*FFLAGS, "-J", str(self.folder)]
            files = [str(HERE / source) for source in sources]
            target = str(self.folder / program)
            run_checked([self.compiler[kind], *flags, *self.flags, *files, "-o", target], self.env)


def make_sides(build, output, scratch, only):
    """The sides that can run here, their versions, and what is missing.

    Open MPI keeps shared memory in files, which stay behind when a job has to be ended: they get the folder scratch."""
    sides, versions, missing = [], {}, []
    programs = [program for program in COARRAYS if program[0] in only]
    caf, cafrun = build / "bin/caf", build / "bin/cafrun"
    if caf.exists() and cafrun.exists():
        versions["Copal"] = first_line([cafrun, "--version"]) or "Copal"
        sides.append(Contestant("copal", output / "copal", {"f90": str(caf)}, [str(cafrun), "-n"], programs))
    else:
        missing.append(f"Copal: {caf} is not built")

    env = {**OPEN_MPI_ENV, **open_mpi_files(scratch)}
    of_open_mpi = {"crowded": OPEN_MPI_CROWDED, "env": env, "peer": True}
    found = find_opencoarrays()
    if found:
        compiler, launcher, versions["OpenCoarrays"] = found
        sides.append(Contestant("opencoarrays", output / "opencoarrays", {"f90": compiler},
                                [launcher, *OPEN_MPI_OPTIONS, "-n"], programs, **of_open_mpi))
    else:
        missing.append("OpenCoarrays: not on the path (Debian: libcoarrays-openmpi-dev)")
    for name, kind, text, packages, options, most, more in (
            ("Open MPI", "openmpi", r"\(Open MPI\) ([0-9.]+)", "openmpi-bin, libopenmpi-dev", OPEN_MPI_OPTIONS, 8,
             of_open_mpi),
            ("MPICH", "mpich", r"HYDRA[^V]*Version: *([0-9.]+)", "mpich, libmpich-dev", [], CORES, {"peer": True})):
        found = find_mpi(kind, text)
        if not found:
            missing.append(f"{name}: not on the path (Debian: {packages})")
            continue
        compiler, launcher, version = found
        versions[name] = f"{name} {version}"
        compilers = {"c": compiler, "f90": compiler.replace("mpicc", "mpifort")}
        sides.append(Contestant(kind, output / kind, compilers, [launcher, *options, "-n"], MPI, most=most, **more))

    floor = Contestant("floor", output / "floor", {"c": shutil.which("cc") or "cc"}, [str(output / "floor/launch")],
                       FLOOR, [f"-I{HERE / 'floor/node'}"])
    sides.append(floor)
    versions["floor"] = "bare processes"
    return sides, versions, missing


def build_all(sides):
    for side in sides:
        side.build_all()
        if side.name == "floor":
            launch = str(HERE / "floor/node/launch.c")
            run_checked([side.compiler["c"], *CFLAGS, launch, "-o", str(side.folder / "launch")], side.env)


class Bench(Samples):
    def __init__(self, sides, quick, rounds):
        super().__init__(sides, LIMIT_S)
        self.how = "quick" if quick else "full"
        self.crowded_rounds = range(0, rounds, -(-rounds // CROWDED_ROUNDS))

    def himeno(self, side, pes):
        """Its own report says how fast it was; its exit code, whether it was right."""
        what = f"{side.name}, himeno with {pes} images"
        out, err, code, _ = execute(side.command("himeno", pes, HIMENO, False), side.env, CORES, LIMIT_S)
        rate = re.search(r"([0-9.]+) MFLOPS", out)
        if code != 0 or not rate:
            self.trouble(side, f"{what}: exit code {code}\n{err[-2000:]}".strip())
        if rate:
            flop = 34 * 62 * 62 * 126
            self.add(side, ("himeno", pes, 0), flop / float(rate.group(1)))

    def turn_of(self, side, number, progress):
        for program, _, counts in side.programs:
            for pes in counts:
                crowded = pes > CORES
                if pes > side.most or crowded and number not in self.crowded_rounds:
                    continue
                progress(f"{side.name}, {program}, {pes} images")
                if program == "himeno":
                    self.himeno(side, pes)
                else:
                    self.run(side, program, pes, [self.how], crowded, CORES)

    def round(self, number, progress):
        """Everything once, the sides taking turns in an order that moves on with each round."""
        for i in range(len(self.sides)):
            self.turn_of(self.sides[(number + i) % len(self.sides)], number, progress)


def show(results, markdown):
    sections = report.evaluate(load_samples(results["samples"]))
    print(f"{machine_line(results['machine'])}; {', '.join(results['versions'].values())}\n"
          f"medians of {results['rounds']} interleaved rounds, of {results['crowded_rounds']} with more images than "
          "cores\n")
    print(report.markdown_table(sections) if markdown else report.text_table(sections))
    print(f"\n{summary(sections)}")
    print_notes(results)
    return sections


def measure(options, rounds, scratch):
    output = (options.output or options.build / "bench-coarrays").resolve()
    sides, versions, missing = make_sides(options.build.resolve(), output, scratch, options.only)
    build_all(sides)
    machine = describe_machine()
    warn(missing, machine)
    bench, progress = Bench(sides, options.quick, rounds), Progress(rounds)
    for number in range(rounds):
        bench.round(number, progress)
        progress.end_round()

    machine["load_average_at_end"] = os.getloadavg()[0]
    results = {
        "machine": machine, "versions": versions, "rounds": rounds, "crowded_rounds": len(bench.crowded_rounds),
        "quick": options.quick, "commands": {
            side.name: [" ".join(side.command(program, pes, [bench.how], pes > CORES))
                        for program, _, counts in side.programs for pes in counts if pes <= side.most]
            for side in sides},
        "cflags": CFLAGS, "fflags": FFLAGS, "notes": missing + bench.notes, "problems": bench.problems,
        "samples": bench.stored(),
    }
    sections = show(results, options.markdown)
    results["table"] = [{"section": title, "rows": rows} for title, rows in sections]
    (output / "results.json").write_text(json.dumps(results, indent=1) + "\n")
    return 1 if bench.problems else 0


def main():
    arguments = parser(__doc__, "bench-coarrays", "3 rounds with fewer batches, about two minutes", "7, quick 3")
    arguments.add_argument("--only", help=f"of the coarray programs these alone, with commas between: "
                           f"{', '.join(program for program, _, _ in COARRAYS)}")
    options = arguments.parse_args()
    if options.stored:
        show(load_results(options.stored), options.markdown)
        return 0
    known = [program for program, _, _ in COARRAYS]
    options.only = options.only.split(",") if options.only else known
    for name in options.only:
        if name not in known:
            arguments.error(f"--only: '{name}' is none of {', '.join(known)}")
    rounds = (3 if options.quick else 7) if options.rounds is None else options.rounds
    if rounds < 1:
        arguments.error(f"--rounds {rounds}: at least 1 is needed")
    memory = "/dev/shm" if os.path.isdir("/dev/shm") else None
    with tempfile.TemporaryDirectory(prefix="bench-coarrays-", dir=memory) as scratch:
        return measure(options, rounds, scratch)


if __name__ == "__main__":
    sys.exit(main())
