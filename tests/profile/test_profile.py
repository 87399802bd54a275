"""oshrun --profile and --trace: the counts of a program whose calls are known, on one node and on two; the messages for
errors."""
import json
import os
import pathlib
import platform
import re
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools"))
from support import InFolder, programs

OSHRUN = OSHCC = None    # set from the command line
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SCRIPTS = ROOT / "scripts"
PES = 4

LINE = (HERE / "counts.c").read_text().split("shmem_long_p(&cell[i]")[0].count("\n") + 1

# name: calls and bytes of all PEs, the largest of one call
ROUTINES = {
    "shmem_malloc": (8, 16000, 3000),
    "shmem_long_p": (40, 320, 8),
    "shmem_quiet": (4, 0, 0),
    "shmem_long_get": (20, 160, 8),
    "shmem_putmem_nbi": (4, 12000, 3000),
    "shmem_long_atomic_inc": (28, 224, 8),
    "shmem_putmem_signal": (4, 4000, 1000),
    "shmem_signal_wait_until": (4, 0, 0),
    "shmem_barrier_all": (12, 0, 0),
    "shmem_team_split_strided": (4, 0, 0),
    "shmem_team_create_ctx": (4, 0, 0),
    "shmem_ctx_long_p": (4, 32, 8),
    "shmem_ctx_destroy": (4, 0, 0),
    "shmem_long_sum_reduce": (4, 64, 16),
    "shmem_free": (8, 0, 0),
}
SIZES = {
    "put": {8: (44, 352), 512: (4, 4000), 2048: (4, 12000)},
    "get": {8: (20, 160)},
    "atomic": {8: (28, 224)},
    "collective": {16: (4, 64)},
}
# (collective, from so many bytes): calls, bytes
ALGORITHMS = {("reduce", 16): (4, 64), ("sync", 0): (12, 0)}


# Offsets in a profile file (tools/profile/record/piece.h)
HEAD = {"program": 16, "node": 992, "n_threads": 1052}

# The same for counts.f90; the end of a program is also a sync all.
STATEMENTS = {
    "allocate": (16, 1680, 400),
    "atomic_define": (4, 16, 4),
    "sync all": (12, 0, 0),
    "put": (48, 976, 200),
    "get": (8, 32, 4),
    "event post": (4, 32, 8),
    "event wait": (4, 0, 0),
    "atomic_add": (4, 16, 4),
    "co_sum": (4, 16, 4),
    "critical": (4, 0, 0),
    "end critical": (4, 0, 0),
}


def traffic():
    """[from, to]: puts, bytes, gets, bytes.  An atomic that changes something counts as a put."""
    cells = {}
    for pe in range(PES):
        for to, puts, put_bytes, gets, got_bytes in (
                ((pe + 1) % PES, 12, 80 + 3000 + 1000, 5, 40), ((pe + 2) % PES, 1, 8, 0, 0), (0, 7, 56, 0, 0)):
            cell = cells.setdefault((pe, to), [0, 0, 0, 0])
            for i, n in enumerate((puts, put_bytes, gets, got_bytes)):
                cell[i] += n
    return cells


# Image 1 gets 5 values from image 3 and puts them to image 2.
COMPONENTS = """module holders
    type :: holder
        real(8), allocatable :: list(:)
    end type
end module
program components
    use holders
    implicit none
    type(holder), save :: a[*]
    real(8) :: x(5)
    allocate (a%list(100))
    a%list = this_image()
    sync all
    if (this_image() == 1) then
        x = a[3]%list(3:7)
        a[2]%list(3:7) = x
    end if
    sync all
    if (a%list(5) /= merge(3, this_image(), this_image() == 2)) error stop 'wrong'
end program
"""

