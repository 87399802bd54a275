"""The papers' figures at the papers' scale, on emulated networks (docs/benchmarks.md): the same programs, with Copal
alone; its plans and algorithms are compared with each other."""

from model import Curve, Emulated, Figure, Program, Run

# The papers' machines, or the most similar fabrics.
TEAMS = "ib-ddr"     # the teams paper's cluster: 8 cores a node, one NIC
STAMPEDE = "ib-fdr"  # the nonblocking paper's: 16 cores a node
CRAY = "aries"       # the SHCOLL paper's and the thesis': 24 cores a node, of which the figures use 16
TITAN = "gemini"     # the thesis': 16 cores a node

HEAP = ("SHMEM_SYMMETRIC_SIZE", "16M")
FEW = 128  # up to this number of PEs, runs are repeated with other charges within a node


def run(program, pes, nodes, fabric, arguments=("emulated",), env=(HEAP,), **more):
    return Run("copal", program, pes, arguments, env, nodes, fabric=fabric, quick=pes <= 64, limit_s=1800,
               rounds=0 if pes <= FEW else 2, **more)


def figure(id, like, title, x, y, curves, **more):
    return Figure(f"emulated-{id}", "emulated", like, f"{title} (emulated)", x, y, curves, judged=False, **more)


# --- collectives in teams ---------------------------------------------------------------------------------------------

ONE_LEVEL = (("SHCOLL_SYNC", "dissemination"), ("SHCOLL_REDUCE", "recursive_doubling"),
             ("SHCOLL_BROADCAST", "knomial:signal:2"))
# The flag follows when the data has arrived, as in the paper's runtime.
APART = (("SHCOLL_SYNC", "dissemination"), ("SHCOLL_REDUCE", "recursive_doubling:get"),
         ("SHCOLL_BROADCAST", "knomial:put:2"))
# With small vectors, leaders send data and flag in one message, as the paper's leaders do.
TWO_LEVELS = (("SHCOLL_SYNC", "two_level"), ("SHCOLL_REDUCE", "two_level"),
              ("SHCOLL_BROADCAST", "two_level:get:2"))
WAYS = {"Copal": (), "Copal, two levels": TWO_LEVELS, "Copal, one level": ONE_LEVEL,
        "Copal, one level, data and flag apart": APART}
NODES = (2, 4, 8, 16, 32, 64)
OPERATIONS = [("barrier", "barrier", 0, "Figure 4", "Barrier"),
              ("reduce", "reduce", 4, "Figure 5", "All-reduce of 1 integer"),
              ("reduce-1024", "reduce", 4096, "Figure 5", "All-reduce of 1024 integers"),
              ("broadcast", "broadcast", 4096, "Figure 6", "Broadcast of 1024 integers")]
SHAPES = {"all": ("one team", {"teams": 1}), "odd-even": ("teams of odd and even images", {"teams": 2, "stride": 2})}


def team_figure(operation, shape, images):
    id, row, size, like, title = operation
    words, fields = SHAPES[shape]
    curves = [Curve(label, "variant" if env else "ours",
                    [run("teams", nodes * images, nodes, TEAMS, env=(HEAP, *env)) for nodes in NODES],
                    row, {**fields, "bytes": size}) for label, env in WAYS.items() if row != "barrier" or env != APART]
    return figure(f"teams-{id}-{shape}-{images}", like, f"{title}, {words}, {images} to a node", "pes", "time", curves,
                  text="Mean over the images of image 1's team. One level: dissemination, recursive doubling, a "
                       "binomial tree; data and flag apart, as in the paper's runtime: by gets, or by a put and a "
                       "flag. Two levels: within each node, then among one image of each node; broadcasts in the "
                       "opposite order, down a binomial tree.")


# --- locks and the hash table -----------------------------------------------------------------------------------------

MANY = {32: 2, 64: 4, 128: 8, 256: 16, 512: 32, 1024: 64}  # PEs: nodes; a single node is not emulated here
LOCKS = [
    figure(f"locks-{words}", "Figure 5.3", title, "pes", "time",
           [Curve("Copal", "ours", [run("caf-locks", pes, nodes, TITAN) for pes, nodes in MANY.items()], row)],
           text="All images acquire and release the lock on image 1; the time divided by all acquisitions. 16 images "
                "to a node.")
    for words, row, title in (("empty", "lock_empty", "Lock on image 1 by all images"),
                              ("count", "lock_count", "Lock and increment on image 1 by all images"))]

