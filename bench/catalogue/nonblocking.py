"""Nonblocking puts and gets, the stencil and the all-to-all: the paper on nonblocking operations, VI.

Between nodes MPI has no curve: on one machine its windows are shared memory whatever it is told of transports."""

from model import Curve, Figure, Headline, Program, Run, Target

TO_MPI = ("-DBENCH_MPI",)
OVERLAP = ("bench/programs/nonblocking/overlap.c",)
PROGRAMS = [
    Program("nbi-overlap-shmem", "shmem", OVERLAP),
    Program("nbi-overlap-mpi", "mpi", OVERLAP, TO_MPI),
    Program("nbi-overlap-bare", "bare", OVERLAP),
    Program("nbi-stencil", "shmem", ("bench/programs/nonblocking/stencil.c",)),
    Program("nbi-alltoall", "shmem", ("bench/programs/nonblocking/alltoall.c",)),
]

HELPER = (("SHMEM_NBI_NODE", "overlap"),)
NODES = "Two nodes of one machine, joined by its loopback. "
INTERFACE = {"openmpi": "mpi", "mpich": "mpi", "floor": "bare", "socket": "bare"}
ONE_WAY = {"directions": 1}


def pair(side, nodes=1, env=(), program="pgas-pairs"):
    return [Run(side, f"{program}-{INTERFACE.get(side, 'shmem')}", 2, ("full",), env, nodes, limit_s=60 * nodes)]


def both(operation, what, nodes):
    """Blocking and nonblocking, ours and OSHMEM's; between nodes sockets alone."""
    curves = [Curve(f"{name}, {how}", role, pair(side, nodes), f"{operation}_{what}{nbi}", ONE_WAY)
              for name, side, role in (("Copal", "copal", "ours"), ("OSHMEM", "oshmem", "peer"))
              for how, nbi in (("blocking", ""), ("nonblocking", "_nbi"))]
    if nodes > 1:
        curves.append(Curve("sockets", "floor", pair("socket", nodes), f"{operation}_{what}_nbi", ONE_WAY))
    return curves


def within_too(operation, what):
    """What is measured within a node besides."""
    return [*(Curve(name, "peer", pair(side), f"{operation}_{what}", ONE_WAY)
              for name, side in (("Open MPI", "openmpi"), ("MPICH", "mpich"))),
            Curve("floor", "floor", pair("floor"), f"{operation}_{what}", ONE_WAY),
            Curve("Copal, nonblocking, by a helper", "variant", pair("copal", env=HELPER), f"{operation}_{what}_nbi",
                  ONE_WAY)]


def overlapping(operation, what, nodes):
    """The same of the share that a computation hides."""
    def of(side, env=()):
        return pair(side, nodes, env, "nbi-overlap")
    curves = [Curve(f"{name}, {how}", role, of(side), f"{row} {what}")
              for name, side, role in (("Copal", "copal", "ours"), ("OSHMEM", "oshmem", "peer"))
              for how, row in (("blocking", operation), ("nonblocking", f"{operation}_nbi"))]
    if nodes == 1:
        curves += [*(Curve(name, "peer", of(side), f"{operation}_nbi {what}")
                     for name, side in (("Open MPI", "openmpi"), ("MPICH", "mpich"))),
                   Curve("floor", "floor", of("floor"), f"{operation} {what}"),
                   Curve("Copal, nonblocking, by a helper", "variant", of("copal", HELPER), f"{operation}_nbi {what}")]
    return curves


HELPER_TEXT = ("By a helper: SHMEM_NBI_NODE=overlap, the counterpart of the paper's loop-back: from 256 KiB on a "
               "thread copies beside the program.")


def latency(operation, letter):
    text = ("Until the data is there: with a quiet, but for the blocking get. MPI: MPI_Put or MPI_Get and a flush. ")
    return [Figure(f"nbi-latency-{operation}-nodes", "nonblocking", f"Figure 1 {letter}",
                   f"Latency of a {operation} between nodes", "bytes", "time", both(operation, "latency", 2),
                   text=NODES + text),
            Figure(f"nbi-latency-{operation}", "nonblocking", f"Figure 2 {letter}",
                   f"Latency of a {operation} within a node", "bytes", "time",
                   [*both(operation, "latency", 1), *within_too(operation, "latency")], text=text + HELPER_TEXT)]


def rate(operation, letter):
    text = "Windows of 64 messages, each with a quiet at its end. "
    between = both(operation, "bandwidth", 2)
    if operation == "put":
        between.append(Curve("Copal, a quiet after each", "variant", pair("copal", 2), "put_latency", ONE_WAY))
        text += "With a quiet after each: what the paper's blocking put does by default, the other being its OPT. "
    five_times = Target("peer", 5, {"bytes": 8}, "Copal, nonblocking")
    return [Figure(f"nbi-rate-{operation}-nodes", "nonblocking", f"Figure 3 {letter}",
                   f"Message rate of {operation}s between nodes", "bytes", "rate", between, better="more",
                   text=NODES + text, also=("network",), targets=(five_times,) if operation == "put" else ()),
            Figure(f"nbi-rate-{operation}", "nonblocking", f"Figure 4 {letter}",
                   f"Message rate of {operation}s within a node", "bytes", "rate",
                   [*both(operation, "bandwidth", 1), *within_too(operation, "bandwidth")], better="more",
                   text=text + HELPER_TEXT, also=("node",),
                   targets=(Target("figure", 200, {"bytes": 8}),) if operation == "put" else ())]


