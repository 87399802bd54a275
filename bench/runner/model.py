"""The parts of the comparison: programs, their runs, the curves and bars of figures, and the papers' headlines.

The catalogue describes the runs, the runner measures them, the page and docs/results.md show the results. This file
runs no program.

A benchmark program prints a line of JSON for each row: "row" names it, "us" (microseconds of one operation) or "value"
(in the unit of its figure) is the measured result, every other number ("pes", "bytes", "stride" ...) is a field of the
row.  Its last line is {"done": true}; {"error": "..."} reports wrong data.  The exit code is 0 only if all data was
right.  A program that prints text instead (an application, a peer's program) has `reads`, which finds the figures."""

from dataclasses import dataclass, field

# Copal's coarrays with versions of gfortran other than caf's default are separate sides.
GFORTRANS = {f"copal{version}": version for version in (14, 15, 16)}

# Today's MPIs, from PyPI, with programs that call them from C: the wheels lack Fortran modules of some gfortrans.
NEWEST = {"openmpi5": "Open MPI 5", "mpich5": "MPICH 5", "intelmpi": "Intel MPI"}

# The sides, and the interfaces of the programs that each can build.
SIDES = {
    "copal": ("shmem", "caf", "prif", "model"), **dict.fromkeys(GFORTRANS, ("caf",)), "oshmem": ("shmem",),
    "opencoarrays": ("caf",), "caf_shmem": ("caf",), "caffeine": ("prif",), "openmpi": ("mpi",), "mpich": ("mpi",),
    **dict.fromkeys(NEWEST, ("mpi",)),
    "floor": ("bare",), "socket": ("bare",), "system": ("installed",),
}


@dataclass(frozen=True)
class Program:
    """One program, the same source for every side that has its interface.

    interface: shmem (C, or Fortran by oshfort), caf (coarrays), prif (Fortran with the module of that name), mpi,
    bare (two processes and bench/floor), installed: a binary of a package, whose command is `name`, started by Open
    MPI's launcher, or model: the predictions of SHCOLL's cost model for a network, for any number of PEs.  sources:
    relative to the project's root, modules before their users.  flags: of the compiler and linker, after the sources.
    reads: {row: regular expression with one group}, of a program that prints no JSON; right: text that the program must
    print, besides exit code 0."""
    name: str
    interface: str
    sources: tuple = ()
    flags: tuple = ()
    reads: dict = field(default_factory=dict, hash=False)
    right: str = ""
    # the result is the time of the whole job, with start and end, as the row "job"; each PE prints `right`
    timed: bool = False
    files: dict = field(default_factory=dict, hash=False)  # {name: text} of files in its folder, such as an input file


@dataclass(frozen=True)
class Run:
    """One way to start a program: the side, the number of PEs (images, ranks), the arguments.

    nodes: 1 is the side's default; a job on more nodes uses SHMEM_NODES with Copal, and TCP alone with other sides.
    fabric: the nodes are on this emulated network; the run's rounds are CONDITIONS then, and `rounds` is their number.
    fields: additional fields of its rows, such as {"class": "A"}.  quick: part of a --quick run.  rounds: the maximum
    (0: all), for long runs.  limit_s: after this time the runner ends the run, which counts as failed."""
    side: str
    program: str
    pes: int
    arguments: tuple = ()
    env: tuple = ()      # ((name, value), ...)
    nodes: int = 1
    fields: tuple = ()   # ((name, value), ...)
    quick: bool = True
    rounds: int = 0
    limit_s: int = 60
    fabric: str = ""
    options: tuple = ()  # options of the launcher

    def key(self):
        """Identifies this run in stored results, without the number of rounds."""
        return "|".join([self.side, self.program, str(self.pes), " ".join(self.arguments),
                         " ".join(f"{name}={value}" for name, value in self.env), str(self.nodes)]
                        + [self.fabric] * bool(self.fabric) + [" ".join(self.options)] * bool(self.options))


@dataclass
class Curve:
    """A line or a row of bars: row `row` of the runs.

    role: ours (Copal's default), peer, floor, or variant (Copal with another setting, such as a plan not chosen).
    row: the name of a row, or {word: name} of several rows, each of which is a point with the word as x.
    where: fields that a row must have, {"pes": 2}.  The rows determine the values of x."""
    label: str
    role: str
    runs: list
    row: str | dict
    where: dict = field(default_factory=dict)


