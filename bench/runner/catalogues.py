"""Loads what is compared, catalogue/*.py, and says what is wrong with it."""

import importlib.util
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from builds import NOT_BUILT
from model import FIELDS, PAPERS, SECTIONS, SIDES, VERDICTS, Curve, Emulated, Figure, Headline, Program, Run

ROOT = Path(__file__).resolve().parents[2]
ROLES = ("ours", "peer", "floor", "variant")
YS = ("time", "bandwidth", "rate", "value")
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
    """The lists of one file; few have second verdicts."""
    spec = importlib.util.spec_from_file_location(f"catalogue_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:  # whatever is wrong with it
        raise BadCatalogue(f"{path}: cannot be loaded: {type(error).__name__}: {error}") from error
    lists = []
    for name, kind in LISTS.items():
        value = getattr(module, name, [] if name == "EMULATED" else None)
        if not isinstance(value, (list, tuple)) or not all(isinstance(item, kind) for item in value):
            raise BadCatalogue(f"{path}: {name} is not a list of {kind.__name__}")
        lists.append(value)
    return lists


def load(folder=ROOT / "bench/catalogue"):
    """All files of the folder as one Catalogue; BadCatalogue where it is not consistent."""
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
    return Catalogue({program.name: program for program in programs},
                     sorted(figures, key=lambda figure: order.index(figure.section)),
                     sorted(headlines, key=lambda headline: order.index(headline.paper)),
                     {second.claim: second for second in emulated})


def twice(names):
    return [name for name, times in Counter(names).items() if times > 1]


def problems_of(programs, figures, headlines, emulated):
    """What is not consistent, a sentence each."""
    named = {program.name: program for program in programs}
    wrong = [f"there are two different programs '{program.name}'" for program in programs
             if named[program.name] != program]
    wrong += [f"figure '{id}' is there twice" for id in twice(figure.id for figure in figures)]
    for program in programs:
        wrong += problems_of_program(program)
    for figure in figures:
        wrong += [f"figure '{figure.id}': {text}" for text in problems_of_figure(figure, named)]
    by_id = {figure.id: figure for figure in figures}
    for headline in headlines:
        wrong += [f"headline '{headline.claim}': {text}" for text in problems_of_headline(headline, by_id)]
    claims = [headline.claim for headline in headlines]
    wrong += [f"'{claim}' has two second verdicts" for claim in twice(second.claim for second in emulated)]
    for second in emulated:
        if claims.count(second.claim) != 1:
            wrong.append(f"a second verdict on '{second.claim}', of which there are {claims.count(second.claim)}")
        wrong += [f"second verdict on '{second.claim}': {text}" for text in problems_of_parts(second.compare, by_id)]
    return wrong


def problems_of_program(program):
    interfaces = {interface for side in SIDES.values() for interface in side}
    if program.interface not in interfaces:
        yield f"program '{program.name}': interface '{program.interface}' is none of {', '.join(sorted(interfaces))}"
    if program.interface not in NOT_BUILT and not program.sources:
        yield f"program '{program.name}' has no sources"
    for source in program.sources:
        if not (ROOT / source).is_file():
            yield f"program '{program.name}': there is no {source}"


def problems_of_figure(figure, programs):
    for what, value, allowed in (("section", figure.section, SECTIONS), ("y", figure.y, YS),
                                 ("kind", figure.kind, ("lines", "bars")),
                                 ("better", figure.better, ("less", "more", None))):
        if value not in allowed:
            yield f"{what} '{value}' is none of {', '.join(map(str, allowed))}"
    for name in figure.also:
        if name not in FIELDS:
            yield f"also '{name}' is none of {', '.join(FIELDS)}"
    for target in figure.targets:
        if target.against not in ("floor", "peer", "figure") or target.least <= 0:
            yield f"a target of {target.least} against '{target.against}', not floor, peer or figure"
    if figure.y in ("bandwidth", "rate") and figure.better == "less":
        yield f"a {figure.y} is better when it is more"
    if not figure.curves:
        yield "has no curves"
    for label in twice(curve.label for curve in figure.curves):
        yield f"curve '{label}' is there twice"
    for curve in figure.curves:
        for text in problems_of_curve(curve, programs):
            yield f"curve '{curve.label}': {text}"


def problems_of_curve(curve: Curve, programs):
    if curve.role not in ROLES:
        yield f"role '{curve.role}' is none of {', '.join(ROLES)}"
    if not curve.runs:
        yield "has no runs"
    for run in curve.runs:
        if not isinstance(run, Run):
            yield f"{run!r} is not a Run"
        elif run.side not in SIDES:
            yield f"side '{run.side}' is none of {', '.join(SIDES)}"
        elif run.program not in programs:
            yield f"there is no program '{run.program}'"
        elif programs[run.program].interface not in SIDES[run.side]:
            yield f"{run.side} cannot build '{run.program}', which is {programs[run.program].interface}"
        elif run.fabric and run.side != "copal":
            yield f"{run.side} has no emulated networks"
        elif run.fabric and run.nodes < 2:
            yield f"a run of '{run.program}' on an emulated network has {run.nodes} node, and needs 2 or more"
        elif run.pes < 1 or run.nodes < 1 or run.limit_s < 1 or run.rounds < 0:
            yield f"a run of '{run.program}' has {run.pes} PEs, {run.nodes} nodes, {run.limit_s} s, {run.rounds} rounds"


def problems_of_headline(headline, figures):
    if headline.paper not in PAPERS:
        yield f"paper '{headline.paper}' is none of {', '.join(PAPERS)}"
    if headline.explains not in ("", *VERDICTS[:2]):
        yield f"explains '{headline.explains}', which is no verdict"
    if not headline.compare:
        yield "compares nothing"
    yield from problems_of_parts(headline.compare, figures)


def problems_of_parts(compare, figures):
    for id, ours, other, _ in compare:
        if id not in figures:
            yield f"there is no figure '{id}'"
            continue
        labels = [curve.label for curve in figures[id].curves]
        for label in (ours, other):
            if label not in labels:
                yield f"figure '{id}' has no curve '{label}'"
