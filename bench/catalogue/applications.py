"""Applications: the thesis' hash table and Himeno, spectral elements, the Phi paper's integer sort, and the speedup by
a second core."""

from model import Curve, Figure, Headline, Program, Run, Target

SORT = ("apps/is/buckets.c", "apps/is/keys.c", "apps/is/problem.c", "apps/is/ranking.c")
# The result that each program reports, in its unit, is the row "rate".
KEYS = {"rate": r"Mop/s total *= *([0-9.]+)"}
ENTERED = {"rate": r"([0-9.]+) Mupdates/s"}
SWEPT = {"rate": r"([0-9.]+) MFLOPS"}
SORTED = "SUCCESSFUL (51/51)"
SUMMED = {"gather-scatter": r"([0-9.]+) us for a gather-scatter", "sums": r"its sums alone ([0-9.]+)"}
# Equal loops must not differ in time because of their addresses.
ALIGNED = ("-falign-functions=64", "-falign-loops=64")


def summing(exchange, main):
    """apps/dss with one of its exchanges."""
    names = "apps/dss/mesh.f90", "apps/dss/sums.f90", "apps/dss/check.f90"
    return (*names, *exchange, "apps/dss/run.f90", f"apps/dss/{main}.f90")


PROGRAMS = [
    Program("dht", "caf", ("apps/dht/objects.f90", "apps/dht/dht.f90"), reads=ENTERED,
            right="slots that differ from those of one image alone: 0"),
    Program("dht-mpi", "mpi", ("bench/twins/dht_mpi.c",), reads=ENTERED),
    Program("dss", "shmem", summing(("apps/dss/shmem_exchange.f90",), "dss"), ALIGNED, SUMMED),
    Program("dss-caf", "caf", summing(("apps/dss/coarray_exchange.f90",), "dss_coarrays"), ALIGNED, SUMMED),
    Program("dss-mpi", "mpi", summing(("bench/twins/dss_mpi.c", "bench/twins/dss_mpi.f90"), "dss"), ALIGNED, SUMMED),
    Program("himeno", "caf", ("apps/himeno/problem.f90", "apps/himeno/himeno.f90"), reads=SWEPT),
    Program("himeno-mpi", "mpi", ("apps/himeno/problem.f90", "bench/twins/himeno_mpi.f90"), reads=SWEPT),
    Program("is", "shmem", (*SORT, "apps/is/exchange.c", "apps/is/is.c"), reads=KEYS, right=SORTED),
    Program("is-mpi", "mpi", (*SORT, "bench/twins/is_mpi.c"), reads=KEYS, right=SORTED),
]

COUNTS = (1, 2, 4)
CORES = 2  # more PEs have fewer rounds, and no MPICH, whose ranks never yield a core
ROUNDS, FEW = 4, 2  # the most rounds with up to CORES PEs, and with more


def runs_of(side, program, counts, arguments, **more):
    """A quick run has as many PEs as cores, and for Copal also one PE."""
    def run(pes):
        usual = {"rounds": ROUNDS if pes <= CORES else FEW, "quick": pes == CORES or (side == "copal" and pes == 1)}
        return Run(side, program, pes, arguments, **{**usual, **more})
    return [run(pes) for pes in counts if pes <= CORES or side != "mpich"]


def peers(program, counts, arguments, **more):
    """The curves of the MPI twin."""
    return [Curve(label, "peer", runs_of(side, f"{program}-mpi", counts, arguments, **more), "rate")
            for side, label in (("openmpi", "Open MPI"), ("mpich", "MPICH"))]


def coarrays(program, counts, arguments, **more):
    """The curves of a coarray program and its MPI twin."""
    return [Curve("Copal", "ours", runs_of("copal", program, counts, arguments, **more), "rate"),
            Curve("OpenCoarrays", "peer", runs_of("opencoarrays", program, counts, arguments, **more), "rate"),
            *peers(program, counts, arguments, **more)]


# --- the hash table ---------------------------------------------------------------------------------------------------

def table(id, title, curves, objects, text):
    return Figure(id, "thesis", "Figure 5.4", title, "pes", "value", curves,
                  unit="million updates/s", better="more", kind="bars", log_y=False,
                  text=f"Every image enters {objects} objects twice into a table that is spread over all images; "
                       f"{text} The rate is that of all images together.")


LOCKS = "a slot is read and changed under its image's lock (MPI: an exclusive lock of the window)."
ATOMICS = "a slot is claimed by atomic_cas, and counted by atomic_add (MPI: MPI_Compare_and_swap, MPI_Accumulate)."


def between_nodes():
    """MPICH is measured within a node alone."""
    curves = coarrays("dht", (2, 4), ("lock", "500"), nodes=2, quick=False, rounds=1)
    return [curve for curve in curves if curve.label != "MPICH"]


TABLES = [
    table("thesis-dht", "Distributed hash table, by locks", coarrays("dht", COUNTS, ("lock", "40000")), 40000, LOCKS),
    table("thesis-dht-nodes", "Distributed hash table, by locks, between two nodes", between_nodes(), 500, LOCKS),
    table("thesis-dht-atomic", "Distributed hash table, by atomics", coarrays("dht", COUNTS, ("atomic", "40000")),
          40000, ATOMICS),
]