OBJECTS = "20"
TABLE = figure("dht", "Figure 5.4", "Distributed hash table", "pes", "value",
               [Curve(f"Copal, by {label}", role,
                      [run("dht", pes, nodes, TITAN, (how, OBJECTS)) for pes, nodes in MANY.items()], "rate")
                for label, role, how in (("locks", "ours", "lock"), ("atomics", "ours", "atomic"))],
               unit="million updates/s", better="more",
               text=f"Each image enters {OBJECTS} objects twice into a table that is distributed over all images, by "
                    f"the lock of the image that has the slot, or by atomic_cas and atomic_add. The rate is that of "
                    f"all images. 16 images to a node.")

# --- strided sections -------------------------------------------------------------------------------------------------

PAIR_HEAP = (("SHMEM_SYMMETRIC_SIZE", "64M"),)
PLANS = {"Copal": (), "naive plan": (("CAF_STRIDED", "naive"),), "2dim_strided plan": (("CAF_STRIDED", "2dim"),)}
STRIDED = [
    figure(f"{shape}-put", "Figure 5.1, c and d", title, "stride", "bandwidth",
           [Curve(label, "variant" if env else "ours", [run("caf-strided", 2, 2, CRAY, env=(*PAIR_HEAP, *env))], row)
            for label, env in PLANS.items()], better="more", text="Between two nodes. 8192 elements of 4 bytes.")
    for shape, row, title in (("strided", "put_section", "Put of a two-dimensional strided section"),
                              ("wide", "put_wide", "Put of a section longer in its second dimension"))]

# --- nonblocking operations -------------------------------------------------------------------------------------------

ONE_WAY = {"directions": 1}
BLOCKING, NONBLOCKING, QUIET_EACH = "Copal, blocking", "Copal, nonblocking", "Copal, a quiet after each"


def pair(program):
    return [run(program, 2, 2, STAMPEDE, env=PAIR_HEAP)]


def pairs_figure(operation, what, like, title, y, text):
    curves = [Curve(label, "ours", pair("pgas-pairs-shmem"), f"{operation}_{what}{nbi}", ONE_WAY)
              for label, nbi in ((BLOCKING, ""), (NONBLOCKING, "_nbi"))]
    if (operation, what) == ("put", "bandwidth"):
        curves.append(Curve(QUIET_EACH, "variant", pair("pgas-pairs-shmem"), "put_latency", ONE_WAY))
    return figure(f"{what}-{operation}", like, title, "bytes", y, curves, better="less" if y == "time" else "more",
                  text=text)


def overlap_figures(operation):
    rows = {BLOCKING: operation, NONBLOCKING: f"{operation}_nbi"}
    share = [Curve(label, "ours", pair("nbi-overlap-shmem"), f"{row} overlap") for label, row in rows.items()]
    total = [Curve(label, "ours", pair("nbi-overlap-shmem"), f"{row} total") for label, row in rows.items()]
    total.append(Curve("computation alone", "variant", pair("nbi-overlap-shmem"), f"{operation}_nbi compute"))
    return [figure(f"overlap-{operation}", "Figure 5 a", f"Overlap of a {operation} between nodes", "bytes", "value",
                   share, unit="%", better="more", log_y=False,
                   text="The share of the communication that a computation of the same length hides."),
            figure(f"total-{operation}", "Figure 5 a", f"A {operation} between nodes and an equally long computation",
                   "bytes", "time", total, text="Begin, compute, quiet.")]


STENCILS = {8: 2, 27: 3, 64: 4, 125: 8, 216: 14, 512: 32}
EXCHANGES = {16: 2, 32: 2, 64: 4, 128: 8}


def stencil(size, letter):
    layouts = ", ".join(f"{pes} on {nodes}" for pes, nodes in STENCILS.items())
    return figure(f"stencil-{size}", f"Figure 6 {letter}", f"3-D stencil, six halos of {size} bytes by get", "pes",
                  "time",
                  [Curve(label, "ours", [run("nbi-stencil", pes, nodes, STAMPEDE) for pes, nodes in STENCILS.items()],
                         f"stencil {row}", {"bytes": size})
                   for label, row in ((BLOCKING, "get"), (NONBLOCKING, "get_nbi"))], kind="bars",
                  text=f"One exchange, averaged over all PEs. PEs on nodes: {layouts}.")


def alltoall(id, title, y, rows, **more):
    runs = [run("nbi-alltoall", pes, nodes, STAMPEDE, env=(("SHMEM_SYMMETRIC_SIZE", f"{(pes * 128 >> 10) + 8}M"),))
            for pes, nodes in EXCHANGES.items()]
    return figure(f"alltoall-{id}", "Table I", title, "pes", y,
                  [Curve(label, role, runs, f"alltoall {row}", {"bytes": 64 << 10}) for label, role, row in rows],
                  kind="bars", text="64 KiB for each pair of PEs, during a computation ten times as long as the "
                                    "exchange; each PE computes on a core of its own.", **more)


