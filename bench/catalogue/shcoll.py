"""Figures 6 to 12 of the SHCOLL paper: each collective by number of PEs, at the paper's sizes, with the algorithm that
SHCOLL chooses and with each algorithm of the paper."""

from model import VERDICTS, Curve, Figure, Headline, Program, Run

PROGRAMS = [Program("shcoll-figures", "shmem", ("bench/programs/collectives/figures.c",))]

PES = (2, 4, 8, 16)
COPAL, OSHMEM = "Copal", "Open MPI OSHMEM"

# {collective: (variable that selects an algorithm, {the paper's name: SHCOLL's})}
ALGORITHMS = {
    "barrier": ("SHCOLL_SYNC", {"linear": "linear", "k-ary tree": "kary", "k-nomial tree": "knomial",
                                "dissemination": "dissemination"}),
    "broadcast": ("SHCOLL_BROADCAST", {"linear": "linear", "binomial tree": "knomial:signal:2",
                                       "k-nomial tree": "knomial:signal:4", "van de Geijn": "scatter_ring:signal"}),
    "sum": ("SHCOLL_REDUCE", {"recursive doubling": "recursive_doubling:shmem_ptr", "Rabenseifner": "rabenseifner"}),
    "fcollect": ("SHCOLL_FCOLLECT", {"linear": "all_linear", "Bruck": "bruck:signal", "ring": "ring:signal",
                                     "neighbour exchange": "neighbor_exchange:signal"}),
    "collect": ("SHCOLL_COLLECT", {"linear": "all_linear", "Bruck": "bruck:signal", "ring": "ring:signal",
                                   "recursive doubling": "recursive_doubling:signal"}),
    "alltoall": ("SHCOLL_ALLTOALL", {"shift": "shift:signal", "XOR pairs": "xor:signal",
                                     "colour pairs": "color:signal"}),
    "alltoalls": ("SHCOLL_ALLTOALLS", {"shift": "shift:barrier", "XOR pairs": "xor:signal",
                                       "colour pairs": "color:signal"}),
}
# Barriers have their own runs, because the timed loops of the others contain barriers.
OTHERS = ",".join(collective for collective in ALGORITHMS if collective != "barrier")


def requests(collectives, number):
    """The environment that selects algorithm `number` of each collective that has one."""
    chosen = []
    for collective in collectives.split(","):
        variable, names = ALGORITHMS[collective]
        if number < len(names):
            chosen.append((variable, list(names.values())[number]))
    return tuple(chosen)


# OSHMEM allocates all of a heap at start: 16 heaps must fit.
OSHMEM_HEAP = (("SHMEM_SYMMETRIC_SIZE", "128M"), ("SHMEM_SYMMETRIC_HEAP_SIZE", "128M"))


def environment(side):
    return OSHMEM_HEAP if side == "oshmem" else ()


def usual(side):
    """The runs of all collectives with the library's choice of algorithms."""
    return [Run(side, "shcoll-figures", pes, ("full", "all"), environment(side)) for pes in PES]


def asked_for(collective, number):
    together = collective if collective == "barrier" else OTHERS
    env = requests(together, number)
    return [Run("copal", "shcoll-figures", pes, ("full", together), env, quick=False, rounds=3) for pes in PES]


def curves_of(collective, size):
    where = {"bytes": size}
    curves = [Curve(COPAL, "ours", usual("copal"), collective, where),
              Curve(OSHMEM, "peer", usual("oshmem"), collective, where)]
    for number, name in enumerate(ALGORITHMS[collective][1]):
        curves.append(Curve(f"{COPAL}, {name}", "variant", asked_for(collective, number), collective, where))
    return curves


def figure(number, collective, size, words, text):
    """words: the size as text in the title, empty for a barrier."""
    id = "-".join(["shcoll", collective, *words.lower().split()])
    title = f"{collective} of {words}" if words else collective
    curves = curves_of(collective, size)
    return Figure(id, "shcoll", f"Figure {number}", title, x="pes", y="time", curves=curves, text=text)


BARRIER_FIRST = "The timed loop has a shmem_barrier_all before each call, which frees pSync, as in the paper. "
BROADCASTS = {"4 B": 4, "1 KB": 1 << 10, "1 MB": 1 << 20, "16 MB": 16 << 20}
SUMS = {"8 B": 8, "2 KB": 2 << 10}
COLLECTS = {"4 B": 4, "16 KB": 16 << 10}
EXCHANGES = {"4 B": 4, "128 B": 128}


def broadcast_text(words):
    scaled = " The paper has 256 MB." if words == "16 MB" else ""
    return "shmem_broadcast32 from PE 0, then shmem_barrier_all: until all PEs have the data." + scaled


