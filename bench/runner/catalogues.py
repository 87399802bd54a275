"""Loads the comparisons, catalogue/*.py, and reports errors in them."""

import importlib.util
import re
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path

from builds import NOT_BUILT
from model import (FIELDS, NEWEST, PAPERS, SECTIONS, SIDES, VERDICTS, Curve, Emulated, Figure, Headline, Program,
                   Run)

ROOT = Path(__file__).resolve().parents[2]
ROLES = ("ours", "peer", "floor", "variant")
YS = ("time", "bandwidth", "rate", "value")
KINDS = ("lines", "bars")
AGAINST = ("floor", "peer", "figure")
LISTS = {"PROGRAMS": Program, "FIGURES": Figure, "HEADLINES": Headline, "EMULATED": Emulated}


class BadCatalogue(Exception):
    pass


@dataclass
class Catalogue:
    programs: dict = field(default_factory=dict)  # {name: Program}
    figures: list = field(default_factory=list)   # in the order of SECTIONS
    headlines: list = field(default_factory=list)
    emulated: dict = field(default_factory=dict)  # {claim of a headline: Emulated}

    def figure(self, id):
        return next((figure for figure in self.figures if figure.id == id), None)


def read_file(path):
    """The lists of one file, in the order of LISTS. A file may lack EMULATED."""
    spec = importlib.util.spec_from_file_location(f"catalogue_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:  # any error in it
        raise BadCatalogue(f"{path}: cannot be loaded: {type(error).__name__}: {error}") from error
    lists = []
    for name, kind in LISTS.items():
        value = getattr(module, name, [] if name == "EMULATED" else None)
        if not isinstance(value, (list, tuple)) or not all(isinstance(item, kind) for item in value):
            raise BadCatalogue(f"{path}: {name} is not a list of {kind.__name__}")
        lists.append(value)
    return lists


def load(folder=ROOT / "bench/catalogue"):
    """All files of the folder as one Catalogue; raises BadCatalogue if it is not consistent."""
    files = sorted(folder.glob("*.py"))
    if not files:
        raise BadCatalogue(f"{folder}: no catalogue is there")
    programs, figures, headlines, emulated = [], [], [], []
    for file in files:
        for into, items in zip((programs, figures, headlines, emulated), read_file(file)):
            into.extend(items)
    wrong = problems_of(programs, figures, headlines, emulated)
    if wrong:
        raise BadCatalogue("\n".join(wrong))
    order = list(SECTIONS)
    add_newest(figures, {program.name: program for program in programs})
    return Catalogue({program.name: program for program in programs},
                     sorted(figures, key=lambda figure: order.index(figure.section)),
                     sorted(headlines, key=lambda headline: order.index(headline.paper)),
                     {second.claim: second for second in emulated})


def calls_from_c(program):
    return any(source.endswith(".c") for source in program.sources)


def is_one_sided(source):
    """Whether a source in C, or a file that it includes, calls MPI's one-sided operations."""
    text = source.read_text()
    included = [source.parent / name for name in re.findall(r'^ *# *include "(.*)"', text, re.MULTILINE)]
    return bool(re.search(r"MPI_R?(put|get|Put|Get|Accumulate|Fetch_and_op|Compare_and_swap)\b", text)) or any(
        is_one_sided(file) for file in included if file.exists())


def add_newest(figures, programs):
    """Adds today's MPIs as peers beside each Open MPI that has its own choices and a program in C."""
    def takes_part(side, run):
        if side == "mpich5":
            return run.pes == 2  # this MPI's waiting ranks never yield their core
        # Open MPI 5's one-sided operations use shared memory with all options. Intel's flush returns too early.
        return side not in ("openmpi5", "intelmpi") or run.nodes == 1 or not any(
            is_one_sided(ROOT / source) for source in programs[run.program].sources)

    for figure in figures:
        for curve in [curve for curve in figure.curves if curve.role == "peer"]:
            if any(run.side != "openmpi" or run.env or not calls_from_c(programs[run.program]) for run in curve.runs):
                continue
            for side, title in NEWEST.items():
                runs = [replace(run, side=side) for run in curve.runs if takes_part(side, run)]
                if runs:
                    figure.curves.append(replace(curve, label=curve.label.replace("Open MPI", title), runs=runs))


def problems_of(programs, figures, headlines, emulated):
    """A sentence for each inconsistency."""
    named = {program.name: program for program in programs}
    by_id = {figure.id: figure for figure in figures}
    claims = Counter(headline.claim for headline in headlines)
    wrong = [f"there are two different programs '{program.name}'" for program in programs
             if named[program.name] != program]
    wrong += [f"{what} '{name}' is there twice" for what, names in (
        ("figure", [figure.id for figure in figures]), ("second verdict on", [second.claim for second in emulated]))
        for name, times in Counter(names).items() if times > 1]
    for program in programs:
        wrong += [f"program '{program.name}': {text}" for text in problems_of_program(program)]
    for figure in figures:
        wrong += [f"figure '{figure.id}': {text}" for text in problems_of_figure(figure, named)]
    for headline in headlines:
        wrong += [f"headline '{headline.claim}': {text}" for text in (
            *unlisted(("paper", headline.paper, PAPERS), ("explains", headline.explains, ("", *VERDICTS[:2]))),
            *["compares nothing"] * (not headline.compare), *problems_of_parts(headline.compare, by_id))]
    for second in emulated:
        wrong += [f"second verdict on '{second.claim}': {text}" for text in (
            *[f"there are {claims[second.claim]} such claims"] * (claims[second.claim] != 1),
            *problems_of_parts(second.compare, by_id))]
    return wrong


def unlisted(*values):
    """A sentence for each value that is not allowed. values: (meaning of the value, value, allowed values)."""
    return [f"{what} '{value}' is none of {', '.join(map(str, allowed))}" for what, value, allowed in values
            if value not in allowed]


def problems_of_program(program):
    yield from unlisted(("interface", program.interface, sorted({each for side in SIDES.values() for each in side})))
    if program.interface not in NOT_BUILT and not program.sources:
        yield "has no sources"
    yield from (f"there is no {source}" for source in program.sources if not (ROOT / source).is_file())


def problems_of_figure(figure, programs):
    yield from unlisted(("section", figure.section, SECTIONS), ("y", figure.y, YS), ("kind", figure.kind, KINDS),
                        ("better", figure.better, ("less", "more", None)),
                        *(("also", name, FIELDS) for name in figure.also),
                        *(("a target is against", target.against, AGAINST) for target in figure.targets))
    if figure.y in ("bandwidth", "rate") and figure.better == "less":
        yield f"a {figure.y} is better when it is more"
    if not figure.curves:
        yield "has no curves"
    labels = Counter(curve.label for curve in figure.curves)
    for curve in figure.curves:
        for text in problems_of_curve(curve, programs) if labels[curve.label] == 1 else ["is there twice"]:
            yield f"curve '{curve.label}': {text}"


def problems_of_curve(curve: Curve, programs):
    yield from unlisted(("role", curve.role, ROLES))
    if not curve.runs:
        yield "has no runs"
    for run in curve.runs:
        what = f"a run of '{run.program}'" if isinstance(run, Run) else f"{run!r}"
        if not isinstance(run, Run) or run.side not in SIDES or run.program not in programs:
            yield f"{what} is none of a program and a side that are known"
        elif programs[run.program].interface not in SIDES[run.side]:
            yield f"{what}, which is {programs[run.program].interface}: {run.side} cannot build it"
        elif run.fabric and (run.side != "copal" or run.nodes < 2):
            yield f"{what} on an emulated network needs 2 nodes or more, of Copal"
        elif run.pes < 1 or run.nodes < 1 or run.limit_s < 1 or run.rounds < 0:
            yield f"{what} has {run.pes} PEs, {run.nodes} nodes, {run.limit_s} s, {run.rounds} rounds"


def problems_of_parts(compare, figures):
    for id, *labels, _ in compare:
        there = [curve.label for curve in figures[id].curves] if id in figures else []
        yield from (f"there is no curve '{label}' of a figure '{id}'" for label in labels if label not in there)
