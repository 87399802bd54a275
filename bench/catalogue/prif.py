"""PRIF: the cost of its procedures, called through the module prif, beside Caffeine within a node."""

from model import Curve, Figure, Program, Run, Target

PROGRAMS = [Program("prif-procedures", "prif", ("bench/timing/timing.f90", "bench/timing/prif_images.f90",
                                                "bench/programs/prif/procedures.f90"))]

AHEAD = (Target("peer", 1),)


def sides(rows):
    return [Curve(label, role, [Run(side, "prif-procedures", 2, ("full",))], rows)
            for label, role, side in (("Copal", "ours", "copal"), ("Caffeine", "peer", "caffeine"))]


def by_size(row, title, text):
    return Figure(f"prif-{row.replace('_', '-')}", "coarrays", "PRIF", title, "bytes", "time", sides(row), text=text,
                  targets=AHEAD)


def by_procedure(id, title, rows, text):
    return Figure(f"prif-{id}", "coarrays", "PRIF", title, "procedure", "time", sides(rows), kind="bars", text=text,
                  targets=AHEAD)


PAIR = "Image 1 and memory of image 2."
FIGURES = [
    by_size("put", "prif_put", f"{PAIR} Many, followed by one prif_sync_memory."),
    by_size("put_sync", "prif_put and prif_sync_memory", PAIR),
    by_size("get", "prif_get", PAIR),
    by_size("co_sum", "prif_co_sum, 2 images", "Of doubles, the result on all images."),
    by_size("co_max", "prif_co_max, 2 images", "Of doubles, the result on image 1."),
    by_size("co_broadcast", "prif_co_broadcast, 2 images", "Of doubles; the source image changes with each call."),
    by_procedure("strided", "Every second of 2048 doubles, in rows of 16", {
        "prif_put_strided": "put_strided", "prif_get_strided": "get_strided"}, PAIR),
    by_procedure("atomics", "Atomic subroutines", {
        f"prif_{name}": row for name, row in (("atomic_add", "atomic_add"), ("atomic_fetch_add", "atomic_fetch_add"),
                                              ("atomic_cas_int", "atomic_cas"))}, PAIR),
    by_procedure("control", "Synchronization, coarrays and teams, 2 images", {
        "sync_all": "sync_all", "sync_images": "sync_images", "event post + wait, round trip": "event_round_trip",
        "allocate + deallocate_coarray": "allocate", "form_team": "form_team", "change + end_team": "change_team"},
                 "Each image with the other; teams of one image."),
]
HEADLINES = []
