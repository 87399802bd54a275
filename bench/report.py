"""The rows of the benchmark table, their targets, and the table itself."""

import statistics

# A target is (kind, number):
#   floor      ours takes at most `number` times as long as the floor
#   bandwidth  ours moves at least `number` times the bytes per second of the floor
#   rate       at least `number` million operations per second
#   us         at most `number` microseconds
#   peer       ours takes at most 1/`number` of the peer's time
# unit says how the figures read: time, rate (operations per second) or bandwidth.
# floor and peer name another row where that side has none of the same name; None where there is nothing to compare.


class Row:
    def __init__(self, what, name, bytes=0, pes=2, target=None, unit="time", **other):
        self.what, self.name, self.bytes, self.pes = what, name, bytes, pes
        self.target, self.unit = target, unit
        self.keys = {side: (other.get(side, name), pes, bytes) for side in ("ours", "peer", "floor")}


KiB, MiB = 1 << 10, 1 << 20
SIZE_NAMES = {8: "8 B", 4 * KiB: "4 KiB", 64 * KiB: "64 KiB", MiB: "1 MiB", 4 * MiB: "4 MiB"}

COLLECTIVES = [
    ("broadcast", "broadcast", "broadcast64"),
    ("sum", "sum_reduce", "sum_to_all"),
    ("fcollect", "fcollect", "fcollect64"),
    ("alltoall", "alltoall", "alltoall64"),
]


def collective_rows(pes):
    """The team form is what a program of today calls; the peer's is the active-set form, the only one it has."""
    for form in ("team", "active set"):
        for what, team_name, set_name in COLLECTIVES:
            for size in (8, 4 * KiB, 64 * KiB, MiB):
                name = team_name if form == "team" else set_name
                yield Row(f"{what} {SIZE_NAMES[size]}, {form}", name, size, pes, ("peer", 1), peer=set_name)


SECTIONS = [
    ("Put and get, 2 PEs", [
        Row("put 8 B + quiet", "put_quiet", 8, target=("floor", 2)),
        Row("get 8 B", "get", 8, target=("floor", 2)),
        Row("p + quiet", "p_quiet", 8, target=("floor", 2)),
        Row("g", "g", 8, target=("floor", 2)),
        Row("p alone, rate", "p", 8, unit="rate"),
        Row("put_nbi 8 B, rate", "put_nbi", 8, target=("rate", 200), unit="rate"),
        Row("put 64 KiB + quiet", "put_quiet", 64 * KiB, target=("bandwidth", 0.95), unit="bandwidth"),
        Row("get 64 KiB", "get", 64 * KiB, target=("bandwidth", 0.95), unit="bandwidth"),
        Row("put 4 MiB + quiet", "put_quiet", 4 * MiB, target=("bandwidth", 0.95), unit="bandwidth"),
        Row("get 4 MiB", "get", 4 * MiB, target=("bandwidth", 0.95), unit="bandwidth"),
        Row("iput 4096 x 8 B, stride 2, + quiet", "iput", 32 * KiB, target=("floor", 1.5)),
        Row("iget 4096 x 8 B, stride 2", "iget", 32 * KiB, target=("floor", 1.5)),
    ]),
    ("Atomics on the other PE, uncontended, 2 PEs", [
        Row("fetch-add", "fetch_add", 8, target=("floor", 2)),
        Row("compare-swap", "compare_swap", 8, target=("floor", 2)),
        Row("add, rate", "add", 8, unit="rate"),
    ]),
    ("The same on a static variable (floor: on the heap), 2 PEs", [
        Row("put 8 B + quiet, static", "put_quiet_static", 8, floor="put_quiet", target=("floor", 2)),
        Row("p + quiet, static", "p_quiet_static", 8, floor="p_quiet", target=("floor", 2)),
        Row("put 64 KiB + quiet, static", "put_quiet_static", 64 * KiB, floor="put_quiet", unit="bandwidth",
            target=("bandwidth", 0.95)),
        Row("fetch-add, static", "fetch_add_static", 8, floor="fetch_add", target=("floor", 2)),
    ]),
    ("Ordering, synchronization, signals", [
        Row("quiet, nothing outstanding", "quiet"),
        Row("fence, nothing outstanding", "fence"),
        Row("barrier_all, 2 PEs", "barrier_all", target=("floor", 1.25)),
        Row("sync_all, 2 PEs", "sync_all", target=("floor", 1.25)),
        Row("sync_all, 2 PEs (floor: one counter)", "sync_all", floor="sync_counter"),
        Row("barrier_all, 4 PEs on 2 cores", "barrier_all", pes=4, target=("floor", 1.5)),
        Row("sync_all, 4 PEs on 2 cores", "sync_all", pes=4, target=("floor", 1.5)),
        Row("flag round trip", "flag", 8),
        Row("put + fence + p round trip", "put_fence_flag", 8),
        Row("put_signal round trip", "put_signal", 8, peer="put_fence_flag", target=("floor", 1.25)),
        Row("put_signal, signal on its own line", "put_signal_apart", 8, peer="put_fence_flag_apart",
            target=("floor", 1.25)),
    ]),
    ("Locks and allocation, 2 PEs", [
        Row("lock + unlock, free, by PE 0", "lock_pe0", target=("us", 0.04)),
        Row("lock + unlock, free, by PE 1", "lock_pe1", target=("us", 0.04)),
        Row("lock + unlock, contended, each", "lock_contended", target=("us", 0.15)),
        Row("  the same (floor: first come first served)", "lock_contended", floor="lock_fifo_contended"),
        Row("malloc + free 1 KiB (floor: 2 barriers)", "malloc_free", KiB, target=("floor", 2)),
    ]),
    ("Collectives, 2 PEs", list(collective_rows(2))),
    ("Collectives, 4 PEs on 2 cores", list(collective_rows(4))),
    ("A hello job, from start to end of the launcher", [
        Row("hello, 2 PEs", "hello", pes=2, target=("us", 15e3)),
        Row("hello, 8 PEs", "hello", pes=8),
        Row("hello, 16 PEs", "hello", pes=16, target=("us", 60e3)),
    ]),
]