NONBLOCKING_FIGURES = [
    pairs_figure("put", "latency", "Figure 1 a", "Latency of a put between nodes", "time", "With a quiet."),
    pairs_figure("get", "latency", "Figure 1 b", "Latency of a get between nodes", "time",
                 "The nonblocking one with a quiet."),
    pairs_figure("put", "bandwidth", "Figure 3 a", "Message rate of puts between nodes", "rate",
                 "Windows of 64 messages, each with a quiet at its end; or a quiet after each message."),
    pairs_figure("get", "bandwidth", "Figure 3 b", "Message rate of gets between nodes", "rate",
                 "Windows of 64 messages, each with a quiet at its end."),
    *overlap_figures("get"), *overlap_figures("put"), stencil(512, "a"), stencil(2048, "b"),
    alltoall("busy", "All-to-all during a computation: the computation's share of the time", "value",
             [("Copal, puts", "ours", "put_nbi busy"), ("Copal, gets", "ours", "get_nbi busy")], unit="%",
             better="more", log_y=False),
    alltoall("parts", "All-to-all by nonblocking puts: where the time goes", "time",
             [("whole", "ours", "put_nbi total"), ("computation alone", "variant", "put_nbi computation"),
              ("exchange alone", "variant", "put_nbi communication"), ("begin", "variant", "put_nbi init"),
              ("wait", "variant", "put_nbi wait")]),
]

# --- a contended word -------------------------------------------------------------------------------------------------

DOMAINS = {"processors": (), "NICs": (("SHMEM_NET_ATOMICS", "adapter"),)}
HOTSPOTS = {2: 2, 8: 8, 32: 32}  # PEs: nodes
HOTSPOT = figure("hotspot", "", "Fetch-adds on one word by all other PEs", "pes", "time",
                 [Curve(f"Copal, by {label}", "variant" if env else "ours",
                        [run("hotspot-shmem", pes, nodes, STAMPEDE, env=(HEAP, *env))
                         for pes, nodes in HOTSPOTS.items()], "hotspot_all") for label, env in DOMAINS.items()],
                 text="The time between two operations on the word. One PE to a node; executed by its processor, the "
                      "default, or by its NIC (docs/fabric.md).")

# --- SHCOLL -----------------------------------------------------------------------------------------------------------

PES = {16: 2, 64: 4, 256: 16, 1024: 64}
EXCHANGERS = {"shift": "shift:signal", "XOR pairs": "xor:signal", "colour pairs": "color:signal"}
ALGORITHMS = {
    "barrier": ("SHCOLL_SYNC", {"linear": "linear", "k-ary tree": "kary", "k-nomial tree": "knomial",
                                "dissemination": "dissemination", "two levels": "two_level"}),
    "broadcast": ("SHCOLL_BROADCAST", {"linear": "linear", "binomial tree": "knomial:signal:2",
                                       "k-nomial tree": "knomial:signal:4", "van de Geijn": "scatter_ring:signal",
                                       "two levels": "two_level"}),
    "sum": ("SHCOLL_REDUCE", {"recursive doubling": "recursive_doubling", "Rabenseifner": "rabenseifner:get",
                              "two levels": "two_level"}),
    "fcollect": ("SHCOLL_FCOLLECT", {"linear": "all_linear", "Bruck": "bruck:signal", "ring": "ring:signal",
                                     "neighbour exchange": "neighbor_exchange:signal", "two levels": "two_level"}),
    "collect": ("SHCOLL_COLLECT", {"linear": "all_linear", "Bruck": "bruck:signal", "ring": "ring:signal",
                                   "recursive doubling": "recursive_doubling:signal", "two levels": "two_level"}),
    "alltoall": ("SHCOLL_ALLTOALL", EXCHANGERS), "alltoalls": ("SHCOLL_ALLTOALLS", EXCHANGERS),
}
SIZES = {"barrier": [(6, 0, "")], "broadcast": [(7, 4, "4 B"), (7, 1 << 10, "1 KB"), (7, 1 << 20, "1 MB"),
                                                (7, 16 << 20, "16 MB")],
         "sum": [(8, 8, "8 B"), (8, 2 << 10, "2 KB")], "fcollect": [(9, 4, "4 B"), (9, 16 << 10, "16 KB")],
         "collect": [(10, 4, "4 B"), (10, 16 << 10, "16 KB")], "alltoall": [(11, 4, "4 B"), (11, 128, "128 B")],
         "alltoalls": [(12, 4, "4 B"), (12, 128, "128 B")]}
