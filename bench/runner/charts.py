"""Draws a figure as SVG: lines or bars. Colours are names (--copal, --floor ...) that the page's style sheet defines,
so a drawing fits a light and a dark page."""

import math
import textwrap
from html import escape

import words

WIDTH, HEIGHT = 480, 290
LETTER, LINE = 6.4, 13  # the largest width of a letter, the height of a line
LEFT, RIGHT, TOP, BOTTOM = 62, 468, 14, 246
MARKERS = ("circle", "square", "diamond", "up", "down", "cross")


class Scale:
    """Maps a figure to a place on an axis, linear or logarithmic."""

    def __init__(self, low, high, start, end, log):
        self.log, self.start = log, start
        self.low = math.log(low) if log else low
        self.per_unit = (end - start) / ((math.log(high) if log else high) - self.low or 1)

    def __call__(self, value):
        return self.start + ((math.log(value) if self.log else value) - self.low) * self.per_unit


def looks(curves):
    """The style of each curve: (colour, dashes, marker, width).  A side has the same hue in every figure."""
    count, chosen = {}, []
    for curve in curves:
        kind = curve["role"] if curve["role"] in ("floor", "variant") else curve["side"]
        i = count[kind] = count.get(kind, -1) + 1
        if kind == "floor":
            chosen.append(("--floor", ("6 4", "2 3")[i % 2], None, 1.8))
        elif kind == "variant":
            chosen.append((f"--variant{i % 8}", "", MARKERS[(i + 2) % len(MARKERS)], 1.3))
        elif curve["role"] == "ours":
            chosen.append(("--copal" if i == 0 else f"--copal{min(i, 3)}", "", "circle", 2.6))
        else:
            chosen.append((f"--{kind}", ("", "5 3", "2 3")[i % 3], ("square", "up", "diamond")[i % 3], 1.7))
    return chosen


def marker(kind, x, y, radius=3.1):
    """The path of a marker around a point."""
    r = radius
    shapes = {
        "circle": f"M{x - r:.1f} {y:.1f}a{r} {r} 0 1 0 {2 * r} 0a{r} {r} 0 1 0 {-2 * r} 0z",
        "square": f"M{x - r + .4:.1f} {y - r + .4:.1f}h{2 * r - .8:.1f}v{2 * r - .8:.1f}h{.8 - 2 * r:.1f}z",
        "diamond": f"M{x:.1f} {y - r - .7:.1f}l{r + .7} {r + .7}l{-r - .7} {r + .7}l{-r - .7} {-r - .7}z",
        "up": f"M{x:.1f} {y - r - .5:.1f}l{r + .4} {2 * r}h{-2 * r - .8}z",
        "down": f"M{x:.1f} {y + r + .5:.1f}l{r + .4} {-2 * r}h{-2 * r - .8}z",
        "cross": f"M{x - r:.1f} {y - 1:.1f}h{2 * r}v2h{-2 * r}zM{x - 1:.1f} {y - r:.1f}h2v{2 * r}h-2z",
    }
    return shapes[kind]


def nice_steps(high, wanted=5):
    """Multiples of 1, 2 or 5 times a power of ten, from 0 to a little above high."""
    raw = high / wanted
    power = 10 ** math.floor(math.log10(raw))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= raw * 0.999)
    return [step * i for i in range(math.ceil(high / step * 0.999) + 1)]


def log_ticks(low, high):
    """Decades; if these are few, 2 and 5 between them."""
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    factors = (1, 2, 5) if math.log10(high / low) < 2.2 else (1,)
    step = 1 if len(decades) <= 7 else 2
    return [factor * 10.0 ** decade for decade in decades if decade % step == 0 for factor in factors
            if low <= factor * 10.0 ** decade <= high * 1.0001]


def vertical(figure, values):
    """The scale and the ticks of the y axis."""
    bars = figure["kind"] == "bars"
    log = figure["log_y"] and min(values) > 0 and (not bars or max(values) / min(values) > 30)
    if log:
        low, high = min(values) / (2 if bars else 1.3), max(values) * (1.6 if bars else 1.3)
        if high / low < 4:
            middle = math.sqrt(high * low)
            low, high = middle / 2, middle * 2
        return Scale(low, high, BOTTOM, TOP, True), log_ticks(low, high)
    steps = nice_steps(max(max(values), 1e-12) * (1.08 if bars else 1.02))
    return Scale(0, steps[-1], BOTTOM, TOP, False), steps


