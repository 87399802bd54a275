"""Coarrays: the thesis' chapters 4 and 5 without its applications, and the cost of each statement."""

from model import GFORTRANS, SIDES, Curve, Figure, Headline, Program, Run, Target

TIMING = ("bench/timing/timing.f90", "bench/timing/images.f90")
TIMING_MPI = ("bench/timing/timing.f90", "bench/timing/ranks.f90")


def in_both(name, *rows):
    """A coarray program and its MPI twin. The twin is in C, or in Fortran if both share `rows`."""
    twin = f"bench/programs/coarrays/{name}_mpi"
    return [Program(f"caf-{name}", "caf", (*TIMING, *rows, f"bench/programs/coarrays/{name}.f90")),
            Program(f"caf-{name}-mpi", "mpi", (*TIMING_MPI, *rows, f"{twin}.f90") if rows else (f"{twin}.c",))]


MACROS = ("-cpp", "-ffree-line-length-none")  # of programs whose procedures are macros
PROGRAMS = [
    Program("caf-pairs", "caf", (*TIMING, "bench/programs/coarrays/pair_rows.f90",
                                 "bench/programs/coarrays/pairs.f90")),
    Program("caf-pairs-mpi", "mpi", ("bench/programs/coarrays/pairs_twin.c",), ("-DBENCH_MPI",)),
    Program("caf-pairs-floor", "bare", ("bench/programs/coarrays/pairs_twin.c",)),
    *in_both("strided", "bench/programs/coarrays/strided_rows.f90"),
    *in_both("barriers"),
    *in_both("locks"),
    *(Program(f"caf-{name}", "caf", (*TIMING, f"bench/programs/coarrays/{name}.f90"),
              MACROS if name == "sections" else ())
      for name in ("sections", "control", "collective")),
    Program("caf-statements-mpi", "mpi", ("bench/programs/coarrays/mpi.c",)),
    Program("caf-statements-floor", "bare", ("bench/programs/coarrays/floor.c",)),
    *in_both("halo", "bench/programs/coarrays/mesh.f90"),
    *in_both("offprocess"),
    *(Program(f"caf-elements{which}", "caf", (*TIMING, *(f"bench/programs/coarrays/elements{part}.f90"
                                                          for part in ("_alone", ""))), MACROS + flags)
      for which, flags in (("", ()), ("-o2", ("-O2",)), ("-calls", ("-fno-near",)))),
]

CORES = 2  # more images have fewer rounds


def runs_of(side, name, counts, nodes=1, **more):
    program = f"caf-{name}" if "caf" in SIDES[side] else f"caf-{name}-mpi"
    return [Run(side, program, pes, ("full",), nodes=nodes, quick=pes <= CORES and side != "mpich",
                rounds=1 if pes > 8 else 2 if pes > CORES or nodes > 1 else 0, **more) for pes in counts]


def by_compiler(runs, rows, where):
    """Curves within a node: Copal with the other versions of gfortran, and gfortran's own library."""
    return [*(Curve(f"Copal, gfortran {version}", "variant", runs(side), rows, where)
              for side, version in GFORTRANS.items()), Curve("libcaf_shmem", "peer", runs("caf_shmem"), rows, where)]


def sides(name, row, counts, nodes=1, where=None):
    """The curves of Copal and its peers. MPICH, whose ranks never yield a core, has one within a node only."""
    curves = [Curve("Copal", "ours", runs_of("copal", name, counts, nodes), row, where or {}),
              Curve("OpenCoarrays", "peer", runs_of("opencoarrays", name, counts, nodes), row, where or {}),
              Curve("Open MPI", "peer", runs_of("openmpi", name, counts, nodes), row, where or {})]
    few = [pes for pes in counts if pes <= CORES]
    if nodes == 1 and few:
        curves.append(Curve("MPICH", "peer", runs_of("mpich", name, few), row, where or {}))
    return curves + (by_compiler(lambda side: runs_of(side, name, counts), row, where or {}) if nodes == 1 else [])


# --- contiguous -------------------------------------------------------------------------------------------------------

