"""One picture: latency and bandwidth of put and get over the message size."""

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator  # noqa: E402

from report import format_time, medians  # noqa: E402

STYLE = {  # side: colour, line, marker, width, drawn over the others
    "floor": ("#8a8a8a", "--", "", 1.6, 2),
    "peer": ("#d1603d", "-", "s", 1.4, 3),
    "ours": ("#17607a", "-", "o", 2.0, 4),
}
SIZE_TICKS = [8, 64, 512, 4096, 32768, 262144, 2097152]


def size_text(n, _=None):
    for unit, name in ((1 << 20, "MiB"), (1 << 10, "KiB")):
        if n >= unit:
            return f"{n / unit:g} {name}"
    return f"{n:g} B"


def curve(figures, side, name):
    points = sorted((bytes, us) for (row, pes, bytes), us in figures.get(side, {}).items() if row == name and pes == 2)
    return [p[0] for p in points], [p[1] for p in points]


def draw(samples, names, machine, path_stem):
    figures = medians(samples)
    plt.rcParams.update({"font.size": 10, "font.family": "DejaVu Sans", "svg.fonttype": "none"})
    fig, axes = plt.subplots(2, 2, figsize=(10.5, 7.6), sharex=True, sharey="row")
    for column, (name, title) in enumerate((("put_quiet", "put + quiet"), ("get", "get"))):
        latency, bandwidth = axes[0][column], axes[1][column]
        for side, (colour, line, marker, width, order) in STYLE.items():
            sizes, us = curve(figures, side, name)
            if not sizes:
                continue
            look = {"color": colour, "linestyle": line, "marker": marker, "markersize": 3.5, "linewidth": width,
                    "zorder": order, "label": names[side]}
            latency.plot(sizes, us, **look)
            bandwidth.plot(sizes, [size / t / 1e3 for size, t in zip(sizes, us)], **look)
        latency.set_title(title, fontsize=12, loc="left", fontweight="bold")
        latency.set_yscale("log")
        bandwidth.set_yscale("log")
        bandwidth.set_xlabel("message size")
    for axis in axes.flat:
        axis.set_xscale("log", base=2)
        axis.xaxis.set_major_locator(FixedLocator(SIZE_TICKS))
        axis.xaxis.set_minor_locator(NullLocator())
        axis.xaxis.set_major_formatter(FuncFormatter(size_text))
        axis.grid(True, color="#e4e4e4", linewidth=0.7)
        axis.set_axisbelow(True)
        axis.spines[["top", "right"]].set_visible(False)
    axes[0][0].yaxis.set_major_formatter(FuncFormatter(lambda us, _: format_time(us)))
    axes[1][0].yaxis.set_major_formatter(FuncFormatter(lambda gb, _: f"{gb:g}"))
    axes[0][0].set_ylabel("latency")
    axes[1][0].set_ylabel("bandwidth, GB/s")
    handles, labels = axes[0][0].get_legend_handles_labels()
    fig.suptitle("Put and get between two PEs of one node", x=0.094, y=0.985, ha="left", fontsize=14)
    fig.text(0.094, 0.932, machine, ha="left", fontsize=9, color="#555555")
    fig.legend(handles[::-1], labels[::-1], loc="upper left", ncols=3, frameon=False, fontsize=11,
               bbox_to_anchor=(0.084, 0.925), borderpad=0, columnspacing=2.5)
    fig.tight_layout(rect=(0.01, 0, 1, 0.925))
    for suffix in ("png", "svg"):
        fig.savefig(f"{path_stem}.{suffix}", dpi=150)
    plt.close(fig)
