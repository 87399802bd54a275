"""Each collective at each size: with a team and with an active set, beside OSHMEM, MPI and two floors of bare
processes."""

from model import Curve, Figure, Program, Run, Target

FOLDER = "bench/programs/collectives/"
VECTORS = ("-ftree-vectorize", "-fvect-cost-model=dynamic", "-march=native")  # the floor uses all of the CPU

PROGRAMS = [
    Program("collectives-team", "shmem", (f"{FOLDER}team.c",)),
    Program("collectives-set", "shmem", (f"{FOLDER}set.c",)),
    Program("collectives-mpi", "mpi", (f"{FOLDER}mpi.c",)),
    Program("collectives-bare", "bare", (f"{FOLDER}floor.c",), VECTORS),
]

# The names in OpenSHMEM (team, active set) and in MPI.
COLLECTIVES = {
    "barrier": "shmem_barrier_all, shmem_barrier; MPI_Barrier",
    "broadcast": "shmem_broadcastmem, shmem_broadcast64; MPI_Bcast",
    "sum": "shmem_double_sum_reduce, shmem_double_sum_to_all; MPI_Allreduce",
    "fcollect": "shmem_fcollectmem, shmem_fcollect64; MPI_Allgather",
    "collect": "shmem_collectmem, shmem_collect64, odd PEs with half as much; MPI_Allgatherv, which gets all "
               "lengths as an argument",
    "alltoall": "shmem_alltoallmem, shmem_alltoall64; MPI_Alltoall",
    "alltoalls": "shmem_uint64_alltoalls, shmem_alltoalls64, every second word; MPI_Alltoall of a vector",
    "inscan": "shmem_double_sum_inscan; MPI_Scan",
    "exscan": "shmem_double_sum_exscan; MPI_Exscan",
}
SCANS = ("inscan", "exscan")
CORES = 2
# OSHMEM allocates the whole heap at start; its buddy allocator rounds blocks up
HEAP = (("SHMEM_SYMMETRIC_SIZE", "1G"), ("SHMEM_SYMMETRIC_HEAP_SIZE", "1G"))

# Label, role, side, end of the program's name, further arguments, environment. At each x, the best of the peers and the
# better of the floors count.
WAYS = [
    ("Copal, team", "ours", "copal", "team", (), ()),
    ("Copal, active set", "ours", "copal", "set", (), ()),
    ("OSHMEM", "peer", "oshmem", "set", (), HEAP),
    ("OSHMEM, basic", "peer", "oshmem", "set", (), (*HEAP, ("OMPI_MCA_scoll", "basic"))),
    ("Open MPI", "peer", "openmpi", "mpi", (), ()),
    ("Open MPI, shared memory", "peer", "openmpi", "mpi", (), (("OMPI_MCA_coll_sm_priority", "90"),)),
    ("MPICH", "peer", "mpich", "mpi", (), ()),
    ("floor, pull", "floor", "floor", "bare", (), ()),
    ("floor, push", "floor", "floor", "bare", ("push",), ()),
]
NEVER_YIELD = ("OSHMEM, basic", "Open MPI, shared memory", "MPICH")  # with more PEs than cores they do not end in time


def curves(collective, counts, row=""):
    def run(pes, side, program, argument, env):
        return Run(side, f"collectives-{program}", pes, ("full", "all", *argument), env, quick=pes <= CORES,
                   rounds=0 if pes <= CORES else 3)
    return [Curve(label, role, [run(pes, *how) for pes in counts if pes <= CORES or label not in NEVER_YIELD],
                  row or collective)
            for label, role, *how in WAYS
            if not (how[1] == "set" and collective in SCANS) and (min(counts) <= CORES or label not in NEVER_YIELD)]


def targets(pes):
    """Better than the best peer; with a core for each PE, twice as good with small messages, and near the floor with
    large ones."""
    if pes > CORES:
        return (Target("peer", 1),)
    return (Target("peer", 2, {"bytes": (0, 4096)}), Target("peer", 1, {"bytes": (4097, 1 << 30)}),
            Target("floor", 1 / 1.3, {"bytes": (64 << 10, 1 << 30)}))


TEXT = ("Windows of eight calls, each with its own arrays, and a barrier, which is included; above 64 KiB a barrier "
        "follows each call. The root of a broadcast changes with each call. ")
FIGURES = [
    Figure("collectives-barrier", "collectives", "", "barrier", "pes", "time", curves("barrier", (2, 4, 8)),
           kind="bars",
           text=f"{COLLECTIVES['barrier']}. More than 2 PEs share 2 cores.",
           targets=(Target("peer", 2, {"pes": 2}), Target("peer", 1, {"pes": (3, 8)}))),
    *(Figure(f"collectives-{name}-{pes}", "collectives", "", f"{name}, {pes} PEs", "bytes", "time",
             curves(name, (pes,)),
             text=f"{TEXT}{words}.{' The PEs share 2 cores.' if pes > CORES else ''}", targets=targets(pes))
      for pes in (2, 4, 8) for name, words in list(COLLECTIVES.items())[1:]),
    *(Figure(f"collectives-{name}-alone-{pes}", "collectives", "", f"{name}, one by one, {pes} PEs", "bytes", "time",
             curves(name, (pes,), f"{name}_alone"),
             text=f"Each call after a barrier, which is not included; the mean time of the PEs. {words}.")
      for pes in (2, 4, 8) for name, words in list(COLLECTIVES.items())[1:]),
]
HEADLINES = []
