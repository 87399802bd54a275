"""caf loads the plugin into gfortran if the plugin works there, which it checks once per compiler; otherwise it
compiles without the plugin."""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import unittest

from support import InFolder, programs
from test_caf import MODULE, PROGRAM

CAF = CAFRUN = None    # set from the command line

# Replaces gfortran: reports a version and an f951 that the test changes, records the other arguments, and may fail.
COMPILER = """#!/bin/sh
case $* in
--version) exec cat version ;;
-print-prog-name=f951) echo "$PWD/f951"; exit ;;
esac
echo "$*" >>calls
[ ! -e broken ] || exit 1
[ ! -e foreign ] || case " $*" in
*" -fplugin"*) echo "f951: error: plugin support is disabled; configure with --enable-plugin" >&2; exit 1 ;;
esac
exec {gfortran} "$@"
"""


class Plugin(InFolder):
    def setUp(self):
        super().setUp()
        gfortran = shlex.split(self.succeed(CAF, "-showme:command"))[0]
        self.name = f"caf_plugin_{self.succeed(gfortran, '-dumpversion').split('.')[0].strip()}"
        built = pathlib.Path(CAF).resolve().parent.parent
        if not (built / f"lib/copal/{self.name}.so").exists():
            self.skipTest("built without gcc's headers for plugins")
        self.caf = self.write("bin/caf", pathlib.Path(CAF).read_text())    # with its own plugin
        self.caf.chmod(0o755)
        (self.folder / "lib/copal").mkdir(parents=True)
        for path in [*built.glob("lib/*"), *built.glob("lib/copal/*")]:
            if path.name not in ("copal", f"{self.name}.so"):
                (self.folder / path.relative_to(built)).symlink_to(path)
        self.plugin = self.folder / f"lib/copal/{self.name}.so"
        shutil.copy(built / f"lib/copal/{self.name}.so", self.plugin)
        self.write("compiler", COMPILER.format(gfortran=gfortran)).chmod(0o755)
        self.write("f951", "1")
        self.write("version", self.succeed(gfortran, "--version"))
        self.write("ring_m.f90", MODULE)
        self.write("main.f90", PROGRAM)
        (self.folder / "tmp").mkdir()
        self.environment = {"CAF_FC": "./compiler", "XDG_CACHE_HOME": str(self.folder / "cache"), "TMPDIR": "tmp"}

    def loads(self, **environment):
        """Whether caf loads the plugin."""
        shown = shlex.split(self.succeed(self.caf, "--show", "-c", "main.f90", **{**self.environment, **environment}))
        return f"-fplugin={self.plugin.resolve()}" in shown

    def asked(self):
        """How often caf has checked the compiler since the last call."""
        calls = self.folder / "calls"
        lines = calls.read_text().splitlines() if calls.exists() else []
        calls.write_text("")
        return sum("-fplugin=" in line and f"-fplugin-arg-{self.name}-report -S " in line for line in lines)

    def compile(self, *options, **environment):
        """Compiles the program, which must be correct, without a message."""
        result = self.run_tool(self.caf, "ring_m.f90", "main.f90", *options, "-o", "ring",
                               **{**self.environment, **environment})
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(self.succeed(CAFRUN, "-n", 3, "./ring", ASAN_OPTIONS="detect_leaks=0"), "sum 60\n")
        return "_gfortran_caf_near" in self.succeed("nm", "-D", "ring")

    def test_asked_once(self):
        for asked in 1, 0, 0:
            self.assertTrue(self.loads())
            self.assertEqual(self.asked(), asked)
        self.assertTrue(self.compile("-O2"))
        self.assertEqual(self.asked(), 0)

    def test_upgraded(self):
        """caf checks again, once, for another compiler file, another file time, another version, and another plugin."""
        self.loads()
        text, newer = (self.folder / "version").read_text(), self.plugin.stat().st_mtime + 100
        for change in (lambda: self.write("f951", "22"), lambda: os.utime(self.folder / "f951", (newer, newer)),
                       lambda: self.write("version", text.replace("(", "(an upgraded ", 1)),
                       lambda: os.utime(self.plugin, (newer, newer))):
            self.asked()
            change()
            for asked in 1, 0:
                self.assertTrue(self.loads())
                self.assertEqual(self.asked(), asked)

    def check_left_out(self):
        self.assertFalse(self.compile("-O2", "-fno-near", "-fcaf-report", "-fno-caf-bounds"))
        for option in ["-v"], ["--show"]:
            said = self.run_tool(self.caf, "-c", "main.f90", *option, **self.environment).stderr.splitlines()[0]
            self.assertRegex(said, f"^caf: .*{self.name}.so does not work with GNU Fortran .*: coindexed .* are calls$")

    def test_does_not_load(self):
        """The plugin is incomplete, or made for another version of GCC, which it detects itself."""
        whole = self.plugin.read_bytes()
        version = re.search(r"[.\d]+\n", (self.folder / "version").read_text())[0].strip().encode()
        for damaged in b"", whole[:10000], whole.replace(version, version[:-1] + b"x"):
            self.plugin.write_bytes(damaged)
            for asked in 1, 0:
                self.assertFalse(self.loads())
                self.assertEqual(self.asked(), asked)
            self.check_left_out()
            self.plugin.write_bytes(whole)
            self.assertTrue(self.loads())
            self.asked()

    def test_not_there(self):
        self.plugin.unlink()
        self.assertFalse(self.compile("-O2", "-fno-near"))
        self.assertEqual(self.asked(), 0)
        self.assertIn(f"{self.name}.so is not there", self.run_tool(self.caf, "-v", **self.environment).stderr)

    def test_foreign(self):
        self.write("foreign", "")
        for asked in 1, 0:
            self.assertFalse(self.loads())
            self.assertEqual(self.asked(), asked)
        self.check_left_out()

    def test_f951_is_not_found(self):
        text = (self.folder / "compiler").read_text()
        self.write("compiler", text.replace('"$PWD/f951"', "f951"))
        self.assertFalse(self.loads())
        self.assertEqual(self.asked(), 0)

    def test_failure_for_another_reason(self):
        """If the check gives no result, for example with a full disk, caf compiles without the plugin."""
        self.write("broken", "")
        self.assertFalse(self.loads())
        (self.folder / "broken").unlink()
        self.assertTrue(self.loads())

    def test_folders(self):
        """The first folder that can be written keeps the result, if no other user can change it."""
        tmp = self.folder / f"tmp/copal-caf-{os.getuid()}"
        (self.folder / "home").mkdir()
        for xdg, home, kept in (("cache", "home", "cache/copal/caf"), ("", "home", "home/.cache/copal/caf"),
                                ("/proc/nowhere", "home", "home/.cache/copal/caf"), ("", "/proc", tmp),
                                ("/dev/null", "no-home", tmp), ("", "", tmp)):
            with self.subTest(xdg=xdg, home=home):
                environment = {"XDG_CACHE_HOME": xdg, "HOME": home}
                for asked in 1, 0:
                    self.assertTrue(self.loads(**environment))
                    self.assertEqual(self.asked(), asked)
                folder = self.folder / kept
                self.assertEqual(folder.stat().st_mode & 0o777, 0o700)
                self.assertEqual([path.name for path in folder.rglob("*") if path.is_file()], ["f951"])
                shutil.rmtree(folder)
        self.assertFalse((self.folder / "no-home").exists())

    def test_read_only_home(self):
        """The folder that kept the result cannot be written any more: the next folder keeps it."""
        (self.folder / "home").mkdir()
        self.environment |= {"XDG_CACHE_HOME": "", "HOME": "home"}
        self.assertTrue(self.loads())
        self.write("f951", "22")
        read_only = ["unshare", "--map-root-user", "--mount", "sh", "-c", "mount --bind home home &&"
                     ' mount -o remount,bind,ro home || exit 77; exec "$0" "$@"']
        if self.run_tool(*read_only, "true").returncode:
            self.skipTest("this machine gives no mounts")
        self.asked()
        for asked in 1, 0:
            self.assertIn("-fplugin=", self.succeed(*read_only, self.caf, "--show", "-c", "main.f90",
                                                    **self.environment))
            self.assertEqual(self.asked(), asked)

    def test_folders_of_others(self):
        """A folder that others may write, or a link, is neither written nor read."""
        environment = {"XDG_CACHE_HOME": "", "HOME": "/proc"}
        tmp = self.folder / f"tmp/copal-caf-{os.getuid()}"
        self.assertTrue(self.loads(**environment))
        kept, = (path for path in tmp.rglob("f951"))
        kept.write_text(kept.read_text().replace("works", "does not work"))
        self.assertFalse(self.loads(**environment))
        self.asked()
        tmp.chmod(0o770)
        for _ in range(2):
            self.assertTrue(self.loads(**environment))
            self.assertEqual(self.asked(), 1)
        tmp.chmod(0o700)
        tmp.rename(self.folder / "elsewhere")
        tmp.symlink_to(self.folder / "elsewhere")
        self.assertTrue(self.loads(**environment))
        if os.getuid() == 0:
            tmp.unlink()
            (self.folder / "elsewhere").rename(tmp)
            os.chown(tmp, 1, 1)
            self.assertTrue(self.loads(**environment))

    def test_concurrent_first_calls(self):
        command = [self.caf, "--show", "-c", "main.f90"]
        jobs = [subprocess.Popen(command, cwd=self.folder, env={**os.environ, **self.environment}, text=True,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(6)]
        for job in jobs:
            out, err = job.communicate()
            self.assertEqual((job.returncode, err), (0, ""))
            self.assertIn("-fplugin=", out)
        self.asked()
        self.assertTrue(self.loads())
        self.assertEqual(self.asked(), 0)
        self.assertEqual(len([path for path in (self.folder / "cache").rglob("*") if path.is_file()]), 1)

    def test_options(self):
        for option, word in (("-fno-near", "no-near"), ("-fnear", "near"), ("-fcaf-bounds", "bounds"),
                             ("-fno-caf-bounds", "no-bounds"), ("-fcaf-report", "report"), ("-Wcaf", "warn"),
                             ("-Wno-caf", "no-warn"), ("-Werror=caf", "error"), ("-Wno-error=caf", "no-error")):
            for show in "--show", "-showme:compile":
                shown = shlex.split(self.succeed(self.caf, show, "-c", "main.f90", option, **self.environment))
                plugin = shown.index(f"-fplugin={self.plugin.resolve()}")
                self.assertEqual(shown.index(f"-fplugin-arg-{self.name}-{word}"), plugin + 1)
                self.assertNotIn(option, shown)
        report = self.run_tool(self.caf, "-O2", "-fcaf-report", "-c", "ring_m.f90", "main.f90", **self.environment)
        line = 1 + next(n for n, text in enumerate(MODULE.splitlines()) if "from[mod" in text)
        self.assertRegex(report.stderr, rf"^ring_m\.f90:{line}:\d+: optimized: put ")
        for options, why in (["-O0"], "accesses are near from -O1 on"), (["-O2", "-fno-near"], "-fno-near is given"), \
                (["-O2", "-fsanitize=thread"], "the thread sanitizer must see it"):
            report = self.run_tool(self.caf, *options, "-fcaf-report", "-c", "ring_m.f90", **self.environment)
            self.assertRegex(report.stderr, rf"^ring_m\.f90:{line}:\d+: missed: put stays a call: {why}\n")

    def test_where_accesses_are_near(self):
        for options in ["-O2"], ["-Og", "-g"], ["-O3", "-fno-caf-bounds"], ["-O2", "-fopenmp"], ["-O2", "-flto"], \
                ["-O2", "-fno-near", "-fnear"], ["-O2", "-pipe"]:
            with self.subTest(options):
                self.assertTrue(self.compile(*options))
        for options in ["-O2", "-fno-near"], [], ["-O0", "-g"]:
            with self.subTest(options):
                self.assertFalse(self.compile(*options))
        self.compile("-O1", "-fsanitize=address,undefined")    # accessors of 15 and 16 are instrumented
        self.succeed(self.caf, "-O2", "-fsanitize=thread", "-c", "ring_m.f90", **self.environment)
        self.assertNotIn("_gfortran_caf_near", self.succeed("nm", "ring_m.o"))

    def test_c_beside_fortran(self):
        """cc1 has no -fcoarray, and files after those that it compiles still have it."""
        self.write("c.c", "int c(void);\nint c(void) { return 3; }\n")
        self.write("plus.cc", "int plus();\nint plus() { return 4; }\n")
        self.write("last.F90", "subroutine last\nprint *, this_image()\nend\n")
        self.assertTrue(self.compile("-O2", "c.c", "plus.cc", "last.F90", "-Wall", "-Wextra", "-Werror"))
        self.assertTrue(self.compile("-O2", "-flto", "c.c"))
        result = self.run_tool(self.caf, "c.c", "-c", "ring_m.f90", "plus.cc", "main.f90", **self.environment)
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_flang(self):
        """Other compilers get no coarray options."""
        self.write("version", "flang version 23.1.4\n")
        shown = self.succeed(self.caf, "--show", "-fno-near", "-fcaf-report", "main.f90", **self.environment)
        self.assertNotIn("plugin", shown)
        self.assertNotIn("report", shown)
        self.assertNotIn("-specs", shown)
        self.assertEqual(self.asked(), 0)


if __name__ == "__main__":
    bin_folder = os.path.dirname(programs()[1])
    CAF, CAFRUN = (os.path.join(bin_folder, tool) for tool in ("caf", "cafrun"))
    unittest.main(verbosity=2)
