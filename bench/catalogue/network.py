"""Between nodes: figures that depend on progress and on the number of nodes. The figures of puts, gets and rates
between nodes are in pgas.py and nonblocking.py.

The nodes are parts of one machine, with its loopback between them: Copal by SHMEM_NODES, the others by settings that
disable shared memory."""

from model import Curve, Figure, Program, Run, Target

PROGRAMS = [Program(f"{name}-{interface}", interface, (f"bench/programs/sync/{name}.c",))
            for name in ("busy", "idle") for interface in ("shmem", "bare")]
PROGRAMS += [Program("calls-shmem", "shmem", ("bench/programs/rma/calls.c",)),
             Program("threads-shmem", "shmem", ("bench/programs/rma/threads.c",), ("-pthread",))]

SIDES = {"copal": ("Copal", "ours"), "oshmem": ("OSHMEM", "peer"), "socket": ("sockets", "floor")}
NODES = {2: 2, 4: 4, 6: 3}  # PEs: nodes
COLLECTIVES = ("broadcast", "sum", "fcollect", "alltoall")


def runs(side, name, pes, arguments=("full",)):
    interface = "bare" if side == "socket" else "shmem"
    return [Run(side, f"{name}-{interface}", pes, arguments, (), NODES[pes], rounds=3, quick=pes == 2, limit_s=120)]


def contest(name, rows, pes=2, sides=SIDES, **more):
    return [Curve(SIDES[side][0], SIDES[side][1], runs(side, name, pes, **more), rows) for side in sides]


def figure(id, title, x, curves, text, **more):
    return Figure(f"network-{id}", "network", "", title, x, more.pop("y", "time"), curves, text=text, **more)


BUSY = {"put 8 B + quiet": "busy_put", "get 8 B": "busy_get", "fetch-add": "busy_fetch_add"}
IDLE = {"wait_until": "idle_wait", "barrier_all": "idle_barrier", "asleep": "idle_asleep"}
ATOMICS = {"fetch-add": "fetch_add", "compare-swap": "compare_swap"}
TRIPS = {"flag": "flag", "put + fence + flag": "put_fence_flag", "put_signal": "put_signal"}
WITHOUT_SIGNAL = {**TRIPS, "put_signal": "put_fence_flag"}
MEETINGS = {"barrier_all": "barrier_all", "sync_all": "sync_all"}
AHEAD = (Target("peer", 1),)


def collective(name, pes):
    """With a team and with an active set. OSHMEM has only the latter; MPI has the same collective."""
    forms = (("Copal, team", "ours", "copal", "team"), ("Copal, active set", "ours", "copal", "set"),
             ("OSHMEM", "peer", "oshmem", "set"), ("Open MPI", "peer", "openmpi", "mpi"))
    return figure(f"{name}-{pes}", f"{name}, {pes} PEs on {NODES[pes]} nodes", "bytes",
                  [Curve(label, role, [Run(side, f"collectives-{form}", pes, ("quick", ",".join(COLLECTIVES)), (),
                                           NODES[pes], quick=False, rounds=3, limit_s=120)], name)
                   for label, role, side, form in forms],
                  f"Windows of eight calls and a barrier.{' The PEs share 2 cores.' if pes > 2 else ''}",
                  targets=AHEAD if name in ("sum", "broadcast") else ())


def threads(id, title, row, text):
    """A figure without OSHMEM, because Open MPI 4.1.4 hangs over TCP in the first row with a private context."""
    return figure(id, title, "threads", [
        Curve("each on a private context", "ours", runs("copal", "threads", 2), f"{row}_private"),
        Curve("all on the default context", "variant", runs("copal", "threads", 2), f"{row}_shared")],
                  y="rate", better="more", judged=False, text=text)


def libraries(verb):
    """The same programs over each of Copal's two network libraries."""
    def by(library):
        return [Run("copal", "pgas-pairs-shmem", 2, ("full",), (("SHMEM_NET", library),), 2, rounds=2, quick=False,
                    limit_s=120)]
    where = {"pairs": 1, "directions": 1}
    return figure(f"libraries-{verb}", f"{verb.capitalize()} by libfabric and by UCX, 2 nodes", "bytes",
                  [Curve("libfabric", "ours", by("ofi"), f"{verb}_latency", where),
                   Curve("UCX", "floor", by("ucx"), f"{verb}_latency", where)], targets=(Target("floor", 1 / 1.3),),
                  text="Each operation completes before the next; the other PE sleeps. Both over TCP.")


