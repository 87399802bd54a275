"""Figures as text, the same in the page, in Markdown and on the terminal."""

from evaluate import LEVEL
from model import GFORTRANS, NEWEST

AXES = {"bytes": "message size", "pes": "PEs", "images": "images", "pairs": "pairs", "stride": "stride, elements",
        "class": "class", "size": "size", "nodes": "nodes"}
SIDE_TITLES = {"copal": "Copal", "oshmem": "Open MPI OSHMEM", "opencoarrays": "OpenCoarrays",
               "caf_shmem": "libcaf_shmem", "caffeine": "Caffeine", "openmpi": "Open MPI", "mpich": "MPICH",
               "floor": "floor", "socket": "floor between nodes", "system": "installed programs",
               **NEWEST, **{name: f"Copal, gfortran {version}" for name, version in GFORTRANS.items()}}


def number(value, digits=3):
    """The value with this many significant digits and without an exponent."""
    if value == 0:
        return "0"
    text = f"{value:.{digits}g}"
    return f"{float(text):,.0f}".replace(",", " ") if "e" in text or abs(value) >= 1000 else text


def size(n):
    for unit, name in ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")):
        if n >= unit:
            return f"{n / unit:g} {name}"
    return f"{n:g} B"


def time(us):
    for unit, name in ((1e6, "s"), (1e3, "ms"), (1, "us")):
        if abs(us) >= unit:
            return f"{number(us / unit)} {name}"
    return f"{number(us * 1e3)} ns"


def rate(per_us):
    """A rate in millions per second."""
    return f"{number(per_us)} M/s" if per_us >= 0.1 else f"{number(per_us * 1e3)} k/s"


def bandwidth(gb_per_s):
    for unit, name in ((1, "GB/s"), (1e-3, "MB/s")):
        if gb_per_s >= unit / 10:
            return f"{number(gb_per_s / unit)} {name}"
    return f"{number(gb_per_s * 1e6)} kB/s"


def value(figure, y):
    """A figure's y with its unit."""
    if figure["y"] == "time":
        return time(y)
    if figure["y"] == "rate":
        return rate(y)
    if figure["y"] == "bandwidth":
        return bandwidth(y)
    return f"{number(y)} {figure['unit']}".strip()


def x_value(figure, x):
    return size(x) if figure["x"] == "bytes" else f"{x:g}" if isinstance(x, (int, float)) else str(x)


def where(name, value):
    """A condition on a field: a value, or a range."""
    ends = [x_value({"x": name}, end) for end in (value if isinstance(value, (list, tuple)) else [value])]
    return " to ".join(ends) if name == "bytes" else f"{AXES.get(name, name)} {' to '.join(ends)}"


def x_axis(figure):
    return AXES.get(figure["x"], figure["x"].replace("_", " "))


def y_axis(figure):
    return {"time": "time", "bandwidth": "bandwidth, GB/s", "rate": "rate, millions per second"}.get(
        figure["y"], figure["unit"])


def times(ratio):
    return f"{ratio:.2f}x" if 0.1 <= ratio < 10 else f"{number(ratio, 2)}x"


def against(summary):
    """A ratio's mean and range: 1.8x (1.02x to 4.1x over 12 points)."""
    if summary["points"] == 1:
        return f"{times(summary['mean'])} (1 point)"
    reach = f"{times(summary['least'])} to {times(summary['most'])}"
    return f"{times(summary['mean'])} ({reach} over {summary['points']} points)"


