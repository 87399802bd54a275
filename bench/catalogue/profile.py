"""The cost of oshrun --profile: single accesses and applications with and without it."""

from model import Curve, Figure, Program, Run

SORT = ("apps/is/buckets.c", "apps/is/keys.c", "apps/is/problem.c", "apps/is/ranking.c")
PROGRAMS = [
    Program("elements-shmem", "shmem", ("bench/programs/rma/elements.c",)),
    Program("is", "shmem", (*SORT, "apps/is/exchange.c", "apps/is/is.c"),
            reads={"rate": r"Mop/s total *= *([0-9.]+)"}, right="SUCCESSFUL (51/51)"),
    Program("himeno", "caf", ("apps/himeno/problem.f90", "apps/himeno/himeno.f90"),
            reads={"rate": r"([0-9.]+) MFLOPS"}),
]
WITHOUT, WITH = "as it is", "with --profile"
HOW = {WITHOUT: ("ours", ()), WITH: ("variant", ("--profile=profile",))}  # a folder where the program runs


def elements(options):
    return [Run("copal", "elements-shmem", 2, ("full",), options=options)]


def applications(options):
    """Two PEs each: the sort with one put to each owner, and Himeno with borders by coindexed assignments."""
    return [Run("copal", "is", 2, ("-m", "put", "A"), fields=(("program", "IS A"),), options=options),
            Run("copal", "himeno", 2, ("S", "100"), fields=(("program", "Himeno S"),), options=options)]


FIGURES = [
    Figure("profile-elements", "node", "", "Single elements under oshrun --profile, 2 PEs", "operation", "time",
           [Curve(label, role, elements(options), {"p": "p", "p + quiet": "p_quiet", "g": "g"})
            for label, (role, options) in HOW.items()], kind="bars", judged=False,
           text="All calls are counted; of short accesses within the node, one in 16 is timed. Without --profile, no "
                "instruction is added (tests/profile)."),
    Figure("profile-applications", "apps", "", "Applications under oshrun --profile, 2 PEs", "program", "value",
           [Curve(label, role, applications(options), "rate") for label, (role, options) in HOW.items()],
           unit="Mop/s or MFLOPS", better="more", kind="bars", log_y=False, judged=False,
           text="The same problems as in the papers' figures; with --profile, the rate should be at most 2 % lower. "
                "It does not include the writing of the profile at the end of the job."),
]
HEADLINES = []