PAIRS_TEXT = ("Image k of the first half and image k of the second are a pair; all pairs communicate at once, and the "
              "time ends with the last pair. Bandwidth of one pair. MPI: MPI_Put or MPI_Get in one passive epoch, "
              "and a flush instead of the end of a segment.")


def pairs_figure(id, like, title, row, pairs, nodes=1, y="bandwidth"):
    curves = sides("pairs", row, [2 * pairs], nodes)
    if pairs == 1 and nodes == 1:
        curves.append(Curve("floor", "floor", [Run("floor", "caf-pairs-floor", 2, ("full",))], row))
    where = "between two nodes" if nodes > 1 else "within a node"
    count = "1 pair" if pairs == 1 else f"{pairs} pairs"
    targets = ()
    if id in ("thesis-put-1", "thesis-get-1"):  # 40 ns, 70 ns, and copies as fast as memcpy
        targets = (Target("figure", 0.2, {"bytes": 8}), Target("figure", 1024 / 70, {"bytes": 1024}),
                   Target("floor", 1 / 1.1, {"bytes": 4 << 20}))
    return Figure(id, "thesis", like, f"{title}, {count} of images {where}", "bytes", y, curves,
                  better="more" if y == "bandwidth" else "less", text=PAIRS_TEXT, targets=targets,
                  also=("coarrays",) if targets else ())


PUT = "Figures 5.1 and 5.2, a and b"
PAIRS = [
    pairs_figure("thesis-put-1", PUT, "Put bandwidth", "put", 1),
    pairs_figure("thesis-put-2", PUT, "Put bandwidth", "put", 2),
    pairs_figure("thesis-put-4", PUT, "Put bandwidth", "put", 4),
    pairs_figure("thesis-put-nodes-1", PUT, "Put bandwidth", "put", 1, 2),
    pairs_figure("thesis-put-nodes-2", PUT, "Put bandwidth", "put", 2, 2),
    pairs_figure("thesis-get-1", PUT, "Get bandwidth", "get", 1),
    pairs_figure("thesis-get-4", PUT, "Get bandwidth", "get", 4),
    pairs_figure("thesis-get-nodes-1", PUT, "Get bandwidth", "get", 1, 2),
    pairs_figure("thesis-put-time-1", "Section 3.2", "Time of a put that has arrived", "put_sync", 1, y="time"),
    pairs_figure("thesis-put-time-nodes-1", "Section 3.1", "Time of a put that has arrived", "put_sync", 1, 2,
                 y="time"),
    pairs_figure("thesis-get-time-1", "Section 3.2", "Time of a get", "get", 1, y="time"),
]

# --- sections ---------------------------------------------------------------------------------------------------------

PLANS = {
    "naive": "naive plan (Algorithm 1)", "iput": "iput plan (Algorithm 2)", "2dim": "2dim_strided plan",
    "matrix": "matrix-oriented plan",
}
SECTION_TEXT = ("{} elements of 4 bytes of a larger array, with the same subscripts on both sides: each stride-th "
                "element in the base dimension, each second in the other. Copal's choice is beside the plans that "
                "CAF_STRIDED selects; MPI: one derived datatype. ")
RUN_TEXT = ("8192 elements of 4 bytes: one contiguous run of each column, of the given bytes, as in halos. Copal's "
            "choice is beside the plans that CAF_STRIDED selects; MPI: one derived datatype. ")
NEAR_TEXT = "Within a node, Copal chooses loads and stores; the plans make puts."
FAR_TEXT = ("Between nodes over loopback. OpenCoarrays sends each element in its own message, so it is measured at few "
            "points, only in a full run.")


def run_of_plan(plan, nodes):
    return Run("copal", "caf-strided", 2, ("full",), (("CAF_STRIDED", plan),), nodes, quick=plan in ("naive", "2dim"),
               rounds=2)


