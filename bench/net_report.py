"""The rows of bench/net.py, their targets, and the table."""

import statistics

import report
from report import format_time, significant

KiB, MiB = 1 << 10, 1 << 20
SIDES = ["ours", "peer", "floor", "perftest"]

# A target is (kind, number):
#   floor     ours takes at most `number` times as long as the floor (so its bandwidth is at least 1/number of the floor's)
#   peer      ours is at least `number` times as fast as the peer
#   us        at most `number` microseconds
#   at least, at most    percent
# unit: time, rate, bandwidth or percent.  A side that is named takes its figure from another row, or, None, has none.


class Row:
    def __init__(self, what, name, bytes=0, pes=2, target=None, unit="time", **other):
        self.what, self.name, self.bytes, self.pes, self.target, self.unit = what, name, bytes, pes, target, unit
        self.keys = {side: (other.get(side, name), pes, bytes) for side in SIDES}


SECTIONS = [
    ("One operation after the other, 2 nodes x 1 PE", [
        Row("put 8 B + quiet", "put_quiet", 8, target=("floor", 1.15)),
        Row("get 8 B", "get", 8, target=("floor", 1.15)),
        Row("fetch-add 8 B", "fetch_add", 8, target=("floor", 1.15)),
        Row("compare-swap 8 B", "compare_swap", 8),
        Row("put 8 B + quiet, static", "put_quiet_static", 8, floor="put_quiet"),
        Row("fetch-add 8 B, static", "fetch_add_static", 8, floor="fetch_add"),
        Row("put 1 KiB + quiet", "put_quiet", KiB),
        Row("get 1 KiB", "get", KiB),
        Row("put 8 KiB + quiet", "put_quiet", 8 * KiB),
        Row("get 8 KiB", "get", 8 * KiB),
        Row("iput 4096 x 8 B, stride 2, + quiet", "iput", 32 * KiB, target=("us", 200), floor="put_quiet"),
        Row("iget 4096 x 8 B, stride 2", "iget", 32 * KiB, floor="get"),
        Row("flag round trip", "flag", 8),
        Row("put + fence + flag round trip", "put_fence_flag", 8),
        Row("put_signal round trip", "put_signal", 8, peer="put_fence_flag", floor="put_fence_flag"),
    ]),
    ("Bandwidth, 2 nodes x 1 PE", [
        Row("put 64 KiB + quiet", "put_quiet", 64 * KiB, target=("floor", 1.1), unit="bandwidth"),
        Row("get 64 KiB", "get", 64 * KiB, target=("floor", 1.1), unit="bandwidth"),
        Row("put 4 MiB + quiet", "put_quiet", 4 * MiB, target=("floor", 1.1), unit="bandwidth"),
        Row("get 4 MiB", "get", 4 * MiB, target=("floor", 1.1), unit="bandwidth"),
        Row("put_nbi 64 KiB, window of 16", "put_nbi_large", 64 * KiB, target=("floor", 1.1), unit="bandwidth"),
        Row("get_nbi 64 KiB, window of 16", "get_nbi_large", 64 * KiB, target=("floor", 1.1), unit="bandwidth"),
    ]),
    ("Rates, 2 nodes x 1 PE", [
        Row("put_nbi 8 B, window of 64", "put_nbi_64", 8, target=("peer", 5), unit="rate"),
        Row("put_nbi 8 B, window of 256", "put_nbi", 8, target=("peer", 5), unit="rate"),
        Row("p", "p", 8, unit="rate"),
        Row("get_nbi 8 B, window of 64", "get_nbi_64", 8, unit="rate"),
        Row("add 8 B", "add", 8, unit="rate"),
    ]),
    ("To a PE that computes and calls nothing for 10 ms (floor: to one that waits)", [
        Row("put 8 B + quiet", "busy_put", 8, target=("us", 60), floor="put_quiet"),
        Row("get 8 B", "busy_get", 8, target=("us", 60), floor="get"),
        Row("fetch-add 8 B", "busy_fetch_add", 8, target=("us", 60), floor="fetch_add"),
    ]),
    ("1 MiB behind computing", [
        Row("get_nbi: to start it", "start_get", MiB),
        Row("get_nbi: overlap, computing as long", "overlap_get_1x", MiB, unit="percent"),
        Row("get_nbi: overlap, computing twice as long", "overlap_get_2x", MiB, target=("at least", 90), unit="percent"),
        Row("put_nbi: to start it", "start_put", MiB),
        Row("put_nbi: overlap, computing as long", "overlap_put_1x", MiB, unit="percent"),
        Row("put_nbi: overlap, computing twice as long", "overlap_put_2x", MiB, unit="percent"),
    ]),
    ("All PEs, 2 nodes x 1", [
        Row("barrier_all", "barrier_all"),
        Row("sync_all", "sync_all"),
    ]),
    ("All PEs, 3 nodes x 2", [
        Row("barrier_all", "barrier_all", pes=6, target=("peer", 1)),
        Row("sum 8 B", "sum_reduce", 8, pes=6, target=("peer", 1), peer="sum_to_all"),
        Row("sum 64 KiB", "sum_reduce", 64 * KiB, pes=6, target=("peer", 1), peer="sum_to_all"),
        Row("broadcast 8 B", "broadcast", 8, pes=6, target=("peer", 1), peer="broadcast64"),
        Row("broadcast 64 KiB", "broadcast", 64 * KiB, pes=6, target=("peer", 1), peer="broadcast64"),
        Row("fcollect 8 B", "fcollect", 8, pes=6, peer="fcollect64"),
        Row("fcollect 64 KiB", "fcollect", 64 * KiB, pes=6, peer="fcollect64"),
        Row("alltoall 8 B", "alltoall", 8, pes=6, peer="alltoall64"),
        Row("alltoall 64 KiB", "alltoall", 64 * KiB, pes=6, peer="alltoall64"),
    ]),
    ("Processor time of a PE that has nothing to do, of a core", [
        Row("in wait_until", "idle_wait", target=("at most", 1), unit="percent"),
        Row("in barrier_all", "idle_barrier", target=("at most", 1), unit="percent"),
        Row("asleep outside the library", "idle_asleep", target=("at most", 1), unit="percent"),
    ]),
    ("A hello job, from start to end of the launcher", [
        Row("hello, 2 nodes x 1 PE", "hello", pes=2),
        Row("hello, 3 nodes x 2 PEs", "hello", pes=6),
    ]),
]


