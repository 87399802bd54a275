"""Coarrays by compiler: Copal's times with each version of gfortran, beside gfortran's own library, OpenCoarrays and
MPI, in one table (docs/coarrays.md); and the points at which a version is slower than the first, or than a peer."""

import sys

import words
from evaluate import LEVEL
from execute import RUNNER
from model import GFORTRANS
from summary import how_measured, paragraph, rewrite

# The rows of the table: the row's title, the figure, the points on the figure's x axis (none: all).
ROWS = [
    ("put", "thesis-put-1", (8, 64 << 10, 4 << 20)), ("get", "thesis-get-1", (8, 64 << 10, 4 << 20)),
    ("put and sync memory", "thesis-put-time-1", (8,)),
    ("put of 128 x 64, stride 2", "thesis-strided-put", (2,)),
    ("get of 128 x 64, stride 2", "thesis-strided-get", (2,)),
    ("sync all", "caf-sync-all", (2,)), ("sync images, ring", "caf-sync-ring", (2,)),
    ("sync images with image 1", "caf-sync-first", (2,)), ("lock by 2 images", "thesis-locks", (2,)),
    ("lock and increment by 2 images", "thesis-locks-count", (2,)), ("scalar", "caf-scalars", ()),
    ("put", "caf-sections-put", ()), ("get", "caf-sections-get", ()), ("get", "caf-behind-pointer", ()),
    ("", "caf-control-2", ()), ("co_sum", "caf-co-sum-2", (8, 4096, 1 << 20)),
    ("co_broadcast", "caf-co-broadcast-2", (8, 4096, 1 << 20)), ("halo", "caf-halo", ()),
]
PEERS = {"caf_shmem": "libcaf_shmem", "opencoarrays": "OpenCoarrays", "openmpi": "Open MPI"}
SLOWER = 1.1  # a version is slower than the first from this factor on: rounds of one program differ less
BEGIN, END = "<!-- compilers:begin -->", "<!-- compilers:end -->"


def versions_of(results):
    """{side: its version of gfortran}, ordered by version."""
    sides = {side: version for side, version in results.get("compilers", {}).items() if version}
    return dict(sorted(sides.items(), key=lambda item: item[1]))


def medians_of(figure):
    """{side: {x: median}} of the peers and of Copal, without the variants of its first version."""
    return {curve["side"]: {point[0]: point[1] for point in curve["points"]} for curve in figure["curves"]
            if curve["role"] == "peer" or curve["label"].startswith("Copal")
            and not (curve["side"] == "copal" and curve["role"] == "variant")}


def points(results):
    """(title, figure, {side: median}) of each row with a time of Copal."""
    figures = {figure["id"]: figure for figure in results["figures"]}
    ours = ("copal", *GFORTRANS)
    for what, id, chosen in ROWS:
        figure = figures.get(id)
        medians = medians_of(figure) if figure else {}
        for x in chosen or dict.fromkeys(x for side in ours for x in medians.get(side, ())):
            at = {side: values[x] for side, values in medians.items() if x in values}
            if any(side in at for side in ours):
                shown = "" if chosen == (2,) else words.x_value(figure, x)  # 2 images or stride 2: named anyway
                yield f"{what} {shown}".strip(), figure, at


def ratio(figure, value, other):
    """How many times worse than the other side this side is."""
    return value / other if figure["better"] == "less" else other / value


def remarks(results):
    """A sentence for each point at which a version is slower than the first version or than a peer."""
    sides = versions_of(results)
    first = next(iter(sides), None)
    for what, figure, at in points(results):
        for side, version in sides.items():
            for other in (first, *PEERS):
                least = SLOWER if other == first else 1 / LEVEL
                if side in at and other in at and side != other and ratio(figure, at[side], at[other]) > least:
                    name = f"gfortran {sides[first]}" if other == first else PEERS[other]
                    yield (f"{what}: gfortran {version} {words.value(figure, at[side])}, "
                           f"{words.number(ratio(figure, at[side], at[other]), 2)} times {name}'s "
                           f"{words.value(figure, at[other])}")


def table(results):
    sides = versions_of(results)
    peers = {side: title for side, title in PEERS.items() if side in results["versions"]}
    rows = [[what, *(words.value(figure, at[side]) if side in at else "-" for side in (*sides, *peers))]
            for what, figure, at in points(results)]
    head = ["2 images", *(f"gfortran {version}" for version in sides.values()), *peers.values()]
    lines = [f"| {' | '.join(row)} |" for row in (head, ["---", *["--:"] * (len(head) - 1)], *rows)]
    return "\n".join(lines) if rows else ""


def write(results, path):
    """Writes the table between its marks in that file."""
    body = table(results)
    if not body:
        sys.exit(f"{RUNNER}: --compilers {path}: no coarrays were measured: nothing is written")
    about = paragraph(f"{how_measured(results)} No value (-): not installed, without such a statement, or the program "
                      "failed; the page of `make bench` has the reasons.")
    rewrite(path, "--compilers", BEGIN, END, f"{body}\n\n{about}")
