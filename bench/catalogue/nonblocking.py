"""Nonblocking puts and gets, the stencil and the all-to-all: the paper on nonblocking operations, section VI.

Between nodes MPI has no curve: on one machine its windows use shared memory with each transport."""

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
    """The curves of Copal and OSHMEM, blocking and nonblocking; between nodes also that of the sockets."""
    curves = [Curve(f"{name}, {how}", role, pair(side, nodes), f"{operation}_{what}{nbi}", ONE_WAY)
              for name, side, role in (("Copal", "copal", "ours"), ("OSHMEM", "oshmem", "peer"))
              for how, nbi in (("blocking", ""), ("nonblocking", "_nbi"))]
    if nodes > 1:
        curves.append(Curve("sockets", "floor", pair("socket", nodes), f"{operation}_{what}_nbi", ONE_WAY))
    return curves


def within_too(operation, what):
    """The further curves within a node."""
    return [*(Curve(name, "peer", pair(side), f"{operation}_{what}", ONE_WAY)
              for name, side in (("Open MPI", "openmpi"), ("MPICH", "mpich"))),
            Curve("floor", "floor", pair("floor"), f"{operation}_{what}", ONE_WAY),
            Curve("Copal, nonblocking, by a helper", "variant", pair("copal", env=HELPER), f"{operation}_{what}_nbi",
                  ONE_WAY)]


def overlapping(operation, what, nodes):
    """The curves of the share that a computation hides."""
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


HELPER_TEXT = ("By a helper: with SHMEM_NBI_NODE=overlap, a thread makes copies of 256 KiB and more beside the "
               "program, as the paper's loop-back does.")


def latency(operation, letter):
    text = ("Until the data has arrived: with a quiet, except for the blocking get. MPI: MPI_Put or MPI_Get and a "
            "flush. ")
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
        text += "A quiet after each is the default of the paper's blocking put; its OPT has one at the end. "
    five_times = Target("peer", 5, {"bytes": 8}, "Copal, nonblocking")
    return [Figure(f"nbi-rate-{operation}-nodes", "nonblocking", f"Figure 3 {letter}",
                   f"Message rate of {operation}s between nodes", "bytes", "rate", between, better="more",
                   text=NODES + text, also=("network",), targets=(five_times,) if operation == "put" else ()),
            Figure(f"nbi-rate-{operation}", "nonblocking", f"Figure 4 {letter}",
                   f"Message rate of {operation}s within a node", "bytes", "rate",
                   [*both(operation, "bandwidth", 1), *within_too(operation, "bandwidth")], better="more",
                   text=text + HELPER_TEXT, also=("node",),
                   targets=(Target("figure", 200, {"bytes": 8}),) if operation == "put" else ())]


OVERLAP_TEXT = ("The share of the communication that a computation of the same length hides. Each library's "
                "computation is as long as its own communication, which favours slow libraries; the exposed time is "
                "judged. ")


def overlap(operation):
    """Figure 5 and its parts. The paper shows only get, because put is similar there."""
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
               f"Exposed time of a {operation} between nodes", "bytes", "time",
               overlapping(operation, "exposed", 2),
               text=NODES + "The time by which the communication extends an equally long computation."),
        Figure(f"nbi-total-{operation}-nodes", "nonblocking", "Figure 5 a",
               f"A {operation} between nodes and an equally long computation", "bytes", "time",
               [Curve("blocking", "ours", pair("copal", 2, (), "nbi-overlap"), f"{operation} total"),
                Curve("nonblocking", "ours", pair("copal", 2, (), "nbi-overlap"), f"{operation}_nbi total"),
                Curve("computation alone", "variant", pair("copal", 2, (), "nbi-overlap"), f"{operation}_nbi compute")],
               text=NODES + "Begin, compute, quiet. If all is hidden, the nonblocking operation takes half "
                            "as long as the blocking one.", judged=False),
        Figure(f"nbi-init-{operation}-nodes", "nonblocking", "Section IV",
               f"Time to begin a {operation} between nodes, and to wait for it", "bytes", "time",
               [Curve(f"{name}, {what}", role, pair(side, 2, (), "nbi-overlap"), f"{operation}_nbi {what}")
                for name, side, role in (("Copal", "copal", "ours"), ("OSHMEM", "oshmem", "peer"))
                for what in ("init", "wait")],
               text=NODES + "The call, and the quiet after the computation.", judged=False),
    ]


