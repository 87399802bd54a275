"""The rows of bench/coarrays.py, their targets, and the table."""

import statistics

import report
from report import allowed_us, format_time

KiB, MiB = 1 << 10, 1 << 20
COLUMNS = {"Copal": "copal", "OpenCoarrays": "opencoarrays", "Open MPI": "openmpi", "MPICH": "mpich", "floor": "floor"}
PEERS = ["OpenCoarrays", "Open MPI", "MPICH"]
HALO = 2556  # elements that an image of the halo exchange receives
CROWDED_US = 20  # with more images than cores no statement takes longer


# A target is what report.py knows, or ("syncs", us): at most two of our own SYNC ALL and so much more.
# mpi names the row of the MPI programs that does the same, None where it has no such thing; figures are divided by per.
class Row:
    def __init__(self, what, name, bytes=0, pes=2, target=None, mpi="", floor="", per=1):
        self.what, self.name, self.bytes, self.pes, self.target, self.per = what, name, bytes, pes, target, per
        self.keys = {}
        for column in COLUMNS:
            other = {"Open MPI": mpi, "MPICH": mpi, "floor": floor}.get(column, "")
            self.keys[column] = None if other is None else (other or name, pes, bytes)


def control_rows(pes):
    """Image control and atomics; with more images than cores (crowded) all have one target."""
    def row(what, name, us, bytes=0, statements=1, **other):
        target = ("us", us if pes == 2 else CROWDED_US * statements)
        return Row(what, name, bytes, pes, target, **other)

    yield row("sync all", "sync_all", 0.2)
    yield row("sync images, pairs", "sync_images", 0.2, floor="sync_all")
    yield row("event post + wait, round trip", "event_round_trip", 0.3)
    yield row("lock + unlock, own, free", "lock_own", 0.04, floor="lock_remote")
    yield row("lock + unlock, remote, free", "lock_remote", 0.04)
    yield row("lock + unlock, contended, each", "lock_contended", 0.15)
    yield row("critical, contended, each", "critical", 0.15, mpi="lock_contended", floor="lock_contended")
    yield row("atomic_add, remote", "atomic_add", 0.015)
    yield row("atomic_fetch_add, remote", "atomic_fetch_add", 0.015)
    yield row("form team", "form_team", 2)
    yield row("change team + end team", "change_team", 0.1, mpi=None, statements=2)
    allocate = row("allocate + deallocate, 1 KiB", "allocate", 0, KiB, statements=2)
    allocate.target = ("syncs", 1) if pes == 2 else allocate.target
    yield allocate


def collective_rows(pes):
    for what, name, targets in (("co_sum", "co_sum", (0.3, 1.5, 250)),
                                ("co_broadcast", "co_broadcast", (0.25, 1, 110))):
        for doubles, us in zip((1, 512, 131072), targets):
            crowded = None if doubles > 512 else ("us", CROWDED_US)
            yield Row(f"{what}, {doubles} doubles", name, doubles * 8, pes, ("us", us) if pes == 2 else crowded)


def halo_rows():
    style = {"mpi": "neighbourhood", "bytes": HALO * 8}
    for how in ("get", "put"):
        yield Row(f"blocked {how}", f"blocked_{how}", target=("peer", 1), **style)
    for what, name in (("get", "get"), ("put", "put"), ("get, p => target", "get_target"),
                       ("put, p => target", "put_target")):
        yield Row(f"scattered {what}", f"scattered_{name}", **style)
        yield Row("  each element", f"scattered_{name}", target=("us", 0.03), per=HALO, **style)


