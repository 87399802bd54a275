"""Collectives in teams, in one level and in two: the paper on teams, V-B."""

from model import Curve, Figure, Headline, Program, Run, Target

TIMING = "bench/timing/timing.f90"
ROWS = "bench/programs/teams/team_rows.f90"
PROGRAMS = [
    Program("teams", "caf", (TIMING, "bench/timing/images.f90", ROWS, "bench/programs/teams/teams.f90")),
    Program("teams-mpi", "mpi", (TIMING, "bench/timing/ranks.f90", ROWS, "bench/programs/teams/teams_mpi.f90")),
]

# One level, as in the paper: dissemination, recursive doubling, a binomial tree.
ONE_LEVEL = (("SHCOLL_SYNC", "dissemination"), ("SHCOLL_REDUCE", "recursive_doubling"),
             ("SHCOLL_BROADCAST", "knomial:signal:2"))
TWO_LEVELS = (("SHCOLL_SYNC", "two_level"), ("SHCOLL_REDUCE", "two_level"),
              ("SHCOLL_BROADCAST", "two_level:get:2"))

# Nodes, and images on each.
LAYOUTS = [(2, 1), (4, 1), (2, 2), (2, 4), (4, 2)]
SHARED = {"layout": "2 nodes x 4"}  # the layout with most images on a node

SHAPES = {
    "all": ("one team of all images", {"teams": 1}),
    "odd-even": ("two teams, of the odd and of the even images", {"teams": 2, "stride": 2}),
    "halves": ("two teams, of the first and of the second half", {"teams": 2, "stride": 1}),
}

# id, row, bytes, figure of the paper, title
OPERATIONS = [
    ("barrier", "barrier", 0, "Figure 4", "Barrier"),
    ("reduce", "reduce", 4, "Figure 5", "All-reduce of 1 integer"),
    ("reduce-1024", "reduce", 4096, "Figure 5", "All-reduce of 1024 integers"),
    ("broadcast", "broadcast", 4096, "Figure 6", "Broadcast of 1024 integers"),
]

MEAN_TEXT = "Mean over the images of image 1's team; if there are two teams, they run at the same time. "
MPI_TEXT = "MPI: MPI_Barrier, MPI_Allreduce, MPI_Bcast on communicators of MPI_Comm_split. "


def program_of(side):
    return "teams" if side in ("copal", "opencoarrays") else "teams-mpi"


def within(side, counts):
    """The runs on one node."""
    return [Run(side, program_of(side), pes, ("full",), rounds=2 if pes > 2 else 0,
                quick=pes == 2 and side != "mpich") for pes in counts]


def across(side, env=()):
    return [Run(side, program_of(side), nodes * images, ("full",), env, nodes,
                (("layout", f"{nodes} nodes x {images}"),),
                quick=(nodes, images) == (2, 4) and side == "copal", rounds=1 if side == "opencoarrays" else 2)
            for nodes, images in LAYOUTS]


LIMITS = {"form": 2, "change": 0.1}  # the longest times, in us, that FORM and CHANGE may take with 2 images


def figure_within(operation, shape):
    id, row, size, like, title = operation
    teams, fields = SHAPES[shape]
    counts = [2, 4, 8] if shape == "all" else [4, 8]  # with 2 images, each would be a team
    where = {**fields, "bytes": size}
    curves = [Curve("Copal", "ours", within("copal", counts), row, where),
              Curve("OpenCoarrays", "peer", within("opencoarrays", counts), row, where)]
    if row != "change_team":
        curves.append(Curve("Open MPI", "peer", within("openmpi", counts), row, where))
        if shape == "all":
            curves.append(Curve("MPICH", "peer", within("mpich", [2]), row, where))
    of_field = shape == "all" and id in LIMITS
    return Figure(f"teams-{id}-{shape}", "teams", like, f"{title}, {teams}, within a node", "pes", "time", curves,
                  also=("coarrays",) if of_field else (),
                  targets=(Target("figure", LIMITS[id],
                                  {"pes": 2}),) if of_field else (),
                  text=f"{MEAN_TEXT}{MPI_TEXT}More than 2 images share 2 cores.")


def figure_across(operation, shape):
    id, row, size, like, title = operation
    teams, fields = SHAPES[shape]
    where = {**fields, "bytes": size}
    curves = [Curve("Copal", "ours", across("copal"), row, where),
              Curve("OpenCoarrays", "peer", across("opencoarrays"), row, where),
              Curve("Open MPI", "peer", across("openmpi"), row, where),
              Curve("Copal, two levels", "variant", across("copal", TWO_LEVELS), row, where),
              Curve("Copal, one level", "variant", across("copal", ONE_LEVEL), row, where)]
    if shape != "all":  # teams of one image do not communicate between nodes
        for curve in curves:
            curve.runs = [run for run in curve.runs if run.pes > 2]
    return Figure(f"teams-{id}-{shape}-nodes", "teams", like, f"{title}, {teams}, between nodes", "layout", "time",
                  curves,
                  kind="bars", text=f"{MEAN_TEXT}One level: dissemination, recursive doubling, a binomial tree. Two "
                                    f"levels: within each node, then among one image of each node. {MPI_TEXT}Nodes "
                                    "are parts of one machine of 2 cores, over loopback.")


FORM = ("form", "form_team", 0, "Section V", "form team")
CHANGE = ("change", "change_team", 0, "Section V", "change team and end team")

FIGURES = [
    *(figure_across(operation, "all") for operation in OPERATIONS),
    *(figure_across(operation, "odd-even") for operation in OPERATIONS),
    *(figure_across(operation, "halves") for operation in OPERATIONS[:2]),
    *(figure_within(operation, shape) for shape in ("all", "odd-even") for operation in [*OPERATIONS, FORM, CHANGE]),
]


def by_two_levels(id):
    return [(f"teams-{id}-all-nodes", "Copal, two levels", "Copal, one level", SHARED)]


WHY = ("The paper's factor is largest with hundreds of images, 8 to a node, whose messages contend for one NIC. "
       "Here the nodes share 2 cores, and the network is the loopback of one machine: there are fewer rounds to save, "
       "and waiting for a core costs both forms the same")

HEADLINES = [
    Headline("teams", "Two levels make a barrier up to 26 times as fast", by_two_levels("barrier"), 26,
             f"{WHY}."),
    Headline("teams", "Two levels make a reduction up to 74 times as fast", by_two_levels("reduce"), 74,
             WHY + "; and here recursive doubling also sends data and flag in one message; in the paper, only the "
                   "algorithm with two levels does."),
    Headline("teams", "Two levels make a broadcast up to 3 times as fast", by_two_levels("broadcast"), 3,
             f"{WHY}."),
]
