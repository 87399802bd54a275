"""All figures in one list; each shows, on one scale, how many times better Copal is than the best peer."""

import math
from html import escape

import words
from charts import log_ticks
from tables import by_section


def draw(figures):
    """HTML with a dot (geometric mean) and a line (range) for each judged figure; empty if there is none."""
    shown = [figure for figure in figures if figure["judged"] and figure["peer"]]
    if not shown:
        return ""
    low = min(0.5, *(figure["peer"]["least"] for figure in shown)) / 1.15
    high = max(2.5, *(figure["peer"]["most"] for figure in shown)) * 1.15

    def place(ratio):
        return 100 * math.log(ratio / low) / math.log(high / low)

    ticks = "".join(f'<b style="left:{place(ratio):.1f}%">{ratio:g}x</b>' for ratio in log_ticks(low, high))
    parts = [f'<div class="row scale"><span></span><span class="track">{ticks}</span><span></span></div>']
    for title, of_section in by_section(shown):
        parts.append(f"<h3>{escape(title)}</h3>")
        parts += [row(figure, place) for figure in of_section]
    return f'<div id="glance" style="--one:{place(1):.1f}%">{"".join(parts)}</div>'


def row(figure, place):
    peer = figure["peer"]
    start, middle, end = (place(peer[name]) for name in ("least", "mean", "most"))
    return (f'<a class="row{" behind" if peer["mean"] < 1 else ""}" href="#{escape(figure["id"])}" '
            f'title="{escape(words.finding(figure))}"><span>{escape(figure["title"])}</span><span class="track">'
            f'<i class="range" style="left:{start:.1f}%;width:{end - start:.1f}%"></i><i class="mean" '
            f'style="left:{middle:.1f}%"></i></span><span>{words.times(peer["mean"])}</span></a>')
