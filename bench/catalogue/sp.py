"""NAS SP: the Phi paper's second application, Figures 15 to 17."""

from model import Curve, Figure, Headline, Program, Run

HERE = "apps/sp/"
EQUATIONS = tuple(f"{HERE}{name}.f90" for name in ("problem", "grid", "field", "characteristics", "flow", "faces"))
SOLVER = (f"{HERE}sweeps.f90", f"{HERE}sp.f90")
RATE = {"rate": r"Mop/s total *= *([0-9.]+)"}
RIGHT = "Verification    = SUCCESSFUL"

PROGRAMS = [
    Program("sp", "shmem", (*EQUATIONS, f"{HERE}openshmem.f90", f"{HERE}exchange.f90", *SOLVER),
            reads=RATE, right=RIGHT),
    Program("sp-mpi", "mpi", (*EQUATIONS, "bench/twins/sp_exchange_mpi.f90", *SOLVER), reads=RATE, right=RIGHT),
]

# On the machine's 2 cores, classes take about 0.1, 2, 10 and 40 s. SP needs a square number of PEs, here 1 or 4;
# MPICH is left out, because its ranks never yield a core.
COSTS = {
    "S": {}, "W": {"quick": False, "rounds": 4}, "A": {"quick": False, "rounds": 2, "limit_s": 120},
    "B": {"quick": False, "rounds": 1, "limit_s": 300},
}
SIDES = [  # label, role, side, program, data path
    ("Copal, put", "ours", "copal", "sp", "put"),
    ("Copal, stores by shmem_ptr", "ours", "copal", "sp", "shmem_ptr"),
    ("OSHMEM, put", "peer", "oshmem", "sp", "put"),
    ("OSHMEM, stores by shmem_ptr", "peer", "oshmem", "sp", "shmem_ptr"),
    ("Open MPI", "peer", "openmpi", "sp-mpi", "mpi"),
]


def curves(*problems):
    """problems: (class, PEs). A single PE sends nothing, so it has only one data path."""
    def runs(side, program, path):
        return [Run(side, program, pes, ("-m", path, letter), fields=(("class", letter),),
                    **{**COSTS[letter], **({"rounds": 1} if pes == 1 else {})})
                for letter, pes in problems if pes > 1 or path != "shmem_ptr"]
    return [Curve(label, role, runs(side, program, path), "rate") for label, role, side, program, path in SIDES]


SHOWN = {"unit": "Mop/s", "better": "more", "kind": "bars", "log_y": False}
TEXT = ("Three implicit sweeps in each step, the grid divided by multipartition. put: layers and rows are packed, put, "
        "and unpacked; shmem_ptr: they are stored into the neighbour's arrays; MPI: as put, by nonblocking messages.")

FIGURES = [
    Figure("phi-sp-small", "phi", "Figures 15 to 17", "NAS SP on 4 PEs, small classes", "class", "value",
           curves(("S", 4), ("W", 4)), **SHOWN, text=f"12 x 12 x 12 and 36 x 36 x 36 points. {TEXT}"),
    Figure("phi-sp-a", "phi", "Figure 15", "NAS SP, class A", "pes", "value", curves(("A", 1), ("A", 4)), **SHOWN,
           text=f"64 x 64 x 64 points, 400 steps. {TEXT}"),
    Figure("phi-sp-b", "phi", "Figure 16", "NAS SP, class B", "pes", "value", curves(("B", 4)), **SHOWN,
           text=f"102 x 102 x 102 points, 400 steps. {TEXT}"),
]

POINTS = [("phi-sp-small", {}), ("phi-sp-a", {"pes": 4}), ("phi-sp-b", {})]

HEADLINES = [
    Headline("phi", "SP gains up to 17 % on average by loads and stores through shmem_ptr, less with larger messages",
             [(figure, "Copal, stores by shmem_ptr", "Copal, put", where) for figure, where in POINTS], 1.05,
             "The stores save a buffer at each end and the copies into and out of it. Here a put within a node is a "
             "copy by stores, too, and both versions spend most of a step on the same equations."),
    Headline("phi", "Optimised SP scales with OpenSHMEM as with MPI",
             [(figure, "Copal, stores by shmem_ptr", "Open MPI", where) for figure, where in POINTS], 1.0,
             "Both compute the same and send the same messages, 12 from each of 4 PEs in a step; only the cost of a "
             "message and of the wait for it differs. No run here has a core for each PE."),
]