FIGURES = [
    figure("atomics", "Atomics, 2 nodes", "operation", contest("atomics", ATOMICS), kind="bars",
           targets=(Target("floor", 1 / 1.15, {"operation": "fetch-add"}),), text="One after the other, on one word."),
    figure("trips", "Round trips, 2 nodes", "operation", [
        *contest("sync", TRIPS, sides=("copal",)),
        *contest("sync", WITHOUT_SIGNAL, sides=("oshmem", "socket"))], kind="bars",
        text="PE 0 sends and waits for the reply; without put_signal, a put, a fence and a flag."),
    figure("calls", "Functions called on the other PE, 2 nodes", "bytes", [
        Curve("call", "ours", runs("copal", "calls", 2), "call"),
        Curve("get", "floor", runs("copal", "calls", 2), "get"),
        Curve("posted, many", "variant", runs("copal", "calls", 2), "post")],
           targets=(Target("floor", 1 / 1.25, curve="call"),),
           text="A call has eight bytes of arguments and a reply as long as the get. Posted calls have arguments of "
                "this length, no reply, and one quiet."),
    figure("strides", "Strided put and get, 2 nodes", "stride", [
        Curve(f"{label}, {verb}", role, [Run(side, "pgas-strides-shmem", 2, ("full",), (), 2, rounds=2)],
              f"{verb}_both")
        for side, (label, role) in list(SIDES.items())[:2] for verb in ("put", "get")], y="bandwidth", better="more",
        targets=(Target("figure", 0.16, {"stride": 2}, "Copal, put"),),
        text="32768 elements of four bytes, with one stride at both sides; bandwidth of the elements alone."),
    *(libraries(verb) for verb in ("put", "get")),
    threads("threads", "Puts of 8 B by threads of a PE, 2 nodes", "threads",
            "Windows of 64 nonblocking puts and a quiet by each thread; the rate of all threads."),
    threads("threads-get", "Gets of 8 B by threads of a PE, 2 nodes", "threads_get",
            "One after the other by each thread; the rate of all threads."),
    threads("threads-large", "Gets of 64 KiB by threads of a PE, 2 nodes", "threads_large",
            "One after the other by each thread; the rate of all threads."),
    figure("busy", "To a PE that computes, 2 nodes", "operation", contest("busy", BUSY), kind="bars",
           targets=(Target("figure", 60),),
           text="PE 1 computes for 10 ms without a call; in the middle of this time PE 0 makes one operation. If a "
                "library needs calls of the target, as the sockets do, the operation ends after the computation."),
    figure("idle", "Processor time of a PE that has nothing to do", "operation",
           contest("idle", IDLE, sides=("copal", "oshmem")), y="value", unit="%", kind="bars", log_y=False,
           targets=(Target("figure", 1),), text="Share of one core in 2 s of waiting, and of sleeping outside the "
                                                "library."),
    figure("meetings", "Barriers, 2 nodes", "operation", contest("sync", MEETINGS), kind="bars", text="Back to back."),
    figure("meetings-6", "Barriers, 6 PEs on 3 nodes", "operation", contest("sync", MEETINGS, 6, ("copal", "oshmem")),
           kind="bars", targets=(Target("peer", 1, {"operation": "barrier_all"}),),
           text="Back to back. 6 PEs share 2 cores."),
    *(collective(name, pes) for pes in NODES for name in COLLECTIVES),
    figure("hello", "A hello job over nodes", "pes", [
        Curve(SIDES[side][0], SIDES[side][1], [*runs(side, "hello", 2, ()), *runs(side, "hello", 6, ())], "job")
        for side in ("copal", "oshmem")], kind="bars",
        text="From the launcher's start to its end; 2 PEs on 2 nodes, 6 PEs on 3 nodes."),
]
HEADLINES = []