def horizontal(figure, xs):
    """{x: position on the axis}: by size if all x are numbers, otherwise side by side."""
    numbers = all(isinstance(x, (int, float)) for x in xs)
    if figure["kind"] == "bars" or not numbers or len(xs) == 1:
        step = (RIGHT - LEFT) / len(xs)
        return {x: LEFT + step * (i + 0.5) for i, x in enumerate(xs)}
    scale = Scale(min(xs), max(xs), LEFT + 12, RIGHT - 14, figure["log_x"] and min(xs) > 0)
    return {x: scale(x) for x in xs}


def labels(figure, places):
    """{x: the lines of its label}: numbers only if there is space, words always, on as many lines as they need."""
    texts = {x: words.x_value(figure, x) for x in places}
    if not all(isinstance(x, (int, float)) for x in places):
        room = int((RIGHT - LEFT) / len(places) / LETTER)
        return {x: [line.replace("_ ", "_") for line in textwrap.wrap(text.replace("_", "_ "), room)]
                for x, text in texts.items()}
    width = max(map(len, texts.values())) * LETTER + 8
    chosen, end = {}, -math.inf
    for x, place in places.items():
        if place - width / 2 >= end:
            chosen[x] = [texts[x]]
            end = place + width / 2
    return chosen


def height_of(figure, places):
    return HEIGHT + LINE * (max(map(len, labels(figure, places).values())) - 1)


def tick_text(figure, y):
    if figure["y"] == "time" and y:
        return words.time(y)
    return words.number(y)


def axes(figure, scale, ticks, places):
    parts = []
    for y in ticks:
        at = scale(y)
        parts.append(f'<path class="grid" d="M{LEFT} {at:.1f}H{RIGHT}"/>'
                     f'<text x="{LEFT - 7}" y="{at + 4:.1f}" text-anchor="end">{tick_text(figure, y)}</text>')
    parts.append(f'<path class="axis" d="M{LEFT} {BOTTOM}H{RIGHT}"/>')
    for x, lines in labels(figure, places).items():
        at = places[x]
        parts.append(f'<path class="axis" d="M{at:.1f} {BOTTOM}v4"/>')
        parts += [f'<text x="{at:.1f}" y="{BOTTOM + 18 + LINE * i}" text-anchor="middle">{escape(line)}</text>'
                  for i, line in enumerate(lines)]
    middle = (LEFT + RIGHT) / 2
    parts.append(f'<text class="name" x="{middle}" y="{height_of(figure, places) - 6}" text-anchor="middle">'
                 f"{escape(words.x_axis(figure))}</text>")
    if figure["y"] != "time":
        parts.append(f'<text class="name" transform="translate(13 {(TOP + BOTTOM) / 2:.0f}) rotate(-90)" '
                     f'text-anchor="middle">{escape(words.y_axis(figure))}</text>')
    return "".join(parts)


def draw_line(curve, look, scale, places):
    colour, dashes, shape, width = look
    line, spread, marks = "", "", ""
    for x, y, least, most, _ in curve["points"]:
        if scale.log and y <= 0:
            continue
        at, height = places[x], scale(y)
        line += f"{'L' if line else 'M'}{at:.1f} {height:.1f}"
        if least > 0 and most / least > 1.1:
            low, high = (min(max(scale(edge), TOP), BOTTOM) for edge in (least, most))
            spread += f"M{at:.1f} {low:.1f}V{high:.1f}"
        if shape or len(curve["points"]) == 1:
            marks += marker(shape or "cross", at, height)
    dash = f' stroke-dasharray="{dashes}"' if dashes else ""
    parts = [f'<path class="spread" d="{spread}" stroke="var({colour})"/>' if spread else "",
             f'<path class="data" d="{line}" fill="none" stroke="var({colour})" stroke-width="{width}"{dash}/>',
             f'<path class="data" d="{marks}" fill="var({colour})"/>' if marks else ""]
    return "".join(parts)


