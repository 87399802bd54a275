"""Compares the times of a profile with times that the program measures; a program that initializes again."""
import json
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools"))
from support import InFolder, programs

OSHRUN = OSHCC = None    # set from the command line

NOW = """#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}
"""
MIXED = NOW + """
enum { TIMES = 16000, LONG = 1 << 16 };
int main(void)
{
    shmem_init();
    const int next = (shmem_my_pe() + 1) % shmem_n_pes();
    char *to = shmem_malloc(LONG), *from = calloc(1, LONG);
    const double begin = now();
    for (int i = 0; i < TIMES; i++)
        shmem_putmem(to, from, i % 16 ? 8 : LONG, next);
    printf("%.9f\\n", now() - begin);
    free(from);
    shmem_finalize();
}
"""
# PE 1 is late at each first barrier.
STEPS = NOW + """
int main(void)
{
    shmem_init();
    for (int i = 0; i < 10000; i++) {
        for (const double until = now() + 3e-5; shmem_my_pe() == 1 && now() < until;)
            ;
        shmem_barrier_all();
        shmem_barrier_all();
    }
    shmem_finalize();
}
"""
AGAIN = """#include <shmem.h>
static long word;
int main(void)
{
    for (int i = 0; i < 3; i++) {
        shmem_init();
        shmem_init();
        shmem_finalize();
        shmem_long_atomic_inc(&word, 0);
        shmem_finalize();
    }
}
"""


class Times(InFolder):
    def profile(self, text):
        """What the program has printed, and its profile."""
        self.write("program.c", text)
        made = self.run_tool(OSHCC, "-g", "-O2", "-o", "program", "program.c")
        self.assertEqual(made.returncode, 0, made.stderr)
        done = self.run_tool(OSHRUN, "-n", 2, "--profile", "./program")
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout, json.loads((self.folder / "program.profile/profile.json").read_text())

    def test_short_and_long_calls_of_one_line(self):
        """Only one in 16 short calls is timed, but each long one."""
        out, profile = self.profile(MIXED)
        took, = [r["seconds"] for r in profile["routines"] if r["name"] == "shmem_putmem"]
        self.assertLess(took, 2 * sum(map(float, out.split())))

    def test_barriers_in_turn(self):
        """Half of a PE's 20,000 barriers are recorded: some of each source line, not only those of one."""
        _, profile = self.profile(STEPS)
        self.assertLess(profile["collectives_known"], 1)
        sites = [s for s in profile["sites"] if s["routine"] == "shmem_barrier_all"]
        self.assertEqual([s["calls"] for s in sites], [20000, 20000])
        for site in sites + profile["routines"]:
            self.assertLessEqual(site["waiting"], site["seconds"])
        first, second = sorted(sites, key=lambda s: int(s["place"].split(":")[1]))
        self.assertGreater(first["waiting"], 0.5 * first["seconds"])
        self.assertGreater(second["waiting"], 0)
        self.assertLess(profile["per_pe"][1]["late_seconds"], profile["per_pe"][0]["seconds"])

    def test_initialized_again(self):
        """Calls count until the last shmem_finalize, and again after the next shmem_init."""
        _, profile = self.profile(AGAIN)
        self.assertEqual([r["calls"] for r in profile["routines"] if r["name"] == "shmem_long_atomic_inc"], [6])


if __name__ == "__main__":
    OSHRUN, OSHCC = programs()
    unittest.main(verbosity=2)
