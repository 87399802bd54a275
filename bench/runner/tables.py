"""The results as text: the table of a figure, and the output on the terminal."""

import words
from evaluate import LEVEL, count_points
from model import SECTIONS

FEW = 40  # up to this number, each figure gets a line on the terminal


def x_values(figure):
    """The x values of all curves, in order."""
    cells = [cell for curve in figure["curves"] for cell in (*curve["points"], *curve.get("few", ()))]
    xs = list(dict.fromkeys(cell[0] for cell in cells))
    return sorted(xs) if all(isinstance(x, (int, float)) for x in xs) else xs


def rows_of(figure):
    """Header and rows of a figure's table: a row for each x, a column for each curve that has points, and the ratios.
    If the distance of the cores is known, the number of slices stands beside each figure."""
    curves = [curve for curve in figure["curves"] if curve["points"] or curve.get("few")]
    texts = [{**{point[0]: words.value(figure, point[1]) + f" ({point[4]})" * bool(figure.get("phase"))
                 for point in curve["points"]},
              **{x: f"too few slices ({slices})" for x, slices in curve.get("few", ())}} for curve in curves]
    compared = {point["x"]: point for point in figure["compared"]}
    ratios = [name for name in ("peer", "floor") if any(point.get(f"times_{name}") for point in compared.values())]
    header = [words.x_axis(figure), *(curve["label"] for curve in curves),
              *(f"x {'best peer' if name == 'peer' else name}" for name in ratios)]
    rows = []
    for x in x_values(figure):
        cells = [text.get(x, "-") for text in texts]
        point = compared.get(x, {})
        shown = [point.get(f"times_{name}") for name in ratios]
        rows.append([words.x_value(figure, x), *cells, *(f"{ratio:.3g}" if ratio else "-" for ratio in shown)])
    return header, rows


def by_section(figures):
    for section, title in SECTIONS.items():
        chosen = [figure for figure in figures if figure["section"] == section]
        if chosen:
            yield title, chosen


def measured(figure):
    return any(curve["points"] or curve.get("few") for curve in figure["curves"])


def part_text(part):
    ratio = words.against(part["ratio"]) if part["ratio"] else "not measured"
    at = ", ".join(words.where(name, value) for name, value in part["at"].items())
    return f"{part['ours']} over {part['other']}{f' at {at}' if at else ''}: {ratio}"


def parts_text(emulated):
    return f"{'; '.join(parts_of(emulated))}. {emulated['why']}".rstrip()


def parts_of(headline):
    """A headline's comparisons in words, with the figure's title if there are several."""
    several = len({part["figure"] for part in headline["parts"]}) > 1
    return [f"{part['title']}: {part_text(part)}" if several else part_text(part) for part in headline["parts"]]


def sections_table(figures):
    """A line for each section: how many points are ahead of the best peer, and how many targets are met."""
    line = "{:<64} {:>7} {:>7} {:>7} {:>7} {:>10}"
    lines = [line.format("", "points", "ahead", "level", "behind", "targets")]
    for title, chosen in by_section(figures):
        points = count_points(chosen)
        targets = [target["met"] for figure in chosen for target in figure["targets"]]
        lines.append(line.format(words.shortened(title, 62), points["points"], points["ahead"], points["level"],
                                 points["behind"], f"{sum(targets)}/{len(targets)}" if targets else "-"))
    return lines


def behind(results):
    """A line for each judged point at which a peer is ahead, the worst first."""
    points = [(point["times_peer"], figure, point) for figure in results["figures"] if figure["judged"]
              for point in figure["compared"] if point.get("times_peer", 1) < LEVEL]
    return [f"{ratio:.2f}  {figure['title']}, {words.x_value(figure, point['x'])}: "
            f"{words.value(figure, point['ours'])}, {point['peer_label']} {words.value(figure, point['peer'])}"
            f"{', floor ' + words.value(figure, point['floor']) if 'floor' in point else ''}"
            for ratio, figure, point in sorted(points, key=lambda item: item[0])]


def text(results):
    """The output on the terminal: lines about sections, figures (if they are few), claims, and totals."""
    lines = []
    shown = [figure for figure in results["figures"] if measured(figure)]
    if len(shown) <= FEW:
        for title, figures in by_section(shown):
            lines.append(f"\n{title}")
            for figure in figures:
                lines += [f"  {figure['title']}: {words.finding(figure)}",
                          *(f"      {text}" for text in (*words.missed(figure), *words.unsteady(figure)))]
    lines += ["", *sections_table(results["figures"]), ""]
    lines += [f"{headline['verdict']}: {headline['claim']}" for headline in results["headlines"]
              if not headline.get("emulated") or headline["verdict"] != "not measured"]
    lines += [f"{headline['emulated']['verdict']}: {headline['claim']}: {parts_text(headline['emulated'])}"
              for headline in results["headlines"] if headline.get("emulated") and headline["emulated"]["parts"]]
    return "\n".join([*lines, "", *words.summary_lines(results)])
