"""Computes, from the programs' output: the figures' points, their ratios to the best peer and to the floor, and the
verdicts of headlines."""

import math
import statistics

from measure import effective
from model import AS_IT_IS, DOUBLED, EMULATED_VERDICTS, HALVED, NEWEST, ON_ONE_CORE, VERDICTS

LEVEL = 0.97  # two medians with a ratio closer to 1 are level, because rounds differ as much
FEW_SLICES = 5  # a cell of fewer slices has no figure
PHASES = {"near": "near cores", "far": "cores far apart"}  # distances of the cores: see bench/timing/slices.h
STEADY = 1.05  # a larger change on one core makes an emulated figure unreliable


def matches(fields, where):
    """Whether a row's fields match the wanted ones, each a value or a range (low, high)."""
    for name, want in where.items():
        value = fields.get(name)
        if isinstance(want, (tuple, list)):
            if not isinstance(value, (int, float)) or not want[0] <= value <= want[1]:
                return False
        elif value != want:
            return False
    return True


def shown_as(y, row):
    """A row's figure in the unit of the axis; None if the row has none."""
    us = row.get("us", row.get("value"))
    if us is None:
        return None
    if y in ("bandwidth", "rate"):
        return None if us <= 0 else row["bytes"] / us / 1e3 if y == "bandwidth" else 1 / us
    return row.get("value", us) if y == "value" else us


def places(figure, curve, fields):
    """The values of x for a row in this curve: one or none."""
    if isinstance(curve.row, dict):
        return [word for word, row in curve.row.items() if row == fields["row"]]
    return [fields[figure.x]] if fields["row"] == curve.row and figure.x in fields else []


class Samples:
    """The records of a measurement, by run."""

    def __init__(self, records, quick):
        self.quick, self.of = quick, {}
        self.remarks = []  # sentences about curves that do not match the output
        for record in records:
            self.of.setdefault(record["key"], []).append(record)
        told = {row.get("phase") for record in records for row in record["rows"]}
        self.phases = [phase for phase in PHASES if phase in told] or [""]

    def points(self, figure, curve, at=(), condition=AS_IT_IS, phase=None):
        """{x: [figure of each slice]} of one curve; see cells()."""
        return {x: values for x, (values, few) in self.cells(figure, curve, at, condition, phase).items() if not few}

    def cells(self, figure, curve, at=(), condition=AS_IT_IS, phase=None):
        """{x: ([figure of each slice], whether there are too few)} of one curve, in drawing order. Emulated runs give
        only the round of `condition`. phase: the distance of the cores for which slices count; slices without a
        distance, as in a job of one PE, count for the first distance."""
        found, fits = {}, False  # {x: {round: (figure, slices)}}; whether a row matches, at any distance
        phase = self.phases[0] if phase is None else phase
        where = {**curve.where, **dict(at)}
        for run in curve.runs:
            for record in self.of.get(effective(run, self.quick).key(), ()):
                if run.fabric and record["round"] != condition:
                    continue
                for row in record["rows"]:
                    fields = {**row, **dict(run.fields)}
                    value = shown_as(figure.y, row)
                    for x in places(figure, curve, fields) if value is not None else ():
                        if not matches({**fields, figure.x: x}, where):
                            continue
                        fits = True
                        told = row.get("phase", self.phases[0])
                        if told not in (phase, "changed"):
                            continue
                        rounds = found.setdefault(x, {})
                        if told == "changed":
                            continue
                        if record["round"] in rounds:
                            self.remark(figure, curve, f"several rows '{row['row']}' at {figure.x} {x}")
                        rounds[record["round"]] = value, row.get("slices")
        if not at and not fits and condition == AS_IT_IS and any(
                record["rows"] for run in curve.runs for record in self.of.get(effective(run, self.quick).key(), ())):
            rows = curve.row.values() if isinstance(curve.row, dict) else [curve.row]
            self.remark(figure, curve, f"its runs printed no row '{' or '.join(rows)}' with {figure.x} that fits")
        numbers = all(isinstance(x, (int, float)) for x in found)
        order = curve.row if isinstance(curve.row, dict) else sorted(found) if numbers else found
        return {x: slices_of(found[x].values()) for x in order if x in found}

    def remark(self, figure, curve, text):
        text = f"figure {figure.id}, curve '{curve.label}': {text}"
        if text not in self.remarks:
            self.remarks.append(text)