OVERLAP_TEXT = ("The share of the communication that a computation as long as it hides. Each library's computation is "
                "as long as its own communication, so a slow one finds it easier: judged is what is exposed. ")


def overlap(operation):
    """Figure 5, and what it is made of.  The paper shows get alone, put being alike there."""
    return [
        Figure(f"nbi-overlap-{operation}-nodes", "nonblocking", "Figure 5 a", f"Overlap of a {operation} between nodes",
               "bytes", "value", overlapping(operation, "overlap", 2), "%", "more", text=NODES + OVERLAP_TEXT,
               judged=False, log_y=False),
        Figure(f"nbi-overlap-{operation}-twice-nodes", "nonblocking", "Figure 5 a",
               f"Overlap of a {operation} between nodes, computing twice as long", "bytes", "value",
               overlapping(operation, "overlap twice", 2), "%", "more", text=NODES + OVERLAP_TEXT, judged=False,
               log_y=False, also=("network",), targets=(Target("figure", 90, {"bytes": 2 << 20}, "Copal, nonblocking"),)
               if operation == "get" else ()),
        Figure(f"nbi-overlap-{operation}", "nonblocking", "Figure 5 b", f"Overlap of a {operation} within a node",
               "bytes",
               "value", overlapping(operation, "overlap", 1), "%", "more",
               text=OVERLAP_TEXT + HELPER_TEXT, judged=False, log_y=False),
        Figure(f"nbi-exposed-{operation}-nodes", "nonblocking", "Figure 5 a",
               f"Of a {operation} between nodes, what is not hidden", "bytes", "time",
               overlapping(operation, "exposed", 2),
               text=NODES + "By how much a computation as long as the communication is longer with it than alone."),
        Figure(f"nbi-total-{operation}-nodes", "nonblocking", "Figure 5 a",
               f"A {operation} between nodes and a computation as long", "bytes", "time",
               [Curve("blocking", "ours", pair("copal", 2, (), "nbi-overlap"), f"{operation} total"),
                Curve("nonblocking", "ours", pair("copal", 2, (), "nbi-overlap"), f"{operation}_nbi total"),
                Curve("computation alone", "variant", pair("copal", 2, (), "nbi-overlap"), f"{operation}_nbi compute")],
               text=NODES + "Begin, compute, quiet. Hidden altogether, it takes half as long as "
                            "blocking.", judged=False),
        Figure(f"nbi-init-{operation}-nodes", "nonblocking", "Section IV",
               f"Time to begin a {operation} between nodes, and to wait for it", "bytes", "time",
               [Curve(f"{name}, {what}", role, pair(side, 2, (), "nbi-overlap"), f"{operation}_nbi {what}")
                for name, side, role in (("Copal", "copal", "ours"), ("OSHMEM", "oshmem", "peer"))
                for what in ("init", "wait")],
               text=NODES + "The call, and the quiet after the computation.", judged=False),
    ]


# PEs: nodes.  OSHMEM does not end within a minute with 64 processes on 2 cores.
STENCIL_NODES = {8: 2, 27: 3, 64: 4}
STENCIL_MOST = {"copal": {1: 125, 2: 64}, "oshmem": {1: 27, 2: 27}}


def stencil_runs(side, apart):
    most = STENCIL_MOST[side][2 if apart else 1]
    return [Run(side, "nbi-stencil", pes, ("full",), nodes=STENCIL_NODES[pes] if apart else 1, quick=pes == 8,
                rounds=0 if pes == 8 else 2 if pes == 27 else 1, limit_s=60)
            for pes in (8, 27, 64, 125) if pes <= most and (not apart or pes in STENCIL_NODES)]


def stencil(operation, size, letter, apart):
    where = "between nodes" if apart else "within a node"
    return Figure(f"nbi-stencil-{operation}-{size}{'-nodes' if apart else ''}", "nonblocking", f"Figure 6 {letter}",
                  f"3-D stencil, six halos of {size} bytes by {operation}, {where}", "pes", "time",
                  [Curve(f"{name}, {how}", role, stencil_runs(side, apart), f"stencil {row}", {"bytes": size})
                   for name, side, role in (("Copal", "copal", "ours"), ("OSHMEM", "oshmem", "peer"))
                   for how, row in (("blocking", operation), ("nonblocking", f"{operation}_nbi"))],
                  kind="bars", text="One exchange, averaged over all PEs, all of which share 2 cores. "
                  + ("8 PEs on 2 nodes, 27 on 3, 64 on 4. " if apart else ""))