def target_text(target):
    if target is None:
        return ""
    kind, number = target
    if kind == "us":
        return f"<= {format_time(number)}"
    if kind == "peer":
        return "ahead of peer" if number == 1 else f">= {number:g}x peer"
    return f"<= {number:g}x floor" if kind == "floor" else f"{'>=' if kind == 'at least' else '<='} {number:g} %"


def is_met(target, ours, peer, floor):
    """True or False, or None where it cannot be told.  Of a bandwidth and a rate, too, figures are times."""
    if target is None or ours is None:
        return None
    kind, number = target
    if kind == "at least":
        return ours >= number
    if kind in ("at most", "us"):
        return ours <= number
    base = peer if kind == "peer" else floor
    if base is None:
        return None
    return ours <= (base / number if kind == "peer" else base * number)


def evaluate(samples):
    """[(section, [row as a dictionary])]: medians over the rounds, before they are laid out."""
    figures = {side: {key: statistics.median(us) for key, us in rows.items()} for side, rows in samples.items()}
    sections = []
    for title, rows in SECTIONS:
        out = []
        for row in rows:
            us = {side: figures.get(side, {}).get(row.keys[side]) for side in SIDES}
            out.append({
                "what": row.what, "row": row.name, "pes": row.pes, "bytes": row.bytes, "unit": row.unit, "us": us,
                "target": target_text(row.target), "met": is_met(row.target, us["ours"], us["peer"], us["floor"]),
            })
        sections.append((title, out))
    return sections


HEAD = ["what", *SIDES, "ours/floor", "x peer", "target", "met"]
LINE = "{:<44} {:>10} {:>10} {:>10} {:>10} {:>10} {:>7}  {:<14} {}"


def cells(row):
    us, unit = row["us"], row["unit"]

    def figure(value):
        if value is not None and unit == "percent":
            return f"{significant(value)} %" if value >= 0.1 or value == 0 else "< 0.1 %"
        return report.format_figure(value, unit, row["bytes"])

    def ratio(a, b):
        return "-" if a is None or b is None or unit == "percent" else f"{a / b:.2f}"

    # In the row's own sense: of a rate or a bandwidth, more is better.
    over_floor = ratio(us["ours"], us["floor"]) if unit == "time" else ratio(us["floor"], us["ours"])
    met = {None: "", True: "yes", False: "NO"}[row["met"]]
    return [row["what"], *map(figure, us.values()), over_floor, ratio(us["peer"], us["ours"]), row["target"], met]


def text_table(sections):
    return report.text_table(sections, HEAD, cells, LINE)


def markdown_table(sections):
    return report.markdown_table(sections, HEAD, cells)
