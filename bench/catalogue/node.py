"""Within a node: single elements, atomics, ordering, signals, barriers, locks, allocation, and the time of a job."""

from model import Curve, Figure, Program, Run, Target

RMA, SYNC = "bench/programs/rma/", "bench/programs/sync/"
NAMES = {"elements": RMA, "atomics": RMA, "sync": SYNC, "lock": SYNC, "memory": SYNC, "hello": SYNC}
JOB = {"timed": True, "right": "hello from PE "}

PROGRAMS = [Program(f"{name}-{interface}", interface, (f"{folder}{name}.c",), **(JOB if name == "hello" else {}))
            for name, folder in NAMES.items() for interface in ("shmem", "bare")]

CORES = 2


def runs(side, name, counts=(2,), arguments=("full",)):
    interface = "bare" if side == "floor" else "shmem"
    return [Run(side, f"{name}-{interface}", pes, arguments, rounds=0 if pes <= CORES else 3, quick=pes <= CORES)
            for pes in counts]


def contest(name, rows, floor=None, peer=None, **more):
    """Curves of Copal, OSHMEM and the floor. peer, floor: the rows of OSHMEM and of the floor, if they have other names
    than Copal's."""
    return [Curve("Copal", "ours", runs("copal", name, **more), rows),
            Curve("OSHMEM", "peer", runs("oshmem", name, **more), peer or rows),
            Curve("floor", "floor", runs("floor", name, **more), floor or rows)]


def operations(id, title, curves, text, targets=(), **more):
    """A figure with a group of bars for each operation."""
    return Figure(f"node-{id}", "node", "", title, "operation", more.pop("y", "time"), curves, kind="bars", text=text,
                  targets=targets, **more)


def at(operation):
    return {"operation": operation}


ELEMENTS = {"p + quiet": "p_quiet", "g": "g", "p + quiet, static": "p_quiet_static",
            "put 8 B + quiet, static": "put_quiet_static"}
ON_HEAP = {"p + quiet": "p_quiet", "g": "g", "p + quiet, static": "p_quiet", "put 8 B + quiet, static": "p_quiet"}
ATOMICS = {"fetch-add": "fetch_add", "compare-swap": "compare_swap", "fetch-add, static": "fetch_add_static"}
TRIPS = {"flag": "flag", "put + fence + flag": "put_fence_flag", "put_signal": "put_signal",
         "put_signal, signal apart": "put_signal_apart"}
TRIPS_1_4 = {**TRIPS, "put_signal": "put_fence_flag", "put_signal, signal apart": "put_fence_flag_apart"}
LOCKS = {"free, by PE 0": "lock_pe0", "free, by PE 1": "lock_pe1", "contended": "lock_contended"}
IN_ORDER = {"free, by PE 0": "lock_fifo_free", "contended": "lock_fifo_contended"}

EIGHT_BYTES = [Curve(curve.label, curve.role, curve.runs, curve.row, {"bytes": 8})
               for curve in contest("elements", ELEMENTS, ON_HEAP)]
BARRIERS = {"barrier_all": "shmem_barrier_all", "sync_all": "shmem_sync_all"}

FIGURES = [
    operations("elements", "Single elements, 2 PEs", EIGHT_BYTES, targets=(Target("floor", 1 / 2),),
               text="One after the other; the result of each g is the address of the next. The floor of statics is "
                    "that of the heap."),
    operations("rates", "Rates of p and of atomic add, 2 PEs", [
        Curve(label, role, [*runs(side, "elements"), *runs(side, "atomics")], {"p": "p", "atomic add": "add"})
        for label, role, side in (("Copal", "ours", "copal"), ("OSHMEM", "peer", "oshmem"),
                                  ("floor", "floor", "floor"))],
        y="rate", better="more", text="One quiet at the end of a batch of a millisecond."),
    operations("atomics", "Atomics on the other PE, uncontended", contest(
        "atomics", ATOMICS, {**ATOMICS, "fetch-add, static": "fetch_add"}), targets=(Target("floor", 1 / 2),),
        text="On one word; each returned value is checked."),
    operations("order", "Quiet and fence, nothing pending", contest("sync", {"quiet": "quiet", "fence": "fence"}),
               text="Back to back."),
    operations("signals", "Round trips, 2 PEs", contest("sync", TRIPS, peer=TRIPS_1_4), targets=(
        Target("floor", 0.8, at("put_signal")), Target("floor", 0.8, at("put_signal, signal apart"))),
        text="PE 0 sends and waits for the reply; the signal is on the cache line of its 8 bytes, or on another line. "
             "Open MPI's OpenSHMEM 1.4 has no put_signal; it makes a put, a fence and a flag."),
    *(Figure(f"node-{row.replace('_', '-')}", "node", "", f"{name}", "pes", "time", contest("sync", row, counts=(2, 4)),
             kind="bars", text="Back to back. 4 PEs share 2 cores.",
             targets=(Target("floor", 0.8, {"pes": 2}), Target("floor", 1 / 1.5, {"pes": 4})))
      for row, name in BARRIERS.items()),
    operations("locks", "Lock and unlock, 2 PEs", [
        *contest("lock", LOCKS), Curve("floor, in the order of arrival", "variant", runs("floor", "lock"), IN_ORDER)],
        targets=(Target("figure", 0.04, at("free, by PE 0")), Target("figure", 0.04, at("free, by PE 1")),
                 Target("figure", 0.15, at("contended"))),
        text="With an empty body; contended: both at once, the time divided by all acquisitions. The floor tests and "
             "sets a word, without an order; a bare ticket lock, with an order, is beside it."),
    operations("memory", "Collective allocation of 1 KiB, 2 PEs", contest("memory", {"malloc + free": "malloc_free"}),
               targets=(Target("floor", 1 / 2),), text="The floor is the two barriers that the specification demands."),
    Figure("node-hello", "node", "", "A hello job, from the launcher's start to its end", "pes", "time",
           contest("hello", "job", counts=(2, 8, 16), arguments=()), kind="bars",
           targets=(Target("figure", 15e3, {"pes": 2}), Target("figure", 60e3, {"pes": 16})),
           text="The floor is fork and exec of the same number of trivial programs."),
]
HEADLINES = []
