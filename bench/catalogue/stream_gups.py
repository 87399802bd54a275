"""STREAM with the reductions of the Xeon Phi paper (its Figure 6), and GUPS."""

from model import Curve, Figure, Headline, Program, Run

STREAM = ("apps/stream/kernels.c", "apps/stream/reduce.c", "apps/stream/stream.c")
GUPS = ("apps/gups/random.c", "apps/gups/update.c", "apps/gups/gups.c")
GUPS_MPI = ("apps/gups/random.c", "bench/twins/gups_mpi.c")
GUPS_READS = {"gups": r"GUP/s total\s+= ([0-9.]+)"}
GUPS_RIGHT = "Verification    = SUCCESSFUL"

VECTORS = ("-O3", "-march=native", "-lm")
NO_VECTORS = ("-O3", "-fno-tree-vectorize", "-fno-tree-loop-distribute-patterns", "-lm")

PROGRAMS = [
    Program("stream", "shmem", STREAM, VECTORS),
    Program("stream-scalar", "shmem", STREAM, NO_VECTORS),
    Program("gups", "shmem", GUPS, ("-O3",), GUPS_READS, GUPS_RIGHT),
    Program("gups-mpi", "mpi", GUPS_MPI, ("-O3",), GUPS_READS, GUPS_RIGHT),
]

COPAL, OSHMEM, OPEN_MPI, MPICH = "Copal", "Open MPI OSHMEM", "Open MPI", "MPICH"


def oshmem_heap(size):
    """OSHMEM allocates all of its heap at start, and rounds allocations up to powers of two."""
    return (("SHMEM_SYMMETRIC_SIZE", size), ("SHMEM_SYMMETRIC_HEAP_SIZE", size))


# ---- STREAM ----

REDUCED_ELEMENTS = "4000000"


def reduced(label, role, side, program, reduction):
    env = oshmem_heap("256M") if side == "oshmem" else ()
    return Curve(label, role, [Run(side, program, 2, ("-j", "-r", reduction, REDUCED_ELEMENTS), env)], "stream")


def plain(label, role, side, pes, **more):
    return Curve(label, role, [Run(side, "stream", pes, ("-j", "full"), rounds=1, limit_s=180, **more)], "stream")


STREAM_FIGURES = [
    Figure("phi-stream-reductions", "phi", "Figure 6", "STREAM with a reduction after each block, 2 PEs", x="kernel",
           y="value", unit="MB/s", better="more", kind="bars", log_y=False,
           text="The kernels of STREAM by blocks of 4096 elements; after each block the PEs add their results, element "
                "by element. The paper's original version gets the block of each other PE; its loops are not "
                "vectorised.",
           curves=[reduced(f"{COPAL}, library's sum", "ours", "copal", "stream", "library"),
                   reduced(f"{COPAL}, flat tree by shmem_ptr", "variant", "copal", "stream", "flat_tree"),
                   reduced(f"{COPAL}, gets, not vectorised", "variant", "copal", "stream-scalar", "get"),
                   reduced(f"{OSHMEM}, library's sum", "peer", "oshmem", "stream", "library"),
                   reduced(f"{OSHMEM}, flat tree by shmem_ptr", "peer", "oshmem", "stream", "flat_tree")]),
    Figure("phi-stream", "phi", "Section 4.2", "STREAM", x="kernel", y="value", unit="MB/s", better="more", kind="bars",
           log_y=False, judged=False,
           text="Plain STREAM: the bandwidth of the memory for one and for two PEs that do not communicate. All arrays "
                "have four times the size of the last cache, an eighth of that in a quick run.",
           curves=[plain(f"{COPAL}, 2 PEs", "ours", "copal", 2), plain(f"{COPAL}, 1 PE", "variant", "copal", 1),
                   plain(f"{OSHMEM}, 2 PEs", "peer", "oshmem", 2, env=oshmem_heap("2G"), quick=False)]),
]


# ---- GUPS ----

WORDS = "22"             # 32 MB: more than a PE's own cache
ACCUMULATE_WORDS = "18"  # for MPI_Accumulate, which is slow, and its comparisons


def rates(label, role, side, arguments, pes, **more):
    """A curve of the rates that `gups` or its twin prints."""
    program = "gups-mpi" if side in ("openmpi", "mpich") else "gups"
    env = oshmem_heap("128M") if side == "oshmem" else ()
    return Curve(label, role, [Run(side, program, n, arguments, env, **more) for n in pes], "gups")


def random_access(id, title, text, curves, **more):
    return Figure(id, "apps", "HPC Challenge", title, x="pes", y="value", unit="GUP/s", better="more", text=text,
                  curves=curves, **more)


ALL, ONE_CORE_EACH = (1, 2, 4), (1, 2)
GUPS_FIGURES = [
    random_access("gups-atomic", "GUPS by atomic operations",
                  "An atomic exclusive or for each update, in a table of 2^18 words.",
                  [rates(COPAL, "ours", "copal", ("-m", "atomic", ACCUMULATE_WORDS), ALL),
                   rates(OSHMEM, "peer", "oshmem", ("-m", "atomic", ACCUMULATE_WORDS), ALL),
                   rates(f"{OPEN_MPI}, MPI_Accumulate", "peer", "openmpi", ("accumulate", ACCUMULATE_WORDS),
                         ONE_CORE_EACH, rounds=3),
                   rates(f"{MPICH}, MPI_Accumulate", "peer", "mpich", ("accumulate", ACCUMULATE_WORDS),
                         ONE_CORE_EACH, rounds=3)]),
    random_access("gups-buckets", "GUPS by buckets",
                  "Each PE collects up to 1024 updates and sends them to their owners, which apply them, in a table of "
                  "2^22 words. Copal: puts with signal; OSHMEM, which has none: puts, a fence and a flag; MPI: "
                  "nonblocking messages.",
                  [rates(COPAL, "ours", "copal", ("-m", "buckets", WORDS), ALL),
                   rates(OSHMEM, "peer", "oshmem", ("-m", "buckets", WORDS), ALL),
                   rates(OPEN_MPI, "peer", "openmpi", ("buckets", WORDS), ALL),
                   rates(MPICH, "peer", "mpich", ("buckets", WORDS), ONE_CORE_EACH)]),
    random_access("gups-shmem-ptr", "GUPS by loads and stores",
                  "A load and a store for each update by shmem_ptr, in a table of 2^22 words; up to 1 % of the words "
                  "may be wrong. No library call is timed.",
                  [rates(COPAL, "ours", "copal", ("-m", "shmem_ptr", WORDS), ALL),
                   rates(OSHMEM, "peer", "oshmem", ("-m", "shmem_ptr", WORDS), ALL)], judged=False),
]

FIGURES = STREAM_FIGURES + GUPS_FIGURES

HEADLINES = [
    Headline("phi", "On 2 PEs, a reduction through shmem_ptr and vectorised loops give STREAM 40 times the bandwidth",
             [("phi-stream-reductions", f"{COPAL}, flat tree by shmem_ptr", f"{COPAL}, gets, not vectorised", {})],
             holds=40,
             why="A Xeon Phi core executes in order at 1 GHz, so scalar loops use little of its bandwidth and library "
                 "calls cost much. Here cores execute out of order, and a get is a copy by loads and stores, too."),
]