SECTIONS = [
    ("Put and get, 2 images", [
        Row("put, scalar of 8 B", "put_scalar", 8, target=("us", 0.02)),
        Row("get, scalar of 8 B", "get_scalar", 8, target=("us", 0.02)),
        Row("put, array, 8 B", "put_array", 8, target=("us", 0.04)),
        Row("get, array, 8 B", "get_array", 8, target=("us", 0.04)),
        Row("put, array, 1 KiB", "put_array", KiB, target=("us", 0.07)),
        Row("get, array, 1 KiB", "get_array", KiB, target=("us", 0.07)),
        Row("put, array, 4 MiB (floor: memcpy)", "put_array", 4 * MiB, target=("floor", 1.1)),
        Row("get, array, 4 MiB (floor: memcpy)", "get_array", 4 * MiB, target=("floor", 1.1)),
    ]),
    ("Sections, 2 images (floor: plain loops)", [
        Row("put a(1:512:2, 1:512:2), 512 KiB", "put_section", 512 * KiB, target=("floor", 1.3)),
        Row("get a(1:512:2, 1:512:2), 512 KiB", "get_section", 512 * KiB, target=("floor", 1.3)),
        Row("  put it from a whole array", "put_packed", 512 * KiB, target=("floor", 1.3)),
        Row("  get it into a whole array", "get_packed", 512 * KiB, target=("floor", 1.3)),
        Row("put a matrix row, 8 KiB", "put_row", 8 * KiB, target=("floor", 1.3)),
        Row("get a matrix row, 8 KiB", "get_row", 8 * KiB, target=("floor", 1.3)),
        Row("put a matrix column, 8 KiB", "put_column", 8 * KiB, target=("floor", 1.3)),
        Row("get a matrix column, 8 KiB", "get_column", 8 * KiB, target=("floor", 1.3)),
        Row("get src[i]%p(k), p allocated", "get_element", 8, target=("us", 0.03), mpi="get_scalar",
            floor="get_scalar"),
        Row("get src[i]%p(k), p => target", "get_element_target", 8, target=("us", 0.03), mpi="get_scalar",
            floor="get_scalar"),
    ]),
    ("Image control and atomics, 2 images", list(control_rows(2))),
    ("Collectives, 2 images", list(collective_rows(2))),
    ("Halo exchange of an unstructured mesh, 2 images, 2556 elements each (MPI: a neighbourhood collective)",
     list(halo_rows())),
    ("Himeno, 2 images, a sweep of size S (MPI: messages of subarrays)", [
        Row("sweep and exchange", "himeno", target=("peer", 1))]),
    ("4 images on 2 cores", [*control_rows(4), *collective_rows(4)]),
    ("8 images on 2 cores", [*control_rows(8), *collective_rows(8)]),
]


def target_text(target):
    return f"2 sync all + {target[1]:g} us" if target and target[0] == "syncs" else report.target_text(target)


def evaluate(samples):
    """[(section, [row as a dictionary])]: medians over the rounds, before they are laid out."""
    figures = {side: {key: statistics.median(us) for key, us in rows.items()} for side, rows in samples.items()}
    sections = []
    for title, rows in SECTIONS:
        out = []
        for row in rows:
            us = {column: figures.get(side, {}).get(row.keys[column]) for column, side in COLUMNS.items()}
            us = {column: None if value is None else value / row.per for column, value in us.items()}
            peer = min((us[name] for name in PEERS if us[name] is not None), default=None)
            sync = figures.get("copal", {}).get(("sync_all", row.pes, 0))
            if row.target and row.target[0] == "syncs":
                limit = None if sync is None else 2 * sync + row.target[1]
            else:
                limit = allowed_us(row.target, peer, us["floor"])
            ours = us["Copal"]
            out.append({
                "what": row.what, "row": row.name, "pes": row.pes, "bytes": row.bytes, "us": us, "best_peer_us": peer,
                "target": target_text(row.target), "allowed_us": limit,
                "met": None if limit is None or ours is None else ours <= limit,
            })
        sections.append((title, out))
    return sections


HEAD = ["what", *COLUMNS, "/ floor", "x peer", "target", "met"]
LINE = "{:<40} {:>9} {:>12} {:>9} {:>9} {:>9} {:>8} {:>8}  {:<20} {}"


def cells(row):
    def ratio(a, b):
        return "-" if a is None or b is None else report.significant(a / b)

    us = row["us"]
    ours = us["Copal"]
    met = {None: "", True: "yes", False: "NO"}[row["met"]]
    figures = ["-" if value is None else format_time(value) for value in us.values()]
    return [row["what"], *figures, ratio(ours, us["floor"]), ratio(row["best_peer_us"], ours), row["target"], met]


def text_table(sections):
    return report.text_table(sections, HEAD, cells, LINE)


def markdown_table(sections):
    return report.markdown_table(sections, HEAD, cells)
