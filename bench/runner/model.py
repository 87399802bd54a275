"""What the comparison is made of: programs, runs of them, the curves and bars of figures, and the papers' headlines.

The catalogue describes, the runner measures, the page and docs/results.md show; nothing here runs anything.

A benchmark program prints a line of JSON for each row: "row" names it, "us" (microseconds of one operation) or "value" (a
figure in the unit its figure names) is what was measured, every other number ("pes", "bytes", "stride" ...) is a field of the
row.  Its last line is {"done": true}; {"error": "..."} is data that came out wrong.  The exit code is 0 only when all was
right.  A program that people read (an application, a peer's) prints no JSON: `reads` finds its figures in its text."""

from dataclasses import dataclass, field

# The sides, and the interfaces of the programs that each can build.
SIDES = {
    "copal": ("shmem", "caf"), "oshmem": ("shmem",), "opencoarrays": ("caf",), "openmpi": ("mpi",), "mpich": ("mpi",),
    "floor": ("bare",), "system": ("installed",),
}


@dataclass(frozen=True)
class Program:
    """One program, the same source for every side that has its interface.

    interface: shmem (C, or Fortran by oshfort), caf (coarrays), mpi, bare (two processes and bench/floor), or installed: a
    binary that a package brings, `name` its command, started by Open MPI's launcher.
    sources: from the project's root, modules before what uses them.  flags: of the compiler and linker, behind the sources.
    reads: {row: regular expression with one group}, of a program that prints no JSON; right: what its text has to hold
    besides exit code 0."""
    name: str
    interface: str
    sources: tuple = ()
    flags: tuple = ()
    reads: dict = field(default_factory=dict, hash=False)
    right: str = ""
    files: dict = field(default_factory=dict, hash=False)  # {name: text} put where it runs, such as an input file


@dataclass(frozen=True)
class Run:
    """One way to start a program: on which side, with how many PEs (images, ranks), and what it is told.

    nodes: 1 is the side as it is; more is a job that spans so many nodes: Copal by SHMEM_NODES, others over TCP alone.
    fields: what its rows get in addition, such as {"class": "A"}.  quick: part of a --quick run.  rounds: at most so many
    (0: as many as there are): for what takes long.  limit_s: it is ended then, and counts as failed."""
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

    def key(self):
        """Names this run in stored results: what is run, not how often."""
        return "|".join([self.side, self.program, str(self.pes), " ".join(self.arguments),
                         " ".join(f"{name}={value}" for name, value in self.env), str(self.nodes)])


@dataclass
class Curve:
    """A line or a row of bars: row `row` of the runs.

    role: ours (what a user gets), peer, floor, or variant (ours, made slower on purpose, such as a plan not chosen).
    where: fields that a row has to have, {"pes": 2}.  At which x it has a point is up to the rows."""
    label: str
    role: str
    runs: list
    row: str
    where: dict = field(default_factory=dict)


@dataclass
class Figure:
    """One plot.

    paper: one of PAPERS; like: what it stands for there ("Figure 5.1 a").  x: the field along the axis ("bytes", "pes",
    "stride", or one whose values are words, such as "class").  y: how a row's figure is shown: time (us), bandwidth (GB/s of
    `bytes` in `us`), rate (millions per second of `us`), or value (as printed, in `unit`).  better: "less" or "more", of y;
    None where neither is, such as a share of something.  kind: "lines" or "bars".  text: one or two sentences: what is measured
    and how.  judged: whether "ours ahead of every peer" is asked of it."""
    id: str
    paper: str
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


@dataclass
class Headline:
    """A claim of a paper and how it is judged here: over the common points of two curves of a figure, the ratio by which
    `ours` is better than `other` (its geometric mean; of times, other over ours).  at: which points ({"bytes": 8}; empty: all).
    holds: the least ratio with which we say that it holds.  Several pairs: the claim has several parts.  up_to: the claim is of
    the best point ("up to 12 times"): that one counts, in place of the mean.  why: one or two sentences that hold whatever
    the figures come out as: what explains a difference between the paper's machine and this."""
    paper: str
    claim: str
    compare: list        # [(figure id, label of ours, label of other, {field: value or (low, high)}), ...]
    holds: float
    why: str
    up_to: bool = False


PAPERS = {
    "thesis": "OpenSHMEM as an Effective Communication Layer for PGAS Models (2015)",
    "teams": "A Team-Based Methodology of Memory Hierarchy-Aware Runtime Support in Coarray Fortran (2015)",
    "nonblocking": "OpenSHMEM NonBlocking Data Movement Operations with MVAPICH2-X: Early Experiences (2016)",
    "shcoll": "SHCOLL - a Standalone Implementation of OpenSHMEM-style Collectives API (2018)",
    "phi": "Native Mode-Based Optimizations of Remote Memory Accesses in OpenSHMEM for Intel Xeon Phi (2014)",
    "apps": "Beyond the papers",
}
