"""Each way to link with SHCOLL, in the build tree or an installed one, gives a program that runs and has one SHCOLL."""
import pathlib
import re
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
from support import OneFolder, programs, run

BUILD = None    # the build tree, set from the command line
SOURCE = pathlib.Path(__file__).resolve().parents[2]

PROGRAM = """
#include <shcoll.h>
#include <shmem.h>
#include <stdio.h>

int main(void)
{
    static long mine[2], sum[2];
    shmem_init();
    shcoll_init();
    struct shcoll_group *all = shcoll_group_create(0, 1, shmem_n_pes());
    mine[0] = shmem_my_pe() + 1;
    mine[1] = 10 * mine[0];
    shcoll_reduce(all, sum, mine, 2, SHCOLL_OP(SUM, long));
    if (shmem_my_pe() == shmem_n_pes() - 1)
        printf("sums %ld %ld\\n", sum[0], sum[1]);
    shcoll_group_free(all);
    shmem_finalize();
    return 0;
}
"""

WRONG = """
#include <shcoll.h>
#include <shmem.h>
#include <stdlib.h>

static _Alignas(64) char work[SHCOLL_WORK_BYTES];
static char mine[SHCOLL_ELEMENT_BYTES + 1], result[SHCOLL_ELEMENT_BYTES + 1];

static void keep(void *context, void *into, const void *from, size_t n)
{
    (void)context, (void)into, (void)from, (void)n;
}

int main(int argc, char **argv)
{
    shmem_init();
    shcoll_init();
    int me = shmem_my_pe(), pes[] = {1, 2, 0, 3}, at = me == 1 ? 0 : me == 2 ? 1 : 2, size = 3, root = 0;
    struct shcoll_op op = {.size = 1, .combine_with = keep};
    switch (argc > 1 ? atoi(argv[1]) : 0) {
    case 1: size = 0; break;
    case 2: at = 3; break;
    case 3: at = (at + 1) % 3; break;
    case 4: at = -1; break;
    case 5: pes[1] = 3; break;
    case 6: pes[1] = -1; break;
    case 7: root = 3; break;
    case 8: op.combine_with = NULL; break;
    case 9: op.size = 0; break;
    case 10: op.size = SHCOLL_ELEMENT_BYTES + 1; break;
    }
    struct shcoll_group g = shcoll_group_on_pes(pes, size, at, work);
    shmem_barrier_all();
    shcoll_reduce_to(&g, result, mine, 1, &op, root);
    shmem_finalize();
    return 0;
}
"""

# The errors in case 1, 2, ... of the program above.
SENTENCES = [
    r"shcoll_group_on_pes: arguments size and me are 0 and \d, allowed are",
    r"shcoll_group_on_pes: arguments size and me are 3 and 3, allowed are",
    r"shcoll_group_on_pes: argument pes holds PE \d at position \d and me is \d, allowed are PEs from 0 to 2, and",
    r"shcoll_group_on_pes: argument pes holds PE \d at position \d and me is -1, allowed are PEs from 0 to 2, and",
    r"shcoll_group_on_pes: argument pes holds PE 3 at position 1 and me is \d, allowed are PEs from 0 to 2",
    r"shcoll_group_on_pes: argument pes holds PE -1 at position 1 and me is \d, allowed are PEs from 0 to 2",
    r"shcoll_reduce_to: argument root is 3, allowed are 0 to 2",
    r"an operation has neither combine nor combine_with, allowed is one of them",
    r"an operation has elements of 0 bytes, allowed are 1 to 8192",
    r"an operation has elements of 8193 bytes, allowed are 1 to 8192",
]

PROJECT = """
cmake_minimum_required(VERSION 3.16)
project(user LANGUAGES C)
find_package(Copal 0.1 REQUIRED)
add_executable(with_shcoll sums.c)
target_link_libraries(with_shcoll PRIVATE Copal::shcoll)
"""


class Library(OneFolder):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        run("cmake", "--install", BUILD, "--prefix", cls.folder / "staging")
        cls.prefix = cls.folder / "moved"
        (cls.folder / "staging").rename(cls.prefix)
        (cls.folder / "sums.c").write_text(PROGRAM)

    def check_sums(self, program):
        self.assertEqual(run(BUILD / "bin/oshrun", "-n", 3, program, folder=self.folder), "sums 6 60\n")

    def test_needs_no_more_than_openshmem(self):
        """The library uses only names of the specification; Copal's own names are weak symbols."""
        listed = set(run(SOURCE / "scripts/check-symbols", "--names").split())
        objects = (BUILD / "CMakeFiles/shcoll_objects.dir").rglob("*.o")
        names = run("nm", "--undefined-only", "--format=posix", *objects)
        taken = {line.split()[0] for line in names.splitlines() if re.match("(?!.* w)(p?shmem|copal)", line)}
        self.assertIn("shmem_ptr", taken)
        self.assertEqual(taken - listed, set())

    def test_wrong_arguments(self):
        (self.folder / "wrong.c").write_text(WRONG)
        run(BUILD / "bin/oshcc", "-Wall", "-Werror", "wrong.c", "-lshcoll", "-o", "wrong", folder=self.folder)
        self.assertEqual(run(BUILD / "bin/oshrun", "-n", 3, self.folder / "wrong"), "")
        for case, sentence in enumerate(SENTENCES, 1):
            with self.subTest(sentence), self.assertRaises(AssertionError) as caught:
                run(BUILD / "bin/oshrun", "-n", 3, self.folder / "wrong", case)
            self.assertRegex(str(caught.exception), rf"copal: PE \d: shcoll: {sentence}")

    def test_build_tree(self):
        run(BUILD / "bin/oshcc", "-Wall", "-Werror", "sums.c", "-o", "shared", folder=self.folder)
        self.check_sums("./shared")

    def test_once_in_a_process(self):
        """With -lshcoll a program has libshmem's SHCOLL; a program that needs libshcoll.so.2 by name also gets
        libshmem's."""
        run(BUILD / "bin/oshcc", "sums.c", "-lshcoll", "-o", "named", folder=self.folder)
        self.check_sums("./named")
        self.assertNotIn("libshcoll", run("readelf", "-d", self.folder / "named"))
        for folder in BUILD / "lib", self.prefix / "lib":
            self.assertTrue((folder / "libshcoll.so.2").samefile(folder / "libshmem.so.2"))

    def test_installed(self):
        run(self.prefix / "bin/oshcc", "-Wall", "-Werror", "sums.c", "-lshcoll", "-o", "installed", folder=self.folder)
        self.check_sums("./installed")

    def test_pkg_config(self):
        where = next(self.prefix.rglob("shcoll.pc")).parent
        run("sh", "-c", "cc sums.c $(pkg-config --cflags --libs shcoll) -o by-pkg-config", folder=self.folder,
            PKG_CONFIG_PATH=where)
        self.check_sums("./by-pkg-config")

    def test_find_package(self):
        project = self.folder / "project"
        project.mkdir()
        (project / "CMakeLists.txt").write_text(PROJECT)
        (project / "sums.c").write_text(PROGRAM)
        run("cmake", "-S", project, "-B", project / "build", f"-DCMAKE_PREFIX_PATH={self.prefix}")
        run("cmake", "--build", project / "build")
        self.check_sums("project/build/with_shcoll")


if __name__ == "__main__":
    BUILD = pathlib.Path(programs()[1]).resolve().parents[1]
    unittest.main(verbosity=2)
