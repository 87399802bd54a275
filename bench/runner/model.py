"""What the comparison is made of: programs, runs of them, the curves and bars of figures, and the papers' headlines.

The catalogue describes, the runner measures, the page and docs/results.md show; nothing here runs anything.

A benchmark program prints a line of JSON for each row: "row" names it, "us" (microseconds of one operation) or "value"
(a figure in the unit its figure names) is what was measured, every other number ("pes", "bytes", "stride" ...) is a
field of the row.  Its last line is {"done": true}; {"error": "..."} is data that came out wrong.  The exit code is 0
only when all was right.  A program that people read (an application, a peer's) prints no JSON: `reads` finds its
figures in its text."""

from dataclasses import dataclass, field

# Copal's coarrays with other versions of gfortran than that which caf takes by itself: sides of their own.
GFORTRANS = {f"copal{version}": version for version in (14, 15, 16)}

# Today's MPIs, from PyPI, with programs that call them from C: the wheels have no Fortran module of every gfortran.
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
    bare (two processes and bench/floor), installed: a binary that a package brings, `name` its command, started by
    Open MPI's launcher, or model: what SHCOLL's cost model says of a network, for any number of PEs.  sources: from the
    project's root, modules before what uses them.  flags: of the compiler and linker, behind the sources. reads: {row:
    regular expression with one group}, of a program that prints no JSON; right: what its text has to hold besides exit
    code 0."""
    name: str
    interface: str
    sources: tuple = ()
    flags: tuple = ()
    reads: dict = field(default_factory=dict, hash=False)
    right: str = ""
    # what counts is the job's time, start and end included, as the row "job"; each PE prints `right`
    timed: bool = False
    files: dict = field(default_factory=dict, hash=False)  # {name: text} put where it runs, such as an input file


@dataclass(frozen=True)
class Run:
    """One way to start a program: on which side, with how many PEs (images, ranks), and what it is told.

    nodes: 1 is the side as it is; more is a job that spans so many nodes: Copal by SHMEM_NODES, others over TCP alone.
    fabric: those are on this emulated network; its rounds are CONDITIONS then, and `rounds` says how many of these.
    fields: what its rows get in addition, such as {"class": "A"}.  quick: part of a --quick run.  rounds: at most so
    many (0: as many as there are): for what takes long.  limit_s: it is ended then, and counts as failed."""
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
    options: tuple = ()  # of the launcher

    def key(self):
        """Names this run in stored results: what is run, not how often."""
        return "|".join([self.side, self.program, str(self.pes), " ".join(self.arguments),
                         " ".join(f"{name}={value}" for name, value in self.env), str(self.nodes)]
                        + [self.fabric] * bool(self.fabric) + [" ".join(self.options)] * bool(self.options))


@dataclass
class Curve:
    """A line or a row of bars: row `row` of the runs.

    role: ours (what a user gets), peer, floor, or variant (ours, made slower on purpose, such as a plan not chosen).
    row: its name, or {word: name} of several, each of which is a point whose x is that word.
    where: fields that a row has to have, {"pes": 2}.  At which x it has a point is up to the rows."""
    label: str
    role: str
    runs: list
    row: str | dict
    where: dict = field(default_factory=dict)


# The rounds of a run on an emulated network, whose figures are those of the first; by the second a figure may not
# change, by the others no verdict: what the fabric charges for memory that a node shares is the least certain of it.
CONDITIONS = ("as it is", "on one core", "charges within a node halved", "charges within a node doubled")
AS_IT_IS, ON_ONE_CORE, HALVED, DOUBLED = range(len(CONDITIONS))
NODE_CHARGES = {HALVED: 0.5, DOUBLED: 2}


@dataclass(frozen=True)
class Target:
    """What every curve of ours in a figure has to reach at the points `at` ({x's field: value or (low, high)}; empty:
    all).

    against: "floor" or "peer" (the best one): to be at least `least` times as good as that; or "figure": least is the
    figure itself, at most so much where less is better, at least where more is."""
    against: str
    least: float
    at: dict = field(default_factory=dict, hash=False)
    curve: str = ""  # of one curve alone


@dataclass
class Figure:
    """One plot.

    section: one of SECTIONS; also: fields of which it is shown besides; like: what it stands for there ("Figure 5.1
    a").  x: the field along the axis ("bytes", "pes", "stride", or one whose values are words, such as "class").  y:
    how a row's figure is shown: time (us), bandwidth (GB/s of `bytes` in `us`), rate (millions per second of `us`), or
    value (as printed, in `unit`).  better: "less" or "more", of y; None where neither is, such as a share of
    something.  kind: "lines" or "bars".  text: one or two sentences: what is measured and how.  judged: whether "ours
    ahead of every peer" is asked of it. targets: what it is held against."""
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
    """A claim of a paper and how it is judged here: over the common points of two curves of a figure, the ratio by
    which `ours` is better than `other` (its geometric mean; of times, other over ours).  at: which points ({"bytes":
    8}; empty: all). holds: the least ratio with which we say that it holds.  Several pairs: the claim has several
    parts.  up_to: the claim is of the best point ("up to 12 times"): that one counts, in place of the mean.  why: one
    or two sentences on what differs between the paper's machine and this.  explains: the verdict that these give a
    reason for, VERDICTS[0] or [1], if they do not go with the other one; they are shown beside that one alone."""
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

    compare: as a Headline's; empty where no emulated network can tell, and why says so.  holds, up_to: where other than
    the headline's.  why: what the verdict comes of."""
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
