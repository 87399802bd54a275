"""The PGAS microbenchmarks: put and get between pairs of PEs, strided put and get, reductions by algorithm."""

import os

from model import VERDICTS, Curve, Figure, Headline, Program, Run, Target

# Keeps loops that copy as loops of vector instructions; GCC would call memcpy instead.
LOOPS = ("-O3", "-march=native", "-fno-tree-loop-distribute-patterns")
FOLDERS = {"pairs": "rma", "strides": "rma", "reductions": "collectives"}
INTERFACE = {"copal": "shmem", "oshmem": "shmem", "openmpi": "mpi", "mpich": "mpi", "floor": "bare", "socket": "bare"}
LABEL = {"copal": "Copal", "oshmem": "OSHMEM", "openmpi": "Open MPI", "mpich": "MPICH", "floor": "floor",
         "socket": "sockets"}

PROGRAMS = [Program(f"pgas-{name}-{interface}", interface,
                    (f"bench/programs/{FOLDERS[name]}/{name}{'_mpi' if interface == 'mpi' else ''}.c",), LOOPS)
            for name, interfaces in (("pairs", ("shmem", "mpi", "bare")), ("strides", ("shmem", "mpi", "bare")),
                                     ("reductions", ("shmem", "mpi")))
            for interface in interfaces]

CORES = len(os.sched_getaffinity(0))
PAIRS = [1, 2, 4, *(pairs for pairs in (8, 16, 32) if 2 * pairs <= CORES)]
AMONG = [2, 4, 8, *(pes for pes in (16, 32, 64) if pes <= CORES)]  # PEs of a reduction
VERBS = {"put": "Put", "get": "Get"}


def run(side, name, pes, nodes=1, algorithm=None):
    """More than two PEs may share cores: these have fewer rounds, and no quick run."""
    return Run(side, f"pgas-{name}-{INTERFACE[side]}", pes, ("full",), nodes=nodes,
               rounds=2 if pes > 2 or nodes > 1 else 0,
               env=(("SHCOLL_REDUCE", algorithm),) if algorithm else (), quick=pes == 2,
               limit_s=60 * nodes)


def contest(row, name, pes, nodes=1, where=None, floor=True):
    """A curve for each side that can run it. MPICH's waiting ranks never yield their core: it gets at most two."""
    sides = ["copal", "oshmem", "openmpi", *(["mpich"] if pes == 2 and nodes == 1 else []),
             *(["floor"] if floor and nodes == 1 else ["socket"] if floor and pes == 2 else [])]
    roles = {"copal": "ours", "floor": "floor", "socket": "floor"}
    return [Curve(LABEL[side], roles.get(side, "peer"), [run(side, name, pes, nodes)], row, where or {})
            for side in sides]


def several(number, noun):
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


# --- pairs ------------------------------------------------------------------------------------------------------------

ONE_WAY, BOTH_WAYS = {"directions": 1}, {"directions": 2}


def latency(verb, pairs, nodes=1):
    where = " between two nodes" if nodes == 2 else ""
    return Figure(f"thesis-{verb}-latency-{pairs}{'-nodes' if nodes == 2 else ''}", "thesis", "Figure 3.1",
                  f"{VERBS[verb]} latency, {several(pairs, 'pair')}{where}", "bytes", "time",
                  contest(f"{verb}_latency", "pairs", 2 * pairs, nodes, ONE_WAY),
                  text="One operation, complete before the next begins: shmem_putmem and quiet, or shmem_getmem, "
                       "beside MPI-3's MPI_Put or MPI_Get with a flush." + over_tcp(nodes),
                  **held_against_floor(pairs, nodes))


def held_against_floor(pairs, nodes):
    """Figures of one pair are also in the page's section "node" or "network", and have targets."""
    if pairs > 1:
        return {}
    small, large = (1 / 2, 0.95) if nodes == 1 else (1 / 1.15, 1 / 1.1)
    return {"also": ("node" if nodes == 1 else "network",),
            "targets": (Target("floor", small, {"bytes": 8}), *(Target("floor", large, {"bytes": size})
                                                                for size in (64 << 10, 4 << 20)))}


def bandwidth(verb, pairs, nodes=1, directions=1):
    where = " between two nodes" if nodes == 2 else ""
    both = ", both directions" if directions == 2 else ""
    suffix = ("-both" if directions == 2 else "") + ("-nodes" if nodes == 2 else "")
    fields = {"directions": directions}
    curves = contest(f"{verb}_bandwidth", "pairs", 2 * pairs, nodes, fields)
    if nodes > 1:
        curves += [Curve(f"{curve.label}, nbi", curve.role, curve.runs, f"{verb}_bandwidth_nbi", fields)
                   for curve in curves[:2]]
    return Figure(f"thesis-{verb}-bandwidth-{pairs}{suffix}", "thesis", "Figure 3.2",
                  f"{VERBS[verb]} bandwidth, {several(pairs, 'pair')}{both}{where}", "bytes", "bandwidth",
                  curves, better="more",
                  text="Windows of up to 64 messages and one quiet or flush; the sum of all pairs."
                       + (" nbi: nonblocking calls, as those of MPI." if nodes > 1 else "") + over_tcp(nodes))


