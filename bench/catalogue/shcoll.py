"""Figures 6 to 12 of the SHCOLL paper: each collective over PEs, at the paper's sizes, by the algorithm that SHCOLL
chooses and by each that the paper names."""

from model import VERDICTS, Curve, Figure, Headline, Program, Run

PROGRAMS = [Program("shcoll-figures", "shmem", ("bench/programs/collectives/figures.c",))]

PES = (2, 4, 8, 16)
COPAL, OSHMEM = "Copal", "Open MPI OSHMEM"

# {collective: (variable that asks for an algorithm, {the paper's name: SHCOLL's})}
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
MOST_ALGORITHMS = max(len(names) for _, names in ALGORITHMS.values())
# Barriers run apart from what has barriers in its own timed loop.
OTHERS = ",".join(collective for collective in ALGORITHMS if collective != "barrier")


def requests(collectives, number):
    """The environment that asks for algorithm `number` of each of the collectives, where it has so many."""
    chosen = []
    for collective in collectives.split(","):
        variable, names = ALGORITHMS[collective]
        if number < len(names):
            chosen.append((variable, list(names.values())[number]))
    return tuple(chosen)


# OSHMEM takes all of a heap from the system at once, used or not: 16 of them have to fit.
OSHMEM_HEAP = (("SHMEM_SYMMETRIC_SIZE", "128M"), ("SHMEM_SYMMETRIC_HEAP_SIZE", "128M"))


def environment(side):
    return OSHMEM_HEAP if side == "oshmem" else ()


def usual(side):
    """All collectives as they come."""
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
    """words: the size, as people say it; there is none of a barrier."""
    id = "-".join(["shcoll", collective, *words.lower().split()])
    title = f"{collective} of {words}" if words else collective
    curves = curves_of(collective, size)
    return Figure(id, "shcoll", f"Figure {number}", title, x="pes", y="time", curves=curves, text=text)


BARRIER_FIRST = "The timed loop has a shmem_barrier_all before each call, which arms pSync, as in the paper. "
BROADCASTS = {"4 B": 4, "1 KB": 1 << 10, "1 MB": 1 << 20, "16 MB": 16 << 20}
SUMS = {"8 B": 8, "2 KB": 2 << 10}
COLLECTS = {"4 B": 4, "16 KB": 16 << 10}
EXCHANGES = {"4 B": 4, "128 B": 128}


def broadcast_text(words):
    scaled = " In place of the paper's 256 MB." if words == "16 MB" else ""
    return "shmem_broadcast32 from PE 0 and the shmem_barrier_all behind it: until all PEs have the data." + scaled


FIGURES = [
    figure(6, "barrier", 0, "", "shmem_barrier over all PEs."),
    *(figure(7, "broadcast", size, words, broadcast_text(words)) for words, size in BROADCASTS.items()),
    *(figure(8, "sum", size, words, BARRIER_FIRST + "shmem_double_sum_to_all.") for words, size in SUMS.items()),
    *(figure(9, "fcollect", size, words, BARRIER_FIRST + "shmem_fcollect32, so much from each PE.")
      for words, size in COLLECTS.items()),
    *(figure(10, "collect", size, words, BARRIER_FIRST + "shmem_collect32, so much from each PE.")
      for words, size in COLLECTS.items()),
    *(figure(11, "alltoall", size, words, BARRIER_FIRST + "shmem_alltoall32, so much for each PE.")
      for words, size in EXCHANGES.items()),
    *(figure(12, "alltoalls", size, words, BARRIER_FIRST + "shmem_alltoalls32, so much for each PE, by a stride of 2.")
      for words, size in EXCHANGES.items()),
]


# ---- over nodes ----

NODES_PES = 8
NODES = (1, 2, 4)


def over_nodes(side):
    """One node's row is that of the run with all collectives."""
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
                  text="Nodes on one machine, with TCP between them; in Open MPI's case within a node too.",
                  curves=[Curve(COPAL, "ours", over_nodes("copal"), collective, {"bytes": size}),
                          Curve(OSHMEM, "peer", over_nodes("oshmem"), collective, {"bytes": size})])


FIGURES += [
    figure_over_nodes(6, "barrier", 0, ""),
    figure_over_nodes(7, "broadcast", 1 << 10, "1 KB"),
    figure_over_nodes(7, "broadcast", 1 << 20, "1 MB"),
    figure_over_nodes(8, "sum", 2 << 10, "2 KB"),
]


# ---- what the paper says ----

HEADLINES = [
    Headline("shcoll", "Up to 12 times faster than the vendor's library, for long messages",
             [(id, COPAL, OSHMEM, {"pes": max(PES)})
              for id in ("shcoll-broadcast-16-mb", "shcoll-fcollect-16-kb", "shcoll-collect-16-kb")], holds=12,
             why="The paper's factor is the best point of up to 12288 PEs on a Cray XC30, where algorithms differ in "
                 "how they load a network. Here a few PEs share a memory; both libraries have to copy the same bytes."),
    Headline("shcoll", "Long broadcasts, by van de Geijn's algorithm, are faster than the vendor's",
             [("shcoll-broadcast-16-mb", COPAL, OSHMEM, {})], holds=1,
             why="On one node the data is copied once for each PE, whichever algorithm is taken; where it goes "
                 "straight from source to dest, there is nothing left for a scatter to save.", explains=VERDICTS[1]),
    Headline("shcoll", "Sums of 2 KB are faster than the vendor's", [("shcoll-sum-2-kb", COPAL, OSHMEM, {})], holds=1,
             why="Vectors of this size are read where they are, without copies, in one step on one "
                 "node.", explains=VERDICTS[0]),
    Headline("shcoll", "fcollect and collect of 16 KB are faster than the vendor's",
             [("shcoll-fcollect-16-kb", COPAL, OSHMEM, {}), ("shcoll-collect-16-kb", COPAL, OSHMEM, {})], holds=1,
             why="Pieces go straight from PE to PE; the lengths of a collect travel with the data or just before "
                 "it.", explains=VERDICTS[0]),
    Headline("shcoll", "alltoalls are faster than the vendor's, above all of 4 bytes",
             [("shcoll-alltoalls-4-b", COPAL, OSHMEM, {}), ("shcoll-alltoalls-128-b", COPAL, OSHMEM, {})], holds=1,
             why="Strided elements are stored straight into the other PE's memory in place of a message "
                 "each.", explains=VERDICTS[0]),
    Headline("shcoll", "The vendor's barrier, broadcast of 4 bytes and sum of 8 bytes are faster than SHCOLL",
             [("shcoll-barrier", OSHMEM, COPAL, {}), ("shcoll-broadcast-4-b", OSHMEM, COPAL, {}),
              ("shcoll-sum-8-b", OSHMEM, COPAL, {})], holds=1,
             why="The vendor's library hands these to the collective engine of the Aries network. There is nothing "
                 "like it here, for either side."),
]
