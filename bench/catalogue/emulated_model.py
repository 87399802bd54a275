"""The SHCOLL paper's figures at scales that one machine cannot emulate: by SHCOLL's cost model, with the parameters of
the emulated network."""

from model import Curve, Figure, Program, Run

CRAY, PER_NODE = "aries", 16
PES = (32, 64, 256, 1024, 4096, 12288, 131072, 1048576)  # the paper's most, and a million
# {collective: (the model's name for it, figure, {the paper's name: SHCOLL's}, {bytes: words})}
COLLECTIVES = {
    "barrier": ("sync", 6, {"linear": "linear", "k-ary tree": "kary:4", "k-nomial tree": "knomial:4",
                            "dissemination": "dissemination", "two levels": "two_level"}, {8: ""}),
    "broadcast": ("broadcast", 7, {"linear": "linear:get", "binomial tree": "knomial:signal:2",
                                   "k-nomial tree": "knomial:signal:4", "van de Geijn": "scatter_ring:signal",
                                   "two levels": "two_level:signal:4"},
                  {4: "4 B", 1 << 20: "1 MB", 256 << 20: "256 MB"}),
    "sum": ("reduce", 8, {"recursive doubling": "recursive_doubling:get", "Rabenseifner": "rabenseifner:get",
                          "two levels": "two_level:get", "two levels, in slots": "two_level:slots"},
            {8: "8 B", 2048: "2 KB"}),
    "fcollect": ("fcollect", 9, {"linear": "all_linear:signal", "Bruck": "bruck:signal", "ring": "ring:signal",
                                 "two levels": "two_level:signal"}, {4: "4 B", 16 << 10: "16 KB"}),
    "alltoall": ("alltoall", 11, {"shift": "shift:signal", "gets": "pull:get"}, {4: "4 B", 128: "128 B"}),
}

PROGRAMS = [Program("cost-model", "model")]


def runs(collective, sizes):
    return [Run("copal", "cost-model", pes, ("predict", collective, str(pes), str(pes // PER_NODE), "free",
                                             ",".join(map(str, sizes))), nodes=pes // PER_NODE, rounds=1, fabric=CRAY)
            for pes in PES]


def figure(name, size):
    collective, number, algorithms, sizes = COLLECTIVES[name]
    words = sizes[size]
    title = f"{name} of {words}" if words else name
    curves = [Curve(label, "variant", runs(collective, sizes), f"{collective} {algorithm}", {"bytes": size})
              for label, algorithm in algorithms.items()]
    return Figure("-".join(["emulated-model", name, *words.lower().split()]), "emulated", f"Figure {number}",
                  f"{title}, by the cost model alone", "pes", "time", curves, judged=False,
                  text=f"Predicted by SHCOLL's cost model (copal-tune --predict), without a run; {PER_NODE} PEs to a "
                       "node; the only contention is that of a node's NIC.")


FIGURES = [figure(name, size) for name, (_, _, _, sizes) in COLLECTIVES.items() for size in sizes]
HEADLINES = []