def section_figure(id, like, title, row, x, nodes=1):
    curves = sides("strided", row, [2], nodes)
    curves += [Curve(text, "variant", [run_of_plan(plan, nodes)], row) for plan, text in PLANS.items()]
    if nodes > 1:
        slow = Run("opencoarrays", "caf-strided", 2, ("quick",), nodes=nodes, quick=False, rounds=1, limit_s=120)
        curves[1] = Curve("OpenCoarrays", "peer", [slow], row)
    shape = "32 x 256" if row == "put_wide" else "128 x 64"
    text = (SECTION_TEXT.format(shape) if x == "stride" else RUN_TEXT) + (FAR_TEXT if nodes > 1 else NEAR_TEXT)
    where = "between two nodes" if nodes > 1 else "within a node"
    return Figure(id, "thesis", like, f"{title} {where}", x, "bandwidth", curves, better="more", text=text)


STRIDED = "Figures 5.1 and 5.2, c and d"
MATRIX = "Section 5.4"
SECTIONS = [
    section_figure("thesis-strided-put", STRIDED, "Put of a two-dimensional strided section", "put_section", "stride"),
    section_figure("thesis-strided-put-nodes", STRIDED, "Put of a two-dimensional strided section", "put_section",
                   "stride", 2),
    section_figure("thesis-strided-get", STRIDED, "Get of a two-dimensional strided section", "get_section", "stride"),
    section_figure("thesis-strided-get-nodes", STRIDED, "Get of a two-dimensional strided section", "get_section",
                   "stride", 2),
    section_figure("thesis-wide-put", STRIDED, "Put of a section longer in its second dimension", "put_wide", "stride"),
    section_figure("thesis-wide-put-nodes", STRIDED, "Put of a section longer in its second dimension", "put_wide",
                   "stride", 2),
    section_figure("thesis-matrix-put", MATRIX, "Put of a matrix-oriented section", "put_run", "run"),
    section_figure("thesis-matrix-put-nodes", MATRIX, "Put of a matrix-oriented section", "put_run", "run", 2),
]

# --- image control ----------------------------------------------------------------------------------------------------

SYNC_MPI = "MPI: MPI_Barrier"
MEET_MPI = "MPI: a message to and from each image of the list"
LOCK_TEXT = ("All images acquire and release the lock of image 1 repeatedly; the time divided by all acquisitions. "
             "MPI: MPI_Win_lock, exclusive, of rank 0's window. More than 2 images share 2 cores.")
COUNT_TEXT = "The count on image 1 is checked at the end."

CROWDED_US = 20  # limit for each statement with more images than cores


def statement(us):
    return {"also": ("coarrays",),
            "targets": (Target("figure", us, {"pes": 2}), Target("figure", CROWDED_US, {"pes": (3, 8)}))}


CONTROL = [
    Figure("caf-sync-all", "thesis", "Section 2.2.5", "sync all", "pes", "time",
           sides("barriers", "sync_all", [2, 4, 8]),
           text=f"All images synchronize. {SYNC_MPI}. More than 2 images share 2 cores.", **statement(0.2)),
    Figure("caf-sync-ring", "thesis", "Section 2.2.5", "sync images with both neighbours in a ring", "pes", "time",
           sides("barriers", "sync_ring", [2, 4, 8]), text=f"{MEET_MPI}. More than 2 images share 2 cores.",
           **statement(0.2)),
    Figure("caf-sync-first", "thesis", "Section 2.2.5", "sync images of all with image 1", "pes", "time",
           sides("barriers", "sync_first", [2, 4, 8]),
           text=f"sync images (*) on image 1, sync images (1) on the others. {MEET_MPI}. More than 2 images share 2 "
                f"cores."),
    Figure("thesis-locks", "thesis", "Figure 5.3", "Lock on image 1 by all images", "pes", "time",
           sides("locks", "lock_empty", [2, 4, 8, 16]), text=LOCK_TEXT, **statement(0.15)),
    Figure("thesis-locks-count", "thesis", "Figure 5.3", "Lock and increment on image 1 by all images", "pes", "time",
           sides("locks", "lock_count", [2, 4, 8, 16]),
           text=f"{LOCK_TEXT} {COUNT_TEXT}"),
    Figure("thesis-locks-nodes", "thesis", "Figure 5.3", "Lock on image 1 from two nodes", "pes", "time",
           sides("locks", "lock_empty", [2, 4, 8], 2), text=LOCK_TEXT),
    Figure("thesis-locks-count-nodes", "thesis", "Figure 5.3", "Lock and increment on image 1 from two nodes", "pes",
           "time",
           sides("locks", "lock_count", [2, 4, 8], 2), text=f"{LOCK_TEXT} {COUNT_TEXT}"),
]