# The rounds of a run on an emulated network.  The first gives the figures; the second must not change a figure.  The
# others must not change a verdict: they vary the charges for shared memory, the fabric's least certain parameters.
CONDITIONS = ("as it is", "on one core", "charges within a node halved", "charges within a node doubled")
AS_IT_IS, ON_ONE_CORE, HALVED, DOUBLED = range(len(CONDITIONS))
NODE_CHARGES = {HALVED: 0.5, DOUBLED: 2}


@dataclass(frozen=True)
class Target:
    """The result that every curve of Copal in a figure must reach at the points `at` ({x's field: value or (low,
    high)}; empty: all).

    against: "floor" or "peer" (the best peer): the result must be at least `least` times as good; or "figure": `least`
    is the limit itself, the largest allowed value if less is better, otherwise the smallest."""
    against: str
    least: float
    at: dict = field(default_factory=dict, hash=False)
    curve: str = ""  # the target is for this curve only


@dataclass
class Figure:
    """One plot.

    section: one of SECTIONS; also: further sections that show it; like: the paper's name for it ("Figure 5.1 a").
    x: the field along the axis ("bytes", "pes", "stride", or one whose values are words, such as "class").  y: the form
    of a row's result: time (us), bandwidth (GB/s of `bytes` in `us`), rate (millions per second of `us`), or value (as
    printed, in `unit`).  better: "less" or "more" of y; None if neither is better, as for a share.  kind: "lines" or
    "bars".  text: the measurement in one or two sentences.  judged: whether its points count as ahead of or behind
    peers.  targets: its required results."""
    id: str
    section: str
    like: str
    title: str
    x: str
    y: str
    curves: list
    unit: str = ""
    better: str = "less"
    kind: str = "lines"
    text: str = ""
    judged: bool = True
    log_x: bool = True
    log_y: bool = True
    targets: tuple = ()
    also: tuple = ()

    def fields(self):
        return {"papers" if self.section in PAPERS else self.section, *self.also}


@dataclass
class Headline:
    """A claim of a paper and how it is judged here: by the ratio, over the common points of two curves of a figure, by
    which `ours` is better than `other` (the geometric mean; for times, other / ours).  at: the points ({"bytes": 8};
    empty: all).  holds: the least ratio with which the claim holds.  Several pairs: the claim has several parts.
    up_to: the claim is about the best point ("up to 12 times"), which counts instead of the mean.  why: one or two
    sentences on the differences between the paper's machine and this.  explains: the verdict, VERDICTS[0] or [1], that
    `why` explains and beside which the page shows it; empty: both."""
    paper: str
    claim: str
    compare: list        # [(figure id, label of ours, label of other, {field: value or (low, high)}), ...]
    holds: float
    why: str
    up_to: bool = False
    explains: str = ""


VERDICTS = ("holds", "does not hold here", "not measured")


@dataclass
class Emulated:
    """The second verdict of a headline, named by its claim, from figures on emulated networks.

    compare: as in Headline; empty if no emulated network can decide the claim, for the reason in `why`.  holds, up_to:
    given if they differ from the headline's.  why: the reason of the verdict."""
    claim: str
    compare: list
    why: str
    holds: float | None = None
    up_to: bool | None = None


EMULATED_VERDICTS = ("holds emulated", "does not", "depends on the charge within a node", "not trustworthy",
                     "not measured", "not emulated")

PAPERS = {
    "thesis": "OpenSHMEM as an Effective Communication Layer for PGAS Models (2015)",
    "teams": "A Team-Based Methodology of Memory Hierarchy-Aware Runtime Support in Coarray Fortran (2015)",
    "nonblocking": "OpenSHMEM NonBlocking Data Movement Operations with MVAPICH2-X: Early Experiences (2016)",
    "shcoll": "SHCOLL - a Standalone Implementation of OpenSHMEM-style Collectives API (2018)",
    "phi": "Native Mode-Based Optimizations of Remote Memory Accesses in OpenSHMEM for Intel Xeon Phi (2014)",
    "apps": "Beyond the papers",
}

FIELDS = {
    "node": "Put, get, atomics, synchronization within a node",
    "network": "Between nodes",
    "collectives": "Collectives, by size",
    "coarrays": "Coarrays, statement by statement",
    "papers": "The figures of five papers, and applications",
    "emulated": "The papers' figures at their scale, on emulated networks",
}
SECTIONS = {**PAPERS, **{name: title for name, title in FIELDS.items() if name != "papers"}}
