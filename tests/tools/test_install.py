"""make install, then the installed tree moved elsewhere: each way to compile against it gives a program that runs."""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile
import unittest

from support import OneFolder, programs, run
from test_caf import MODULE as RING_MODULE, PROGRAM as RING
from test_oshcc import PROGRAM

BUILD = None    # the build tree, set from the command line
SOURCE = pathlib.Path(__file__).resolve().parents[2]

PROJECT = """
cmake_minimum_required(VERSION 3.16)
project(user LANGUAGES C)
find_package(Copal 0.1 REQUIRED)
add_executable(sum sum.c)
target_link_libraries(sum PRIVATE Copal::shmem)
enable_testing()
add_test(NAME sum COMMAND ${Copal_OSHRUN} -n 3 $<TARGET_FILE:sum>)
set_tests_properties(sum PROPERTIES PASS_REGULAR_EXPRESSION "^sum 60\n$")
"""

FORTRAN_PROJECT = """
cmake_minimum_required(VERSION 3.16)
project(user LANGUAGES Fortran)
find_package(Copal 0.1 REQUIRED COMPONENTS shmem_fortran)
add_executable(ring ring.f90)
add_executable(classic classic.f)
add_executable(quit quit.f90)
target_link_options(quit PRIVATE -static-libgfortran)
foreach(program ring classic quit)
    target_link_libraries(${program} PRIVATE Copal::shmem_fortran)
endforeach()
"""

CAF_PROJECT = """
cmake_minimum_required(VERSION 3.16)
project(user LANGUAGES Fortran)
find_package(Copal 0.1 REQUIRED COMPONENTS caf)
add_executable(ring main.f90 ring_m.f90)
target_link_libraries(ring Copal::caf)
add_executable(quit quit.f90)
target_link_options(quit PRIVATE -static-libgfortran)
target_link_libraries(quit Copal::caf)
"""

# The signal of Ctrl-\, also in a program that contains libgfortran.
QUIT = """
program quit
  implicit none
  integer :: status
  call kill(getpid(), 3, status)
  print '(a)', 'goes on'
end program
"""