# --- the cost of each statement ---------------------------------------------------------------------------------------

def statements(name, rows, pes=2, mpi=None, floor=None, where=None):
    """Curves of a coarray program, the MPI program that has all of its rows, and the floor; {} omits one of the two."""
    def runs(side, program):
        return [Run(side, program, pes, ("full",), quick=pes <= CORES and side != "mpich",
                    rounds=3 if pes > CORES else 0)]
    curves = [Curve("Copal", "ours", runs("copal", f"caf-{name}"), rows, where or {}),
              Curve("OpenCoarrays", "peer", runs("opencoarrays", f"caf-{name}"), rows, where or {})]
    curves += [Curve(label, "peer", runs(side, "caf-statements-mpi"), mpi or rows, where or {})
               for label, side in (("Open MPI", "openmpi"), ("MPICH", "mpich")) if pes <= CORES or side != "mpich"]
    curves += by_compiler(lambda side: runs(side, f"caf-{name}"), rows, where or {})
    return curves + [Curve("floor", "floor", runs("floor", "caf-statements-floor"), floor or rows, where or {})]


def by_statement(id, title, curves, text, targets=()):
    return Figure(f"caf-{id}", "coarrays", "", title, "statement", "time", curves, kind="bars", text=text,
                  targets=targets)


PLACES = {"section": "section", "section, packed": "packed", "matrix row": "row", "matrix column": "column"}
SCALARS = {"put": "put_scalar", "get": "get_scalar"}
BEHIND = {"p allocated": "get_element", "p => a variable": "get_element_target"}
OF_ONE = {word: "get_scalar" for word in BEHIND}
EVENTS = {"event post + wait, round trip": "event_round_trip", "lock, own": "lock_own", "lock, remote": "lock_remote",
          "critical": "critical", "atomic_add": "atomic_add", "atomic_fetch_add": "atomic_fetch_add",
          "allocate + deallocate": "allocate"}
EVENTS_MPI = {word: row for word, row in EVENTS.items() if row != "critical"}
EVENTS_FLOOR = {**{word: row for word, row in EVENTS_MPI.items() if row != "allocate"}, "lock, own": "lock_remote"}
LIMITS = dict(zip(EVENTS, (0.3, 0.04, 0.04, 0.15, 0.015, 0.015, 1.4)))  # us, of 2 images
HALO = {how: how.replace(" ", "_") for how in ("blocked get", "blocked put", "scattered get", "scattered put",
                                               "scattered get target", "scattered put target")}
SUMS = {"co_sum": (0.3, 1.5, 250), "co_broadcast": (0.25, 1, 110)}


def control(pes):
    targets = [Target("figure", us if pes == 2 else CROWDED_US * (2 if word.startswith("allocate") else 1),
                      {"statement": word})
               for word, us in LIMITS.items()]
    return by_statement(f"control-{pes}", f"Events, locks, critical, atomics, allocation: {pes} images",
                        statements("control", EVENTS, pes, EVENTS_MPI, EVENTS_FLOOR), targets=targets,
                        text="Image 1 and image 2; critical by all images at once. MPI: empty messages, exclusive "
                             "locks of a window, MPI_Accumulate and MPI_Fetch_and_op, MPI_Win_allocate. The floor's "
                             "locks are tickets."
                             + (" The images share 2 cores." if pes > CORES else ""))


def subroutine(name, pes):
    limits = SUMS[name] if pes == 2 else (CROWDED_US, CROWDED_US)
    return Figure(f"caf-{name.replace('_', '-')}-{pes}", "coarrays", "", f"{name}, {pes} images", "bytes", "time",
                  statements("collective", name, pes),
                  targets=[Target("figure", us, {"bytes": size}) for size, us in zip((8, 4096, 1 << 20), limits)],
                  text="Of doubles. The root of co_broadcast changes with each call. MPI: MPI_Allreduce in place, "
                       "MPI_Bcast.")