def over_tcp(nodes):
    return " The two nodes are parts of one machine, connected only by TCP." if nodes == 2 else ""


def by_pointer(verb, row, suffix=""):
    """Curves of the call, of a loop and of memcpy through shmem_ptr, for Copal and for OSHMEM."""
    pairs = int(suffix or 1)
    ways = [("copal", "", "Copal", "ours"), ("copal", "_ptr", "Copal, shmem_ptr", "variant"),
            *([("copal", "_memcpy", "Copal, memcpy to shmem_ptr", "variant")] if pairs == 1 else []),
            ("oshmem", "", "OSHMEM", "peer"), ("oshmem", "_ptr", "OSHMEM, shmem_ptr", "peer")]
    return [Curve(label, role, [run(side, "pairs", 2 * pairs)], f"{verb}_{row}{way}", ONE_WAY)
            for side, way, label, role in ways]


def pointer_latency(verb):
    return Figure(f"phi-{verb}-latency", "phi", "Figure 3", f"{VERBS[verb]} latency: the call or shmem_ptr", "bytes",
                  "time",
                  by_pointer(verb, "latency"), judged=False,
                  text=f"shmem_{verb}mem beside a loop of vector loads and stores, and memcpy, through shmem_ptr; puts "
                       "and stores with their quiet.")


def pointer_bandwidth(verb, pairs):
    return Figure(f"phi-{verb}-bandwidth-{pairs}", "phi", "Figure 4" if pairs < 4 else "Figure 5",
                  f"{VERBS[verb]} bandwidth, {several(pairs, 'pair')}: the call or shmem_ptr", "bytes", "bandwidth",
                  by_pointer(verb, "bandwidth", pairs), better="more", judged=False,
                  text="Windows of up to 64 messages and one quiet; the sum of all pairs.")


# --- strides ----------------------------------------------------------------------------------------------------------

PLACES = {"target": "at the target", "origin": "at the origin", "both": "at both"}


def strided(verb, place):
    curves = contest(f"{verb}_{place}", "strides", 2)
    curves.insert(1, Curve("Copal, shmem_ptr", "variant", curves[0].runs, f"{verb}_{place}_ptr"))
    return Figure(f"phi-strided-{verb}-{place}", "phi", "PGAS-Microbenchmarks",
                  f"Strided {verb}, stride {PLACES[place]}",
                  "stride", "bandwidth", curves, better="more",
                  text=f"32768 elements of four bytes by shmem_int_i{verb}, by a loop through shmem_ptr, and by MPI's "
                       "vector types; bandwidth of the elements alone.", also=("node",),
                  targets=(Target("floor", 1 / 1.5, {"stride": 2}),) if place == "both" else ())


# --- reductions -------------------------------------------------------------------------------------------------------

ALGORITHMS = {"flat": "flat tree", "recursive_doubling": "recursive doubling", "bruck": "Bruck", "rabenseifner": "RSAG"}
FORMS = {"get": "put/get", "shmem_ptr": "shmem_ptr"}


def sums(name, form, pes):
    return Curve(f"{ALGORITHMS[name]}, {FORMS[form]}", "variant",
                 [run("copal", "reductions", pes, algorithm=f"{name}:{form}")], "sum")


def reductions(pes):
    contestants = contest("sum", "reductions", pes, floor=False)
    what = f"Sum of integers, {pes} PEs"
    text = "1 to 2^20 integers of four bytes. Copal: the library's choice."
    return [
        Figure(f"phi-reductions-putget-{pes}", "phi", "Figure 7", f"{what}: algorithms by put/get beside MPI", "bytes",
               "time",
               [*contestants, *(sums(name, "get", pes) for name in ALGORITHMS)], text=text, judged=False),
        Figure(f"phi-reductions-forms-{pes}", "phi", "Figures 8 and 9", f"{what}: put/get or shmem_ptr", "bytes",
               "time",
               [sums(name, form, pes) for name in ALGORITHMS for form in FORMS], judged=False,
               text="The paper's four algorithms, moving data by put and get or by loads and stores."),
        Figure(f"phi-reductions-best-{pes}", "phi", "Figure 10", f"{what}: the best beside MPI", "bytes", "time",
               [*contestants, *(sums(name, "shmem_ptr", pes) for name in ("recursive_doubling", "rabenseifner"))],
               text=text),
    ]