class Install(OneFolder):
    found_by_caf_alone = set()    # libraries

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        os.environ["XDG_CACHE_HOME"] = str(cls.folder / "cache")    # what caf finds out about plugins there
        (cls.folder / "sum.c").write_text(PROGRAM)
        cls.install()
        cls.bin = cls.prefix / "bin"

    @classmethod
    def install(cls):
        # Installs into a staging folder, as packagers do, then moves the tree to an unplanned place.
        run("cmake", "--install", BUILD, "--prefix", "/opt/copal", DESTDIR=cls.folder / "staging")
        cls.prefix = cls.folder / "moved to a folder with spaces"
        (cls.folder / "staging/opt/copal").rename(cls.prefix)

    def new_folder(self):
        return pathlib.Path(tempfile.mkdtemp(dir=self.folder))

    def fortran(self):
        """The gfortran that this was built with."""
        if not (self.bin / "oshfort").exists():
            self.skipTest("built without gfortran")
        return run(self.bin / "oshfort", "-showme:command").strip()

    def sum_of(self, program):
        return run(self.bin / "copal-oshrun", "-n", 3, program, folder=self.folder)

    def test_nothing_lies_outside_the_prefix(self):
        self.assertEqual([path for path in (self.folder / "staging").rglob("*") if not path.is_dir()], [])

    def test_uninstall(self):
        """make uninstall removes all installed files, and folders that are then empty; other files stay."""
        staging, prefix = self.folder / "another", "/opt/copal too"
        run("cmake", "--install", BUILD, "--prefix", prefix, DESTDIR=staging)
        others = [staging / f"opt/copal too/{name}"
                  for name in ("bin/other", "lib/copal/other", "share/man/man1/.other")]
        for path in others:
            path.write_text("not Copal's\n")
        uninstall = ["cmake", "-D", f"BUILD={BUILD}", "-D", f"PREFIX={prefix}", "-P", SOURCE / "cmake/uninstall.cmake"]
        for says in r"\d+ files are removed from .*/opt/copal too\n", "nothing was removed: .* is PREFIX .*\n":
            done = subprocess.run(uninstall, env={**os.environ, "DESTDIR": str(staging)}, capture_output=True,
                                  text=True)
            self.assertEqual((done.returncode, done.stdout), (0, ""))
            self.assertRegex(done.stderr, f"^{says}$")
        left = {path for path in staging.rglob("*") if path.is_symlink() or not path.is_dir()}
        self.assertEqual(left, set(others))
        folders = {str(path.relative_to(staging)) for path in staging.rglob("*") if path.is_dir()}
        self.assertEqual(folders, {"opt", "opt/copal too", *(f"opt/copal too/{name}" for name in (
            "bin", "lib", "lib/copal", "share", "share/man", "share/man/man1"))})

    def test_make_in_place_of_ninja(self):
        """Ninja creates the folders of commands' outputs, make does not."""
        build = self.folder / "by-make"
        run("cmake", "-G", "Unix Makefiles", "-S", SOURCE, "-B", build, "-DCOPAL_TESTS=OFF")
        run("cmake", "--build", build, "--target", "manual", "copal_races_links")

    def test_names(self):
        others = [tool for tool in ("oshfort", "caf") if (self.bin / tool).exists()]
        for tool in "oshcc", "oshc++", "oshCC", "oshcxx", "oshrun", "cafrun", *others:
            self.assertTrue(os.access(self.bin / tool, os.X_OK), tool)
            self.assertEqual((self.bin / f"copal-{tool}").read_bytes(), (self.bin / tool).read_bytes())

    def test_rights(self):
        """Installed files have no special rights, and no other user may change them."""
        for path in self.prefix.rglob("*"):
            mode = path.lstat().st_mode
            self.assertFalse(mode & 0o6000 or (mode & 0o002 and not path.is_symlink()), f"{path}: {mode:o}")

    def test_headers(self):
        ours = {path.relative_to(SOURCE / "include") for path in (SOURCE / "include").rglob("*.h")}
        installed = {path.relative_to(self.prefix / "include") for path in (self.prefix / "include").rglob("*.h")}
        self.assertEqual(installed, ours)
        self.assertIn(pathlib.Path("shmem.h"), installed)

    def test_man_pages(self):
        for page in "oshcc.1", "oshc++.1", "oshCC.1", "oshcxx.1", "oshrun.1", "cafrun.1", "copal-environment.7", \
                "shmem.7", "shmem_put.3", "shmem_ctx_double_put.3", "shmemx.3", "shcoll.3":
            self.assertTrue((self.prefix / f"share/man/man{page[-1]}" / page).is_file(), page)
        self.assertEqual((self.prefix / "share/man/man3/shmem_put.3f").is_file(), (self.bin / "oshfort").exists())

    def test_nothing_names_the_build_or_source_tree(self):
        """Debugging symbols may name the build tree; scripts, package files and run paths may not."""
        for path in self.prefix.rglob("*"):
            if not path.is_file():
                continue
            text = path.read_bytes()
            if text.startswith((b"\x7fELF", b"!<arch>")):
                text = run("readelf", "-d", path).encode()
            for folder in BUILD, SOURCE:
                self.assertFalse(str(folder).encode() in text, f"{path} names {folder}")

    def test_oshcc(self):
        for tool in "oshcc", "copal-oshcc":
            run(self.bin / tool, "-Wall", "-Werror", "sum.c", "-o", "by-oshcc", folder=self.folder)
            self.assertEqual(self.sum_of("./by-oshcc"), "sum 60\n")

    def test_profile_and_races(self):
        """Libraries that are loaded before the program, from a prefix with spaces."""
        if not all((self.prefix / f"lib/copal/libcopal-{name}.so").exists() for name in ("profile", "races")):
            self.skipTest("built without one of them")
        for flags in [], ["--races"]:
            run(self.bin / "oshcc", *flags, "sum.c", "-o", "sum", folder=self.folder)
            done = subprocess.run([self.bin / "oshrun", "-n", "3", *(flags or ["--profile=counted"]), "./sum"],
                                  cwd=self.folder, capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stdout), (0, "sum 60\n"), done.stderr)
            self.assertNotIn("preload", done.stderr)
        self.assertIn("shmem", (self.folder / "counted/profile.json").read_text())

    def test_preload_from_a_folder_with_a_colon(self):
        """LD_PRELOAD cannot name it: an error, and no run without a profile."""
        if not (self.prefix / "lib/copal/libcopal-profile.so").exists():
            self.skipTest("built without --profile")
        copy = self.new_folder() / "a:b"
        for name in "bin/oshrun", "bin/copal-profile", "lib/copal/libcopal-profile.so":
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(self.prefix / name, copy / name)
        done = subprocess.run([copy / "bin/oshrun", "-n", "1", "--profile=counted", "true"], cwd=self.folder,
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, "^oshrun: --profile needs .*/a:b/.*, which cannot be loaded: .*\n$")

    def test_oshcplusplus(self):
        (self.folder / "sum.cpp").write_text(PROGRAM)
        for tool in "copal-oshc++", "oshCC", "copal-oshcxx":
            run(self.bin / tool, "-Wall", "-Werror", "sum.cpp", "-o", f"by-{tool}", folder=self.folder)
            self.assertEqual(self.sum_of(f"./by-{tool}"), "sum 60\n")

    def test_oshfort(self):
        if not (self.bin / "oshfort").exists():
            self.skipTest("built without gfortran")
        run(self.bin / "copal-oshfort", SOURCE / "examples/ring.f90", "-o", "by-oshfort", folder=self.folder)
        self.assertIn("sum over 3 PEs: 2508.0", self.sum_of("./by-oshfort"))
        run(self.bin / "oshfort", SOURCE / "examples/classic.f", "-o", "by-oshfort-classic", folder=self.folder)
        self.assertIn("pi is about 3.14159265", self.sum_of("./by-oshfort-classic"))

    def coarrays(self):
        """A folder with a coarray program of two files."""
        if subprocess.run([self.bin / "caf", "--show"], stdout=subprocess.DEVNULL).returncode:
            self.skipTest("built without coarrays")
        folder = self.new_folder()
        (folder / "ring_m.f90").write_text(RING_MODULE)
        (folder / "main.f90").write_text(RING)
        (folder / "quit.f90").write_text(QUIT)
        return folder

    def check_ring(self, program):
        for tool in "cafrun", "copal-cafrun":
            self.assertEqual(run(self.bin / tool, "-n", 3, program), "sum 60\n")

    def test_caf(self):
        folder = self.coarrays()
        for tool in "caf", "copal-caf":
            run(self.bin / tool, "-Wall", "-Werror", "ring_m.f90", "main.f90", "-o", tool, folder=folder)
            self.check_ring(folder / tool)

    def has_plugin(self):
        return "-fplugin=" in run(self.bin / "caf", "--show")

    def check_ring_is_near(self, program, expected):
        self.check_ring(program)
        self.assertEqual("_gfortran_caf_near" in run("nm", "-D", program), expected)

    def test_find_package_for_coarrays(self):
        folder = self.coarrays()
        (folder / "CMakeLists.txt").write_text(CAF_PROJECT)
        configure = ["cmake", "-S", folder, "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={self.prefix}",
                     f"-DCMAKE_Fortran_COMPILER={self.fortran()}", "-DCMAKE_BUILD_TYPE=Release"]
        run(*configure)
        run("cmake", "--build", folder / "build")
        self.check_ring_is_near(folder / "build/ring", self.has_plugin())
        self.assertEqual(self.sum_of(folder / "build/quit"), 3 * "goes on\n")
        # With another compiler CMake names the missing part, but only if a project requires coarrays.
        text = CAF_PROJECT.replace("find_package", "set(CMAKE_Fortran_COMPILER_VERSION 17.1.0)\nfind_package")
        (folder / "CMakeLists.txt").write_text(text)
        with self.assertRaisesRegex(AssertionError, "Copal::caf_needs_gfortran_12_to_16_or_flang_22_or_23"):
            run(*configure)
        (folder / "CMakeLists.txt").write_text(text.replace("Copal::caf)", "Copal::shmem)"))
        run(*configure)

    def test_find_package_where_the_plugin_does_not_load(self):
        folder = self.coarrays()
        if not self.has_plugin():
            self.skipTest("there is no plugin for this gfortran")
        other = folder / "other"
        shutil.copytree(self.prefix, other, symlinks=True)
        for plugin in other.rglob("caf_plugin_*.so"):
            plugin.write_bytes(b"")
        (folder / "CMakeLists.txt").write_text(CAF_PROJECT)
        run("cmake", "-S", folder, "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={other}",
            f"-DCMAKE_Fortran_COMPILER={self.fortran()}", "-DCMAKE_BUILD_TYPE=Release")
        run("cmake", "--build", folder / "build")
        self.check_ring_is_near(folder / "build/ring", False)

    def test_copal_within_a_project(self):
        """caf's plugin exists before the project is compiled."""
        folder = self.coarrays()
        if not self.has_plugin():
            self.skipTest("there is no plugin for this gfortran")
        text = CAF_PROJECT.replace("find_package(Copal 0.1 REQUIRED COMPONENTS caf)",
                                   f"set(COPAL_TESTS OFF)\nadd_subdirectory({SOURCE} copal)")
        (folder / "CMakeLists.txt").write_text(text)
        run("cmake", "-G", "Ninja", "-S", folder, "-B", folder / "build", f"-DCMAKE_Fortran_COMPILER={self.fortran()}")
        before = run("ninja", "-C", folder / "build", "-t", "commands", "CMakeFiles/ring.dir/main.f90-pp.f90")
        self.assertRegex(before, r"-o copal/lib/copal/caf_plugin_\d+\.so ")

    def packages(self):
        """The folder of the .pc files, by a name without spaces, since the shell splits what pkg-config prints."""
        link = self.folder / "without-spaces"
        if not link.exists():
            link.symlink_to(self.prefix)
        return link / next(self.prefix.rglob("copal.pc")).parent.relative_to(self.prefix)

    def by_pkg_config(self, package, compiler, *sources, folder, more=""):
        for source in sources:
            run("sh", "-c", f"{compiler} -c {source} $(pkg-config --cflags {package})", folder=folder,
                PKG_CONFIG_PATH=self.packages())
        run("sh", "-c", f"{compiler} {more} *.o $(pkg-config --libs {package}) -o by-pkg-config", folder=folder,
            PKG_CONFIG_PATH=self.packages())
        return folder / "by-pkg-config"

    def test_pkg_config(self):
        program = self.by_pkg_config("copal", "cc", "../sum.c", folder=self.new_folder())
        self.assertEqual(self.sum_of(program), "sum 60\n")
        version = run("pkg-config", "--modversion", "copal", PKG_CONFIG_PATH=self.packages()).strip()
        self.assertIn(f" {version},", run(self.bin / "oshcc", "--version"))

    def test_pkg_config_for_fortran(self):
        fortran = self.fortran()
        program = self.by_pkg_config("copal-fortran", fortran, SOURCE / "examples/ring.f90", folder=self.new_folder())
        self.assertIn("sum over 3 PEs: 2508.0", self.sum_of(program))
        program = self.by_pkg_config("copal-fortran", fortran, SOURCE / "examples/classic.f", folder=self.new_folder())
        self.assertIn("pi is about 3.14159265", self.sum_of(program))

    def test_pkg_config_with_libgfortran_in_the_program(self):
        for package in "copal-fortran", "copal-caf":
            folder = self.coarrays()
            program = self.by_pkg_config(package, self.fortran(), "quit.f90", folder=folder,
                                         more="-static-libgfortran")
            self.assertEqual(self.sum_of(program), 3 * "goes on\n")

    def test_pkg_config_for_coarrays(self):
        folder = self.coarrays()
        for plugin in [], ["-fplugin=$(pkg-config --variable=plugin copal-caf)"] if self.has_plugin() else []:
            compiler = " ".join([self.fortran(), "-O2", *plugin])
            program = self.by_pkg_config("copal-caf", compiler, "ring_m.f90", "main.f90", folder=folder)
            self.check_ring_is_near(program, bool(plugin))
        run(self.bin / "caf", "ring_m.f90", "main.f90", "-o", "by-caf", folder=folder)
        libraries = [re.findall(r"^\s*(\S+) =>", run("ldd", file), re.M) for file in (program, folder / "by-caf")]
        self.assertLessEqual(set(libraries[1]) - self.found_by_caf_alone, set(libraries[0]))

    def test_pkg_config_names_no_folder_twice(self):
        for pc in self.packages().glob("*.pc"):
            flags = shlex.split(run("pkg-config", "--cflags", "--libs", pc.stem, PKG_CONFIG_PATH=self.packages()))
            self.assertEqual(len(set(flags)), len(flags), flags)
            for flag in flags:
                self.assertNotIn("//", flag)

    def test_find_package(self):
        project = self.folder / "project"
        project.mkdir()
        (project / "CMakeLists.txt").write_text(PROJECT)
        (project / "sum.c").write_text(PROGRAM)
        run("cmake", "-S", project, "-B", project / "build", f"-DCMAKE_PREFIX_PATH={self.prefix}")
        run("cmake", "--build", project / "build")
        run("ctest", "--test-dir", project / "build", "--output-on-failure", "--no-tests=error")

    def test_find_package_for_fortran(self):
        compiler = self.fortran()
        project = self.new_folder()
        (project / "CMakeLists.txt").write_text(FORTRAN_PROJECT)
        for source in "ring.f90", "classic.f":
            (project / source).write_text((SOURCE / "examples" / source).read_text())
        (project / "quit.f90").write_text(QUIT)
        run("cmake", "-S", project, "-B", project / "build", f"-DCMAKE_PREFIX_PATH={self.prefix}",
            f"-DCMAKE_Fortran_COMPILER={compiler}")
        run("cmake", "--build", project / "build")
        self.assertIn("sum over 3 PEs: 2508.0", self.sum_of(project / "build/ring"))
        self.assertIn("pi is about 3.14159265", self.sum_of(project / "build/classic"))
        self.assertEqual(self.sum_of(project / "build/quit"), 3 * "goes on\n")

    def test_find_package_without_fortran(self):
        """If only a part is installed, C is found, and a project that requires more gets the name of the missing
        part."""
        part = self.new_folder() / "part"
        shutil.copytree(self.prefix, part, symlinks=True)
        for path in [*part.rglob("CopalFortran*"), *part.rglob("CopalCaf*"), *part.rglob("*fortran*.so*")]:
            path.unlink()
        for component, message in ("shmem", None), ("caf", "Copal is installed without caf"):
            project = self.new_folder()
            (project / "sum.c").write_text(PROGRAM)
            (project / "CMakeLists.txt").write_text(PROJECT.replace("REQUIRED", f"REQUIRED COMPONENTS {component}"))
            command = ["cmake", "-S", project, "-B", project / "build", f"-DCMAKE_PREFIX_PATH={part}"]
            if message:
                with self.assertRaisesRegex(AssertionError, message):
                    run(*command)
            else:
                run(*command)

    def test_library_name(self):
        library = next(self.prefix.rglob("libshmem.so"))
        self.assertTrue(library.is_symlink())
        self.assertTrue(re.search(r"SONAME.*\[libshmem\.so\.2\]", run("readelf", "-d", library)))


if __name__ == "__main__":
    BUILD = pathlib.Path(programs()[1]).resolve().parents[1]
    unittest.main(verbosity=2)