# --- Himeno -----------------------------------------------------------------------------------------------------------

HIMENO = {"unit": "MFLOPS", "better": "more", "kind": "bars", "log_y": False}
SWEEPS = {  # size: number of sweeps, and options of its runs
    "XS": ("100", {}), "S": ("100", {}), "M": ("10", {"quick": False}),
    "L": ("3", {"quick": False, "rounds": 1, "limit_s": 120}),
}


def sizes():
    """Two images, every size; the largest is run once."""
    by_size = [coarrays("himeno", (2,), (size, sweeps), fields=(("size", size),), **more)
               for size, (sweeps, more) in SWEEPS.items()]
    return [Curve(same[0].label, same[0].role, [run for curve in same for run in curve.runs], "rate")
            for same in zip(*by_size)]


STENCILS = [
    Figure("thesis-himeno-images", "thesis", "Figure 5.5", "Himeno, size S", "pes", "value",
           coarrays("himeno", COUNTS, ("S", "100")), **HIMENO, also=("coarrays",),
           targets=(Target("peer", 1, {"pes": 2}),),
           text="A 19-point stencil on 128 x 64 x 64 points, 100 sweeps; borders are exchanged by assignments of "
                "array sections (MPI: nonblocking messages of subarrays)."),
    Figure("thesis-himeno-sizes", "thesis", "Figure 5.5", "Himeno on 2 images, by size", "size", "value", sizes(),
           **HIMENO, text="From 64 x 32 x 32 points (XS) to 512 x 256 x 256 (L), 56 bytes each: 4 MB to 2 GB."),
]

# --- spectral elements ------------------------------------------------------------------------------------------------

CUBES = {4: 60, 8: 30, 16: 4}  # length: batches


def summed(pes, nodes):
    """Bars for each length of the cube: a whole gather-scatter, beside the time of its sums within a PE."""
    def curve(label, role, side, program, row="gather-scatter"):
        runs = [run for length, batches in CUBES.items()
                for run in runs_of(side, program, (pes,), (str(length), str(batches)), nodes=nodes,
                                   fields=(("elements", f"{length}^3"),), **({} if nodes == 1 else {"quick": False}))]
        return Curve(label, role, runs, row)
    more = [curve("MPICH", "peer", "mpich", "dss-mpi")] if pes <= CORES and nodes == 1 else []
    where = "" if nodes == 1 else f" on {nodes} nodes"
    return Figure(f"apps-dss-{pes}-{nodes}", "apps", "", f"Direct stiffness summation, {pes} PEs{where}", "elements",
                  "value", [curve("OpenSHMEM", "ours", "copal", "dss"), curve("coarrays", "ours", "copal", "dss-caf"),
                           curve("Open MPI", "peer", "openmpi", "dss-mpi"), *more,
                           curve("without exchange", "floor", "copal", "dss", "sums")],
                  unit="us", kind="bars", log_y=False,
                  text="A gather-scatter of a cube of spectral elements of order 7: the copies of each point become "
                       "their sum. OpenSHMEM puts with signals, coarrays assign, and then post events or "
                       "synchronize, MPI sends nonblocking messages; the sums within a PE, the same in all, are most "
                       "of the time.")


SUMMATIONS = [summed(pes, nodes) for pes in (2, 4) for nodes in (1, 2)]

# --- the integer sort -------------------------------------------------------------------------------------------------

LENGTHS = {  # numbers of PEs, and options of their runs
    "A": (COUNTS, {}), "B": ((1, 2), {"quick": False, "rounds": FEW}),
    "C": ((1, 2), {"quick": False, "rounds": 1, "limit_s": 180}),
}
MOPS = {"unit": "Mop/s", "better": "more", "kind": "bars", "log_y": False}
PATHS = (("put", "put"), ("shmem_ptr", "stores by shmem_ptr"))


def sort_figure(letter, like, keys):
    counts, more = LENGTHS[letter]
    curves = [Curve(f"{label}, {words}", role, runs_of(side, "is", counts, ("-m", path, letter), **more), "rate")
              for side, label, role in (("copal", "Copal", "ours"), ("oshmem", "OSHMEM", "peer"))
              for path, words in PATHS]
    return Figure(f"phi-is-{letter.lower()}", "phi", like, f"NAS IS, class {letter}", "pes", "value",
                  curves + peers("is", counts, (letter,), **more), **MOPS,
                  text=f"Ten rankings of 2^{keys} keys. put: a buffer sorted by owner, one put to each; shmem_ptr: "
                       "each key is stored directly in its slot; MPI: MPI_Allreduce, MPI_Alltoall, MPI_Alltoallv.")


ALGORITHMS = ("flat", "recursive_doubling", "rabenseifner")