TARGET_TEXT = {
    "floor": "<= {:g}x floor",
    "bandwidth": ">= {:g}x floor",
    "rate": ">= {:g} M/s",
    "peer": "ahead of peer",
}


def target_text(target):
    if target is None:
        return ""
    kind, number = target
    return f"<= {format_time(number)}" if kind == "us" else TARGET_TEXT[kind].format(number)


def allowed_us(target, peer, floor):
    """The longest time that meets the target, or None where it cannot be told."""
    if target is None:
        return None
    kind, number = target
    if kind == "us":
        return number
    if kind == "rate":
        return 1 / number
    base = peer if kind == "peer" else floor
    if base is None:
        return None
    return base * number if kind == "floor" else base / number


def significant(x):
    return f"{x:.3g}" if x < 1000 else f"{x:.0f}"


def format_time(us):
    if us < 0.9995:
        return f"{significant(us * 1e3)} ns"
    return f"{significant(us)} us" if us < 999.5 else f"{significant(us / 1e3)} ms"


def format_figure(us, unit, bytes):
    if us is None:
        return "-"
    if unit == "rate":
        return f"{significant(1 / us)} M/s"
    if unit == "bandwidth":
        return f"{significant(bytes / us / 1e3)} GB/s"
    return format_time(us)


def medians(samples):
    """{side: {(row, pes, bytes): [us, ...]}} -> the same with one figure each.

    The peer's collectives are measured with each of its two components; the better one counts, row by row."""
    figures = {side: {key: statistics.median(us) for key, us in rows.items()} for side, rows in samples.items()}
    for key, us in figures.pop("peer basic", {}).items():
        figures["peer"][key] = min(us, figures["peer"].get(key, us))
    return figures


def evaluate(samples):
    """[(section, [row as a dictionary])]: the table, before it is laid out."""
    figures = medians(samples)
    sections = []
    for title, rows in SECTIONS:
        out = []
        for row in rows:
            ours, peer, floor = (figures.get(side, {}).get(row.keys[side]) for side in ("ours", "peer", "floor"))
            limit = allowed_us(row.target, peer, floor)
            out.append({
                "what": row.what, "row": row.name, "pes": row.pes, "bytes": row.bytes, "unit": row.unit,
                "ours_us": ours, "peer_us": peer, "floor_us": floor, "target": target_text(row.target),
                "allowed_us": limit, "met": None if limit is None or ours is None else ours <= limit,
            })
        sections.append((title, out))
    return sections


def cells(row):
    def ratio(a, b):
        return "-" if a is None or b is None else f"{a / b:.2f}"

    ours, peer, floor = row["ours_us"], row["peer_us"], row["floor_us"]
    figure = [format_figure(us, row["unit"], row["bytes"]) for us in (ours, peer, floor)]
    # In the row's own sense: of a rate or a bandwidth, more is better.
    over_floor = ratio(ours, floor) if row["unit"] == "time" else ratio(floor, ours)
    met = {None: "", True: "yes", False: "NO"}[row["met"]]
    return [row["what"], *figure, over_floor, ratio(peer, ours), row["target"], met]


HEAD = ["what", "ours", "peer", "floor", "ours/floor", "x peer", "target", "met"]


LINE = "{:<44} {:>10} {:>10} {:>10} {:>10} {:>7}  {:<14} {}"


def text_table(sections, head=HEAD, cells=cells, line=LINE):
    lines = [line.format(*head)]
    for title, rows in sections:
        lines += ["", title]
        lines += [line.format("  " + c[0], *c[1:]).rstrip() for c in map(cells, rows)]
    return "\n".join(lines)


def markdown_table(sections, head=HEAD, cells=cells):
    lines = []
    for title, rows in sections:
        lines += [f"**{title}**", "", "| " + " | ".join(head) + " |", "|---|" + "--:|" * (len(head) - 3) + "---|---|"]
        lines += ["| " + " | ".join(c.strip() for c in cells(row)) + " |" for row in rows]
        lines.append("")
    return "\n".join(lines)


def summary(sections):
    rows = [row for _, rows in sections for row in rows]
    decided = [row for row in rows if row["met"] is not None]
    met = sum(row["met"] for row in decided)
    return f"{met} of {len(decided)} targets met" if decided else "no target could be decided"