def halo():
    styles = [Curve(label, role, [Run(side, "caf-halo", 2, ("full",))], HALO)
              for label, role, side in (("Copal", "ours", "copal"), ("OpenCoarrays", "peer", "opencoarrays"))]
    styles += [Curve(label, "peer", [Run(side, "caf-halo-mpi", 2, ("full",), quick=side == "openmpi")],
                     dict.fromkeys(HALO, "neighbourhood"))
                     for label, side in (("Open MPI", "openmpi"), ("MPICH", "mpich"))]
    styles += by_compiler(lambda side: [Run(side, "caf-halo", 2, ("full",))], HALO, {})
    each = 2556 * 0.03  # 30 ns for each single element
    return by_statement("halo", "Halo exchange of an unstructured mesh, 2 images", styles,
                        targets=[Target("peer" if "blocked" in how else "figure", 1 if "blocked" in how else each,
                                        {"statement": how}) for how in HALO],
                        text="2556 elements of a component for each image, got or put one by one or in blocks; target: "
                             "the component points to a variable that is not a coarray. MPI: MPI_Neighbor_alltoallv, "
                             "packed.")


OFF_PROCESS = {"allocated for the step": "fresh", "allocated once": "kept"}


def offprocess(pes, nodes=1):
    """If each step allocates the coarray, the standard requires four synchronizations, otherwise two. The
    messages of MPI need none."""
    curves = [Curve(f"{label}, {how}", role, runs_of(side, "offprocess", [pes], nodes), row)
              for label, role, side in (("Copal", "ours", "copal"), ("OpenCoarrays", "peer", "opencoarrays"))
              for how, row in OFF_PROCESS.items()]
    curves += [Curve(label, "peer", runs_of(side, "offprocess", [pes], nodes), "messages")
               for label, side in (("Open MPI", "openmpi"), ("MPICH", "mpich"))
               if side == "openmpi" or (nodes == 1 and pes <= CORES)]
    if nodes > 1:
        targets = (Target("figure", 40, {"bytes": (8, 1024)}, "Copal, allocated for the step"),
                   Target("peer", 1 / 1.5, curve="Copal, allocated once"))
    else:
        targets = (Target("peer", 1),)
    where = "on two nodes" if nodes > 1 else "within a node"
    return Figure(f"caf-offprocess-{pes}" + "-nodes" * (nodes > 1), "coarrays", "",
                  f"A step of a finite-volume code, {pes} images {where}", "bytes", "time", curves, targets=targets,
                  text="Each image puts a block to both neighbours in a ring, into an allocatable component. Allocated "
                       "for the step: allocate, sync all, the puts, sync all, deallocate. MPI: two messages each way.")


ELEMENTS = {f"{verb}, {word}": f"{verb}_{row}" for word, row in (
    ("one image", "loop"), ("index array", "index"), ("image varies", "image"), ("alone", "alone"))
            for verb in ("put", "get")}
SHORT = {f"{verb}, {count}": f"{verb}_{count}" for count in (8, 64, 4096) for verb in ("put", "get")}


def elements(id, title, rows, text, local, targets):
    def runs(side, which=""):
        return [Run(side, f"caf-elements{which}", 2, ("full",))]
    curves = [Curve("Copal", "ours", runs("copal"), rows), Curve("Copal, -O2", "variant", runs("copal", "-o2"), rows),
              Curve("Copal, calls", "variant", runs("copal", "-calls"), rows),
              Curve("OpenCoarrays", "peer", runs("opencoarrays"), rows), *by_compiler(runs, rows, {})]
    if local:
        curves.append(Curve("local array", "floor", runs("copal"), local))
    return by_statement(id, title, curves, text, targets)


