"""The catalogue of bench/scaling: 2 to 16 PEs of one node, beside current MPIs."""

import os
import sys
from dataclasses import replace
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "catalogue"))

import applications  # noqa: E402
import collectives  # noqa: E402
import nonblocking  # noqa: E402
import pgas  # noqa: E402
import stream_gups  # noqa: E402
from model import Curve, Figure, Program, Run  # noqa: E402

LEAST = "SCALING_LEAST" in os.environ  # a test: the smallest problems, two PEs
PES = (2,) if LEAST else (2, 4, 8, 16)
LIMIT_S = 60 if LEAST else 20  # on a node of many cores, a longer run hangs
CORES = len(os.sched_getaffinity(0))
MICRO = ("check" if LEAST else "quick",)

HALO = Program("halo-mpi", "mpi", ("bench/programs/nonblocking/stencil.c",), ("-DBENCH_MPI",))
THERE = {program.name: program for of in (applications, collectives, nonblocking, pgas, stream_gups)
         for program in of.PROGRAMS}
THERE[HALO.name] = HALO

# Label, role, side. MPICH's waiting ranks never yield their core. Fortran twins use the system's MPI, because the
# wheels have no module.
SIDES = (("Copal", "ours", "copal"), ("Open MPI 5", "peer", "openmpi5"), ("MPICH 5", "peer", "mpich5"))
FORTRAN_SIDES = (SIDES[0], ("Open MPI", "peer", "openmpi"))


def curves(ours, twin, arguments, row, pes=PES, sides=SIDES, twin_arguments=None, **where):
    def run(side, n):
        return Run(side, ours if side == "copal" else twin, n,
                   twin_arguments if side != "copal" and twin_arguments else arguments, limit_s=LIMIT_S)
    return [Curve(label, role, [run(side, n) for n in pes if side != "mpich5" or n <= max(CORES, 2)], row, where)
            for label, role, side in sides if side != "mpich5" or min(pes) <= max(CORES, 2)]


def by_size(id, title, curves, **more):
    return Figure(f"scaling-{id}", "node", "", title, "bytes", "time", curves, **more)


def by_pes(id, title, curves, **more):
    return Figure(f"scaling-{id}", "node", "", title, "pes", "value", curves, better="more", kind="bars", **more)


def pairs(row, pes):
    what, kind = row.split("_")
    rate = {"y": "bandwidth", "better": "more"} if kind == "bandwidth" else {}
    return replace(by_size(f"{what}-{kind}-{pes}", f"{what}: {kind}, {pes} PEs",
                           curves("pgas-pairs-shmem", "pgas-pairs-mpi", MICRO, row, (pes,), directions=1)), **rate)


def collective(row, pes):
    return by_size(f"{row}-{pes}", f"{row.replace('_', ' ')}, {pes} PEs",
                   curves("collectives-team", "collectives-mpi", MICRO, row, (pes,)))


def gups(kind, twin, words):
    words = "12" if LEAST else words
    return by_pes(f"gups-{kind}", f"GUPS by {kind}", curves("gups", "gups-mpi", ("-m", kind, words), "gups",
                                                         twin_arguments=(twin, words)), unit="GUP/s")


def table(how, objects):
    return by_pes(f"dht-{how}", f"hash table, {how}", curves("dht", "dht-mpi", (how, "100" if LEAST else objects),
                                                            "rate"), unit="million updates/s")


NAMES = [name for name in collectives.COLLECTIVES if name != "barrier"]
FIGURES = [
    *(pairs(row, pes) for row in ("put_latency", "get_latency", "put_bandwidth", "get_bandwidth") for pes in PES),
    Figure("scaling-barrier", "node", "", "barrier", "pes", "time",
           curves("collectives-team", "collectives-mpi", MICRO, "barrier")),
    *(collective(row, pes) for name in NAMES for row in (name, f"{name}_alone") for pes in PES),
    *(Figure(f"scaling-halo-{size}", "node", "", f"halo of six times {size} bytes by put", "pes", "time",
             curves("nbi-stencil", "halo-mpi", MICRO, "stencil put_nbi", bytes=size)) for size in (512, 2048)),
    gups("atomic", "accumulate", "18"), gups("buckets", "buckets", "22"),
    table("atomic", "10000"), table("lock", "4000"),
    by_pes("is", "NAS IS", curves("is", "is-mpi", ("-m", "put", "S" if LEAST else "A"), "rate",
                                  twin_arguments=("S" if LEAST else "A",)), unit="Mop/s"),
    by_pes("himeno", "Himeno", curves("himeno", "himeno-mpi", ("XS" if LEAST else "S", "100"), "rate",
                                      sides=FORTRAN_SIDES), unit="MFLOPS"),
]
USED = {run.program for figure in FIGURES for curve in figure.curves for run in curve.runs}
PROGRAMS = [THERE[name] for name in sorted(USED)]
HEADLINES = []