TOGETHER = ("barrier", "broadcast,sum", "fcollect,collect", "alltoall,alltoalls")  # these share a run
QUADRATIC = {"fcollect,collect": 256, "alltoall,alltoalls": 256}  # the most PEs, because of the number of messages
FIGURES_HEAP = {pes: (("SHMEM_SYMMETRIC_SIZE", f"{size}M"),)
                for pes, size in ((16, 64), (64, 64), (256, 32), (1024, 16))}


def figures_runs(collective, number=None):
    together = next(names for names in TOGETHER if collective in names.split(","))
    env = ()
    for name in together.split(",") if number is not None else ():
        variable, algorithms = ALGORITHMS[name]
        if number < len(algorithms):
            env += ((variable, list(algorithms.values())[number]),)
    return [run("shcoll-figures", pes, nodes, CRAY, ("emulated", together), FIGURES_HEAP[pes] + env)
            for pes, nodes in PES.items() if pes <= QUADRATIC.get(together, pes)]


def shcoll_figure(collective, number, size, words):
    curves = [Curve("Copal", "ours", figures_runs(collective), collective, {"bytes": size})]
    curves += [Curve(f"Copal, {name}", "variant", figures_runs(collective, i), collective, {"bytes": size})
               for i, name in enumerate(ALGORITHMS[collective][1])]
    return figure("-".join(["shcoll", collective, *words.lower().split()]), f"Figure {number}",
                  f"{collective} of {words}" if words else collective, "pes", "time", curves,
                  text="16 PEs to a node (16 PEs: 8). The program and its barriers are those of the figure on this "
                       "machine.")


FIGURES = [
    *(team_figure(operation, shape, 8) for shape in SHAPES for operation in OPERATIONS),
    *(team_figure(operation, "all", 1) for operation in OPERATIONS),
    *LOCKS, TABLE, *STRIDED, *NONBLOCKING_FIGURES, HOTSPOT,
    *(shcoll_figure(collective, *each) for collective, sizes in SIZES.items() for each in sizes),
]
PROGRAMS = [Program("hotspot-shmem", "shmem", ("bench/programs/rma/hotspot.c",))]
HEADLINES = []

# --- second verdicts --------------------------------------------------------------------------------------------------


def two_levels(id, other="Copal, one level"):
    return [(f"emulated-teams-{id}-{shape}-8", "Copal, two levels", other, {}) for shape in SHAPES]


CANNOT = {
    "The other side is another library, which does not run on an emulated network.": (
        "The distributed hash table is 28 % faster than with another coarray runtime",
        "Himeno is 6 % faster on average than over another communication layer",
        "Puts of coarrays have on average 18 % more bandwidth over OpenSHMEM than over another layer",
        "Strided puts have 3 times the bandwidth of the other Fortran runtime",
        "Locks are 22 % faster than the other Fortran runtime's",
        "OpenSHMEM's put has a lower latency and a higher bandwidth than MPI-3 RMA's (between two nodes)",
        "HPL in coarrays is as fast as HPL with MPI",
        "Long messages are up to 12 times as fast as with the vendor's library",
        "fcollect and collect of 16 KB are faster than the vendor's",
        "alltoalls is faster than the vendor's, above all with 4 bytes",
        "The vendor's barrier, broadcast of 4 bytes and sum of 8 bytes are faster than SHCOLL"),
    "It is about the shared memory of one node; only the network between nodes is emulated.": (
        "OpenSHMEM's put has a lower latency and a higher bandwidth than MPI-3 RMA's (within a node)",
        "Within a node, large nonblocking operations have the latency of blocking ones",
        "IS gains up to 13 % on average by storing keys through shmem_ptr in place of puts",
        "IS is faster with OpenSHMEM than with MPI",
        "IS is 25 % faster with recursive doubling or Rabenseifner's algorithm than with a flat reduction",
        "shmem_ptr lowers the latency of put and get by up to 60 % (Copal, 8 B to 1 KiB)",
        "shmem_ptr raises the bandwidth by up to 12 times (Copal, 8 B to 256 B)",
        "shmem_ptr lowers the latency of put and get by up to 60 % (OSHMEM, 8 B to 1 KiB)",
        "shmem_ptr raises the bandwidth by up to 12 times (OSHMEM, 8 B to 256 B)",
        "Reductions of up to 2^10 integers take up to 22 % less time than MVAPICH2's",
        "Reductions of 2^12 to 2^20 integers take up to 60 % less time than Intel MPI's",
        "SP gains up to 17 % on average by loads and stores through shmem_ptr, less with larger messages",
        "Optimised SP scales with OpenSHMEM as with MPI",
        "On 2 PEs, a reduction through shmem_ptr and vectorised loops give STREAM 40 times the bandwidth",
        "IS and Himeno have a parallel efficiency of 0.95 on 2 cores",
        "HPL has a parallel efficiency of 0.95 on 2 cores"),
    "Most of its time is computation, which takes this machine's processor time and therefore varies from run to run. "
    "In a run by hand (N = 2000 in one column of 64 images on 8 nodes of ib-ddr), two levels are 1.17 times as fast as "
    "one, and 2.2 times as fast as one with data and flag apart.": (
        "Two levels make HPL up to 32 % faster than one level",),
}
SMALL = {"bytes": (8, 2048)}
LEVELS = ("Two levels take the time of their closed form (docs/fabric.md); one level is faster than the paper's: eight "
          "images of a node share a NIC, but it sends 6.7 million messages per second, and messages within a "
          "node do not use it.")