STATEMENTS = [
    elements("elements", "1000 elements of 4 bytes, one by one, 2 images", ELEMENTS,
             "h(i)[k] = a(i) and a(i) = h(i)[k] in a loop, compiled with -O3; a us of the figure is a ns for each "
             "element. One image; subscripts by an index array; an image that varies; alone: the access in a procedure "
             "of another file. Calls: compiled with -fno-near. Local array: the loop of a(i) and b(i), b(index(i)).",
             {word: "local_loop" if "one image" in word else "local_index" for word in ELEMENTS
              if "one image" in word or "index" in word},
             [Target("floor", 1 / 1.1, {"statement": f"{verb}, one image"}) for verb in ("put", "get")]
             + [Target("figure", us, {"statement": f"{verb}, {word}"}) for verb in ("put", "get")
                for word, us in (("index array", 0.6), ("image varies", 1.1), ("alone", 2))]),
    elements("short", "Contiguous sections of few elements, 2 images", SHORT,
             "h(1:n)[k] = a(1:n) and a(1:n) = h(1:n)[k], of elements of 4 bytes, with n known only at run time.", {},
             [Target("figure", us, {"statement": f"{verb}, {count}"}) for verb in ("put", "get")
              for count, us in ((8, 0.0035), (64, 0.0065))]),
    by_statement("scalars", "A scalar of 8 bytes, 2 images", statements("sections", SCALARS),
                 targets=(Target("figure", 0.02),),
                 text="One after the other, without sync memory. MPI: MPI_Put or MPI_Get and a flush."),
    *(by_statement(f"sections-{verb}", f"Sections, {verb}, 2 images",
                   statements("sections", {word: f"{verb}_{row}" for word, row in PLACES.items()}),
                   targets=(Target("floor", 1 / 1.3),),
                   text="a(1:512:2, 1:512:2) of doubles on both sides, from or to a whole array (packed); a row and a "
                        "column of 1024 x 1024. MPI: a vector of vectors as data type. The floor: plain loops.")
      for verb in ("put", "get")),
    by_statement("behind-pointer", "src[i]%p(k), one element, 2 images",
                 statements("sections", BEHIND, 2, OF_ONE, OF_ONE),
                 targets=(Target("figure", 0.03),), text="MPI and the floor: a get of 8 bytes, since they have no "
                                                         "pointers."),
    *(control(pes) for pes in (2, 4, 8)),
    *(subroutine(name, pes) for name in SUMS for pes in (2, 4, 8)),
    halo(),
    offprocess(2), offprocess(4), offprocess(2, 2), offprocess(4, 2),
]

FIGURES = [*PAIRS, *SECTIONS, *CONTROL, *STATEMENTS]

HEADLINES = [
    Headline("thesis", "Puts of coarrays have on average 18 % more bandwidth over OpenSHMEM than over another layer",
             [("thesis-put-1", "Copal", "OpenCoarrays", {}), ("thesis-put-1", "Copal", "Open MPI", {}),
              ("thesis-put-nodes-1", "Copal", "OpenCoarrays", {}),
              ("thesis-put-nodes-1", "Copal", "Open MPI", {})], 1.18,
             "The thesis compares two libraries on one network. Here large puts within a node run at the speed of "
             "memory with each library, and between nodes all use the loopback of one machine: only the work for each "
             "message differs, which matters for small puts."),
    Headline("thesis", "The plan 2dim_strided has 9 times the bandwidth of the naive plan",
             [(f"thesis-{shape}-put-nodes", PLANS["2dim"], PLANS["naive"], {}) for shape in ("strided", "wide")], 9,
             "On the Cray, the network executed a strided put as one operation, and each put of the naive plan as a "
             "separate transfer. Here, a message carries many puts of both plans: 2dim_strided saves a call and a "
             "header for each element."),
    Headline("thesis", "Strided puts have 3 times the bandwidth of the other Fortran runtime",
             [(f"thesis-strided-put{which}", "Copal", "OpenCoarrays", {}) for which in ("", "-nodes")], 3,
             "The other runtime is OpenCoarrays instead of Cray's. It moves a section element by element; Copal "
             "moves it by loads and stores, or in messages of many elements."),
    Headline("thesis", "Locks are 22 % faster than the other Fortran runtime's",
             [(f"thesis-locks{which}", "Copal", "OpenCoarrays", {})
              for which in ("", "-count", "-nodes", "-count-nodes")], 1.22,
             "The thesis measures up to 1024 images on 64 nodes, each on a core. Here up to 16 images share 2 cores: a "
             "lock granted in order waits until the next image gets a core; a lock that any running image may take "
             "does not wait. Between nodes the time is that of messages, as in the thesis, but over loopback."),
]