def slices_of(rounds):
    """([figure of each slice], whether there are too few). A program prints the median of its slices, which stands for
    each of them; a run without slices counts as one."""
    values = [value for value, slices in rounds for _ in range(slices or 1)]
    return values, not values or len(values) < FEW_SLICES and any(slices for _, slices in rounds)


def times_better(better, ours, other):
    """How many times better `ours` is than `other`; None if unknown."""
    if ours <= 0 or other <= 0:
        return None
    return other / ours if better == "less" else ours / other


def summary_of(ratios):
    """Geometric mean and range of the values that are not None, or None."""
    ratios = [ratio for ratio in ratios if ratio]
    if not ratios:
        return None
    return {"mean": math.exp(statistics.fmean(map(math.log, ratios))), "least": min(ratios), "most": max(ratios),
            "points": len(ratios)}


def best(figure, medians, role):
    """{x: (figure, label)} of the best curve with this role."""
    found = {}
    for curve in figure.curves:
        if curve.role == role:
            for x, value in medians[curve.label].items():
                if x not in found or (times_better(figure.better, value, found[x][0]) or 0) > 1:
                    found[x] = (value, curve.label)
    return found


def compare_points(figure, medians):
    """Compares, at each x of Copal's curves, the best of them with the best peer and the floor."""
    ours, peer, floor = (best(figure, medians, role) for role in ("ours", "peer", "floor"))
    points = []
    for x, (value, label) in ours.items():
        point = {"x": x, "ours": value, "ours_label": label}
        for name, other in (("peer", peer), ("floor", floor)):
            if x in other:
                point[name], point[f"{name}_label"] = other[x]
                point[f"times_{name}"] = times_better(figure.better, value, other[x][0])
        points.append(point)
    return points


def evaluate_target(figure, target, medians):
    """A target at each of its points: whether each of Copal's curves reaches it; omits points without a result."""
    other = best(figure, medians, target.against) if target.against in ("floor", "peer") else {}
    for curve in figure.curves:
        counts = curve.role == "ours" and target.curve in ("", curve.label)
        for x, value in medians[curve.label].items() if counts else ():
            held_against = other[x][0] if x in other else target.least if target.against == "figure" else None
            if held_against is None or not matches({figure.x: x}, target.at):
                continue
            times = times_better(figure.better, value, held_against)
            wanted = 1 if target.against == "figure" else target.least
            yield {"curve": curve.label, "x": x, "against": target.against, "wanted": target.least, "ours": value,
                   "times": times, "met": times is not None and times >= wanted}


def evaluate_phases(figure, samples, commands):
    """A figure's data, separately for each measured distance of the cores, so that no ratio mixes two distances."""
    shown = [evaluate_figure(figure, samples, commands, phase) for phase in samples.phases]
    measured = [each for each in shown if any(curve["points"] or any(n for _, n in curve["few"])
                                              for curve in each["curves"])]
    return measured or shown[:1]


def evaluate_figure(figure, samples, commands, phase=None):
    """The figure's data for the page. commands: {Run.key(): the command line}."""
    curves, medians = [], {}
    phase = samples.phases[0] if phase is None else phase
    later = f"-{phase}" if phase != samples.phases[0] else ""
    title = figure.title + (f", {PHASES[phase]}" if phase else "")
    for curve in figure.curves:
        cells = samples.cells(figure, curve, phase=phase)
        points = {x: values for x, (values, few) in cells.items() if not few}
        medians[curve.label] = {x: statistics.median(values) for x, values in points.items()}
        runs = [effective(run, samples.quick).key() for run in curve.runs]
        curves.append({"label": curve.label, "role": curve.role, "side": curve.runs[0].side,
                       "points": [[x, statistics.median(values), min(values), max(values), len(values)]
                                  for x, values in points.items()],
                       "few": [[x, len(values)] for x, (values, few) in cells.items() if few],
                       "commands": list(dict.fromkeys(commands[key] for key in runs if key in commands))})
    points = compare_points(figure, medians) if figure.better else []
    emulated = figure.section == "emulated"
    more = {"fabrics": fabrics_of(figure), "unsteady": list(unsteady(figure, samples)),
            "ran": not figure.id.startswith("emulated-model")} if emulated else {}
    return {**more, "id": figure.id + later, "section": figure.section, "like": figure.like, "title": title,
            "phase": phase,
            "text": figure.text, "x": figure.x, "y": figure.y, "unit": figure.unit, "better": figure.better,
            "kind": figure.kind, "judged": figure.judged and figure.better is not None, "log_x": figure.log_x,
            "log_y": figure.log_y, "curves": curves, "compared": points,
            "targets": [each for target in figure.targets for each in evaluate_target(figure, target, medians)],
            "peer": summary_of(point.get("times_peer") for point in points),
            "floor": summary_of(point.get("times_floor") for point in points)}


