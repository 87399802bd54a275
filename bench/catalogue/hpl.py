"""High Performance Linpack: the paper on teams, V-C and Figure 7."""

from model import Curve, Figure, Headline, Program, Run

SOURCES = tuple(f"apps/hpl/{name}.f90" for name in ("blas", "grid", "matrix", "panel", "residual", "ring", "substitute",
                                                    "swap", "update", "hpl"))
# The line of results that each HPL prints; its last column is Gflops.
RATE = {"rate": r"^W[RC]\S+ +\d+ +\d+ +\d+ +\d+ +[0-9.]+ +([0-9.Ee+-]+)$"}

N, NB = 4000, 192  # also in the input file of the installed HPL

# HPCC's input: HPL's, with look-ahead, recursive panels and the ring of Debian's example, then nothing for PTRANS.
# HPCC runs its other benchmarks first, at sizes that depend on N.
HPCC_INPUT = f"""HPLinpack benchmark input file
Innovative Computing Laboratory, University of Tennessee
HPL.out      output file name (if any)
8            device out (6=stdout,7=stderr,file)
1            # of problems sizes (N)
{N}          Ns
1            # of NBs
{NB}         NBs
0            PMAP process mapping (0=Row-,1=Column-major)
1            # of process grids (P x Q)
1            Ps
2            Qs
16.0         threshold
1            # of panel fact
2            PFACTs (0=left, 1=Crout, 2=Right)
1            # of recursive stopping criterium
4            NBMINs (>= 1)
1            # of panels in recursion
2            NDIVs
1            # of recursive panel fact.
1            RFACTs (0=left, 1=Crout, 2=Right)
1            # of broadcast
1            BCASTs (0=1rg,1=1rM,2=2rg,3=2rM,4=Lng,5=LnM)
1            # of lookahead depth
1            DEPTHs (>=0)
2            SWAP (0=bin-exch,1=long,2=mix)
64           swapping threshold
0            L1 in (0=transposed,1=no-transposed) form
0            U  in (0=transposed,1=no-transposed) form
1            Equilibration (0=no,1=yes)
8            memory alignment in double (> 0)
##### This line (no. 32) is ignored (it serves as a separator). ######
0            Number of additional problem sizes for PTRANS
0            values of N
0            number of additional blocking sizes for PTRANS
0            values of NB
"""

PROGRAMS = [
    Program("hpl", "caf", SOURCES, ("-lopenblas",), reads=RATE, right="PASSED"),
    Program("hpcc", "installed", reads=RATE, right="1 tests completed and passed residual checks",
            files={"hpccinf.txt": HPCC_INPUT}),
]

CORES = 2
ONE_LEVEL = (("SHCOLL_SYNC", "dissemination"), ("SHCOLL_REDUCE", "recursive_doubling"),
             ("SHCOLL_BROADCAST", "knomial:signal:2"))
TWO_LEVELS = (("SHCOLL_SYNC", "two_level"), ("SHCOLL_REDUCE", "two_level"),
              ("SHCOLL_BROADCAST", "two_level"))


def run(side, pes, n):
    nb = NB if n >= N else NB // 2  # a small matrix must have several blocks
    return Run(side, "hpl", pes, (str(n), str(nb)), fields=(("n", n),),
               rounds=3 if pes <= CORES else 2, quick=pes <= CORES and n == N)


def installed():
    """HPCC runs once, because its other benchmarks take half a minute."""
    return Curve("HPL of HPCC", "peer", [Run("system", "hpcc", 2, fields=(("n", N),), quick=False, rounds=1,
                                             limit_s=300)],
                 "rate")


def rates(id, title, x, curves, text, **more):
    return Figure(id, "teams", "Figure 7", title, x, "value", curves, unit="GFLOP/s", better="more", kind="bars",
                  log_y=False, text=text, **more)


COUNTS = (1, 2, 4)
SIZES = (1000, 2000, N, 8000)

WITHIN = [
    rates("teams-hpl-images", f"HPL, N = {N}, within a node", "pes",
          [Curve("Copal", "ours", [run("copal", pes, N) for pes in COUNTS], "rate"),
           Curve("OpenCoarrays", "peer", [run("opencoarrays", pes, N) for pes in COUNTS], "rate"), installed()],
          "All with OpenBLAS on one thread for each image. 4 images share 2 cores."),
    rates("teams-hpl-sizes", "HPL on 2 images", "n",
          [Curve("Copal", "ours", [run("copal", 2, n) for n in SIZES], "rate"),
           Curve("OpenCoarrays", "peer", [run("opencoarrays", 2, n) for n in SIZES], "rate"), installed()],
          "Larger matrices spend a larger part of the time in matrix products, without communication."),
]

# All images are one column of the grid: its team spans the nodes, and chooses the pivot of each column of the matrix.
ACROSS_N, ACROSS_NB = 1000, 64


def across(side, label, role, env=()):
    runs = [Run(side, "hpl", pes, (str(ACROSS_N), str(ACROSS_NB), "column"), env, 2, (("n", ACROSS_N),),
                rounds=2, quick=pes == 4 and side == "copal") for pes in (4, 8)]
    return Curve(label, role, runs, "rate")


ACROSS = rates(
    "teams-hpl-nodes", f"HPL, N = {ACROSS_N}, on 2 nodes", "pes",
    [across("copal", "Copal", "ours"), across("opencoarrays", "OpenCoarrays", "peer"),
     across("copal", "Copal, two levels", "variant", TWO_LEVELS),
     across("copal", "Copal, one level", "variant", ONE_LEVEL)],
    "One column of images, so that the team that chooses pivots spans the nodes: two reductions for each column of the "
    "matrix. One level: recursive doubling, a binomial tree, dissemination. Nodes are parts of one machine of 2 cores, "
    "over loopback.")

SECOND_CORE = rates(
    "teams-hpl-efficiency", "Speedup of HPL by a second core", "n",
    [Curve(label, "ours", [run("copal", pes, n) for n in SIZES[1:]], "rate")
     for label, pes in (("1 image", 1), ("2 images", 2))],
    "The same matrix on one core and on two.", judged=False)

FIGURES = [*WITHIN, ACROSS, SECOND_CORE]

HEADLINES = [
    Headline("teams", "Two levels make HPL up to 32 % faster than one level",
             [("teams-hpl-nodes", "Copal, two levels", "Copal, one level", {"pes": 8})], 1.32,
             "The levels accelerate only the choice of pivots; the rest is one-sided and the same in both. In the "
             "paper, up to 8 images of each node contend for one NIC; here the nodes share 2 cores, and the "
             "network is the loopback of one machine."),
    Headline("teams", "HPL in coarrays is as fast as HPL with MPI",
             [("teams-hpl-images", "Copal", "HPL of HPCC", {"pes": 2})], 1,
             "Both spend most of their time in the same BLAS library. Copal's program multiplies by the inverse of "
             "each panel's triangle, where HPL solves with it, and stores its panels into the other image during "
             "work."),
    Headline("apps", "HPL has a parallel efficiency of 0.95 on 2 cores",
             [("teams-hpl-efficiency", "2 images", "1 image", {"n": (N, 8000)})], 1.9,
             "One image factorizes a panel, which the look-ahead hides, except at the end, where only panels remain."),
]
