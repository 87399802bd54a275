"""The results as text, as the page docs/results.md, and as the table of README.md."""

import re
import sys
import textwrap

import words
from model import PAPERS
from sides import RUNNER, machine_line

# The rows of README's table: what it says, the figure, the point on its x axis.
README_ROWS = [
    ("put of 8 B, and quiet", "thesis-put-latency-1", 8),
    ("get of 8 B", "thesis-get-latency-1", 8),
    ("gets of 64 KiB", "thesis-get-bandwidth-1", 64 << 10),
    ("iput, stride 2 on both sides", "phi-strided-put-both", 2),
    ("put of 8 B and quiet, between nodes", "nbi-latency-put-nodes", 8),
    ("get of 8 B, between nodes", "nbi-latency-get-nodes", 8),
    ("puts of 8 B between nodes, windows of 64", "nbi-rate-put-nodes", 8),
    ("six halos of 2 KiB by gets, 8 PEs on 2 nodes", "nbi-stencil-get-2048-nodes", 8),
    ("put of a coarray's 2-D section, stride 4", "thesis-strided-put", 4),
    ("sync all, 2 images", "caf-sync-all", 2),
    ("lock on image 1, by 2 images at once", "thesis-locks", 2),
    ("barrier, 4 PEs on 2 cores", "shcoll-barrier", 4),
    ("sum of 2 KB, 2 PEs", "shcoll-sum-2-kb", 2),
    ("broadcast of 1 MB, 4 PEs on 2 cores", "shcoll-broadcast-1-mb", 4),
    ("distributed hash table by locks, 2 images", "thesis-dht", 2),
    ("Himeno S, 2 images", "thesis-himeno-images", 2),
    ("HPL, N = 4000, 2 images", "teams-hpl-images", 2),
    ("NAS IS, class B, 2 PEs", "phi-is-b", 2),
    ("NAS SP, class A, 4 PEs on 2 cores", "phi-sp-a", 4),
    ("GUPS by atomics, 2 PEs", "gups-atomic", 2),
]
BEGIN, END = "<!-- compare:begin -->", "<!-- compare:end -->"


def paragraph(text):
    return textwrap.fill(text, 120, break_long_words=False, break_on_hyphens=False)


def how_measured(results):
    """Machine, versions, rounds."""
    versions = ", ".join(dict.fromkeys(results["versions"].values()))
    quick = " (quick)" if results["quick"] else ""
    return (f"{machine_line(results['machine'])}; jobs on {results['cores']} of them; {results['machine']['compiler']}; "
            f"{versions}; medians of up to {results['rounds']} interleaved rounds{quick}.")


def x_values(figure):
    """All x that any curve has, in order."""
    xs = list(dict.fromkeys(point[0] for curve in figure["curves"] for point in curve["points"]))
    return sorted(xs) if all(isinstance(x, (int, float)) for x in xs) else xs


def rows_of(figure):
    """Header and rows of a figure's table: a row for each x, a column for each curve that has points, the ratios."""
    curves = [curve for curve in figure["curves"] if curve["points"]]
    medians = [{point[0]: point[1] for point in curve["points"]} for curve in curves]
    compared = {point["x"]: point for point in figure["compared"]}
    ratios = [name for name in ("peer", "floor") if any(point.get(f"times_{name}") for point in compared.values())]
    header = [words.x_axis(figure), *(curve["label"] for curve in curves),
              *(f"x {'best peer' if name == 'peer' else name}" for name in ratios)]
    rows = []
    for x in x_values(figure):
        cells = [words.value(figure, median[x]) if x in median else "-" for median in medians]
        point = compared.get(x, {})
        shown = [point.get(f"times_{name}") for name in ratios]
        rows.append([words.x_value(figure, x), *cells, *(f"{ratio:.3g}" if ratio else "-" for ratio in shown)])
    return header, rows


def markdown_rows(header, rows):
    lines = [f"| {' | '.join(header)} |", f"|---|{'--:|' * (len(header) - 1)}"]
    return "\n".join(lines + [f"| {' | '.join(row)} |" for row in rows])


def parts_of(headline):
    """Its comparisons in words, with the figure's title where there are several."""
    several = len({part["figure"] for part in headline["parts"]}) > 1
    return [f"{part['title']}: {part_text(part)}" if several else part_text(part) for part in headline["parts"]]


