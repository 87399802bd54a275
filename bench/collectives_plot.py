"""A picture for each number of PEs: latency over size of every contestant, one small graph for each collective."""

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator  # noqa: E402

from collectives_report import COLLECTIVES, COLUMNS, figures_of  # noqa: E402
from plot import size_text  # noqa: E402
from report import format_time  # noqa: E402

STYLE = {  # column: label, colour, line, marker, width
    "floor": ("floor: bare processes", "#8a8a8a", "--", "", 1.6),
    "MPICH": ("MPICH", "#b58a2a", "-", "v", 1.2),
    "Open MPI": ("Open MPI", "#d1603d", "-", "s", 1.2),
    "OSHMEM": ("Open MPI's OSHMEM", "#8b4a8f", "-", "D", 1.2),
    "set": ("Copal, active set", "#5aa9a0", "-", "o", 1.6),
    "team": ("Copal, team", "#17607a", "-", "o", 2.0),
}
SIZE_TICKS = [8, 512, 32768, 2097152]


def draw_barrier(axis, figures, pes):
    known = [column for column in STYLE if ("barrier", pes, 0) in figures[column]]
    us = [figures[column]["barrier", pes, 0] for column in known]
    for height, (column, t) in enumerate(zip(known, us)):
        _, colour, _, marker, _ = STYLE[column]
        axis.plot([t], [height], color=colour, marker=marker or "_", markersize=8)
        axis.annotate(format_time(t), (t, height), xytext=(9, 0), textcoords="offset points", va="center", fontsize=9)
    axis.set_yticks([])
    axis.set_ylim(-0.7, len(known) - 0.3)
    axis.set_xscale("log")
    axis.set_xlim(min(us, default=1) / 2, max(us, default=1) * 5)
    axis.xaxis.set_major_formatter(FuncFormatter(lambda us, _: format_time(us)))
    axis.xaxis.set_minor_locator(NullLocator())


def draw_sizes(axis, figures, collective, pes):
    for column, (_, colour, line, marker, width) in STYLE.items():
        points = sorted((bytes, us) for (name, count, bytes), us in figures[column].items()
                        if (name, count) == (collective, pes))
        axis.plot([p[0] for p in points], [p[1] for p in points], color=colour, linestyle=line, marker=marker,
                  markersize=3, linewidth=width)
    axis.set_xscale("log", base=2)
    axis.set_yscale("log")
    axis.xaxis.set_major_locator(FixedLocator(SIZE_TICKS))
    axis.xaxis.set_minor_locator(NullLocator())
    axis.xaxis.set_major_formatter(FuncFormatter(size_text))
    axis.yaxis.set_major_formatter(FuncFormatter(lambda us, _: format_time(us)))


def draw(samples, pes, cores, machine, path_stem):
    figures = figures_of(samples)
    plt.rcParams.update({"font.size": 9.5, "font.family": "DejaVu Sans", "svg.fonttype": "none"})
    measured = [c for c in COLLECTIVES if any((c, pes) == key[:2] for rows in figures.values() for key in rows)]
    rows = -(-len(measured) // 3)
    fig, axes = plt.subplots(rows, 3, figsize=(11.5, 1 + 3 * rows), squeeze=False)
    for axis in axes.flat[len(measured):]:
        axis.set_visible(False)
    for axis, collective in zip(axes.flat, measured):
        if collective == "barrier":
            draw_barrier(axis, figures, pes)
        else:
            draw_sizes(axis, figures, collective, pes)
        axis.set_title(collective, fontsize=11, loc="left", fontweight="bold")
        axis.grid(True, color="#e4e4e4", linewidth=0.7, axis="x" if collective == "barrier" else "both")
        axis.set_axisbelow(True)
        axis.spines[["top", "right"]].set_visible(False)
    shown = [column for column in reversed(STYLE) if any(count == pes for _, count, _ in figures[column])]
    lines = [plt.Line2D([], [], color=STYLE[c][1], linestyle=STYLE[c][2], marker=STYLE[c][3], linewidth=STYLE[c][4])
             for c in shown]
    top = fig.get_figheight()  # inches, so that the head looks the same over one row of graphs and over three
    fig.suptitle(f"Time of a collective over what each PE contributes, {pes} PEs on {min(pes, cores)} cores",
                 x=0.03, y=1 - 0.15 / top, ha="left", fontsize=14)
    fig.text(0.03, 1 - 0.58 / top, machine, ha="left", fontsize=9, color="#555555")
    fig.legend(lines, [STYLE[column][0] for column in shown], loc="upper left", ncols=len(shown), frameon=False,
               fontsize=10, bbox_to_anchor=(0.02, 1 - 0.6 / top), columnspacing=1.8)
    fig.tight_layout(rect=(0.01, 0, 1, 1 - 0.85 / top))
    for suffix in ("png", "svg"):
        fig.savefig(f"{path_stem}.{suffix}", dpi=130)
    plt.close(fig)