def finding(figure):
    """One line about a figure's result."""
    if figure.get("fabrics"):
        return f"Emulated network: {' and '.join(figure['fabrics'])}."
    if not figure["judged"]:
        return "Not judged: it shows properties of the machine or of the method."
    is_speed = figure["y"] != "value" or figure["unit"].endswith(("/s", "FLOPS"))
    quality = "as fast as" if is_speed else "as good as"
    parts = []
    if figure["peer"]:
        mean, least, most = (figure["peer"][name] for name in ("mean", "least", "most"))
        points = figure["peer"]["points"]
        spread = "1 point" if points == 1 else f"{points} points, {times(least)} to {times(most)}"
        where = [x_value(figure, point["x"]) for point in figure["compared"]
                 if (point.get("times_peer") or 1) < LEVEL]
        behind = "" if not where else f"; behind at {', '.join(where)}" if len(where) <= 4 else \
            f"; behind at {len(where)} of {points}"
        parts.append(f"{times(mean)} {quality} the best peer ({spread}{behind})")
    if figure["floor"]:
        parts.append(f"{times(figure['floor']['mean'])} {quality} the floor")
    if not parts:
        return "No peer was measured here." if figure["compared"] else "Copal was not measured here."
    return f"Copal is {', '.join(parts)}."


def shortened(text, most):
    return text if len(text) <= most else text[:most - 3].rsplit(" ", 1)[0] + " ..."


def wanted(figure, target):
    """A target's requirement: at least 0.95x the floor; at most 40 ns."""
    if target["against"] == "figure":
        return f"{'at most' if figure['better'] == 'less' else 'at least'} {value(figure, target['wanted'])}"
    against = "best peer" if target["against"] == "peer" else "floor"
    return f"at least {times(target['wanted'])} as good as the {against}"


def missed(figure):
    """A line for each target that is missed."""
    for target in figure["targets"]:
        if not target["met"]:
            got = value(figure, target["ours"])
            ratio = "" if target["against"] == "figure" else f", {times(target['times'])}"
            yield f"missed: {target['curve']} at {x_value(figure, target['x'])}: {got}{ratio}; {wanted(figure, target)}"


def emulated_lines(results):
    """A sentence with the numbers of second verdicts."""
    counted = results["summary"].get("emulated")
    if not counted:
        return []
    said = [f"{counted[verdict]} {words}" for verdict, words in
            (("holds emulated", "hold"), ("does not", "do not hold"),
             ("depends on the charge within a node", "depend on the charge within a node"),
             ("not trustworthy", "are not trustworthy"), ("not measured", "were not measured"),
             ("not emulated", "cannot be emulated")) if counted[verdict]]
    most = max((point[0] for figure in results["figures"] if figure.get("ran") and figure["x"] == "pes"
                for curve in figure["curves"] for point in curve["points"]), default=2)
    return [f"emulated, with up to {most} PEs: {', '.join(said)}; {counted['either']} of {len(results['headlines'])} "
            f"hold here or emulated"]


def second(emulated):
    """A headline's second verdict in a few words, with its ratios."""
    if not emulated or emulated["verdict"] in ("not emulated", "not measured"):
        return "-"
    ratios = ", ".join(times(part["ratio"]["most" if emulated["up_to"] else "mean"]) if part["ratio"] else "-"
                       for part in emulated["parts"])
    return f"**{emulated['verdict']}**: {ratios}"


def unsteady(figure):
    """A line for each emulated point that depends on the cores of the emulating machine."""
    for curve, x, ratio in figure.get("unsteady", ()):
        yield (f"not trustworthy: {curve} at {x_value(figure, x)}: on one core it changes by "
               f"{number(100 * (ratio - 1))} %")


def summary_lines(results):
    """A sentence with the numbers of points, headlines and targets."""
    summary = results["summary"]
    points, verdicts, targets = summary["points"], summary["verdicts"], summary["targets"]
    lines = [f"ahead of every peer at {points['ahead']} of {points['points']} points, level at {points['level']}, "
             f"behind at {points['behind']} ({points['at_floor']} of these no slower than the floor)"]
    if results["headlines"]:
        lines.append(f"claims of the papers: {verdicts['holds']} hold, {verdicts['does not hold here']} do not hold "
                     f"here, {verdicts['not measured']} not measured")
    lines += emulated_lines(results)
    if targets["of"]:
        lines.append(f"targets: {targets['met']} of {targets['of']} met")
    return lines
