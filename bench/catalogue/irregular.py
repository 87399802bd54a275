"""Irregular access between nodes: single elements anywhere in a table, by a plain loop, nonblocking, and collected in
buffers by the program (docs/irregular.md)."""

from model import Curve, Figure, Program, Run, Target

NAMES = ("histogram", "gather", "permutation", "transpose")
PROGRAMS = [Program(f"irregular-{name}", "shmem", (f"bench/programs/irregular/{name}.c",)) for name in NAMES]
SIDES = {"copal": ("Copal", "ours"), "oshmem": ("OSHMEM", "peer")}
CORES = 2  # more PEs: not in --quick


def figure(name, row, title, forms, pes, text, targets=()):
    """A figure with a bar for each form. forms: {bar: end of its row's name}."""
    words = {word: f"{row}_{form}" for word, form in forms.items()}
    curves = [Curve(label, role, [Run(side, f"irregular-{name}", pes, ("full",), (), 2, quick=pes <= CORES,
                                      rounds=3, limit_s=120)], words)
              for side, (label, role) in SIDES.items()]
    return Figure(f"irregular-{row}-{pes}", "network", "", f"{title}, {pes} PEs on 2 nodes", "form", "time", curves,
                  kind="bars", targets=targets,
                  text=f"{text} Time of one element, on each PE.{' 4 PEs share 2 cores.' if pes > CORES else ''}")


FORMS = {"plain": "plain", "nonblocking": "nbi", "buffers": "buffers"}
QUICK = (Target("figure", 0.5, {"form": "nonblocking"}), Target("figure", 0.5, {"form": "buffers"}))

FIGURES = [one for pes in (2, 4) for one in (
    figure("histogram", "histogram", "Histogram", {"plain": "plain", "fetching": "fetching", "buffers": "buffers"}, pes,
           "Atomic increments without a result; nonblocking increments with a result; elements in buffers, "
           "counted by their owner.", (Target("figure", 0.5, {"form": "plain"}),)),
    figure("gather", "gather", "Index gather", FORMS, pes,
           "shmem_g; nonblocking gets and one quiet; requests and replies in buffers.", QUICK),
    figure("gather", "scatter", "Scatter", FORMS, pes,
           "shmem_p; nonblocking puts and one quiet; buffers.", (Target("figure", 0.5),)),
    figure("permutation", "permutation", "Random permutation by darts", FORMS, pes,
           "A compare-and-swap for each dart; nonblocking ones, repeated for darts that missed; darts in buffers.",
           QUICK),
    figure("transpose", "transpose", "Transpose of a sparse matrix", FORMS, pes,
           "A fetching increment and a put for each element; both nonblocking; elements in buffers.", QUICK),
)]
HEADLINES = []
