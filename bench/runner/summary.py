"""The part of a measurement that the repository keeps: docs/results.md, of at most 60 lines, and the table of
README.md."""

import re
import sys
import textwrap

import words
from evaluate import PHASES
from execute import RUNNER, is_busy, machine_line

# README's ten points: the text, the figure, the value on its x axis.
README_ROWS = [
    ("put of 8 B, and quiet", "thesis-put-latency-1", 8),
    ("get of 8 B", "thesis-get-latency-1", 8),
    ("put of 8 B and quiet, between nodes", "nbi-latency-put-nodes", 8),
    ("get of 8 B, between nodes", "nbi-latency-get-nodes", 8),
    ("puts of 8 B between nodes, windows of 64", "nbi-rate-put-nodes", 8),
    ("put of a coarray's 2-D section, stride 4", "thesis-strided-put", 4),
    ("sync all, 2 images", "caf-sync-all", 2),
    ("sum of 2 KB, 2 PEs", "shcoll-sum-2-kb", 2),
    ("Himeno S, 2 images", "thesis-himeno-images", 2),
    ("NAS IS, class B, 2 PEs", "phi-is-b", 2),
]
BEGIN, END = "<!-- bench:begin -->", "<!-- bench:end -->"
MOST_LINES = 60


def paragraph(text):
    return textwrap.fill(text, 120, break_long_words=False, break_on_hyphens=False)


def how_measured(results):
    """A line about the machine, the versions and the rounds."""
    versions = ", ".join(dict.fromkeys(results["versions"].values()))
    quick = " (quick)" if results["quick"] else ""
    rounds = "one round" if results["rounds"] == 1 else f"medians of up to {results['rounds']} interleaved rounds"
    busy = " The machine was busy: figures are noisy." if is_busy(results["machine"]) else ""
    return (f"{machine_line(results['machine'])}; jobs on {results['cores']} "
            f"core{'s' if results['cores'] > 1 else ''}; {results['machine']['compiler']}; "
            f"{versions}; {rounds}{quick}.{busy}")


def points_rows(results, phase):
    """The chosen points that were measured at this distance of the cores: text, Copal, the best peer and its name, the
    floor."""
    figures = {figure["id"].removesuffix(f"-{phase}"): figure for figure in results["figures"]
               if figure.get("phase", "") == phase}
    for what, id, x in README_ROWS:
        figure = figures.get(id)
        point = next((point for point in figure["compared"] if point["x"] == x), None) if figure else None
        if point:
            peer = f"{words.value(figure, point['peer'])} ({point['peer_label']})" if "peer" in point else "-"
            floor = words.value(figure, point["floor"]) if "floor" in point else "-"
            yield f"| {what} | {words.value(figure, point['ours'])} | {peer} | {floor} |"


def points_tables(results):
    """A table for each distance of the cores, the one with most rows first."""
    tables = [(phase, list(points_rows(results, phase))) for phase in (*PHASES, "")]
    return ["\n".join([f"| {PHASES.get(phase, '')} | Copal | best peer | floor |", "|---|--:|--:|--:|", *rows])
            for phase, rows in sorted(tables, key=lambda each: -len(each[1])) if rows]


def headline_row(headline, emulated):
    ratios = ", ".join(words.times(part["ratio"]["most" if headline["up_to"] else "mean"]) if part["ratio"] else "-"
                       for part in headline["parts"])
    second = f" {words.second(headline['emulated'])} |" if emulated else ""
    return f"| {headline['claim']} | **{headline['verdict']}** | {ratios} |{second}"


def page(results):
    """docs/results.md: the counts, the chosen points at the distances of the cores that README.md omits, and each
    headline's verdict."""
    counted = "; ".join(words.summary_lines(results))
    head = ["# What was measured", "",
            "`make bench` ([how](benchmarks.md)) writes this summary and a page with all figures; "
            f"[README](../README.md#how-fast) has ten of them. {how_measured(results)} "
            f"Copal is {counted}.", ""]
    head += [line for table in points_tables(results)[1:] for line in (table, "")]
    emulated = bool(results["summary"].get("emulated"))
    rows = [headline_row(headline, emulated) for headline in results["headlines"] if headline["paper"] != "apps"]
    second = (" [emulated](benchmarks.md#emulated-networks) |", "---|") if emulated else ("", "")
    head_row = [f"| a paper says | here | measured ratio of each part |{second[0]}",
                f"|---|---|---|{second[1]}"]
    table = [*head_row, *rows] if rows else []
    lines = "\n".join([*head, *table]).splitlines()
    if len(lines) > MOST_LINES:
        lines = lines[:MOST_LINES - 2] + ["", f"{len(lines) - MOST_LINES + 2} more are on the page."]
    return "\n".join(lines) + "\n"


def rewrite_readme(results, path):
    """Writes the table between its two marks in that file."""
    tables = points_tables(results)
    if not tables:
        sys.exit(f"{RUNNER}: --readme {path}: none of its rows was measured: nothing is written")
    counted = [line for line in words.summary_lines(results) if not line.startswith("targets")]
    about = paragraph(f"{how_measured(results)} Copal is {'; '.join(counted)}.")
    rewrite(path, "--readme", BEGIN, END, f"{tables[0]}\n\n{about}")


def rewrite(path, option, begin, end, body):
    """Writes the text between two marks in that file."""
    text = path.read_text()
    if begin not in text or end not in text:
        sys.exit(f"{RUNNER}: {option} {path}: there is no {begin} with a {end} behind it")
    body = f"{begin}\n{body}\n{end}"
    path.write_text(re.sub(f"{re.escape(begin)}.*{re.escape(end)}", lambda _: body, text, flags=re.DOTALL))
