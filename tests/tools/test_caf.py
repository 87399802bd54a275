"""caf as a user calls it: one step and several, options that it passes on, errors, and builds as by build tools."""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import unittest

from support import LIMIT, InFolder, programs

CAF = CAFRUN = None    # set from the command line

# Each image writes 10 x its own number to the next image, so the sum is right only if every put has arrived.
MODULE = """
module ring_m
    implicit none
    integer, save :: from[*] = 0
contains
    subroutine pass
        from[mod(this_image(), num_images()) + 1] = 10 * this_image()
        sync all
    end subroutine
end module
"""

PROGRAM = """
program main
    use ring_m
    implicit none
    integer :: i, total
    call pass
    total = 0
    do i = 1, num_images()
        total = total + from[i]
    end do
    if (this_image() == num_images()) print '(a,i0)', 'sum ', total
end program
"""

# A program that plain gfortran compiles right in all versions.
SINGLE = """
    implicit none
    integer, save :: from[*] = 0
    integer :: total
    from[mod(this_image(), num_images()) + 1] = 10 * this_image()
    sync all
    total = from
    call co_sum(total)
    if (this_image() == 1) print '(a, i0)', 'sum ', total
end
"""

UNEQUAL = """
    integer, allocatable :: a(:)[:]
    allocate (a(10 * this_image())[*])
end
"""

POSTS = """
    use iso_fortran_env, only: event_type
    implicit none
    type(event_type), save :: posted[*]
    real, save :: a(1000, 0:1)[*], b(1000) = 1
    integer :: i
    do i = 1, 1000
        a(:, mod(i, 2))[3 - this_image()] = i * b
        event post (posted[3 - this_image()])
        event wait (posted)
        if (any(a(:, mod(i, 2)) /= i)) error stop
    end do
end
"""

# A hundred sections of 16 rows and 64 columns of an array with `rows` rows.
SECTIONS = """
    implicit none
    integer, parameter :: rows = {rows}
    integer, save :: a(rows, 64)[*], b(rows, 64)
    integer :: i
    b = 1
    sync all
    if (this_image() == 1) then
        do i = 1, 100
            a(1:31:2, :)[2] = b(1:31:2, :)
        end do
    end if
    sync all
    if (this_image() == 2 .and. sum(a) /= 16 * 64) error stop
end
"""

# Errors of gfortran 12 that the library can detect: {name: declarations, statements, words of the sentence}.
REFUSED = {
    "vector subscript of any length": (
        "integer, save :: a(6)[*]; integer :: b(6); integer, allocatable :: j(:)", "j = [5, 1, 4]; b(j) = a(1:3)[1]",
        r"get: dimension 1 has \d+ elements on the left-hand side, and 3 on the other"),
    "vector subscript, one element": (
        "integer, save :: a(6)[*]; integer :: b(6); integer, allocatable :: j(:)",
        "j = [5]; call use_stack; b(j) = a(n:n)[1]", r"get: dimension 1 has \d+ elements .*, and 1 on the other"),
    "copy in an expression": (
        "integer, allocatable :: g(:)[:]; integer :: v(3)",
        "allocate (g(6)[*]); g = 1; v = 2; print *, sum(2 * g(v)[1])",
        r"get: an access -?\d+ bytes from the beginning of a coarray, which has 24 bytes"),
    "out of bounds": ("integer, save :: a(6)[*]", "a(6 * n + 1)[1] = 1", r"put: an access 24 bytes .* has 24 bytes"),
    "atomic out of bounds": (
        "integer(atomic_int_kind), save :: a(2)[*]", "call atomic_add(a(2 * n + 1)[1], 1)",
        r"atomic_add: an access 8 bytes .* has 8 bytes"),
    "not allocated": ("integer, allocatable :: a(:)[:]", "allocate (a(3)[*]); deallocate (a); a(n)[1] = 1",
                      "put: the coarray is not allocated"),
    "trim": ("character(8), save :: s[*]; character(8) :: t", "t = 'ab'; s[1] = trim(t)",
             "put: a character expression whose length gfortran does not pass"),
}