def draw_bars(curves, chosen, scale, places):
    """Groups of bars, each with its figure above it if there is space."""
    step = (RIGHT - LEFT) / len(places)
    width = min(step * 0.82 / len(curves), 46)
    drawn = []
    for i, (curve, (colour, _, _, _)) in enumerate(zip(curves, chosen)):
        bars, texts = "", ""
        for x, y, *_ in curve["points"]:
            if y <= 0:
                continue
            left = places[x] + (i - len(curves) / 2) * width
            top = min(scale(y), BOTTOM - 1)
            bars += f"M{left + 1:.1f} {BOTTOM}V{top:.1f}h{width - 2:.1f}V{BOTTOM}z"
            if width >= 23:
                texts += f'<text class="bar" x="{left + width / 2:.1f}" y="{top - 4:.1f}">{words.number(y)}</text>'
        drawn.append(f'<g class="curve" data-curve="{i}"><path class="data" d="{bars}" fill="var({colour})"/>'
                     f"{texts}</g>")
    return "".join(drawn)


def draw(figure):
    """(SVG, legend) of a figure; empty without points. A logarithmic axis shows only values above 0."""
    curves = [curve for curve in figure["curves"] if any(y > 0 or not figure["log_y"] for _, y, *_ in curve["points"])]
    values = [y for curve in curves for _, y, *_ in curve["points"]]
    if not any(y > 0 for y in values):
        return "", ""
    xs = list(dict.fromkeys(x for curve in curves for x, *_ in curve["points"]))
    if all(isinstance(x, (int, float)) for x in xs):
        xs.sort()
    places = horizontal(figure, xs)
    scale, ticks = vertical(figure, values)
    chosen = looks(curves)
    if figure["kind"] == "bars":
        body = draw_bars(curves, chosen, scale, places)
    else:
        order = sorted(range(len(curves)), key=lambda i: curves[i]["role"] == "ours")  # ours is drawn over the others
        body = "".join(f'<g class="curve" data-curve="{i}">{draw_line(curves[i], chosen[i], scale, places)}</g>'
                       for i in order)
    title = f"{figure['title']}: {words.y_axis(figure)} over {words.x_axis(figure)}"
    svg = (f'<svg class="plot" id="plot-{escape(figure["id"])}" viewBox="0 0 {WIDTH} {height_of(figure, places)}" '
           f'role="img" aria-label="{escape(title)}">{axes(figure, scale, ticks, places)}{body}'
           f"{''.join(hover_columns(figure, curves, places))}</svg>")
    return svg, legend(curves, chosen, figure["kind"])


def hover_columns(figure, curves, places):
    """Invisible columns, one for each x; a column shows the figures of its x while the pointer is over it."""
    ordered = sorted(places.items(), key=lambda item: item[1])
    edges = [LEFT] + [(a[1] + b[1]) / 2 for a, b in zip(ordered, ordered[1:])] + [RIGHT]
    for i, (x, _) in enumerate(ordered):
        lines = [f"{curve['label']}: {words.value(figure, y)}" for curve in curves for at, y, *_ in curve["points"]
                 if at == x]
        yield (f'<rect class="hover" x="{edges[i]:.1f}" y="{TOP}" width="{edges[i + 1] - edges[i]:.1f}" '
               f'height="{BOTTOM - TOP}"><title>{escape(chr(10).join([words.x_value(figure, x), *lines]))}</title>'
               '</rect>')


def legend(curves, chosen, kind):
    items = []
    for i, (curve, (colour, dashes, shape, width)) in enumerate(zip(curves, chosen)):
        if kind == "bars":
            mark = f'<rect x="6" y="2" width="12" height="9" rx="1.5" fill="var({colour})"/>'
        else:
            mark = (f'<path d="M1 6.5H23" stroke="var({colour})" stroke-width="{width}" stroke-dasharray="{dashes}"/>'
                    + (f'<path d="{marker(shape, 12, 6.5)}" fill="var({colour})"/>' if shape else ""))
        items.append(f'<li class="{curve["role"]}" data-curve="{i}"><svg width="24" height="13" aria-hidden="true">'
                     f'{mark}</svg>{escape(curve["label"])}</li>')
    return f'<ul class="legend">{"".join(items)}</ul>'
