#!/usr/bin/python3
"""Run the micro-benchmarks for Copal, for a peer (Open MPI's OpenSHMEM, if installed) and for the floor, interleaved.

Prints one table; writes results.json and latency_bandwidth.png and .svg into the output folder.  Installs nothing.
docs/benchmarks.md says what the rows mean."""

import json
import os
import shutil
import sys
from pathlib import Path

import report
from sides import (CFLAGS, HERE, OPEN_MPI_CROWDED, OPEN_MPI_ENV, OSHMEM_BASIC, OSHMEM_OPTIONS, Progress, Samples, Side,
                   copal, describe_machine, execute, find_oshmem, load_results, load_samples, machine_line, parser,
                   print_notes, warn)

PROGRAMS = [f"programs/{name}" for name in ("rma/rma", "rma/amo", "rma/strided", "sync/sync", "sync/lock", "sync/memory",
                                            "collectives/collective")]
RUNS = [(name, 2) for name in PROGRAMS] + [("programs/sync/sync", 4), ("programs/collectives/collective", 4)]
HELLO_PES = [2, 8, 16]
HELLO_REPEATS = {"ours": 5, "peer": 1, "floor": 5}
CROWDED_CORES = 2  # more than 2 PEs run on this many, whatever the machine has
TIMEOUT_S = 60


class Bench(Samples):
    def __init__(self, sides, quick):
        super().__init__(sides, TIMEOUT_S)
        self.quick = quick

    def rows(self, side, program, pes):
        arguments = ["quick"] if self.quick else []
        self.run(side, program, pes, arguments, pes > 2, CROWDED_CORES if pes > 2 else None)

    def hello(self, side, pes):
        out, err, code, seconds = execute(side.command("hello", pes, [], pes > 2), side.env, None, TIMEOUT_S)
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
                if side.name != "peer basic" or (program, pes) == ("programs/collectives/collective", 2):
                    progress(f"{program} {pes} PEs, {side.name}")
                    self.rows(side, program, pes)
        for pes in HELLO_PES:
            for side in turn:
                for _ in range(HELLO_REPEATS.get(side.name, 0)):
                    progress(f"hello {pes} PEs, {side.name}")
                    self.hello(side, pes)


def make_sides(build, output):
    """The sides that can run here, their versions, and what is missing."""
    sides, versions, missing = [], {}, []
    ours = copal(build)
    if ours:
        compiler, launcher, versions["ours"] = ours
        sides.append(Side("ours", output / "ours", [compiler], [launcher, "-n"]))
    else:
        missing.append(f"ours: {build / 'bin/oshcc'} is not built")
    peer = find_oshmem()
    if peer:
        compiler, launcher, versions["peer"] = peer
        for name, component in (("peer", []), ("peer basic", OSHMEM_BASIC)):
            start = [launcher, *OSHMEM_OPTIONS, *component, "-n"]
            sides.append(Side(name, output / "peer", [compiler], start, OPEN_MPI_CROWDED, OPEN_MPI_ENV, peer=True))
    else:
        missing.append("peer: no Open MPI with OpenSHMEM on the path (Debian: openmpi-bin, libopenmpi-dev)")
    floor_cc = shutil.which("cc") or "cc"
    sides.append(Side("floor", output / "floor", [floor_cc, f"-I{HERE / 'floor/node'}"], [str(output / "floor/launch")]))
    versions["floor"] = "bare processes"
    return sides, versions, missing


def build_all(sides):
    for side in sides:
        if side.name != "peer basic":
            for program in [*PROGRAMS, "programs/sync/hello"]:
                side.build(program)
        if side.name == "floor":
            side.build("floor/node/launch")


def show(results, markdown):
    samples = load_samples(results["samples"])
    sections = report.evaluate(samples)
    where = machine_line(results["machine"])
    print(f"{where}\nours: {results['versions'].get('ours', 'not built')}; peer: "
          f"{results['versions'].get('peer', 'not installed')}; medians of {results['rounds']} interleaved rounds\n")
    print(report.markdown_table(sections) if markdown else report.text_table(sections))
    print(f"\n{report.summary(sections)}")
    print_notes(results)
    return samples, sections, where


def main():
    arguments = parser(__doc__, "bench", "3 rounds and fewer sizes, under two minutes", "7, quick 3")
    options = arguments.parse_args()
    if options.stored:
        show(load_results(options.stored), options.markdown)
        return 0
    rounds = options.rounds or (3 if options.quick else 7)
    if rounds < 1:
        arguments.error(f"--rounds {rounds}: at least 1 is needed")
    output = (options.output or options.build / "bench").resolve()

    sides, versions, missing = make_sides(options.build.resolve(), output)
    build_all(sides)
    machine = describe_machine()
    warn(missing, machine)
    bench, progress = Bench(sides, options.quick), Progress(rounds)
    for number in range(rounds):
        bench.round(number, progress)
        progress.end_round()

    machine["load_average_at_end"] = os.getloadavg()[0]
    results = {
        "machine": machine, "versions": versions, "rounds": rounds, "quick": options.quick,
        "commands": {side.name: [" ".join(side.command("PROGRAM", pes, [], pes > 2)) for pes in (2, 4)]
                     for side in sides},
        "cflags": CFLAGS, "notes": missing + bench.notes, "problems": bench.problems,
        "samples": bench.stored(),
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