HALOS = ("Six nonblocking gets are pending at once; but with 9 or 16 PEs to a node, most halos come from the same "
         "node, where both forms are the same copy.")
EMULATED = [
    Emulated("Two levels make a barrier up to 26 times as fast", two_levels("barrier"), LEVELS, up_to=True),
    Emulated("Two levels make a reduction up to 74 times as fast",
             two_levels("reduce", "Copal, one level, data and flag apart"),
             f"{LEVELS} One level has data and flag apart, as in the paper.", up_to=True),
    Emulated("Two levels make a broadcast up to 3 times as fast", two_levels("broadcast"), LEVELS, up_to=True),
    Emulated("The plan 2dim_strided has 9 times the bandwidth of the naive plan",
             [(f"emulated-{shape}-put", "2dim_strided plan", "naive plan", {}) for shape in ("strided", "wide")],
             "A message carries many puts of both plans, so the naive plan does not take a transfer for each element "
             "as on the paper's Cray; 2dim_strided saves a header for each."),
    Emulated("Between nodes, nonblocking gets have 7 times the message rate of blocking gets",
             [("emulated-bandwidth-get", NONBLOCKING, BLOCKING, SMALL)],
             "Each blocking get waits for its reply; 64 nonblocking gets wait once."),
    Emulated("Between nodes, nonblocking puts have 5 times the message rate of blocking puts",
             [("emulated-bandwidth-put", NONBLOCKING, QUIET_EACH, SMALL)],
             "Each put with its quiet waits for a round trip; 64 nonblocking puts wait once."),
    Emulated("Between nodes, nonblocking operations add no latency",
             [("emulated-latency-put", NONBLOCKING, BLOCKING, {}),
              ("emulated-latency-get", NONBLOCKING, BLOCKING, {})], "Both take the same path."),
    Emulated("Between nodes, nonblocking operations hide all communication, blocking ones none",
             [("emulated-total-get", NONBLOCKING, BLOCKING, {})],
             "The NIC moves the data while the processor computes. A ratio of 2 would mean that all is hidden, also "
             "the call and the quiet."),
    Emulated("The 3-D stencil takes half the time on 27 PEs",
             [("emulated-stencil-512", NONBLOCKING, BLOCKING, {"pes": 27})], HALOS),
    Emulated("The 3-D stencil takes 28 % less time on 64 PEs",
             [("emulated-stencil-512", NONBLOCKING, BLOCKING, {"pes": 64})], HALOS),
    Emulated("A computation hides 96 % or more of an all-to-all",
             [("emulated-alltoall-parts", "whole", "computation alone", {})],
             "The NIC needs no processor; only the time to begin a put for each PE remains."),
    Emulated("Long broadcasts, by van de Geijn's algorithm, are faster than the vendor's",
             [("emulated-shcoll-broadcast-16-mb", "Copal, van de Geijn", "Copal, binomial tree", {})],
             "A binomial tree stands for the vendor's library, whose times the paper finds like its own. Van de "
             "Geijn's algorithm sends each byte through each NIC twice, the tree once in each round."),
    Emulated("Sums of 2 KB are faster than the vendor's",
             [("emulated-shcoll-sum-2-kb", "Copal", "Copal, recursive doubling", {})],
             "Recursive doubling stands for the vendor's library, whose times the paper finds like its own."),
    *(Emulated(claim, [], why) for why, claims in CANNOT.items() for claim in claims),
]