def alltoall_runs(side):
    return [Run(side, "nbi-alltoall", pes, ("full",), nodes=2, quick=pes == 2, rounds=0 if pes == 2 else 1)
            for pes in (2, 4, 8)]


ALLTOALL_TEXT = ("64 KiB for each pair of PEs, between two nodes, behind a computation ten times as long as the "
                 "exchange (at most 20 ms). All PEs compute; they share 2 cores, which is also all there is to move "
                 "the data. ")


def alltoall(id, title, y, curves, **more):
    return Figure(f"nbi-alltoall-{id}", "nonblocking", "Table I", title, "pes", y,
                  [Curve(label, role, alltoall_runs(side), f"alltoall {row}", {"bytes": 64 << 10})
                   for label, role, side, row in curves], kind="bars", **more)


ALLTOALL = [
    alltoall("busy", "All-to-all behind a computation: the computation's share of the time", "value",
             [("Copal, puts", "ours", "copal", "put_nbi busy"), ("Copal, gets", "ours", "copal", "get_nbi busy"),
              ("OSHMEM, puts", "peer", "oshmem", "put_nbi busy"), ("OSHMEM, gets", "peer", "oshmem", "get_nbi busy")],
             unit="%", better="more", log_y=False,
             text=ALLTOALL_TEXT + "This is what Table I calls overlap; 91 % is no overlap."),
    alltoall("parts", "All-to-all by nonblocking gets: where the time goes", "time",
             [("whole", "ours", "copal", "get_nbi total"),
              ("computation alone", "variant", "copal", "get_nbi computation"),
              ("exchange alone", "variant", "copal", "get_nbi communication"),
              ("begin", "variant", "copal", "get_nbi init"),
              ("wait", "variant", "copal", "get_nbi wait")], judged=False, text=ALLTOALL_TEXT),
]

FIGURES = [
    *(figure for operation, letter in (("put", "a"), ("get", "b")) for figure in latency(operation, letter)),
    *(figure for operation, letter in (("put", "a"), ("get", "b")) for figure in rate(operation, letter)),
    *overlap("get"), *overlap("put"),
    *(stencil(operation, size, letter, apart) for apart in (True, False) for size, letter in ((512, "a"), (2048, "b"))
      for operation in ("get", "put")),
    *ALLTOALL,
]

BLOCKING, NONBLOCKING = "Copal, blocking", "Copal, nonblocking"
SMALL = {"bytes": (8, 2048)}
CROWDED = ("All PEs share 2 cores: an exchange takes as long as it takes until each PE that it needs has had its turn, "
           "blocking or not.")

HEADLINES = [
    Headline("nonblocking", "7 times the message rate of blocking gets between nodes",
             [("nbi-rate-get-nodes", NONBLOCKING, BLOCKING, SMALL)], 7,
             "A blocking get waits for its answer; nonblocking ones, up to 2 KiB here, share messages and their "
             "answers do."),
    Headline("nonblocking", "5 times the message rate of blocking puts between nodes",
             [("nbi-rate-put-nodes", NONBLOCKING, "Copal, a quiet after each", SMALL)], 5,
             "Against a put that ends when its data is there, the paper's default. Nonblocking ones share messages."),
    Headline("nonblocking", "no latency added by nonblocking operations between nodes",
             [("nbi-latency-put-nodes", NONBLOCKING, BLOCKING, {}),
              ("nbi-latency-get-nodes", NONBLOCKING, BLOCKING, {})], 0.95,
             "From 8 KiB to 16 KiB a blocking put is one message with its quiet, a nonblocking one the network "
             "library's; from 256 KiB on a thread moves nonblocking ones, which it has to be woken for."),
    Headline("nonblocking", "within a node the same latency by shared memory, for large messages",
             [("nbi-latency-put", NONBLOCKING, BLOCKING, {"bytes": (8192, 1 << 30)}),
              ("nbi-latency-get", NONBLOCKING, BLOCKING, {"bytes": (8192, 1 << 30)})], 0.95,
             "Both are the same copy by the processor."),
    Headline("nonblocking", "communication between nodes hidden altogether, where blocking hides nothing",
             [("nbi-total-get-nodes", "nonblocking", "blocking", {})], 1.9,
             "2 is all of it. The paper's adapter moves data by itself; over loopback a processor copies it, the "
             "system call that sends takes some microseconds of the program's own, and the other core serves the "
             "target."),
    Headline("nonblocking", "3-D stencil in half the time on 27 PEs",
             [("nbi-stencil-get-512-nodes", NONBLOCKING, BLOCKING, {"pes": 27})], 2, CROWDED),
    Headline("nonblocking", "3-D stencil 28 % quicker on 64 PEs",
             [("nbi-stencil-get-512-nodes", NONBLOCKING, BLOCKING, {"pes": 64})], 1.39, CROWDED),
    Headline("nonblocking", "all-to-all hidden to 96 % and more",
             [("nbi-alltoall-parts", "whole", "computation alone", {})], 0.96,
             "All PEs compute on the 2 cores, and the same cores have to move the data through the loopback: what is "
             "hidden there is waiting, not work. The paper's adapter needs no core."),
]