FIGURES = [
    figure(6, "barrier", 0, "", "shmem_barrier over all PEs."),
    *(figure(7, "broadcast", size, words, broadcast_text(words)) for words, size in BROADCASTS.items()),
    *(figure(8, "sum", size, words, BARRIER_FIRST + "shmem_double_sum_to_all.") for words, size in SUMS.items()),
    *(figure(9, "fcollect", size, words, BARRIER_FIRST + "shmem_fcollect32, this size from each PE.")
      for words, size in COLLECTS.items()),
    *(figure(10, "collect", size, words, BARRIER_FIRST + "shmem_collect32, this size from each PE.")
      for words, size in COLLECTS.items()),
    *(figure(11, "alltoall", size, words, BARRIER_FIRST + "shmem_alltoall32, this size for each PE.")
      for words, size in EXCHANGES.items()),
    *(figure(12, "alltoalls", size, words, BARRIER_FIRST + "shmem_alltoalls32, this size for each PE, stride 2.")
      for words, size in EXCHANGES.items()),
]


# ---- over nodes ----

NODES_PES = 8
NODES = (1, 2, 4)


def over_nodes(side):
    """On one node, the row comes from the run with all collectives."""
    runs = []
    for nodes in NODES:
        arguments = ("full", "all") if nodes == 1 else ("quick", "barrier,broadcast,sum")
        runs.append(Run(side, "shcoll-figures", NODES_PES, arguments, environment(side), nodes,
                        fields=(("nodes", nodes),), quick=nodes <= 2, rounds=0 if nodes == 1 else 3))
    return runs


def figure_over_nodes(number, collective, size, words):
    id = "-".join(["shcoll-nodes", collective, *words.lower().split()])
    title = f"{collective} of {words}" if words else collective
    return Figure(id, "shcoll", f"Figure {number}", f"{title}, {NODES_PES} PEs over nodes", x="nodes", y="time",
                  text="Nodes on one machine, with TCP between them; Open MPI also uses TCP within a node.",
                  curves=[Curve(COPAL, "ours", over_nodes("copal"), collective, {"bytes": size}),
                          Curve(OSHMEM, "peer", over_nodes("oshmem"), collective, {"bytes": size})])


FIGURES += [
    figure_over_nodes(6, "barrier", 0, ""),
    figure_over_nodes(7, "broadcast", 1 << 10, "1 KB"),
    figure_over_nodes(7, "broadcast", 1 << 20, "1 MB"),
    figure_over_nodes(8, "sum", 2 << 10, "2 KB"),
]


# ---- the paper's claims ----

HEADLINES = [
    Headline("shcoll", "Long messages are up to 12 times as fast as with the vendor's library",
             [(id, COPAL, OSHMEM, {"pes": max(PES)})
              for id in ("shcoll-broadcast-16-mb", "shcoll-fcollect-16-kb", "shcoll-collect-16-kb")], holds=12,
             why="The paper's factor is the best point of up to 12288 PEs on a Cray XC30, where algorithms load the "
                 "network differently. Here few PEs share a memory, and both libraries copy the same bytes."),
    Headline("shcoll", "Long broadcasts, by van de Geijn's algorithm, are faster than the vendor's",
             [("shcoll-broadcast-16-mb", COPAL, OSHMEM, {})], holds=1,
             why="On one node, each algorithm copies the data once for each PE. If the copy is directly from source to "
                 "dest, a scatter saves nothing.", explains=VERDICTS[1]),
    Headline("shcoll", "Sums of 2 KB are faster than the vendor's", [("shcoll-sum-2-kb", COPAL, OSHMEM, {})], holds=1,
             why="On one node, vectors of this size are read in place in one step, without "
                 "copies.", explains=VERDICTS[0]),
    Headline("shcoll", "fcollect and collect of 16 KB are faster than the vendor's",
             [("shcoll-fcollect-16-kb", COPAL, OSHMEM, {}), ("shcoll-collect-16-kb", COPAL, OSHMEM, {})], holds=1,
             why="Parts are copied directly from PE to PE; the lengths of a collect are sent with the data or just "
                 "before it.", explains=VERDICTS[0]),
    Headline("shcoll", "alltoalls is faster than the vendor's, above all with 4 bytes",
             [("shcoll-alltoalls-4-b", COPAL, OSHMEM, {}), ("shcoll-alltoalls-128-b", COPAL, OSHMEM, {})], holds=1,
             why="Strided elements are stored directly into the other PE's memory, without a message for "
                 "each.", explains=VERDICTS[0]),
    Headline("shcoll", "The vendor's barrier, broadcast of 4 bytes and sum of 8 bytes are faster than SHCOLL",
             [("shcoll-barrier", OSHMEM, COPAL, {}), ("shcoll-broadcast-4-b", OSHMEM, COPAL, {}),
              ("shcoll-sum-8-b", OSHMEM, COPAL, {})], holds=1,
             why="In the vendor's library, the collective engine of the Aries network executes these. Here, neither "
                 "side has such an engine."),
]