TEAM_ROUNDS = """program rounds
    use, intrinsic :: iso_fortran_env
    implicit none
    type(team_type) :: all
    integer :: i
    form team (1, all)
    do i = 1, 30
        call one()
    end do
contains
    subroutine one()
        integer, allocatable, save :: x(:)[:]
        change team (all)
            allocate (x(1000)[*])
        end team
    end subroutine
end program
"""


class Profile(InFolder):
    def compile(self, source):
        result = self.run_tool(OSHCC, "-g", "-o", "program", source)
        self.assertEqual(result.returncode, 0, result.stderr)

    def profile(self, *options, **environment):
        result = self.run_tool(OSHRUN, "-n", PES, *options, "./program", **environment)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stderr

    def read(self, name="program.profile/profile.json"):
        return json.loads((self.folder / name).read_text())

    def test_places_in_cxx(self):
        """The caller's line of an overload, not the line in Copal's header."""
        self.write("program.cpp", """#include <shmem.h>
            static long to, from;
            int main()
            {
                shmem_init();
                shmem_p(&to, 5L, 0);
                shmem_quiet();
                shmem_get(&from, &to, 1, 0);
                shmem_finalize();
                return from != 5;
            }""")
        for level in "-O0", "-O2":
            self.succeed(pathlib.Path(OSHCC).parent / "oshc++", "-g", level, "-o", "program", "program.cpp")
            self.succeed(OSHRUN, "-n", 1, "--profile", "./program")
            self.assertEqual({s["routine"]: (s["place"], s["function"]) for s in self.read()["sites"]},
                             {"shmem_long_p": ("program.cpp:6", "main"), "shmem_quiet": ("program.cpp:7", "main"),
                              "shmem_long_get": ("program.cpp:8", "main")})

    def check_counts(self, profile):
        self.assertEqual({r["name"]: (r["calls"], r["bytes"], r["largest"]) for r in profile["routines"]}, ROUTINES)
        self.assertEqual({name: {s["from"]: (s["calls"], s["bytes"]) for s in list_}
                          for name, list_ in profile["sizes"].items()}, SIZES)
        self.assertEqual({(a["collective"], a["from"]): (a["calls"], a["bytes"]) for a in profile["algorithms"]},
                         ALGORITHMS)
        self.assertEqual({(t[0], t[1]): t[2:] for t in profile["traffic"]}, traffic())
        self.assertEqual(profile["pes"], PES)
        self.assertEqual(profile["memory"]["most"], 4000)
        self.assertEqual([b for _, b in profile["memory"]["over_time"]], [3000, 4000, 3000, 0])
        places = {s["place"]: s["calls"] for s in profile["sites"] if s["routine"] == "shmem_long_p"}
        self.assertEqual({pathlib.PurePath(place).name: calls for place, calls in places.items()},
                         {f"counts.c:{LINE}": 40})
        # For each collective (3 barriers and the sum), the profile counts the last PE.
        self.assertEqual(sum(p["late"] for p in profile["per_pe"]), 4)
        for p in profile["per_pe"]:
            self.assertLessEqual(p["waiting"] + p["communication"] + p["synchronizing"], p["seconds"])

    def test_barriers_move_nothing(self):
        """A program with only barriers and allocations synchronizes and waits; the page names the collectives."""
        self.write("barriers.c", """#include <shmem.h>
            int main(void)
            {
                shmem_init();
                for (int i = 0; i < 100; i++) { shmem_barrier_all(); shmem_sync_all(); shmem_free(shmem_malloc(8)); }
                shmem_finalize();
            }""")
        self.compile("barriers.c")
        self.assertRegex(self.profile("--profile"), ", moving data 0 %, synchronizing ")
        profile = self.read()
        self.assertEqual([p["communication"] for p in profile["per_pe"]], [0] * PES)
        self.assertTrue(all(p["synchronizing"] > 0 for p in profile["per_pe"]))
        self.assertEqual({r["name"]: r["class"] for r in profile["routines"]},
                         {"shmem_barrier_all": "barrier", "shmem_sync_all": "barrier", "shmem_malloc": "memory",
                          "shmem_free": "memory"})
        self.assertEqual(profile["command"], "./program")
        self.assertRegex(profile["date"], r"^20\d\d-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d{4}$")
        self.assertEqual([h["name"] for h in profile["hosts"]], [platform.node()])
        self.assertEqual(profile["hosts"][0]["pes"], PES)
        self.assertEqual(profile["hosts"][0]["processors"], len(os.sched_getaffinity(0)))

    def test_waits_within_collectives(self):
        """After all PEs have entered, time beyond twice the quickest call of the kind is waiting: 23 of 25 ms, 7
        times."""
        self.succeed(OSHCC, f"-I{ROOT}/tools", "-o", "many", HERE / "many.c")
        waiting = {}
        for how in "slow", "plain":
            self.succeed("./many", how, 4, 0, how)
            self.succeed(pathlib.Path(OSHRUN).parent / "copal-profile", how)
            profile = json.loads((self.folder / how / "profile.json").read_text())
            waiting[how] = profile["per_pe"][0]["waiting"]
        self.assertAlmostEqual(waiting["slow"] - waiting["plain"], 7 * 0.023, delta=0.001)

    def test_one_node(self):
        self.compile(HERE / "counts.c")
        said = self.profile("--profile")
        profile = self.read()
        self.check_counts(profile)
        self.assertEqual({name: (c["calls"], c["bytes"]) for name, c in profile["paths"].items()},
                         {"store": (100, 16736), "message": (0, 0), "network": (0, 0)})
        self.assertRegex(said, r"^copal: profile of ./program: 4 PEs on 1 node, ")
        self.assertLessEqual(len(said.splitlines()), 10)

    def test_two_nodes(self):
        self.compile(HERE / "counts.c")
        self.profile("--nodes", 2, "--fabric", "disorder:1", "--profile=here/")
        profile = self.read("here/profile.json")
        self.check_counts(profile)
        self.assertEqual([p["node"] for p in profile["per_pe"]], [0, 0, 2, 2])
        paths = profile["paths"]
        # PEs 0 and 2 send to their own node, 1 and 3 to the other node. To the other node also go all puts by the
        # context, and the atomics of PEs 2 and 3.
        self.assertEqual(paths["store"]["calls"], 2 * 17 + 2 * 7)
        self.assertEqual(sum(c["calls"] for c in paths.values()), 100)
        self.assertEqual(sum(c["bytes"] for c in paths.values()), 16736)

    def test_algorithms(self):
        """The user's collectives, by size; collectives that routines call internally are not counted."""
        self.write("many.c", """#include <shmem.h>
            enum { SMALL = 8, LARGE = 20000, TIMES = 10 };
            static long sync[SHMEM_COLLECT_SYNC_SIZE];
            int main(void)
            {
                shmem_init();
                shmem_team_t odd_and_even;
                const int me = shmem_my_pe(), n = shmem_n_pes();
                char *source = shmem_calloc(LARGE, 1), *dest = shmem_malloc((size_t)n * LARGE);
                for (int i = 0; i < TIMES; i++) {
                    shmem_broadcastmem(SHMEM_TEAM_WORLD, dest, source, i % 2 ? SMALL : LARGE, 0);
                    shmem_barrier_all();
                }
                shmem_pcontrol(0);
                shmem_collectmem(SHMEM_TEAM_WORLD, dest, source, SMALL);
                shmem_pcontrol(1);
                shmem_collect64(dest, source, 1, 0, 0, n, sync);
                shmem_team_split_strided(SHMEM_TEAM_WORLD, me % 2, 2, n / 2, NULL, 0, &odd_and_even);
                shmem_alltoallmem(odd_and_even, dest, source, 300);
                shmem_finalize();
            }""")
        self.compile("many.c")
        asked = {"SHCOLL_SYNC": "dissemination", "SHCOLL_BROADCAST": "linear:get@..1000,kary:signal@1001..",
                 "SHCOLL_COLLECT": "ring:signal", "SHCOLL_ALLTOALL": "shift:barrier"}
        for options in (), ("--nodes", 2, "--fabric", "disorder:1"):
            self.profile("--profile", *options, **asked)
            self.assertEqual(
                [(a["collective"], a["from"], a["to"], a["algorithm"], a["calls"], a["bytes"])
                 for a in self.read()["algorithms"]],
                [("alltoall", 256, 511, "shift:barrier", 4, 1200), ("broadcast", 8, 15, "linear:get", 20, 160),
                 ("broadcast", 16384, 32767, "kary:signal:8", 20, 400000), ("collect", 8, 15, "ring:signal", 4, 32),
                 ("sync", 0, 0, "dissemination", 40, 0)])

    def test_many_algorithms(self):
        """More sizes than a table could hold: each number of bytes has its own entry."""
        self.write("many.c", """#include <shmem.h>
            enum { SIZES = 300 };
            static char source[SIZES + 1], dest[SIZES + 1];
            int main(void)
            {
                shmem_init();
                for (int i = 1; i <= SIZES; i++)
                    shmem_broadcastmem(SHMEM_TEAM_WORLD, dest, source, i, 0);
                shmem_finalize();
            }""")
        self.compile("many.c")
        self.profile("--profile", SHCOLL_BROADCAST=",".join(f"kary:signal:{i + 1}@{i}..{i}" for i in range(1, 301)))
        self.assertEqual(sorted((a["algorithm"], a["calls"], a["bytes"]) for a in self.read()["algorithms"]),
                         sorted((f"kary:signal:{i + 1}", PES, PES * i) for i in range(1, 301)))

    def test_threads(self):
        """Calls of several threads are all counted; each thread has a track, in which no two slices overlap in part."""
        self.compile(HERE / "threads.c")
        self.profile("--trace")
        profile = self.read()
        calls = {r["name"]: (r["calls"], r["bytes"]) for r in profile["routines"]}
        self.assertEqual({name: calls[name] for name in ("shmem_ctx_long_p", "shmem_ctx_long_atomic_inc",
                                                         "shmem_ctx_quiet", "shmem_long_wait_until")},
                         {"shmem_ctx_long_p": (PES * 3 * 500, PES * 3 * 500 * 8),
                          "shmem_ctx_long_atomic_inc": (PES * 3 * 500, PES * 3 * 500 * 8),
                          "shmem_ctx_quiet": (PES * 3 * 500, 0), "shmem_long_wait_until": (PES, 0)})
        for p in profile["per_pe"]:
            self.assertEqual(p["threads"], 4)
            self.assertLessEqual(p["waiting"] + p["communication"] + p["synchronizing"], p["seconds"])
        events = self.read("program.profile/trace.json")["traceEvents"]
        names = {e["tid"]: e["args"]["name"] for e in events if e["name"] == "thread_name"}
        self.assertEqual(sorted(names.values()), sorted(
            f"PE {pe}{more}" for pe in range(PES) for more in ("", ", thread 2", ", thread 3", ", thread 4")))
        tracks = {}
        for e in events:
            if e["ph"] == "X":
                tracks.setdefault(e["tid"], []).append((e["ts"], -e["dur"]))
        self.assertEqual(set(tracks), set(names))
        for slices in tracks.values():
            ends = []
            for begin, minus in sorted(slices):
                while ends and ends[-1] <= begin + 0.0015:
                    ends.pop()
                self.assertTrue(not ends or begin - minus <= ends[-1] + 0.0015)
                ends.append(begin - minus)

    def test_nothing_grows(self):
        """Memory does not grow, however often the profile is written."""
        self.write("often.c", """#include <shmem.h>
            #include <malloc.h>
            #include <stdio.h>
            int main(void)
            {
                size_t before = 0;
                shmem_init();
                for (int i = 0; i < 300; i++) {
                    if (i == 100)
                        before = mallinfo2().uordblks;
                    shmem_barrier_all();
                    shmem_pcontrol(2);
                }
                printf("%zu", mallinfo2().uordblks - before);
                shmem_finalize();
            }""")
        self.compile("often.c")
        grown = int(self.succeed(OSHRUN, "-n", 1, "--profile", "./program"))
        self.assertLess(grown, 200 * 16)    # less than the smallest block at each

    def test_trace(self):
        """Each wait has a flow from the put with signal that satisfied it."""
        self.compile(HERE / "counts.c")
        self.assertIn("https://ui.perfetto.dev", self.profile("--trace"))
        events = self.read("program.profile/trace.json")["traceEvents"]
        # If several events have the same time, viewers take the first one in the file first: the slice, then what binds
        # to it.
        self.assertRegex("".join(e["ph"] for e in events), "^M+X+(Xsf)+$")
        calls = [e for e in events if e["ph"] == "X" and e["name"] != "satisfied"]
        self.assertEqual(len(calls), sum(calls for calls, _, _ in ROUTINES.values()))
        for event in calls:
            self.assertGreaterEqual(event["dur"], 0)
        flows = {}
        for event in events:
            if event["ph"] in "sf":
                flows.setdefault(event["id"], {})[event["ph"]] = event
        self.assertEqual(len(flows), PES)
        for flow in flows.values():
            begin, end = flow["s"], flow["f"]
            self.assertEqual((begin["tid"] + 1) % PES, end["tid"])
            self.assertEqual(self.around(calls, begin), ["shmem_putmem_signal"])
            self.assertEqual(self.around(calls, end), ["shmem_signal_wait_until"])

    def test_trace_in_perfetto(self):
        """The contents that Perfetto's own viewer reads from a trace."""
        self.compile(HERE / "counts.c")
        for options in (), ("--nodes", 2, "--fabric", "disorder:1"):
            self.profile("--trace", *options)
            seen = self.read_by_perfetto()
            self.assertEqual([(t["name"], t["slices"]) for t in seen["tracks"]],
                             [(f"PE {pe}", sum(calls for calls, _, _ in ROUTINES.values()) // PES + 1)
                              for pe in range(PES)])
            self.assertEqual(len({t["process"] for t in seen["tracks"]}), 2 if options else 1)
            self.assertEqual(seen["flows"], [
                {"begins": "shmem_putmem_signal", "on_track": f"PE {pe}",
                 "ends": "satisfied", "within": "shmem_signal_wait_until",
                 "at_track": f"PE {(pe + 1) % PES}"} for pe in range(PES)])

    def test_threads_in_perfetto(self):
        """Each thread's calls are on its track; from the last put of each PE to the wait that it ends."""
        self.compile(HERE / "threads.c")
        self.profile("--trace")
        seen = self.read_by_perfetto()
        self.assertEqual(sorted((t["name"], t["slices"]) for t in seen["tracks"]), sorted(
            (f"PE {pe}{more}", 3 * 500 + 2 if more else 4 + 1) for pe in range(PES)
            for more in ("", ", thread 2", ", thread 3", ", thread 4")))
        self.assertEqual(sorted((f["on_track"], f["begins"], f["at_track"], f["within"]) for f in seen["flows"]),
                         [(f"PE {pe}", "shmem_long_p", f"PE {(pe + 1) % PES}", "shmem_long_wait_until")
                          for pe in range(PES)])

    def read_by_perfetto(self):
        """Perfetto's viewer reads the trace without errors; returns what it has read."""
        read = self.run_tool(SCRIPTS / "check-trace", "program.profile/trace.json")
        if "are needed" in read.stderr:
            self.skipTest(read.stderr)
        self.assertEqual(read.returncode, 0, read.stdout + read.stderr)
        return json.loads(read.stdout)

    def test_memory_that_a_team_has_had(self):
        """Coarrays end with END TEAM without a notification: the memory of later coarrays is not counted twice."""
        bin_folder = pathlib.Path(OSHRUN).parent
        if not (bin_folder.parent / "lib/copal/tapped").is_dir() or not (bin_folder / "caf").exists():
            self.skipTest("there are no coarrays")
        self.write("program.f90", TEAM_ROUNDS)
        made = self.run_tool(bin_folder / "caf", "-g", "-o", "program", "program.f90")
        if "internal compiler error" in made.stderr:
            self.skipTest("gfortran crashes, as 16 does at a coarray that END TEAM ends")
        self.assertEqual(made.returncode, 0, made.stderr)
        self.succeed(bin_folder / "cafrun", "-n", 2, "--profile", "./program")
        samples = [b for _, b in self.read()["memory"]["over_time"]]
        self.assertGreater(len(samples), 20)
        self.assertLess(max(samples), 2 * 4000)

    def test_components(self):
        """Accesses through components count for the components' image."""
        bin_folder = pathlib.Path(OSHRUN).parent
        if not (bin_folder.parent / "lib/copal/tapped").is_dir() or not (bin_folder / "caf").exists():
            self.skipTest("there are no coarrays")
        self.write("program.f90", COMPONENTS)
        self.succeed(bin_folder / "caf", "-g", "-o", "program", "program.f90")
        self.succeed(bin_folder / "cafrun", "-n", 3, "--profile", "./program")
        cells = {(t[0], t[1]): t[2:] for t in self.read()["traffic"] if t[0] == 1}
        self.assertEqual(cells.get((1, 2), [0])[0:2], [1, 40])
        self.assertEqual(cells.get((1, 3), [0])[2:4], [1, 40])

    def test_coarrays(self):
        """Statements, and nothing that they call internally, on one node and on two; in a trace from each post to its
        wait."""
        bin_folder = pathlib.Path(OSHRUN).parent
        if not (bin_folder.parent / "lib/copal/tapped").is_dir() or not (bin_folder / "caf").exists():
            self.skipTest("there are no coarrays")
        made = self.run_tool(bin_folder / "caf", "-g", "-o", "program", HERE / "counts.f90")
        self.assertEqual(made.returncode, 0, made.stderr)
        for options in (), ("--nodes", 2, "--fabric", "disorder:1"):
            said = self.run_tool(bin_folder / "cafrun", "-n", PES, *options, "--trace", "./program")
            self.assertEqual(said.returncode, 0, said.stderr)
            profile = self.read()
            self.assertEqual({r["name"]: (r["calls"], r["bytes"], r["largest"]) for r in profile["routines"]},
                             STATEMENTS)
            self.assertEqual(profile["unit"], "image")
            algorithms = {("reduce", 4): (4, 16)}
            if not options:     # two nodes synchronize without SHCOLL (src/caf/control/meeting.c)
                algorithms["sync", 0] = (12, 0)
            self.assertEqual({(a["collective"], a["from"]): (a["calls"], a["bytes"]) for a in profile["algorithms"]},
                             algorithms)
            cells = {(t[0], t[1]): t[2:] for t in profile["traffic"]}
            self.assertEqual(cells[2, 3], [13, 40 + 200 + 4 + 8, 2, 8])
            places = {s["place"].rpartition("/")[2]: s["calls"] for s in profile["sites"] if s["routine"] == "put"}
            self.assertEqual(places, {"counts.f90:16": 40, "counts.f90:18": 4, "counts.f90:21": 4})
            events = self.read("program.profile/trace.json")["traceEvents"]
            self.assertEqual(sorted((e["ph"], e["tid"]) for e in events if e["ph"] in "sf"),
                             [(phase, image) for phase in "fs" for image in range(PES)])

    def around(self, calls, event):
        return [c["name"] for c in calls if c["tid"] == event["tid"] and
                c["ts"] - 0.002 <= event["ts"] <= c["ts"] + c["dur"] + 0.002]

    def test_preloaded_by_hand(self):
        """A profile without oshrun, as with another launcher: the folder is created, and a second job's files replace
        the first job's."""
        self.compile(HERE / "counts.c")
        library = pathlib.Path(OSHRUN).parents[1] / "lib/copal/libcopal-profile.so"
        for n in 2, PES:
            result = self.run_tool(OSHRUN, "-n", n, "-x", f"LD_PRELOAD={library}", "-x", "SHMEM_PROFILE=there",
                                   "./program")
            self.assertEqual((result.returncode, result.stderr), (0, ""))
        made = self.run_tool(pathlib.Path(OSHRUN).parent / "copal-profile", "there")
        self.assertEqual(made.returncode, 0, made.stderr)
        self.check_counts(self.read("there/profile.json"))

    def test_a_million_calls(self):
        """The profile files do not exceed a limit, and details of collectives are a known part of them."""
        self.write("many.c", """#include <shmem.h>
            static long word;
            int main(void)
            {
                shmem_init();
                for (int i = 0; i < 1000000; i++)
                    shmem_long_p(&word, i, 0);
                for (int i = 0; i < 40000; i++)
                    shmem_sync_all();
                for (int i = 0; i < 2000; i++)
                    shmem_free(shmem_malloc(100));
                shmem_finalize();
            }""")
        self.compile("many.c")
        result = self.run_tool(OSHRUN, "-n", 2, "--trace", "./program")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stderr, r"trace.json has only the first calls, without \d+ later ones")
        profile = self.read()
        self.assertEqual({r["name"]: r["calls"] for r in profile["routines"]},
                         {"shmem_long_p": 2000000, "shmem_sync_all": 80000, "shmem_malloc": 4000, "shmem_free": 4000})
        self.assertEqual(profile["collectives_known"], 0.25)
        self.assertLessEqual(len(profile["memory"]["over_time"]), 512)
        self.assertLess((self.folder / "program.profile/pieces/0").stat().st_size, 12 << 20)

    def test_wrong(self):
        self.write("file", "")
        for options, expected in (
                (["--profile=file"], "--profile=file: the folder cannot be made: File exists"),
                (["--trace=none/where"], "--trace=none/where: the folder cannot be made: No such file"),
                (["--trace"], "no PE has written a file there; did the program call shmem_init")):
            result = self.run_tool(OSHRUN, "-n", 1, *options, "true")
            self.assertIn(expected, result.stderr)
            self.assertEqual(result.returncode, 2 if "file" in options[0] or "none" in options[0] else 0)

    def test_without_proc(self):
        """oshrun finds its own files also where no /proc is mounted."""
        without = ["unshare", "-m", "sh", "-c", 'mount -t tmpfs none /proc && exec "$@"', "sh"]
        if subprocess.run([*without, "true"], capture_output=True, check=False).returncode:
            self.skipTest("mount namespaces are not allowed here")
        self.compile(HERE / "counts.c")
        result = self.run_tool(*without, OSHRUN, "-n", PES, "--profile", "./program")
        self.assertIn("copal: profile of ./program: 4 PEs on 1 node", result.stderr)

    def test_pieces_that_are_none(self):
        """A truncated profile file, a profile file of another job, and another file."""
        self.compile(HERE / "counts.c")
        self.profile("--profile")
        tool = pathlib.Path(OSHRUN).parent / "copal-profile"
        piece = self.folder / "program.profile/pieces/1"
        whole = piece.read_bytes()
        for content, expected in ((whole[:-40], "is cut short: it has"), (b"what", "is no profile file"),
                                  (b"", "is no profile file")):
            piece.write_bytes(content)
            result = self.run_tool(tool, "program.profile")
            self.assertEqual(result.returncode, 1)
            self.assertIn(expected, result.stderr)
        for at, what in ((HEAD["node"], "head 0"), (HEAD["n_threads"], "head 0"), (HEAD["program"] + 255, "head 0")):
            content = bytearray(whole)
            content[HEAD["program"]:HEAD["program"] + 255] = b"p" * 255
            content[at:at + 4] = b"\x40\x42\x0f\x00"
            piece.write_bytes(content)
            result = self.run_tool(tool, "program.profile")
            self.assertEqual(result.returncode, 1)
            self.assertIn(f"program.profile/pieces/1 is damaged: its {what} has impossible contents", result.stderr)
        piece.unlink()
        result = self.run_tool(tool, "program.profile")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("1 of them have written no file: they were killed, or ended by an error", result.stderr)

    def test_names(self):
        """The library has each routine of the specification, and replaces no other names."""
        library = pathlib.Path(OSHRUN).parents[1] / "lib/copal/libcopal-profile.so"
        listing = subprocess.run(["nm", "-D", "--defined-only", "--format=posix", library], check=True, text=True,
                                 stdout=subprocess.PIPE).stdout
        names = {line.split()[0] for line in listing.splitlines()}
        specified = subprocess.run([SCRIPTS / "check-symbols", "--names"], check=True, text=True,
                                   stdout=subprocess.PIPE).stdout.split()
        listing = self.succeed("nm", "-D", "--defined-only", "--format=posix", self.library())
        collectives = re.findall(r"^shcoll_\w+", listing, flags=re.MULTILINE)
        self.assertIn("shcoll_reduce", collectives)
        self.assertEqual({name for name in names if not name.startswith("copal_tap_")}, {*specified, *collectives})

    def test_nothing_without(self):
        """Without --profile a routine is the library's own, whose pshmem_ name is the same function."""
        self.write("which.c", """#include <pshmem.h>
            #include <stdio.h>
            int main(void)
            {
                shmem_init();
                printf("%d %d", shmem_long_p == pshmem_long_p, shmem_barrier_all == pshmem_barrier_all);
                shmem_finalize();
            }""")
        self.compile("which.c")
        self.assertEqual(self.succeed(OSHRUN, "-n", 1, "./program"), "1 1")
        self.assertEqual(self.succeed(OSHRUN, "-n", 1, "--profile", "./program"), "0 0")
        listing = self.succeed("nm", "-D", "--defined-only", "--format=posix", self.library())
        at = {name: address for name, _, address in (line.split()[:3] for line in listing.splitlines())}
        self.assertEqual([name for name in at if name.startswith("shmem_") and at[name] != at["p" + name]], [])

    def test_no_instruction_without(self):
        """If no tool needs the algorithms, the library's functions within a call do not check for a tool; none of them
        belongs to the profile."""
        if platform.machine() != "x86_64":
            self.skipTest("which variable an instruction is about is shown of x86-64 alone")
        listing = self.succeed("objdump", "-d", "--no-show-raw-insn", self.library())
        functions = re.split(r"^[0-9a-f]+ <(.+)>:$", listing, flags=re.MULTILINE)
        names, code = functions[1::2], functions[2::2]
        asking = {name.partition(".")[0] for name, lines in zip(names, code) if "<whom_to_tell" in lines}
        self.assertIn("shcoll_tell", asking, "the library has no symbols")
        called = {name for name in names if re.match("p?shmem_", name)} | {f"shcoll_{name}" for name in (
            "alltoall", "alltoalls", "barrier", "broadcast", "collect", "exscan", "fcollect", "inscan", "reduce",
            "sync")}
        self.assertEqual(asking & called, set())
        self.assertIn("shcoll_reduce", names)
        self.assertEqual([name for name in names if re.match("tap_|copal_tap_|ticks_|site_of", name)], [])

    def library(self):
        return pathlib.Path(OSHRUN).parents[1] / "lib/libshmem.so"


if __name__ == "__main__":
    OSHRUN, OSHCC = programs()
    unittest.main(verbosity=2)
