"""One drawing of all: for each figure, how many times better than the best peer Copal is."""

from html import escape

import words
from charts import Scale, log_ticks
from model import PAPERS

WIDTH, ROW, HEAD, NAMES = 960, 19, 26, 420


def rows_of(figures):
    """(paper's title or None, figure or None), in the order in which they are drawn."""
    for paper, title in PAPERS.items():
        chosen = [figure for figure in figures if figure["paper"] == paper and figure["judged"] and figure["peer"]]
        if chosen:
            yield title, None
            for figure in chosen:
                yield None, figure


def draw(figures):
    """An SVG with a dot (geometric mean) and a line (range) for each judged figure; empty where there is none."""
    rows = list(rows_of(figures))
    peers = [figure["peer"] for _, figure in rows if figure]
    if not peers:
        return ""
    low, high = min(0.5, *(peer["least"] for peer in peers)) / 1.15, max(2.5, *(peer["most"] for peer in peers)) * 1.15
    scale = Scale(low, high, NAMES + 10, WIDTH - 60, True)
    height = HEAD + sum(ROW + 8 if title else ROW for title, _ in rows) + 10
    parts = [f'<rect class="ahead" x="{scale(1):.1f}" y="{HEAD - 6}" width="{WIDTH - 60 - scale(1):.1f}" '
             f'height="{height - HEAD}"/>']
    for ratio in log_ticks(low, high):
        at, kind = scale(ratio), "one" if ratio == 1 else "grid"
        parts.append(f'<path class="{kind}" d="M{at:.1f} {HEAD - 6}V{height - 6}"/>'
                     f'<text x="{at:.1f}" y="14" text-anchor="middle">{ratio:g}x</text>')
    y = HEAD
    for title, figure in rows:
        if title:
            y += ROW + 8
            parts.append(f'<text class="group" x="0" y="{y - 6:.1f}">{escape(title)}</text>')
            continue
        y += ROW
        peer, middle = figure["peer"], y - 9
        behind = " behind" if peer["mean"] < 1 else ""
        parts.append(
            f'<a href="#{escape(figure["id"])}"><title>{escape(words.finding(figure))}</title>'
            f'<text class="row" x="{NAMES}" y="{y - 5:.1f}" text-anchor="end">{escape(shortened(figure["title"]))}</text>'
            f'<path class="range{behind}" d="M{scale(peer["least"]) - 1:.1f} {middle}H{scale(peer["most"]) + 1:.1f}"/>'
            f'<circle class="mean{behind}" cx="{scale(peer["mean"]):.1f}" cy="{middle}" r="4.6"/>'
            f'<text class="ratio" x="{WIDTH - 4}" y="{y - 5:.1f}" text-anchor="end">{words.times(peer["mean"])}</text></a>')
    return (f'<svg id="glance" viewBox="0 0 {WIDTH} {height}" role="img" aria-label="All figures: times better than the '
            f'best peer">{"".join(parts)}</svg>')


def shortened(title, most=66):
    return title if len(title) <= most else title[:most - 1].rsplit(" ", 1)[0] + " ..."
