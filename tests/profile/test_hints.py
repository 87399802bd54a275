"""The hints of a profile: for each hint a program that gets it, and programs that do not."""
import json
import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE.parent / "tools"))
from support import InFolder, programs

OSHRUN = OSHCC = None    # set from the command line

PROGRAM = """#include <shmem.h>
#include <unistd.h>
static long there[1024], here[1024], flag;
int main(void)
{
    shmem_init();
    const int me = shmem_my_pe(), n = shmem_n_pes(), next = (me + 1) % n;
    (void)next, (void)here, (void)there, (void)flag;
    BODY
    shmem_finalize();
}
"""
TWO_NODES = "--nodes", "2", "--fabric", "slingshot"


class Hints(InFolder):
    def hints(self, body, *options):
        self.write("program.c", PROGRAM.replace("BODY", body))
        made = self.run_tool(OSHCC, "-o", "program", "program.c")
        self.assertEqual(made.returncode, 0, made.stderr)
        done = self.run_tool(OSHRUN, "-n", 4, "--profile", *options, "./program")
        self.assertEqual(done.returncode, 0, done.stderr)
        return "\n".join(json.loads((self.folder / "program.profile/profile.json").read_text())["hints"])

    def test_quiet(self):
        """Loops that are long enough for other processes to run about equally in calls and between calls."""
        hint = " of blocking puts are followed immediately by a quiet: use the _nbi form, and one quiet for many"
        each = "for (int i = 0; i < 200000; i++) { shmem_long_p(&there[i %% 500], i, %s); shmem_quiet(); }"
        self.assertIn("100 % of puts are about 8 bytes to one PE, and 100 %" + hint, self.hints(each % "next"))
        self.assertIn("100 % of puts are about 8 bytes, and 100 %" + hint, self.hints(each % "i % n"))
        sizes = "for (int i = 0; i < 50000; i++) { shmem_long_put(there, here, 1 << i % 10, next); shmem_quiet(); }"
        self.assertRegex(self.hints(sizes), "(?m)^100 %" + hint)
        others = "for (int i = 0; i < 500; i++) shmem_long_p(&there[i], i, next); shmem_quiet();"
        for body in others, each.replace("200000", "200") % "next":
            self.assertNotIn("quiet", self.hints(body))

    def test_small_gets(self):
        hint = "100 % of blocking gets fetch at most 64 bytes, and each waits for a reply"
        one = "for (int i = 0; i < 300; i++) here[0] += shmem_long_g(&there[i], (me + 2) % n);"
        self.assertIn(hint, self.hints(one, *TWO_NODES))
        self.assertNotIn("blocking gets", self.hints(one))
        many = "for (int i = 0; i < 300; i++) shmem_long_get(here, there, 9, (me + 2) % n);"
        self.assertNotIn("blocking gets", self.hints(many, *TWO_NODES))

    def test_small_messages(self):
        hint = "100 % of all accesses go to other nodes with 8 bytes each: collect the data for each PE"
        one = "for (int i = 0; i < 300; i++) shmem_long_p(&there[i], i, (me + 2) % n);"
        self.assertIn(hint, self.hints(one, *TWO_NODES))
        self.assertNotIn("other nodes", self.hints(one))
        many = "for (int i = 0; i < 300; i++) shmem_long_put(there, here, 9, (me + 2) % n);"
        self.assertNotIn("other nodes", self.hints(many, *TWO_NODES))

    def test_memory(self):
        body = "for (int i = 0; i < %d; i++) shmem_free(shmem_malloc(64));"
        hint = r"shmem_(malloc|free) takes \d+ % of the time in 1200 calls, each of which is a barrier as well"
        self.assertRegex(self.hints(body % 300), hint)
        self.assertNotIn("allocate once", self.hints(body % 200))

    def test_wait(self):
        """PE 0 makes the others wait for a second, or the awaited data has already arrived."""
        body = ("if (me == 0) { sleep(1); /* late */ for (int i = 0; i < n; i++) shmem_long_p(&flag, 1, i); }"
                "shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);")
        hint = r"shmem_long_wait_until takes \d+ % of the time: the awaited data is sent late"
        self.assertRegex(self.hints(body), hint)
        body = "shmem_long_p(&flag, 1, me); shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1); sleep(1); /* late */"
        self.assertNotIn("is sent late", self.hints(body))

    def test_late(self):
        """Uses generated profile files, because real PEs are late at random."""
        made = self.run_tool(OSHCC, f"-I{ROOT}/tools", "-o", "many", HERE / "many.c")
        self.assertEqual(made.returncode, 0, made.stderr)
        late = {}
        for how in ("0",), ("1",), ("1", "idle"), ("4",):
            folder = "late" + "".join(how)
            self.succeed("./many", folder, 4, *how)
            self.succeed(pathlib.Path(OSHRUN).parent / "copal-profile", folder)
            hints = json.loads((self.folder / folder / "profile.json").read_text())["hints"]
            late[how] = [hint for hint in hints if "collectives" in hint]
        self.assertEqual(late["0",], [])
        # Eight times three of four PEs wait 20 ms of a second; PE 0 is 40 times 2 ms in the library, the others are
        # 0.25 s in barriers and 39 times 2 ms elsewhere.
        waits = "12 % of all time is waiting in collectives, "
        self.assertEqual(late["1",], [waits + "most of it for PE 0, which computes 92 % of its time: "
                                      "give it less work"])
        self.assertEqual(late["1", "idle"], [waits + "most of it for PE 0, which computes no longer than the others: "
                                             "its communication makes it late, or other work of its processor"])
        self.assertEqual(len(late["4",]), 1)
        self.assertTrue(late["4",][0].startswith(waits + "for a different PE each time, "))

    def test_crowded_and_brief(self):
        """More PEs than processors are reported first; routines without time are not reported."""
        self.succeed(OSHCC, f"-I{ROOT}/tools", "-o", "many", HERE / "many.c")
        hints = {}
        for how in "crowded", "brief", "plain":
            self.succeed("./many", how, 4, 0, how)
            self.succeed(pathlib.Path(OSHRUN).parent / "copal-profile", how)
            hints[how] = json.loads((self.folder / how / "profile.json").read_text())["hints"]
        self.assertTrue(hints["crowded"][0].startswith("the 4 PEs on here share 1 processor: "))
        self.assertEqual(hints["crowded"][1:], hints["plain"])
        quiet = "of blocking puts are followed immediately by a quiet"
        self.assertIn(quiet, "".join(hints["plain"]))
        self.assertNotIn(quiet, "".join(hints["brief"]))


if __name__ == "__main__":
    OSHRUN, OSHCC = programs()
    unittest.main(verbosity=2)