def part_text(part):
    ratio = words.against(part["ratio"]) if part["ratio"] else "not measured"
    at = ", ".join(words.where(name, value) for name, value in part["at"].items())
    return f"{part['ours']} over {part['other']}{f' at {at}' if at else ''}: {ratio}"


def headline_rows(results):
    return [[headline["claim"], f"**{headline['verdict']}**", "; ".join(parts_of(headline)),
             headline["why"]] for headline in results["headlines"]]


def headlines_table(results):
    header = ["the paper says", "here", "measured (ratio, geometric mean)", "why"]
    lines = [f"| {' | '.join(header)} |", "|---|---|---|---|"]
    return "\n".join(lines + [f"| {' | '.join(row)} |" for row in headline_rows(results)])


def by_paper(figures):
    for paper, title in PAPERS.items():
        chosen = [figure for figure in figures if figure["paper"] == paper]
        if chosen:
            yield title, chosen


def measured(figure):
    return any(curve["points"] for curve in figure["curves"])


def figure_block(figure):
    table = markdown_rows(*rows_of(figure))
    return f"### {figure['title']} ({figure['like']})\n\n{figure['text']}\n\n{table}\n\n{words.finding(figure)}"


def markdown(results):
    """All figures' tables, and the headlines."""
    blocks = [headlines_table(results)] if results["headlines"] else []
    for title, figures in by_paper(results["figures"]):
        blocks.append(f"## {title}")
        blocks += [figure_block(figure) for figure in figures if measured(figure)]
        missing = [figure["title"] for figure in figures if not measured(figure)]
        if missing:
            blocks.append(f"Not measured in this run: {'; '.join(missing)}.")
    return "\n\n".join(blocks)


def results_page(results):
    """docs/results.md."""
    notes = "\n".join(f"- {text.splitlines()[0]}" for text in results["notes"])
    return f"""# The papers' figures, measured here

{paragraph(f"Written by `make compare` ([how](compare.md)); nothing here is typed by hand. {how_measured(results)}")}

In all: {words.summary_line(results['summary'])}; {words.verdict_line(results['summary'])}.

A ratio `x best peer` or `x floor` says how many times better than that Copal is: of times, the other's over Copal's; of
bandwidths and rates, Copal's over the other's. The floor is bare processes that do the same through shared memory.

{markdown(results)}
{f'''
## Notes

{notes}
''' if notes else ''}"""


def readme_rows(results):
    """Those chosen points that were measured: what, Copal, the best peer and its name, the floor."""
    figures = {figure["id"]: figure for figure in results["figures"]}
    for what, id, x in README_ROWS:
        figure = figures.get(id)
        point = next((point for point in figure["compared"] if point["x"] == x), None) if figure else None
        if point:
            peer = f"{words.value(figure, point['peer'])} ({point['peer_label']})" if "peer" in point else "-"
            floor = words.value(figure, point["floor"]) if "floor" in point else "-"
            yield [what, words.value(figure, point["ours"]), peer, floor]


def rewrite_readme(results, path):
    """Put the table between the two marks of that file."""
    text = path.read_text()
    if BEGIN not in text or END not in text:
        sys.exit(f"{RUNNER}: --readme {path}: there is no {BEGIN} with a {END} behind it")
    rows = list(readme_rows(results))
    if not rows:
        sys.exit(f"{RUNNER}: --readme {path}: none of its rows was measured: nothing is written")
    table = markdown_rows(["", "Copal", "best peer", "floor"], rows)
    about = paragraph(f"{how_measured(results)} In all, {words.summary_line(results['summary'])}.")
    body = f"{BEGIN}\n{table}\n\n{about}\n{END}"
    path.write_text(re.sub(f"{re.escape(BEGIN)}.*{re.escape(END)}", lambda _: body, text, flags=re.DOTALL))


def text(results):
    """What a person reads in the terminal: a line for each figure, the headlines, the sum of it."""
    lines = []
    for title, figures in by_paper(results["figures"]):
        lines.append(f"\n{title}")
        lines += [f"  {figure['title']}: {words.finding(figure)}" for figure in figures]
    if results["headlines"]:
        lines.append("\nHeadlines")
    for headline in results["headlines"]:
        lines.append(f"  {headline['verdict']}: {headline['claim']}")
        lines += [f"      {part}" for part in parts_of(headline)]
    return "\n".join([*lines, "", words.summary_line(results["summary"]), words.verdict_line(results["summary"])])