def fabrics_of(figure):
    """The emulated networks of a figure's runs."""
    return list(dict.fromkeys(run.fabric for curve in figure.curves for run in curve.runs if run.fabric))


def unsteady(figure, samples, labels=None, at=()):
    """(curve, x, ratio) of the emulated points whose figure changes if the emulating machine has one core."""
    for curve in figure.curves:
        if labels and curve.label not in labels:
            continue
        once, again = (samples.points(figure, curve, at, condition) for condition in (AS_IT_IS, ON_ONE_CORE))
        for x in once:
            if x in again and min(once[x][0], again[x][0]) > 0:
                ratio = max(once[x][0], again[x][0]) / min(once[x][0], again[x][0])
                if ratio > STEADY:
                    yield [curve.label, x, ratio]


def newest(label):
    """The labels to try for a headline's other curve: with each of the newest MPIs instead of Open MPI, or with the
    newest MPICH instead of MPICH; then the label itself."""
    mpi = next((name for name in ("Open MPI", "MPICH") if name in label), None)
    titles = [title for title in NEWEST.values() if mpi == "Open MPI" or mpi and mpi in title]
    return [label.replace(mpi, title) for title in titles] + [label]


def evaluate_part(catalogue, samples, part, condition=AS_IT_IS):
    """One comparison of a headline: its ratio over the common points."""
    id, ours_label, other_label, at = part
    figure = catalogue.figure(id)
    labels = {curve.label: curve for curve in figure.curves}
    other_label = next((label for label in newest(other_label) if label in labels and any(
        samples.points(figure, labels[label], at, condition, phase) for phase in samples.phases)), other_label)
    ratios = []
    for phase in samples.phases:
        ours, other = (samples.points(figure, labels[label], at, condition, phase)
                       for label in (ours_label, other_label))
        ratios += [times_better(figure.better, statistics.median(ours[x]), statistics.median(other[x]))
                   for x in ours if x in other]
    return {"figure": id, "title": figure.title, "ours": ours_label, "other": other_label, "at": at,
            "ratio": summary_of(ratios)}


def judge(parts, holds, up_to):
    """Gives each part its verdict, and returns the verdict of the whole headline."""
    for part in parts:
        counts = part["ratio"] and part["ratio"]["most" if up_to else "mean"]
        part["verdict"] = "not measured" if not counts else "holds" if counts >= holds else "does not hold here"
    verdicts = {part["verdict"] for part in parts}
    return next(each for each in ("does not hold here", "not measured", "holds") if each in verdicts)


def evaluate_emulated(catalogue, samples, headline, emulated):
    """The second verdict of a headline."""
    holds = headline.holds if emulated.holds is None else emulated.holds
    up_to = headline.up_to if emulated.up_to is None else emulated.up_to
    about = {"why": emulated.why, "holds_from": holds, "up_to": up_to}
    if not emulated.compare:
        return {**about, "verdict": "not emulated", "parts": []}
    under = {condition: [evaluate_part(catalogue, samples, part, condition) for part in emulated.compare]
             for condition in (AS_IT_IS, HALVED, DOUBLED)}
    verdicts = {condition: judge(parts, holds, up_to) for condition, parts in under.items()}
    shaky = [point for id, ours, other, at in emulated.compare
             for point in unsteady(catalogue.figure(id), samples, (ours, other), at)]
    told = {verdict for verdict in verdicts.values() if verdict != "not measured"}
    verdict = ("not measured" if verdicts[AS_IT_IS] == "not measured" else "not trustworthy" if shaky
               else "depends on the charge within a node" if len(told) > 1
               else "holds emulated" if verdicts[AS_IT_IS] == "holds" else "does not")
    return {**about, "verdict": verdict, "parts": under[AS_IT_IS]}