# PEs: nodes. With 64 processes on 2 cores, OSHMEM takes more than a minute.
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


ALLTOALL_TEXT = ("64 KiB for each pair of PEs, between two nodes, during a computation ten times as long as the "
                 "exchange (at most 20 ms). All PEs compute on 2 shared cores, which also move the data. ")


def alltoall(id, title, y, curves, **more):
    return Figure(f"nbi-alltoall-{id}", "nonblocking", "Table I", title, "pes", y,
                  [Curve(label, role, alltoall_runs(side), f"alltoall {row}", {"bytes": 64 << 10})
                   for label, role, side, row in curves], kind="bars", **more)


ALLTOALL = [
    alltoall("busy", "All-to-all during a computation: the computation's share of the time", "value",
             [("Copal, puts", "ours", "copal", "put_nbi busy"), ("Copal, gets", "ours", "copal", "get_nbi busy"),
              ("OSHMEM, puts", "peer", "oshmem", "put_nbi busy"), ("OSHMEM, gets", "peer", "oshmem", "get_nbi busy")],
             unit="%", better="more", log_y=False,
             text=ALLTOALL_TEXT + "Table I calls this overlap; 91 % is no overlap."),
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
CROWDED = ("All PEs share 2 cores: blocking or not, an exchange ends when each PE that it needs has had a core.")

HEADLINES = [
    Headline("nonblocking", "Between nodes, nonblocking gets have 7 times the message rate of blocking gets",
             [("nbi-rate-get-nodes", NONBLOCKING, BLOCKING, SMALL)], 7,
             "A blocking get waits for its reply; nonblocking gets, here up to 2 KiB, share messages, and their "
             "replies do, too."),
    Headline("nonblocking", "Between nodes, nonblocking puts have 5 times the message rate of blocking puts",
             [("nbi-rate-put-nodes", NONBLOCKING, "Copal, a quiet after each", SMALL)], 5,
             "Compared with the paper's default, a put that ends when its data has arrived. Nonblocking puts share "
             "messages."),
    Headline("nonblocking", "Between nodes, nonblocking operations add no latency",
             [("nbi-latency-put-nodes", NONBLOCKING, BLOCKING, {}),
              ("nbi-latency-get-nodes", NONBLOCKING, BLOCKING, {})], 0.95,
             "From 8 KiB to 16 KiB, a blocking put is one message with its quiet, and the network library makes a "
             "nonblocking put; from 256 KiB on, a thread that must be woken makes nonblocking puts."),
    Headline("nonblocking", "Within a node, large nonblocking operations have the latency of blocking ones",
             [("nbi-latency-put", NONBLOCKING, BLOCKING, {"bytes": (8192, 1 << 30)}),
              ("nbi-latency-get", NONBLOCKING, BLOCKING, {"bytes": (8192, 1 << 30)})], 0.95,
             "Both are the same copy by the processor."),
    Headline("nonblocking", "Between nodes, nonblocking operations hide all communication, blocking ones none",
             [("nbi-total-get-nodes", "nonblocking", "blocking", {})], 1.9,
             "A ratio of 2 would mean that all is hidden. The paper's NIC moves data itself; over loopback a processor "
             "copies it, the program's system call takes some microseconds, and the other core serves the target."),
    Headline("nonblocking", "The 3-D stencil takes half the time on 27 PEs",
             [("nbi-stencil-get-512-nodes", NONBLOCKING, BLOCKING, {"pes": 27})], 2, CROWDED),
    Headline("nonblocking", "The 3-D stencil takes 28 % less time on 64 PEs",
             [("nbi-stencil-get-512-nodes", NONBLOCKING, BLOCKING, {"pes": 64})], 1.39, CROWDED),
    Headline("nonblocking", "A computation hides 96 % or more of an all-to-all",
             [("nbi-alltoall-parts", "whole", "computation alone", {})], 0.96,
             "All PEs compute on the 2 cores, which also move the data through the loopback, so only waiting can be "
             "hidden. The paper's NIC needs no core."),
]
