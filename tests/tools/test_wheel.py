"""The wheel of scripts/make-wheel, installed by pip without a network: the environment passes the tests of an installed
tree, and auditwheel has named the wheel's systems."""
import os
import pathlib
import re
import subprocess
import sys
import unittest
import zipfile

import test_install
from support import programs, run, wheel

SOURCE = pathlib.Path(__file__).resolve().parents[2]
AUDITWHEEL, = re.findall(r"auditwheel==[\w.]+", (SOURCE / "scripts/install-deps").read_text())
CHECKER = wheel(AUDITWHEEL)


@unittest.skipUnless(CHECKER, f"there is no {AUDITWHEEL}; scripts/install-deps wheel installs it")
class Wheel(test_install.Install):
    found_by_caf_alone = {"libmimalloc.so.2", "libmimalloc.so.3"}
    test_uninstall = test_make_in_place_of_ninja = test_nothing_lies_outside_the_prefix = None

    @classmethod
    def install(cls):
        made = test_install.BUILD / "wheel"    # the wheel of make wheel, if this build made it
        environment = {**os.environ, "XDG_CACHE_HOME": str(CHECKER.parents[1])}    # the tests of Install have their own
        subprocess.run([sys.executable, SOURCE / "scripts/make-wheel", made], check=True, env=environment)
        cls.wheel, = made.glob("*.whl")
        cls.prefix = cls.folder / "an environment"
        run("python3", "-m", "venv", cls.prefix)
        cls.pip_install(cls.prefix)

    @classmethod
    def pip_install(cls, folder):
        run(folder / "bin/pip", "install", "--no-index", f"--find-links={cls.wheel.parent}", "copal-shmem")

    def test_systems(self):
        """If the C library is not newer than Debian 12's, the wheel needs at most 2.34."""
        libc = tuple(int(part) for part in os.confstr("CS_GNU_LIBC_VERSION").split()[1].split("."))
        needed = re.search(r"-py3-none-manylinux_2_(\d+)_\w+\.whl$", self.wheel.name)
        self.assertTrue(needed, self.wheel.name)
        self.assertLessEqual(int(needed[1]), 34 if libc <= (2, 36) else libc[1])

    def test_library_name(self):
        """ld finds the library by a script, and a program cannot load that as a second library."""
        for name in self.prefix.glob("lib/lib*.so"):
            self.assertRegex(name.read_text(), r"^INPUT\(lib\w+\.so\.2\)\n$")

    def test_who_needs_what(self):
        """Programs need only libraries of every system; modules may need others."""
        system = r"lib(c|m|gcc_s|shmem)\.so\.\d|ld-linux-.*"
        modules = {"ucx": r"libuc[pst]\.so\.0", "ofi": r"libfabric\.so\.1", "pmix": r"libpmix\.so\.2",
                   "lines": r"libdw\.so\.1"}
        names = [re.sub(r"^[^/]*\.data/data/", "", name) for name in zipfile.ZipFile(self.wheel).namelist()]
        self.assertEqual([name for name in names if "caf_plugin" in name], [])
        for file in [self.prefix / name for name in names if (self.prefix / name).is_file()]:
            if file.read_bytes()[:4] != b"\x7fELF":
                continue
            own = modules.get(file.name.removeprefix("libcopal-").removesuffix(".so"), system)
            for library in re.findall(r"NEEDED.*\[(.*)\]", run("readelf", "-d", file)):
                self.assertRegex(library, rf"^({system}|{own})$", file)

    def test_compilers(self):
        """Libraries of the user are named without a folder, because folders differ between machines."""
        for tool in "oshcc", "oshc++", "oshCC", "copal-oshcxx", "oshfort", "copal-caf":
            if (self.bin / tool).exists():
                self.assertNotIn("/", run(self.bin / tool, "-showme:command"))

    def test_cafrun(self):
        """It is a copy of oshrun, which finds what oshrun finds."""
        folder = self.new_folder()
        run(self.bin / "oshcc", self.folder / "sum.c", "-o", "sum", folder=folder)
        run(self.bin / "cafrun", "--profile", "-n", 3, "./sum", folder=folder)
        self.assertTrue((folder / "sum.profile/profile.json").exists())

    def test_removal(self):
        """pip removes all of it."""
        other = self.new_folder() / "other"
        run("python3", "-m", "venv", other)
        before = {path for path in other.rglob("*") if not path.is_dir()}
        self.pip_install(other)
        run(other / "bin/pip", "uninstall", "--yes", "copal-shmem")
        self.assertEqual({path for path in other.rglob("*") if not path.is_dir()
                          and "__pycache__" not in path.parts} - before, set())


if __name__ == "__main__":
    test_install.BUILD = pathlib.Path(programs()[1]).resolve().parents[1]
    unittest.main(verbosity=2)
