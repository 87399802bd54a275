"""scripts/check-layers accepts this tree and its objects, and finds a wrong dependency."""
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from support import LIMIT, programs

BUILD = None    # the build tree, set from the command line
SOURCE = pathlib.Path(__file__).resolve().parents[2]


def check(*options):
    return subprocess.run([SOURCE / "scripts/check-layers", *options], text=True, timeout=LIMIT, stdout=subprocess.PIPE)


class Layers(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="test-layers-")
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        for name in "src", "include", "tools", "apps", "examples", "docs":
            shutil.copytree(SOURCE / name, self.folder / name)
        for name in "bench", "tests", "packaging":    # the table names them, but they are not searched
            (self.folder / name).mkdir()

    def append(self, path, line):
        path = self.folder / path
        path.parent.mkdir(exist_ok=True, parents=True)
        with open(path, "a", encoding="ascii") as file:
            file.write(f"\n{line}\n")

    def assert_wrong(self, expected, *options):
        result = check("--source", self.folder, *options)
        self.assertEqual(result.returncode, 1, result.stdout)
        self.assertRegex(result.stdout, expected)

    def test_this_tree(self):
        result = check("--objects", BUILD)
        self.assertEqual(result.returncode, 0, result.stdout)

    def test_includes(self):
        for path, line, expected in (
                ("src/node/size.c", '#include "net/net.h"', "src/node may not include src/net/net.h"),
                ("src/shcoll/init.c", '#include "../shmem/api.h"', "src/shcoll may not include src/shmem/api.h"),
                ("src/job/self.c", "#include <shmem.h>", "src/job may not include include/shmem.h"),
                ("src/wait/wait.c", "#include <ucp/api/ucp.h>", "src/wait may not include <ucp/api/ucp.h>"),
                ("include/shmemx.h", '#include "../src/job/job.h"', "include may not include src/job/job.h"),
                ("apps/gups/random.c", '#include "job/job.h"', "apps may not include src/job/job.h"),
                ("src/fortran/names.c", '#include "nowhere.h"', "there is no nowhere.h")):
            with self.subTest(path):
                before = (self.folder / path).read_text()
                self.append(path, line)
                self.assert_wrong(rf"^{path}:\d+: .*{expected}")
                (self.folder / path).write_text(before)

    def test_one_way(self):
        """Files of one folder must not use each other in a cycle, not even through a third file."""
        self.append("src/net/op.h", '#include "net/context.h"')
        self.assert_wrong("src/net: context uses .*op.* in a cycle")

    def test_one_way_between_folders(self):
        """The same for files of the subfolders of one row."""
        self.append("src/caf/error.h", '#include "control/image.h"')
        self.assert_wrong("src/caf: error uses control/image in a cycle")
        self.append("src/shcoll/group/flags.h", '#include "../algorithms/cost.h"')
        self.assert_wrong("src/shcoll: group/flags uses algorithms/cost in a cycle")

    def test_rows(self):
        """Each folder has a row, and each row a folder."""
        self.append("src/novelty/new.c", "int copal_new;")
        self.assert_wrong("no row for src/novelty/new.c")
        shutil.rmtree(self.folder / "src/novelty")
        shutil.rmtree(self.folder / "src/boot/pmix")
        self.assert_wrong("there is no src/boot/pmix")

    def test_symbols(self):
        """A name that is declared by hand needs no include, but the linker sees it."""
        objects = self.folder / "build/CMakeFiles/shmem.dir"
        for path, text in (("src/net/net_new.c", "int copal_new(void) { return 1; }"),
                           ("src/node/node_new.c", "int copal_new(void); int old(void) { return copal_new(); }")):
            self.append(path, text)
            (objects / path).parent.mkdir(parents=True, exist_ok=True)
            subprocess.run(["cc", "-c", self.folder / path, "-o", f"{objects / path}.o"], check=True)
        self.assert_wrong("^src/node/node_new.c: src/node may not use copal_new of src/net/net_new.c$",
                          "--objects", self.folder / "build")

    def test_prefixes(self):
        objects = self.folder / "build/CMakeFiles/caf_core.dir/src/caf"
        objects.mkdir(parents=True)
        self.append("src/caf/new.c", "int caf_new; int old; static int older; int *where(void) { return &older; }")
        subprocess.run(["cc", "-c", self.folder / "src/caf/new.c", "-o", objects / "new.c.o"], check=True)
        wrong = "\n".join(f"src/caf/new.c: {name} does not begin with caf_" for name in ("old", "where"))
        self.assert_wrong(wrong, "--objects", self.folder / "build")

    def test_one_way_by_symbols(self):
        objects = self.folder / "build/CMakeFiles/shmem.dir/src/net"
        objects.mkdir(parents=True)
        for name, other in ("one", "two"), ("two", "one"):
            self.append(f"src/net/{name}.c",
                        f"int copal_{other}(void); int copal_{name}(void) {{ return copal_{other}(); }}")
            subprocess.run(["cc", "-c", self.folder / f"src/net/{name}.c", "-o", objects / f"{name}.c.o"], check=True)
        self.assert_wrong("src/net: one uses two in a cycle", "--objects",
                          self.folder / "build")


if __name__ == "__main__":
    BUILD = pathlib.Path(programs()[1]).resolve().parents[1]
    unittest.main(verbosity=2)