def evaluate_headline(catalogue, samples, headline):
    parts = [evaluate_part(catalogue, samples, part) for part in headline.compare]
    verdict = judge(parts, headline.holds, headline.up_to)
    why = headline.why if headline.explains in ("", verdict) else ""
    second = catalogue.emulated.get(headline.claim)
    return {"paper": headline.paper, "claim": headline.claim, "holds_from": headline.holds, "why": why,
            "up_to": headline.up_to, "parts": parts, "verdict": verdict,
            "emulated": second and evaluate_emulated(catalogue, samples, headline, second)}


def count_points(figures):
    """How many of the judged points that have a peer are ahead, level and behind; how many of those behind
    are at the floor."""
    points = [point for figure in figures if figure["judged"] for point in figure["compared"]
              if point.get("times_peer")]
    ahead = sum(point["times_peer"] >= 1 for point in points)
    behind = [point for point in points if point["times_peer"] < LEVEL]
    return {"points": len(points), "ahead": ahead, "level": len(points) - ahead - len(behind), "behind": len(behind),
            "at_floor": sum((point.get("times_floor") or 0) >= LEVEL for point in behind)}


def figures_behind(catalogue, headline):
    """The ids of the figures that decide a headline, here or emulated. If it cannot be emulated, all emulated figures
    count."""
    second = catalogue.emulated.get(headline.claim)
    of_field = [figure.id for figure in catalogue.figures if figure.section == "emulated"]
    emulated = [] if not second else [part[0] for part in second.compare] or of_field
    return {*(part[0] for part in headline.compare), *emulated}


def count_emulated(headlines):
    """How many headlines have each second verdict, and how many hold here or emulated. None if no second verdict has
    been measured."""
    second = [headline["emulated"]["verdict"] for headline in headlines if headline.get("emulated")]
    if not set(second) - {"not measured", "not emulated"}:
        return None
    either = sum(headline["verdict"] == "holds" or (headline.get("emulated") or {}).get("verdict") == "holds emulated"
                 for headline in headlines)
    return {**{each: second.count(each) for each in EMULATED_VERDICTS}, "either": either}


def put_onto(base, new):
    """A measurement's stored results, with the emulated figures and second verdicts of another measurement."""
    second = {headline["claim"]: headline["emulated"] for headline in new["headlines"]}
    headlines = [{**headline, "emulated": second.get(headline["claim"])} for headline in base["headlines"]]
    figures = [figure for results, emulated in ((base, False), (new, True)) for figure in results["figures"]
               if (figure["section"] == "emulated") == emulated]
    return {**base, "figures": figures, "headlines": headlines, "fabrics": new["fabrics"],
            "commands": {**base["commands"], **new["commands"]}, "samples": base["samples"] + new["samples"],
            "notes": base["notes"] + [note for note in new["notes"] if note not in base["notes"]],
            "problems": base["problems"] + new["problems"],
            "summary": {**base["summary"], "emulated": count_emulated(headlines)}}


def evaluate(catalogue, figures, records, quick, commands):
    """(figures, headlines, summary, remarks) of a comparison, ready to be stored as JSON."""
    samples = Samples(records, quick)
    shown = [each for figure in figures for each in evaluate_phases(figure, samples, commands)]
    chosen = {figure.id for figure in figures}
    headlines = [evaluate_headline(catalogue, samples, headline) for headline in catalogue.headlines
                 if chosen.intersection(figures_behind(catalogue, headline))]
    targets = [target["met"] for figure in shown for target in figure["targets"]]
    verdicts = {each: sum(headline["verdict"] == each for headline in headlines) for each in VERDICTS}
    counts = {"points": count_points(shown), "targets": {"met": sum(targets), "of": len(targets)}, "verdicts": verdicts,
              "emulated": count_emulated(headlines)}
    return shown, headlines, counts, samples.remarks