class Caf(InFolder):
    def setUp(self):
        super().setUp()
        self.write("ring_m.f90", MODULE)
        self.write("main.f90", PROGRAM)

    def check_sum(self, program, images=3):
        self.assertEqual(self.succeed(CAFRUN, "-n", images, program), f"sum {5 * images * (images + 1)}\n")

    def only_old_compilers(self, why="the faults are those of gfortran 12 to 14"):
        if int(self.succeed(CAF, "-dumpversion").split(".")[0]) > 14:
            self.skipTest(why)

    def compiler_that_says(self, text):
        path = self.write("compiler", f"#!/bin/sh\necho '{text}'\n")
        path.chmod(0o755)
        return path

    def test_several_files(self):
        self.succeed(CAF, "-O2", "-Wall", "-Werror", "ring_m.f90", "main.f90", "-o", "ring")
        self.check_sum("./ring")
        self.check_sum("./ring", 1)
        self.check_sum("./ring", 5)

    def test_without_mimalloc(self):
        """A library that existed when Copal was built is now missing or in another folder."""
        tool = pathlib.Path(CAF).read_text()
        mimalloc = re.search(r"/\S*/libmimalloc[.\w]*", tool)
        if not mimalloc:
            self.skipTest("this caf links no mimalloc")
        (self.folder / "lib").symlink_to(pathlib.Path(CAF).resolve().parent.parent / "lib")
        gone = self.write("bin/caf", tool.replace(mimalloc[0], mimalloc[0] + ".gone"))
        gone.chmod(0o755)
        own = self.succeed(CAF, "-showme:command").strip()
        elsewhere = self.write("elsewhere", f"""#!/bin/sh
            case $1 in
            -print-file-name=*) echo "$MIMALLOC" ;;
            *) exec {own} "$@" ;;
            esac
            """)
        elsewhere.chmod(0o755)
        for there in mimalloc[0], "libmimalloc.so":
            self.succeed(gone, "ring_m.f90", "main.f90", "-o", "ring", CAF_FC=elsewhere, MIMALLOC=there)
            self.assertEqual("mimalloc" in self.succeed("readelf", "-d", "ring"), there != "libmimalloc.so")
            self.check_sum("./ring")

    def test_launcher_is_a_script(self):
        """CTest files of OpenCoarrays run programs by `bash cafrun`; a shell looks for it here, then on the PATH."""
        self.succeed(CAF, "ring_m.f90", "main.f90", "-o", "ring")
        link, tools = self.folder / "link", pathlib.Path(CAFRUN).resolve().parent
        link.symlink_to(CAFRUN)
        for shell, launcher, folder in (("bash", CAFRUN, "."), ("sh", CAFRUN, "."), ("bash", "./link", "."),
                                        ("bash", "link", "."), ("bash", "cafrun", tools), ("bash", "cafrun", ".")):
            ended = subprocess.run([shell, launcher, "-np", "3", self.folder / "ring"], cwd=self.folder / folder,
                                   env={**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"}, text=True,
                                   capture_output=True, timeout=LIMIT)
            self.assertEqual((ended.returncode, ended.stdout, ended.stderr), (0, "sum 60\n", ""), launcher)

    def test_puts_of_two_modules(self):
        """gfortran 15 and 16 use a variable of the same name for the first put in each file, and never define it."""
        for name, other in ("first", "second"), ("second", "first"):
            self.write(f"{name}.f90", f"""
                module {name}_m
                    integer, save :: {name}_box[*] = 0, {name}_{other}[*] = 0
                contains
                    subroutine {name}(image)
                        integer, intent(in) :: image
                        {name}_box[image] = {len(name)} * this_image()
                        {name}_{other}[image] = -this_image()
                    end subroutine
                end module
                """)
        self.write("two.f90", """
            use first_m
            use second_m
            integer :: last
            last = modulo(this_image() - 2, num_images()) + 1
            call first(mod(this_image(), num_images()) + 1)
            call second(mod(this_image(), num_images()) + 1)
            sync all
            if (first_box /= 5 * last .or. second_box /= 6 * last) error stop 3
            if (first_second /= -last .or. second_first /= -last) error stop 4
            end
            """)
        self.succeed(CAF, "-c", "first.f90", "-O2")
        for options in [], ["-pipe", "-fPIC"]:
            self.succeed(CAF, "first.o", "second.f90", "two.f90", *options, "-o", "two")
            for images in 1, 3:
                self.succeed(CAFRUN, "-n", images, "./two")

    def test_default_name(self):
        self.succeed(CAF, "ring_m.f90", "main.f90")
        self.check_sum("./a.out", 2)

    def test_several_steps(self):
        """Compiles as build tools do: separate folders for objects and modules, and a library between."""
        for folder in "modules", "objects", "lib":
            (self.folder / folder).mkdir()
        self.succeed(CAF, "-c", "-fPIC", "ring_m.f90", "-J", "modules", "-o", "objects/ring_m.o")
        self.assertTrue((self.folder / "modules/ring_m.mod").exists())
        self.assertNotEqual(self.run_tool(CAF, "-c", "main.f90", "-o", "objects/main.o").returncode, 0)
        self.succeed(CAF, "-c", "main.f90", "-Imodules", "-o", "objects/main.o")
        self.succeed("ar", "-rcs", "lib/libring.a", "objects/ring_m.o")
        self.succeed(CAF, "objects/main.o", "lib/libring.a", "-o", "by-archive")
        self.check_sum("./by-archive")
        self.succeed(CAF, "objects/main.o", "-Llib", "-lring", "-o", "by-name")
        self.check_sum("./by-name", 4)
        self.succeed(CAF, "-shared", "objects/ring_m.o", "-o", "lib/libring.so")
        self.succeed(CAF, "objects/main.o", "lib/libring.so", f"-Wl,-rpath,{self.folder}/lib", "-o",
                     "by-shared-library")
        self.check_sum("./by-shared-library")

    def test_options_pass(self):
        self.write("words.F90", 'print *, WORD, kind(1.0)\nsync all\nend\n')
        self.succeed(CAF, '-DWORD="two  words"', "-fdefault-real-8", "words.F90", "-o", "words")
        self.assertEqual(self.succeed(CAFRUN, "-n", 1, "./words").split(), ["two", "words", "8"])
        self.write("long.txt", "print *, " + "1 + " * 60 + "1, this_image()\nend\n")
        short = self.run_tool(CAF, "-x", "f95", "-ffree-form", "-ffree-line-length-132", "long.txt", "-o", "long")
        self.assertNotEqual(short.returncode, 0)
        self.succeed(CAF, "-x", "f95", "-ffree-form", "-ffree-line-length-none", "long.txt", "-o", "long")
        self.assertEqual(self.succeed(CAFRUN, "-n", 1, "./long").split(), ["61", "1"])

    def test_no_library_without_link(self):
        for option in "-c", "-S", "-E", "-fsyntax-only":
            shown = shlex.split(self.succeed(CAF, "-cpp", option, "ring_m.f90", "--show"))
            self.assertIn("-fcoarray=lib", shown)
            self.assertFalse([word for word in shown if word.startswith(("-l", "-Wl,", "-L"))], shown)
            self.succeed(CAF, "-cpp", option, "ring_m.f90")
        self.assertNotIn("-lcaf", self.succeed(CAF, "-dumpmachine", "--show"))
        self.assertIn("-lcaf_gfortran", self.succeed(CAF, "main.f90", "--show"))

    def test_show_is_the_command(self):
        folder = self.folder / "it's a folder"
        folder.mkdir()
        for name in "ring_m.f90", "main.f90":
            shutil.copy(self.folder / name, folder)
        shown = self.succeed(CAF, "--show", folder / "ring_m.f90", folder / "main.f90", "-o", "ring")
        self.assertEqual(shown.count("\n"), 1)
        self.assertFalse((self.folder / "ring").exists(), "--show ran the compiler")
        self.succeed("sh", "-c", shown)
        self.check_sum("./ring")

    def test_with_c_and_shmem(self):
        """An image is a PE: C code and the module shmem work in a coarray program."""
        self.write("pe.c", "#include <shmem.h>\nint pe(void);\nint pe(void) { return shmem_my_pe(); }\n")
        self.write("both.f90", """
            use shmem
            interface
                integer(c_int) function pe() bind(c)
                    use iso_c_binding, only: c_int
                end function
            end interface
            if (pe() + 1 /= this_image() .or. shmem_n_pes() /= num_images()) error stop 3
            sync all
            end
            """)
        shmem = pathlib.Path(CAF).resolve().parent / "oshcc"
        self.succeed(shmem, "-c", "pe.c")
        self.succeed(CAF, "both.f90", "pe.o", "-o", "both")
        self.succeed(CAFRUN, "-n", 3, "./both")

    def test_static_is_refused(self):
        for option in "-static", "--static", "-static-pie":
            self.assertIn(option, self.refuse(CAF, option, "ring_m.f90", "main.f90", "-o", "ring"))
        self.succeed(CAF, "-static-libgfortran", "-static-libgcc", "ring_m.f90", "main.f90", "-o", "ring")
        self.check_sum("./ring")

    def test_compiler_of_the_environment(self):
        gfortran = shlex.split(self.succeed(CAF, "--show", "-c"))[0]
        shown = self.succeed(CAF, "--show", "-c", "main.f90", CAF_FC=f"{gfortran} -O1")
        self.assertEqual(shlex.split(shown)[:3], [gfortran, "-O1", "-fcoarray=lib"])
        self.assertIn("'no-such-fc'", self.refuse(CAF, "main.f90", CAF_FC="no-such-fc -O2"))

    def test_versions(self):
        """Each generation of compilers has a library, because interfaces differ."""
        for said, library, flag in (
                ("GNU Fortran (Debian 12.2.0-14+deb12u1) 12.2.0", "caf_gfortran12", "-fcoarray=lib"),
                ("GNU Fortran (GCC) 13.3.0", "caf_gfortran12", "-fcoarray=lib"),
                ("GNU Fortran (Ubuntu 14.0.1-1ubuntu1) 14.0.1 20240412 (experimental) [master]", "caf_gfortran12",
                 "-fcoarray=lib"),
                ("GNU Fortran (Debian 15.2.0-3) 15.2.0", "caf_gfortran15", "-fcoarray=lib"),
                ("GNU Fortran (GCC) 16.0.0 20260101 (experimental)", "caf_gfortran16", "-fcoarray=lib"),
                ("Debian flang version 22.1.8 (3)", "prif_copal", "-fcoarray"),
                ("flang version 23.1.4 (https://example.org/llvm 0123abc)", "prif_copal", "-fcoarray")):
            compiler = self.compiler_that_says(said)
            shown = shlex.split(self.succeed(CAF, "--show", "-fcoarray=lib", "main.f90", CAF_FC=compiler))
            self.assertEqual([word for word in shown if word.startswith(("-lcaf", "-lprif"))], [f"-l{library}"])
            self.assertIn(flag, shown)
            self.assertEqual("-fcoarray=lib" in shown, flag == "-fcoarray=lib")
            self.assertEqual(self.succeed(CAF, "-showme:libs", CAF_FC=compiler).split().count(library), 1)
        for said, found in (("GNU Fortran (GCC) 11.4.0", "gfortran 11.4.0"),
                            ("GNU Fortran (GCC) 17.0.0 20270101 (experimental)", "gfortran 17.0.0"),
                            ("GNU Fortran (GCC) 1.2.0", "gfortran 1.2.0"),
                            ("flang version 21.1.8", "flang 21.1.8"), ("flang-new version 19.1.7 (3)", "flang 19.1.7"),
                            ("gcc (Debian 12.2.0-14) 12.2.0", "neither gfortran nor flang"),
                            ("ifx (IFX) 2025.0.4", "neither"), ("", "neither")):
            sentence = self.refuse(CAF, "main.f90", CAF_FC=self.compiler_that_says(said))
            self.assertIn(found, sentence)
            self.assertIn("set CAF_FC to one of gfortran 12 to 16, flang 22 or 23", sentence)

    def test_modules_are_for_who_reads_them(self):
        """gfortran 15 changed the files of modules."""
        if not (pathlib.Path(CAF).parent / "oshfort").exists():
            self.skipTest("built without gfortran")
        own = int(self.succeed(CAF, "-dumpversion").split(".")[0])
        for version in range(12, 17):
            said = self.compiler_that_says(f"GNU Fortran (GCC) {version}.1.0")
            folders = self.succeed(CAF, "-showme:incdirs", CAF_FC=said)
            self.assertEqual("finclude" in folders, (version < 15) == (own < 15), folders)
        self.write("user.f90", "program user\n    use, non_intrinsic :: shmem, only: shmem_init\nend\n")
        self.write("classic.f90", "include 'shmem.fh' ! use shmem, not\nend\n")
        other, mine = (12, "15 and 16") if own > 14 else (15, "12 to 14")
        path = self.write("other", f"#!/bin/sh\n[ $1 = -dumpversion ] && echo {other} || echo compiles\n")
        path.chmod(0o755)
        oshfort = pathlib.Path(CAF).parent / "oshfort"
        said = self.compiler_that_says(f"GNU Fortran (GCC) {other}.1.0")
        for tool, settings in (oshfort, {"OSHCC_FC": path}), (CAF, {"CAF_FC": said}):
            sentence = self.refuse(tool, "-c", "user.f90", **settings)
            self.assertIn(f"user.f90 uses the module shmem, which this Copal has for gfortran {mine}, and", sentence)
            self.succeed(tool, "-c", "classic.f90", **settings)

    def object_of(self, name, version, *symbols):
        """An object file as another compiler makes it."""
        lines = [f'.section .comment,"MS",@progbits,1', f'.asciz "GCC: (Debian {version}-1) {version}"', ".data"]
        self.write(f"{name}.s", "\n".join([*lines, *(f".quad {symbol}" for symbol in symbols), ""]))
        self.succeed("gcc", "-c", f"{name}.s", "-o", f"{name}.o")
        return f"{name}.o"

    def test_mixed_generations(self):
        """The routines that the objects call, or the compiler that made them, determine their generation."""
        self.succeed(CAF, "-c", "ring_m.f90", "main.f90")
        own = int(self.succeed(CAF, "-dumpversion").split(".")[0])
        old, new = "_gfortran_caf_send", "_gfortran_caf_register_accessors_finish"
        either, near = "_gfortran_caf_num_images", "_gfortran_caf_value_get"
        for version, symbol in (("13.1.0", old), ("15.2.0", new), ("16.1.0", new), ("12.5.0", either),
                                ("15.0.1", either), ("16.2.1", either), ("14.2.0", near), ("15.2.0", near)):
            made = int(version.split(".")[0])
            if made == own or max(made, own) < 15:
                continue
            other = self.object_of("other", version, symbol)
            compiler = "gfortran 12 to 14" if symbol == old else f"gfortran {made}"
            for command in ["main.o", "ring_m.o", other], [other, "main.f90", "ring_m.o"], [other]:
                sentence = self.refuse(CAF, *command, "-o", "ring")
                self.assertIn(f"caf: other.o was compiled by {compiler}, whose coarrays have another", sentence)
                self.assertIn(f"now gfortran {own}", sentence)
            self.succeed("ar", "rcs", "libother.a", other)
            self.assertIn("libother.a(other.o) was compiled by", self.refuse(CAF, "main.o", "ring_m.o", "libother.a"))
        flang = self.object_of("flang", "16.1.0", "_QMprifPprif_init")
        self.assertIn("flang.o was compiled by flang", self.refuse(CAF, "main.o", "ring_m.o", flang))
        plain = self.object_of("plain", "9.1.0", "shmem_my_pe")    # has no coarrays
        self.succeed(CAF, "main.o", "ring_m.o", plain, "-o", "ring")
        self.check_sum("./ring")

    def test_mixed_generations_without_caf(self):
        """A user who calls the compiler directly gets the sentence from the linker."""
        gfortran, *_ = shlex.split(self.succeed(CAF, "-showme:command"))
        own = int(self.succeed(CAF, "-dumpversion").split(".")[0])
        symbol = "_gfortran_caf_send" if own > 14 else "_gfortran_caf_send_to_remote"
        self.succeed(CAF, "-c", "ring_m.f90", "main.f90")
        result = self.run_tool(gfortran, "ring_m.o", "main.o", self.object_of("other", "16.1.0", symbol),
                               *shlex.split(self.succeed(CAF, "-showme:link")), "-o", "ring")
        self.assertNotEqual(result.returncode, 0)
        self.assertRegex(result.stderr, "warning: compiled by gfortran 1[0-9 toar]*, and linked for another compiler")

    def test_called_as_by_a_newer_one(self):
        """Objects of gfortran 16 link with the libraries for older ones where the names are the same."""
        if int(self.succeed(CAF, "-dumpversion").split(".")[0]) > 15:
            self.skipTest("built with gfortran 16")
        self.write("main.f90", "interface\nsubroutine newer() bind(c)\nend subroutine\nend interface\n"
                   "call newer\nend\n")
        team = "(void *)0x9e3779b97f4a7c15"
        for name, arguments, statement in (
                ("this_image", f"{team}", "this_image"), ("num_images", f"{team}, 0", "num_images"),
                ("num_images", "(void *)0, &one", "num_images"),
                ("form_team", "(void *)1, &space, &one, 0, 0, 0", "form team"),
                ("change_team", f"{team}, 0, 0, 0", "change team"), ("end_team", "&one, 0, 0", "end team"),
                ("sync_team", f"{team}, 0, 0, 0", "sync team")):
            with self.subTest(name):
                self.write("newer.c", f"int _gfortran_caf_{name}(void *, ...);\nint one = 1;\nlong space;\n"
                           f"void newer(void) {{ _gfortran_caf_{name}({arguments}); }}\n")
                self.succeed(CAF, "-w", "main.f90", "newer.c", "-o", "newer")
                self.assertRegex(self.refuse(CAFRUN, "-n", 2, "./newer"),
                                 rf"^copal: image \d: {statement}: called as gfortran 16 does, .* compile all of it")

    def test_objects_of_libcaf_shmem(self):
        """Compiled without caf, linked by caf or by options that name the library; and linked with libcaf_shmem,
        if gfortran has it."""
        gfortran, *_ = shlex.split(self.succeed(CAF, "-showme:command"))
        self.write("single.f90", SINGLE)
        self.succeed(gfortran, "-fcoarray=lib", "-c", "single.f90")
        own = self.succeed(CAF, "-showme:libs").split()[0]
        folder, = self.succeed(CAF, "-showme:libdirs").split()
        self.succeed(CAF, "single.o", "-o", "by-caf")
        self.succeed(gfortran, "single.o", f"-L{folder}", f"-Wl,-rpath,{folder}", f"-l{own}", "-o", "by-name")
        programs = ["./by-caf", "./by-name"]
        for program in programs:
            self.check_sum(program)
        if "/" in self.succeed(gfortran, "-print-file-name=libcaf_shmem.a"):
            self.succeed(gfortran, "single.o", "-lcaf_shmem", "-lrt", "-o", "there")
            self.assertIn("is linked with libcaf_shmem", self.run_tool(CAFRUN, "-n", 1, "./there").stderr)
            programs.append("./there")
        for program in programs:
            self.assertEqual(self.succeed(program, GFORTRAN_NUM_IMAGES="3"), "sum 60\n")

    def test_other_coarray_libraries(self):
        for word in "-lcaf_mpi", "-lcaf_single", "-lcaf_shmem", "lib/libcaf_openmpi.a", "-lcaffeine-smp":
            self.assertIn(f"{word} is another coarray library", self.refuse(CAF, "ring_m.f90", "main.f90", word))
        own = self.succeed(CAF, "-showme:libs").split()[0]
        self.succeed(CAF, "ring_m.f90", "main.f90", f"-l{own}", "-o", "ring")
        self.check_sum("./ring")

    def test_other_kinds_of_coarrays(self):
        gfortran, *_ = shlex.split(self.succeed(CAF, "-showme:command"))
        for option in "-fcoarray=single", "-fcoarray=shared", "-fcoarray=none":
            self.assertIn(f"{option} makes a program without Copal", self.refuse(CAF, option, "-c", "ring_m.f90"))
        self.succeed(gfortran, "-fcoarray=single", "-c", "ring_m.f90", "main.f90")
        self.assertIn("main.o has a main program that was compiled without coarrays, or by -fcoarray=single",
                      self.refuse(CAF, "main.o", "ring_m.o", "-o", "ring"))
        self.succeed(CAF, "-fcoarray=lib", "ring_m.f90", "main.f90", "-o", "ring")
        self.check_sum("./ring")

    def test_exit_code_is_the_compilers(self):
        self.write("wrong.f90", "implicit none\nx = 1\nend\n")
        result = self.run_tool(CAF, "wrong.f90")
        self.assertEqual(result.returncode, 1)
        self.assertIn("wrong.f90:2", result.stderr)
        self.assertNotEqual(self.run_tool(CAF).returncode, 0)

    def test_help_and_version(self):
        self.assertRegex(self.succeed(CAF, "--help"), r"^usage: caf (.|\n)*CAF_FC")
        self.assertRegex(self.succeed(CAF, "--version"),
                         r"^caf \(Copal\) \d+\.\d+\.\d+, coarrays of Fortran 2018, .*\nGNU Fortran ")

    def test_c_beside_fortran(self):
        self.write("three.c", "int three(void);\nint three(void) { return 3; }\n")
        for command in (["-c"], ["-o", "ring"]):
            result = self.run_tool(CAF, "ring_m.f90", "main.f90", "three.c", *command)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.check_sum("./ring")

    def test_refused(self):
        self.only_old_compilers()
        for name, (declarations, statements, sentence) in REFUSED.items():
            with self.subTest(name):
                self.write("refused.f90", f"""
                    use iso_fortran_env, only: atomic_int_kind
                    {declarations}
                    integer :: n = 1
                    if (command_argument_count() > 0) n = 2
                    sync all
                    {statements}
                    contains
                    subroutine use_stack
                        integer(8) :: x(1000)
                        x = 1234567
                        if (n == 2) print *, x
                    end subroutine
                    end
                    """)
                self.succeed(CAF, "-w", "refused.f90", "-o", "refused")
                self.assertRegex(self.refuse(CAFRUN, "-n", 1, "./refused"), rf"^copal: image 1: {sentence}")

    def test_unequal_allocations(self):
        """Sizes differ from image to image: one sentence ends the job."""
        self.write("unequal.f90", UNEQUAL)
        self.succeed(CAF, "unequal.f90", "-o", "unequal")
        for images in 2, 4:
            result = self.run_tool(CAFRUN, "-n", images, "./unequal")
            self.assertEqual(result.returncode, 1)
            sentence = (r"copal: image \d: allocate: coarrays of \d+ bytes here, and allocate of \d+ bytes on image "
                        r"\d; all images must execute the same statements in the same order, with the same sizes\n")
            self.assertEqual(len(re.findall(sentence, result.stderr)), 1, result.stderr)

    def test_plans(self):
        """Between nodes a section moves along its longer dimension, unless this uses only few sets of a cache."""
        self.only_old_compilers("between nodes gfortran 15 and 16 have an accessor put it in one message")
        for rows, along in (4095, 16), (4096, 64):
            self.write("sections.f90", SECTIONS.format(rows=rows))
            self.succeed(CAF, "sections.f90", "-o", "sections")
            result = self.run_tool(CAFRUN, "-n", 2, "--fabric", "disorder:1", "./sections", SHMEM_NODES="2",
                                   SHMEM_NET_STATS="1")
            self.assertEqual(result.returncode, 0, result.stderr)
            records = int(re.search(r"PE 0: network: .* (\d+) records, ", result.stderr)[1])
            self.assertEqual(records // 100, along, result.stderr)

    def test_roots(self):
        """If the images take turns as the root, broadcasts between nodes need no further messages."""
        self.write("roots.f90", """program roots
    integer :: x(1024), i
    x = 0
    do i = 1, 1000
        call co_broadcast(x, mod(i, num_images()) + 1)
    end do
end program
""")
        self.succeed(CAF, "roots.f90", "-o", "roots")
        result = self.run_tool(CAFRUN, "-n", 2, "--fabric", "disorder:1", "./roots", SHMEM_NODES="2",
                               SHMEM_NET_STATS="1")
        self.assertEqual(result.returncode, 0, result.stderr)
        messages = int(re.search(r"PE 0: network: (\d+) messages, ", result.stderr)[1])
        self.assertLess(messages, 530, result.stderr)  # 640 if a sync followed eight broadcasts

    def test_posts(self):
        """Between nodes, an assignment is sent in the message of the event that is posted after it."""
        self.write("posts.f90", POSTS)
        self.succeed(CAF, "posts.f90", "-o", "posts")
        result = self.run_tool(CAFRUN, "-n", 2, "--fabric", "disorder:1", "./posts", SHMEM_NODES="2",
                               SHMEM_NET_STATS="1")
        self.assertEqual(result.returncode, 0, result.stderr)
        messages, puts = map(int, re.search(r"PE 0: network: (\d+) messages.* (\d+) puts", result.stderr).groups())
        self.assertLess(messages + puts, 1500, result.stderr)

    def test_settings(self):
        """The coarray library's variables: accepted values, the message for others, and their lines in SHMEM_INFO."""
        self.succeed(CAF, "ring_m.f90", "main.f90", "-o", "ring")
        allowed = {"CAF_NEAR": ("0", "1"), "CAF_STRIDED": ("auto", "direct", "naive", "iput", "2dim", "matrix")}
        for name, values in allowed.items():
            for value in ("", *values):
                self.assertEqual(self.succeed(CAFRUN, "-n", 2, "./ring", **{name: value}), "sum 30\n")
            for value in "yes", "or", values[0] + values[1]:
                result = self.run_tool(CAFRUN, "-n", 1, "./ring", **{name: value})
                self.assertEqual(result.returncode, 1, result.stdout)
                self.assertIn(f'copal: environment variable {name} is "{value}", allowed is {values[0]}', result.stderr)
        for prefix in "SHMEM", "SMA":
            told = self.succeed(CAFRUN, "-n", 2, "./ring", CAF_NEAR="0", CAF_STRIDE="iput", **{f"{prefix}_INFO": "1"})
            self.assertIn("CAF_NEAR = 0 (environment)\n", told)
            self.assertIn("CAF_STRIDED = auto (default)\n", told)
            self.assertIn("CAF_STRIDE is set, and programs do not read it\n", told)


if __name__ == "__main__":
    bin_folder = os.path.dirname(programs()[1])
    CAF, CAFRUN = (os.path.join(bin_folder, tool) for tool in ("caf", "cafrun"))
    unittest.main(verbosity=2)