def reductions():
    """IS with the library's choice, and with each algorithm for the sums of its buckets' counts."""
    def curve(label, role, env):
        runs = [Run("copal", "is", 4, ("-m", "put", letter), env, fields=(("class", letter),),
                    **{"rounds": FEW, "quick": False, **more})
                for letter, more in (("S", {"quick": True}), ("A", {}), ("C", LENGTHS["C"][1]))]
        return Curve(label, role, runs, "rate")
    return [curve("the library's choice", "ours", ()),
            *(curve(name, "variant", (("SHCOLL_REDUCE", name),)) for name in ALGORITHMS)]


SORTS = [
    sort_figure("A", "Figure 11", 23), sort_figure("B", "Figure 12", 25), sort_figure("C", "Figure 13", 27),
    Figure("phi-is-reduction", "phi", "Figure 14", "NAS IS on 4 PEs, by algorithm of its reduction", "class", "value",
           reductions(), **MOPS, judged=False,
           text="Each ranking adds up 1029 (class S: 517) numbers of 8 bytes over all PEs. Only in class S, with "
                "few keys, this time matters."),
]

# --- a second core ----------------------------------------------------------------------------------------------------

WORK = [  # name, program, arguments, options of its runs
    ("IS A", "is", ("-m", "put", "A"), {}),
    ("IS B", "is", ("-m", "put", "B"), LENGTHS["B"][1]),
    ("Himeno S", "himeno", ("S", "100"), {}),
    ("Himeno M", "himeno", ("M", "10"), {"quick": False}),
    ("table, locks", "dht", ("lock", "40000"), {}),
    ("table, atomics", "dht", ("atomic", "40000"), {}),
]


def worth(label, pes):
    runs = [run for name, program, arguments, more in WORK
            for run in runs_of("copal", program, (pes,), arguments, fields=(("program", name),), **more)]
    return Curve(label, "ours", runs, "rate")


SECOND_CORE = Figure(
    "apps-efficiency", "apps", "", "Speedup by a second core", "program", "value",
    [worth("1 PE", 1), worth("2 PEs", 2)], unit="Mop/s, MFLOPS or million updates/s", better="more", kind="bars",
    judged=False,
    text="The same problem on one core and on two, except for the table, whose size is proportional to the images. The "
         "table computes nothing: with two images its cache lines move between the cores.")

FIGURES = [*TABLES, *STENCILS, *SUMMATIONS, *SORTS, SECOND_CORE]

# --- what the papers claim --------------------------------------------------------------------------------------------

LETTERS = ("a", "b", "c")

HEADLINES = [
    Headline("thesis", "The distributed hash table is 28 % faster than with another coarray runtime",
             [("thesis-dht", "Copal", "OpenCoarrays", {}), ("thesis-dht-nodes", "Copal", "OpenCoarrays", {})], 1.28,
             "An update is a lock, a load, one or two stores and an unlock. Within a node, these are loads, stores and "
             "atomic instructions in Copal, and MPI's one-sided communication in the other runtime. The paper measured "
             "over a network."),
    Headline("thesis", "Himeno is 6 % faster on average than over another communication layer",
             [("thesis-himeno-images", "Copal", "OpenCoarrays", {"pes": (2, 8)}),
              ("thesis-himeno-sizes", "Copal", "OpenCoarrays", {})], 1.06,
             "Both run the same compiled sweeps; only the exchange of borders differs. Its share grows with smaller "
             "grids; on the largest, the memory's bandwidth alone decides."),
    Headline("phi", "IS gains up to 13 % on average by storing keys through shmem_ptr in place of puts",
             [(f"phi-is-{letter}", "Copal, stores by shmem_ptr", "Copal, put", {"pes": 2}) for letter in LETTERS], 1.05,
             "Stores save a buffer and the second copy of each key, but only for keys of the other PE: both versions "
             "store a PE's own keys directly. The paper reports the gain from 32 PEs on."),
    Headline("phi", "IS is faster with OpenSHMEM than with MPI",
             [(f"phi-is-{letter}", "Copal, put", "Open MPI", {"pes": (2, 4)}) for letter in LETTERS], 1.0,
             "Most of the time is ranking, the same code for both. They differ in the exchange, a put to each owner or "
             "MPI_Alltoallv, and in the collectives before it."),
    Headline("phi", "IS is 25 % faster with recursive doubling or Rabenseifner's algorithm than with a flat reduction",
             [("phi-is-reduction", name, "flat", {}) for name in ALGORITHMS[1:]], 1.25,
             "On 4 PEs the sums of a ranking take microseconds with each algorithm, its keys milliseconds. On the "
             "paper's 128 PEs, a flat reduction combines 32 times as many vectors."),
    Headline("apps", "IS and Himeno have a parallel efficiency of 0.95 on 2 cores",
             [("apps-efficiency", "2 PEs", "1 PE", {"program": name})
              for name in ("IS A", "IS B", "Himeno S", "Himeno M")], 1.9,
             "If the efficiency is lower, the cores share the bandwidth of the last cache and of the memory: each "
             "sweep of Himeno reads 14 arrays, together 29 MB in size S and 235 MB in size M."),
]
