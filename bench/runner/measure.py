"""Executes the runs that the figures need, in order and rounds, and reads their output."""

import json
import re
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import fabrics
from builds import BENCH, CFLAGS
from execute import RUNNER, execute, others_running, output_of
from model import CONDITIONS, ON_ONE_CORE, SIDES
from progress import Progress


def effective(run, quick):
    """The run's arguments: in a quick measurement "full" becomes "quick"."""
    if not quick:
        return run
    return replace(run, arguments=tuple("quick" if word == "full" else word for word in run.arguments))


def runs_of(figures, quick):
    """All runs without repetition, in groups that are measured close in time: (figure, PEs, nodes)."""
    seen, groups = set(), {}
    for figure in figures:
        for curve in figure.curves:
            for run in curve.runs:
                run = effective(run, quick)
                if run.key() not in seen and (run.quick or not quick):
                    seen.add(run.key())
                    groups.setdefault((figure.id, run.pes, run.nodes), []).append(run)
    return list(groups.values())


def takes_part(run, number, rounds):
    """Whether a run takes part in a round. Runs with few rounds are spread over all rounds; emulated runs have one
    round for each condition, from the first on."""
    if run.fabric:
        return number < (run.rounds or len(CONDITIONS))
    most = run.rounds or rounds
    return number % -(-rounds // min(most, rounds)) == 0


def turn(runs, number):
    """The sides take turns in an order that rotates with each round."""
    there = [side for side in SIDES if any(run.side == side for run in runs)]
    return sorted(runs, key=lambda run: (there.index(run.side) - number) % len(there))


def plan(figures, rounds, quick):
    """[(round, run)], in the order of measurement."""
    groups = runs_of(figures, quick)
    return [(number, run) for number in range(rounds) for runs in groups for run in turn(runs, number)
            if takes_part(run, number, rounds)]


def predicted(words):
    """A row from a line of the cost model's output; its name is that of the algorithm."""
    collective, pes, size, algorithm, seconds = words
    return {"row": f"{collective} {algorithm}", "pes": int(pes), "bytes": int(size), "us": float(seconds) * 1e6}


def read_rows(program, pes, text):
    """(rows, errors, whether the last row is present) of a program's output."""
    if program.timed:
        return [], [], text.count(program.right) == pes
    if program.interface == "model":
        rows = [predicted(line.split()[1:]) for line in text.splitlines() if line.startswith("predicted ")]
        return rows, [], bool(rows)
    if program.reads:
        rows = []
        for name, pattern in program.reads.items():
            found = re.search(pattern, text, re.MULTILINE)
            if found:
                rows.append({"row": name, "pes": pes, "value": float(found.group(1))})
        return rows, [], len(rows) == len(program.reads) and program.right in text
    lines = []
    for line in text.splitlines():
        if line.startswith("{") and line.endswith("}"):
            try:
                lines.append(json.loads(line))
            except ValueError:
                lines.append({"error": f"a line that is no JSON: {line[:200]}"})
    errors = [line["error"] for line in lines if "error" in line]
    wrong = {error.split(":")[0] for error in errors}  # an error begins with the name of its row
    rows = [line for line in lines if "row" in line and line["row"] not in wrong]
    return rows, errors, {"done": True} in lines


def find_distance(scratch):
    """The command that measures the distance of the first two cores; None without a C compiler."""
    tool = Path(scratch) / "distance"
    output_of(["cc", *CFLAGS, str(BENCH / "timing/distance.c"), "-o", str(tool)])
    return tool if tool.exists() else None


def started(command, side, run, program, cores, scratch):
    """Starts a run in its own folder; its output includes the files named *out*."""
    with tempfile.TemporaryDirectory(prefix="run-", dir=scratch) as folder:
        for name, text in program.files.items():
            (Path(folder) / name).write_text(text)
        out, err, code, seconds = execute(command, side.environment(run), cores, run.limit_s, folder)
        written = "".join(file.read_text(errors="replace") for file in sorted(Path(folder).glob("*out*")))
        return out + written, err, code, seconds


def measure_one(side, run, program, binary, cores, scratch, number=0, distance=None):
    """Executes a run once; returns (rows, seconds, error or None, whether another start makes sense). Rows without the
    distance of the cores get the distance that `distance` measures before and after the run."""
    if run.fabric and program.interface != "model":
        cores = 1 if number == ON_ONE_CORE else None
        run = replace(run, fabric=fabrics.file_for(side.fabrics, run.fabric, number, scratch))
    command = side.command(run, program, binary, cores)
    looks = bool(distance) and run.pes > 1 and not run.fabric
    before = output_of([distance], cores).split() if looks else []
    out, err, code, seconds = started(command, side, run, program, cores, scratch)
    rows, errors, complete = read_rows(program, run.pes, out)
    if program.timed and complete:
        rows.append({"row": "job", "pes": run.pes, "us": seconds * 1e6})
    phase = output_of([distance, *before], cores).split()[1:] if before else []
    rows = [{"phase": phase[0], **row} if phase and row.get("pes", 2) > 1 else row for row in rows]
    what = f"{side.name}, {program.name} {' '.join(run.arguments)} with {run.pes} PEs".replace("  ", " ")
    if run.nodes > 1:
        what += f" on {run.nodes} nodes"
    if errors:
        return rows, seconds, f"{what}: {errors[0]}", True
    if not complete:
        return rows, seconds, f"{what}: ended with {code} before its last row\n{err[-1500:]}".strip(), False
    if code != 0:
        return rows, seconds, f"{what}: exit code {code} after its last row", True
    return rows, seconds, None, True


def measure_all(jobs, rounds, sides, programs, made, store, cores, scratch, until=None):
    """Measures the jobs that are not in the store yet; returns (records of all jobs, errors: [(side, text)]). A run
    that did not end is not repeated; runs that a side cannot execute are left out. until: no run begins after this
    time (time.monotonic), but stored runs count."""
    jobs = [(number, run) for number, run in jobs if (run.side, run.program) in made
            and sides[run.side].can_run(run, programs[run.program])]
    progress = Progress("run", [run.key() for _, run in jobs])
    given_up, records, wrong, ended = set(), [], {}, 0
    distance = find_distance(scratch)
    for number, run in jobs:
        binary, fingerprint = made[run.side, run.program]
        record = store.get(run.key(), number, fingerprint)
        if not record and until and time.monotonic() > until:
            ended = ended or number + 1
            continue
        if not record and run.key() not in given_up:
            turn_now = f"emulated {CONDITIONS[number]}" if run.fabric else f"round {number + 1} of {rounds}"
            progress.say(f"{run.side}, {run.program}, {run.pes} PEs, {turn_now}")
            side, program = sides[run.side], programs[run.program]
            others = others_running()
            rows, seconds, problem, again = measure_one(side, run, program, binary, cores, scratch, number,
                                                         distance)
            record = store.add({"key": run.key(), "round": number, "fingerprint": fingerprint, "rows": rows,
                                "seconds": round(seconds, 3), "problem": problem, "again": again,
                                "others": others})
        if record:
            records.append(record)
            if record["problem"]:
                wrong[run.side, record["problem"]] = None
            if not record["again"]:
                given_up.add(run.key())
        progress.finished(run.key(), record["seconds"] if record else 0)
    progress.end()
    if ended:
        print(f"{RUNNER}: ended in round {ended} of {rounds}, by --minutes", file=sys.stderr)
    return records, list(wrong)
