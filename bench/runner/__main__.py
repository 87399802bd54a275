"""Measure the programs of the catalogue for Copal, its peers and the floor, interleaved, and make a page of the
figures.

Writes index.html and results.json into the output folder, and every finished run into runs.jsonl, so an interrupted
measurement continues where it stopped. Installs nothing. docs/benchmarks.md explains the figures."""

import argparse
import json
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

import catalogues
import compilers
import fabrics
import summary
import tables
from builds import BENCH, ROOT, build_all
from contestants import find_all
from evaluate import evaluate, put_onto
from execute import QUIET_LOAD, RUNNER, describe_machine, first_cores, machine_line
from measure import measure_all, plan
from model import FIELDS, SECTIONS, SIDES
from page import write_page
from store import Store

QUICK_ROUNDS, ROUNDS, QUICK_MINUTES = 2, 7, 5
START = time.monotonic()


def read_options():
    options = argparse.ArgumentParser(prog=RUNNER, description=__doc__,
                                      formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--field", metavar="NAME[,NAME]", help=f"only these of {', '.join(FIELDS)} (default: all)")
    options.add_argument("--only", metavar="ID[,ID]", help="only these figures or sections: see --list")
    options.add_argument("--list", action="store_true", help="list the figures, run nothing")
    options.add_argument("--quick", action="store_true", help=f"{QUICK_ROUNDS} rounds, fewer sizes, no long runs")
    options.add_argument("--rounds", type=int, help=f"number of rounds (default {ROUNDS}, quick "
                                                    f"{QUICK_ROUNDS})")
    options.add_argument("--minutes", type=float,
                         help=f"begin no run after this time (quick: {QUICK_MINUTES})")
    options.add_argument("--most-pes", type=int, metavar="N", help="omit emulated runs of more PEs")
    options.add_argument("--implementations", metavar="NAME[,NAME]",
                         help="only these (default: all that are installed)")
    options.add_argument("--cores", default="2", help="number of cores that jobs may use, or all (default 2)")
    options.add_argument("--build", type=Path, default=ROOT / "build", help="Copal's build folder")
    options.add_argument("--output", type=Path, help="folder of the results (default: bench in the build folder)")
    options.add_argument("--fresh", action="store_true", help="forget the runs of an interrupted measurement")
    options.add_argument("--catalogue", type=Path, default=BENCH / "catalogue", help="another folder of figures")
    options.add_argument("--from", dest="stored", type=Path, metavar="JSON", help="show stored results, run nothing")
    options.add_argument("--onto", type=Path, metavar="JSON",
                         help="add the emulated figures and verdicts to these stored results, and show both")
    options.add_argument("--summary", type=Path, metavar="FILE",
                         help="write headlines and the table of README as Markdown")
    options.add_argument("--readme", type=Path, metavar="FILE", help="rewrite the table between the marks in this file")
    options.add_argument("--behind", action="store_true", help="list each point at which Copal is behind the best peer")
    options.add_argument("--compilers", type=Path, metavar="FILE",
                         help="rewrite the table of coarrays by compiler between its marks in this file")
    return options, options.parse_args()


def names_in(option, text, known, what, error):
    """The names in an option, separated by commas; unknown names are an error."""
    names = text.split(",")
    for name in names:
        if name not in known:
            error(f"--{option} {text}: '{name}' is {what}")
    return names


def chosen_figures(catalogue, options, error):
    figures = catalogue.figures
    if options.field:
        fields = names_in("field", options.field, FIELDS, f"none of {', '.join(FIELDS)}", error)
        figures = [figure for figure in figures if figure.fields().intersection(fields)]
    if options.only:
        known = {figure.id for figure in catalogue.figures} | set(SECTIONS)
        names = names_in("only", options.only, known, "neither a figure nor a section; --list shows those there are",
                         error)
        figures = [figure for figure in figures if figure.id in names or figure.section in names]
    return figures


def check_options(options, error):
    here = len(first_cores(None))
    if options.cores != "all" and not (options.cores.isdigit() and 1 <= int(options.cores) <= here):
        error(f"--cores {options.cores}: a number from 1 to {here}, or all, is needed")
    if options.implementations:
        names_in("implementations", options.implementations, SIDES, f"none of {', '.join(SIDES)}", error)
    options.cores = here if options.cores == "all" else int(options.cores)
    if options.rounds is None:
        options.rounds = QUICK_ROUNDS if options.quick else ROUNDS
    if options.quick and options.minutes is None:
        options.minutes = QUICK_MINUTES
    if options.minutes is not None and not options.minutes > 0:
        error(f"--minutes {options.minutes:g}: more than 0 is needed")
    if options.most_pes is not None and options.most_pes < 2:
        error(f"--most-pes {options.most_pes}: at least 2 is needed")
    if options.rounds < 1:
        error(f"--rounds {options.rounds}: at least 1 is needed")


def list_figures(chosen):
    for section, title in SECTIONS.items():
        figures = [figure for figure in chosen if figure.section == section]
        if figures:
            print(f"{section}: {title}")
        for figure in figures:
            print(f"  {figure.id:<36} {figure.title}")


def command_lines(jobs, sides, programs, made, cores):
    """{Run.key(): the command}, with paths relative to the project's root."""
    lines = {}
    for _, run in jobs:
        if (run.side, run.program) in made and sides[run.side].can_run(run, programs[run.program]):
            command = sides[run.side].command(run, programs[run.program], made[run.side, run.program][0], cores)
            env = [f"{name}={value}" for name, value in sides[run.side].own_environment(run).items()]
            lines[run.key()] = " ".join([*env, *command]).replace(f"{ROOT}/", "")
    return lines


def open_store(options, machine):
    where = f"{machine['cpu']}, {options.cores} of {machine['cores']} cores, Linux {machine['kernel']}"
    store = Store(options.output / "runs.jsonl", where, options.fresh)
    if store.resumed:
        print(f"{RUNNER}: continues an interrupted measurement, of which {store.resumed} runs are stored (--fresh: "
              "begin anew)", file=sys.stderr)
    return store


def planned(options, figures, programs):
    jobs = plan(figures, options.rounds, options.quick)
    wanted = options.implementations.split(",") if options.implementations else SIDES
    most = options.most_pes
    return [(number, run) for number, run in jobs
            if run.side in wanted
            and not (most and run.pes > most and run.fabric and programs[run.program].interface != "model")]


def compare(options, catalogue, figures, machine, store, scratch):
    """Builds and runs the programs, evaluates the records, and returns the results in their stored form."""
    programs = catalogue.programs
    jobs = planned(options, figures, programs)
    sides, missing = find_all({run.side for _, run in jobs}, options.build, options.output, scratch, programs.values())
    for text in missing:
        print(f"{RUNNER}: {text}; it is omitted", file=sys.stderr)
    wanted = dict.fromkeys((run.side, run.program) for _, run in jobs if run.side in sides)
    made, failed = build_all(sides, [(side, programs[name]) for side, name in wanted], options.output)
    until = START + 60 * options.minutes if options.minutes else None
    records, wrong = measure_all(jobs, options.rounds, sides, programs, made, store, options.cores, scratch, until)

    wrong = [(side, text) for (side, _), text in failed.items()] + wrong
    commands = command_lines(jobs, sides, programs, made, options.cores)
    shown, headlines, counts, remarks = evaluate(catalogue, figures, records, options.quick, commands)
    machine["load_average_at_end"] = os.getloadavg()[0]
    emulated = {run.key(): run.fabric for _, run in jobs if run.fabric}
    machine["emulated"] = bool(jobs) and all(run.fabric for _, run in jobs)
    rounds = max((record["round"] + 1 for record in records if record["key"] not in emulated), default=options.rounds)
    others = [record["others"] for record in records if record["key"] not in emulated]
    machine["others"] = sum(others) / len(others) if others else 0
    ours_missing = [text for text in missing if text.startswith(("Copal", "floor"))]
    return {
        "machine": machine, "cores": options.cores, "rounds": rounds, "quick": options.quick,
        "versions": {name: side.version for name, side in sides.items()}, "commands": commands,
        "compilers": {name: side.gfortran for name, side in sides.items() if side.gfortran},
        "fabrics": {name: fabrics.described(sides["copal"].fabrics, name) for name in sorted({*emulated.values()})
                    if "copal" in sides and sides["copal"].fabrics},
        "figures": shown, "headlines": headlines, "summary": counts,
        "notes": [text for text in missing if text not in ours_missing]
        + [text for side, text in wrong if sides[side].peer] + remarks,
        "problems": ours_missing + [text for side, text in wrong if not sides[side].peer],
        "samples": [{name: record[name] for name in ("key", "round", "rows", "seconds")} for record in records],
    }


def show(results, options):
    write_page(results, options.output / "index.html")
    if options.summary:
        options.summary.write_text(summary.page(results))
    if options.readme:
        summary.rewrite_readme(results, options.readme)
    if options.compilers:
        compilers.write(results, options.compilers)
    print(machine_line(results["machine"]))
    print(tables.text(results))
    if len(compilers.versions_of(results)) > 1:
        print("\n".join(["", compilers.table(results), "", *compilers.remarks(results)]))
    if options.behind:
        print("\n".join(["", "behind the best peer at:", *(tables.behind(results) or ["no point"])]))
    for kind in ("notes", "problems"):
        for text in results[kind]:
            print(f"{'note' if kind == 'notes' else 'PROBLEM'}: {text}")
    print(f"page: {options.output / 'index.html'}")


def stored_results(option, path, error):
    try:
        return json.loads(path.read_text())
    except (OSError, ValueError) as problem:
        error(f"--{option} {path}: no results of an earlier run: {problem}")


def scratch_folder():
    """A folder in memory if possible. Removes the files of killed measurements, which may be gigabytes."""
    memory = Path("/dev/shm" if os.path.isdir("/dev/shm") else tempfile.gettempdir())
    for left in memory.glob("bench-*-*"):
        pid = left.name.split("-")[1]
        if pid.isdigit() and not Path(f"/proc/{pid}").exists():
            shutil.rmtree(left, ignore_errors=True)
    return tempfile.TemporaryDirectory(prefix=f"bench-{os.getpid()}-", dir=memory)


def main():
    arguments, options = read_options()
    check_options(options, arguments.error)
    options.build = options.build.resolve()
    options.output = (options.output or options.build / "bench").resolve()
    if options.stored:
        options.output.mkdir(parents=True, exist_ok=True)
        results = stored_results("from", options.stored, arguments.error)
        if options.onto:
            results = put_onto(stored_results("onto", options.onto, arguments.error), results)
        show(results, options)
        return 0
    try:
        catalogue = catalogues.load(options.catalogue)
    except catalogues.BadCatalogue as error:
        print(f"{RUNNER}: {error}", file=sys.stderr)
        return 2
    figures = chosen_figures(catalogue, options, arguments.error)
    if options.list:
        list_figures(figures)
        return 0
    options.output.mkdir(parents=True, exist_ok=True)
    machine = describe_machine()
    if machine["load_average_at_start"] > QUIET_LOAD:
        print(f"{RUNNER}: the machine is busy (load average {machine['load_average_at_start']:.1f}): figures will be "
              "noisy", file=sys.stderr)
    store = open_store(options, machine)
    with scratch_folder() as scratch:
        results = compare(options, catalogue, figures, machine, store, scratch)
    (options.output / "results.json").write_text(json.dumps(results) + "\n")
    store.finish()
    if options.onto:
        results = put_onto(stored_results("onto", options.onto, arguments.error), results)
    show(results, options)
    return 1 if results["problems"] else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:  # between two runs
        sys.exit(f"\n{RUNNER}: interrupted; start again to continue from here")