FIGURES = [
    *(latency(verb, pairs) for verb in VERBS for pairs in PAIRS),
    *(bandwidth(verb, pairs) for verb in VERBS for pairs in PAIRS),
    *(bandwidth(verb, pairs, directions=2) for verb in VERBS for pairs in PAIRS),
    *(figure(verb, pairs, nodes=2) for figure in (latency, bandwidth) for verb in VERBS for pairs in (1, 2)),
    *(pointer_latency(verb) for verb in VERBS),
    *(pointer_bandwidth(verb, pairs) for pairs in PAIRS for verb in VERBS),
    *(strided(verb, place) for verb in VERBS for place in PLACES),
    *(figure for pes in AMONG for figure in reductions(pes)),
]
SMALL, LARGE = {"bytes": (4, 4096)}, {"bytes": (16384, 4 << 20)}  # reductions of up to 2^10, and from 2^12 integers
SHORT, SHORTEST = {"bytes": (8, 1024)}, {"bytes": (8, 256)}  # a call may cost more than its bytes
CALL_COST = ("shmem_ptr saves only the cost of a call. Copal's call within a node looks up one address and copies, so "
             "this is little; from a few KiB on, caches and memory limit both copies.")
LAYERED = ("Here, as in the paper's library, a call passes through several layers before it copies, which shmem_ptr "
           "avoids; from a few KiB on, caches and memory limit both copies.")
LESS = "shmem_ptr lowers the latency of put and get by up to 60 %"
MORE = "shmem_ptr raises the bandwidth by up to 12 times"


def pointer_headlines(side, why, explains):
    """Compares shmem_ptr with the calls of the same side. 60 % less time is 2.5 times better."""
    by_loop = f"{side}, shmem_ptr"
    return [
        Headline("phi", f"{LESS} ({side}, 8 B to 1 KiB)",
                 [(f"phi-{verb}-latency", by_loop, side, SHORT) for verb in VERBS], 2.5, why, True, explains),
        Headline("phi", f"{MORE} ({side}, 8 B to 256 B)",
                 [(f"phi-{verb}-bandwidth-1", by_loop, side, SHORTEST) for verb in VERBS], 12, why, True,
                 explains),
    ]


def thesis_headline(where, suffix, peers, why, explains=""):
    best = {"latency": "Copal", "bandwidth": "Copal, nbi" if suffix else "Copal"}
    return Headline("thesis", f"OpenSHMEM's put has a lower latency and a higher bandwidth than MPI-3 RMA's ({where})",
                    [(f"thesis-put-{what}-1{suffix}", label, peer, {}) for what, label in best.items()
                     for peer in peers],
                    1.0, why, explains=explains)


HEADLINES = [
    *pointer_headlines("Copal", CALL_COST, VERDICTS[1]),
    *pointer_headlines("OSHMEM", LAYERED, VERDICTS[0]),
    Headline("phi", "Reductions of up to 2^10 integers take up to 22 % less time than MVAPICH2's",
             [("phi-reductions-best-2", "Copal", "MPICH", SMALL),
              ("phi-reductions-best-4", "Copal", "Open MPI", SMALL)], 1.28,
             "MVAPICH2 is derived from MPICH; waiting ranks of Open MPI yield their cores, so there can be more ranks "
             "than cores. A PE reads the others' integers in place; MPI's ranks exchange messages."),
    Headline("phi", "Reductions of 2^12 to 2^20 integers take up to 60 % less time than Intel MPI's",
             [("phi-reductions-best-2", "Copal", "MPICH", LARGE),
              ("phi-reductions-best-4", "Copal", "Open MPI", LARGE)], 2.5,
             "Intel MPI is derived from MPICH; waiting ranks of Open MPI yield their cores, so there can be more ranks "
             "than cores. By loads and stores, a PE uses the others' elements in place; messages copy them into "
             "buffers and out again."),
    thesis_headline("within a node", "", ("Open MPI", "MPICH"),
                    "MPI's put checks its arguments, window and types, and its flush makes all communication progress; "
                    "OpenSHMEM's put checks less. Long messages are one copy through the same memory with each "
                    "library.",
                    VERDICTS[0]),
    thesis_headline("between two nodes", "-nodes", ("Open MPI",),
                    "Two nodes are processes of one machine over TCP, not InfiniBand: most of the time is the "
                    "system's, and a message costs much more than its bytes. In windows of nonblocking puts (Copal's "
                    "here, and all of MPI), short puts share messages; each wait for a single put is a round trip."),
]
