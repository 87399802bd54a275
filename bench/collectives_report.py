"""The tables of bench/collectives.py: figures, what they are held against, and what is met."""

import statistics

from report import format_time, significant

KiB, MiB = 1 << 10, 1 << 20
TITLES = {
    "barrier": "barrier (MPI_Barrier)",
    "broadcast": "broadcast (MPI_Bcast)",
    "sum": "sum of doubles (MPI_Allreduce)",
    "fcollect": "fcollect (MPI_Allgather)",
    "collect": "collect (MPI_Allgatherv)",
    "alltoall": "alltoall (MPI_Alltoall)",
    "alltoalls": "alltoalls, every second word (MPI_Alltoall of a vector)",
    "inscan": "inclusive sum scan (MPI_Scan)",
    "exscan": "exclusive sum scan (MPI_Exscan)",
}
COLLECTIVES = list(TITLES)
# A column of the table, and the sides of which the best counts, row by row.
COLUMNS = {
    "team": ["team"], "set": ["set"], "OSHMEM": ["oshmem", "oshmem basic"], "Open MPI": ["openmpi", "openmpi sm"],
    "MPICH": ["mpich"], "floor": ["floor pull", "floor push"],
}
OURS, PEERS = ["team", "set"], ["OSHMEM", "Open MPI", "MPICH"]

# Targets.  Crowded is more PEs than cores: the figures are the scheduler's then, and the aim is not to be slower.
FAR_AHEAD, FAR_AHEAD_BYTES = 2, 4 * KiB
NEAR_FLOOR, NEAR_FLOOR_BYTES = 1.3, 64 * KiB


def size_name(bytes):
    for unit, name in ((MiB, "MiB"), (KiB, "KiB")):
        if bytes >= unit:
            return f"{bytes // unit} {name}"
    return f"{bytes} B"


def figures_of(samples):
    """{side: {key: [us, ...]}} -> {column: {key: us}}: medians over the rounds, then the best of a column's sides."""
    figures = {}
    for column, sides in COLUMNS.items():
        best = figures[column] = {}
        for side in sides:
            for key, us in samples.get(side, {}).items():
                best[key] = min(statistics.median(us), best.get(key, float("inf")))
    return figures


def evaluate_row(figures, key, crowded):
    collective, pes, bytes = key
    row = {"collective": collective, "pes": pes, "bytes": bytes}
    for column in COLUMNS:
        row[column] = figures[column].get(key)
    known = [row[peer] for peer in PEERS if row[peer] is not None]
    row["best_peer"] = min(known, default=None)
    ahead = FAR_AHEAD if bytes <= FAR_AHEAD_BYTES and not crowded else 1
    limits, targets = [], []
    if known:
        limits.append(row["best_peer"] / ahead)
        targets.append(f"{ahead}x peer" if ahead > 1 else "peer")
    if pes == 2 and not crowded and bytes >= NEAR_FLOOR_BYTES and row["floor"] is not None:
        limits.append(row["floor"] * NEAR_FLOOR)
        targets.append(f"{NEAR_FLOOR}x floor")
    row["target"] = ", ".join(targets)
    row["allowed_us"] = min(limits, default=None)
    for form in OURS:
        decided = limits and row[form] is not None
        row[f"{form}_met"] = row[form] <= row["allowed_us"] if decided else None
    return row


def evaluate(samples, cores):
    """[(title, rows as dictionaries)], a table for each collective and number of PEs."""
    figures = figures_of(samples)
    keys = {key for rows in figures.values() for key in rows}
    tables = []
    for pes in sorted({pes for _, pes, _ in keys}):
        for collective in COLLECTIVES:
            sizes = sorted(bytes for name, count, bytes in keys if (name, count) == (collective, pes))
            rows = [evaluate_row(figures, (collective, pes, bytes), pes > cores) for bytes in sizes]
            if rows:
                tables.append((f"{TITLES[collective]}, {pes} PEs on {min(pes, cores)} cores", rows))
    return tables


HEAD = ["size", "team", "set", "OSHMEM", "Open MPI", "MPICH", "floor", "x peer", "/ floor", "target", "met"]


def cells(row):
    def pair(ratio):
        return " / ".join("-" if row[form] is None else ratio(row[form]) for form in OURS)

    def time(us):
        return "-" if us is None else format_time(us)

    peer, floor = row["best_peer"], row["floor"]
    ahead = pair(lambda us: significant(peer / us)) if peer else "-"
    over = pair(lambda us: significant(us / floor)) if floor else "-"
    decided = [form for form in OURS if row[f"{form}_met"] is not None]
    unmet = [form for form in decided if not row[f"{form}_met"]]
    met = "" if not decided else f"NO: {', '.join(unmet)}" if unmet else "yes"
    size = size_name(row["bytes"]) if row["bytes"] else "-"
    return [size, *(time(row[column]) for column in COLUMNS), ahead, over, row["target"], met]


def text_table(tables):
    line = "  {:<8} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>13} {:>13}  {:<16} {}"
    lines = []
    for title, rows in tables:
        lines += [title, line.format(*HEAD), *(line.format(*cells(row)).rstrip() for row in rows), ""]
    return "\n".join(lines[:-1])


def markdown_table(tables):
    lines = []
    for title, rows in tables:
        lines += [f"**{title}**", "", "| " + " | ".join(HEAD) + " |", "|---|" + "--:|" * 8 + "---|---|"]
        lines += ["| " + " | ".join(cells(row)) + " |" for row in rows]
        lines.append("")
    return "\n".join(lines)


def summary(tables):
    """How many targets are met, each form of a row being one, for each number of PEs and over all."""
    met = {}
    for row in (row for _, rows in tables for row in rows):
        for form in OURS:
            if row[f"{form}_met"] is not None:
                met.setdefault(row["pes"], []).append(row[f"{form}_met"])
    if not met:
        return "no target could be decided"
    parts = [f"{pes} PEs: {sum(of)} of {len(of)}" for pes, of in sorted(met.items())]
    everything = [value for of in met.values() for value in of]
    return f"{sum(everything)} of {len(everything)} targets met ({'; '.join(parts)})"
