"""caf from the outside: one step and several, what it passes through, what it refuses; builds as by build tools."""
import os
import pathlib
import re
import shlex
import shutil
import unittest

from support import InFolder, programs

CAF = CAFRUN = None    # set from the command line

# Each image writes 10 x its own number to the next image, so that the sum is only right when every put arrived.
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

PROJECT = """
name = "ring"
[[executable]]
name = "ring"
source-dir = "app"
main = "main.f90"
"""

UNEQUAL = """
    integer, allocatable :: a(:)[:]
    allocate (a(10 * this_image())[*])
end
"""

# What gfortran 12 gets wrong and the library can see: the declarations, the statements, and what the sentence says.
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
        r"get: something -?\d+ bytes from the beginning of a coarray, which has 24 bytes"),
    "out of bounds": ("integer, save :: a(6)[*]", "a(6 * n + 1)[1] = 1", r"put: something 24 bytes .* has 24 bytes"),
    "atomic out of bounds": (
        "integer(atomic_int_kind), save :: a(2)[*]", "call atomic_add(a(2 * n + 1)[1], 1)",
        r"an atomic subroutine: something 8 bytes .* has 8 bytes"),
    "not allocated": ("integer, allocatable :: a(:)[:]", "allocate (a(3)[*]); deallocate (a); a(n)[1] = 1",
                      "put: the coarray is not allocated"),
    "trim": ("character(8), save :: s[*]; character(8) :: t", "t = 'ab'; s[1] = trim(t)",
             "put: of a character expression whose length gfortran does not tell"),
}

# Statements that gfortran accepts and gets wrong, with a word of the warning; and others next to them that are right.
DECLARATIONS = """
    character(4), save :: s[*], sa(3)[*]
    type :: pair
        integer :: x, y
    end type
    type :: box
        integer, allocatable :: d(:)
    end type
    type(pair), save :: p(3)[*]
    type(box), save :: q[*]
    integer, save :: a(6)[*], m(3, 3)[*]
    integer, allocatable :: g(:)[:]
    type(box), allocatable :: h(:)[:], k[:]
    type(box), save :: e
    complex, save :: z[*], z1(1)[*]
    character(4) :: t
    character(2) :: u, ua(3)
    integer :: b(6), c(3, 3), v(3), i
    integer, allocatable :: w(:)
"""
WRONG = {
    "s[1] = u // u": "character expression",
    "s[1] = trim(t)": "character expression",
    "s[1] = repeat(u, 2)": "character expression",
    "s[1] = achar(i)": "character expression",
    "if (i == 1) s[1] = u // u": "character expression",
    "s[1](1:2) = u": "beginning of a string",
    "s[1](:2) = u": "beginning of a string",
    "sa(2)[1](1:i) = u": "beginning of a string",
    "s[1](2:4) = u": "2 characters to a substring of 3",
    "t = s[1](2:3)": "substring of 2 characters to a variable of 4",
    "s[1] = t(1:i)": "puts the whole string",
    "b(:3) = p(:)[1]%y": "component behind",
    "p(1:2)[1]%y = v(:2)": "component behind",
    "b(:2) = a(v(1:3:2))[1]": "with a stride",
    "i = sum(2 * g(v)[1])": "in an expression",
    "b(w) = a(1:3)[1]": "whose length is not a constant",
    "c(v, :) = m(:, :)[1]": "several dimensions",
    "c(v, 1) = m(:, 1)[1]": "several dimensions",
    "z = (1.0, 2.0)": "static scalar coarray of type complex",
    "a(1)[1, stat=i] = 2": "'stat=' is ignored",
    "i = a(1)[1, team=x]": "'team=' is ignored",
    "i = num_images(1)": "num_images",
    "i = dot_product(q[1]%d, q[2]%d)": "two components",
    "i = sum(q[1]%d * q[2]%d)": "two components",
    "allocate (h(3)[*], source=e)": "allocatable components copied",
    "allocate (k[*], source=e)": "allocatable components copied",
    "h = e": "allocatable components copied",
    "h(2) = e": "allocatable components copied",
    "k = e": "allocatable components copied",
}
RIGHT = [
    "s[1] = u", "s[1] = ''", "s[1] = 'a//b'", "s[1] = t ! u // u", "s[1] = adjustl(t)", "sa(:)[1] = ua // u",
    "s[1](2:3) = u", "u = s[1](2:3)", "s[1](:) = t", "t = s[1]", "t = sa(2)[1]", "t = '[1](1:2) = '",
    "b(1) = p(2)[1]%y", "p(2)[1]%y = 3", "b(:3) = a(v)[1]", "b(v) = a(1:3)[1]", "b(v) = a(:3)[1] + 1",
    "b(::2) = a(::2)[1]", "c(:, 1) = m(:, 1)[1]", "c = m(:, :)[1]", "c(:, v) = 2 * m(:, :)[1]",
    "c(v(1), :) = m(1, :)[1]", "i = sum(2 * g(:)[1])", "z1(1) = (1.0, 2.0)", "z[1] = (1.0, 2.0)",
    "i = sum(q[1]%d)", "b(:3) = q[1]%d * 2", "i = q[1]%d(1) * q[2]%d(2)", "i = a(1)[1, stat=i]",
    "a(1)[1] = max(2, a(2)[1, stat=i])", "i = num_images()",
    "allocate (h(3)[*])", "allocate (h(3)[*], mold=e)", "allocate (k[*])", "allocate (g(i)[*], source=i)",
    "allocate (h(2)%d(i))", "h(2)%d = e%d", "k%d = [1, 2, i]", "e = k", "e = h(1)", "deallocate (h, k)",
]


class Caf(InFolder):
    def setUp(self):
        super().setUp()
        self.write("ring_m.f90", MODULE)
        self.write("main.f90", PROGRAM)

    def check_sum(self, program, images=3):
        self.assertEqual(self.succeed(CAFRUN, "-n", images, program), f"sum {5 * images * (images + 1)}\n")

    def compiler_that_says(self, text):
        path = self.write("compiler", f"#!/bin/sh\necho '{text}'\n")
        path.chmod(0o755)
        return path

    def test_several_files(self):
        self.succeed(CAF, "-O2", "-Wall", "-Werror", "ring_m.f90", "main.f90", "-o", "ring")
        self.check_sum("./ring")
        self.check_sum("./ring", 1)
        self.check_sum("./ring", 5)

    def test_default_name(self):
        self.succeed(CAF, "ring_m.f90", "main.f90")
        self.check_sum("./a.out", 2)

    def test_several_steps(self):
        """As build tools do it: objects and modules in folders of their own, a library in between."""
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

    def test_fpm(self):
        fpm = shutil.which("fpm")
        if not fpm:
            self.skipTest("fpm is not installed")
        self.write("fpm.toml", PROJECT)
        self.write("src/ring_m.f90", MODULE)
        self.write("app/main.f90", PROGRAM)
        path = f"{pathlib.Path(CAF).parent}:{os.environ['PATH']}"
        for profile in "debug", "release":
            self.succeed(fpm, "build", "--compiler", "caf", "--profile", profile, PATH=path)
            said = self.succeed(fpm, "run", "--compiler", "caf", "--profile", profile, "--runner", "cafrun -n 3",
                                PATH=path)
            self.assertIn("sum 60\n", said)

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
        self.assertIn("-lcaf_gfortran12", self.succeed(CAF, "main.f90", "--show"))

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
        """An image is a PE: C code and the module shmem are at home in a coarray program."""
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
        """Coarrays of gfortran 12, 13 and 14 have one interface, those before and after have others."""
        for said in ("GNU Fortran (Debian 12.2.0-14+deb12u1) 12.2.0", "GNU Fortran (GCC) 13.3.0",
                     "GNU Fortran (Ubuntu 14.0.1-1ubuntu1) 14.0.1 20240412 (experimental) [master]"):
            self.assertIn("main.f90", self.succeed(CAF, "--show", "main.f90", CAF_FC=self.compiler_that_says(said)))
        for said, found in (("GNU Fortran (GCC) 11.4.0", "gfortran 11.4.0"),
                            ("GNU Fortran (Debian 15.2.0-3) 15.2.0", "gfortran 15.2.0"),
                            ("GNU Fortran (GCC) 16.0.0 20260101 (experimental)", "gfortran 16.0.0"),
                            ("GNU Fortran (GCC) 1.2.0", "gfortran 1.2.0"),
                            ("gcc (Debian 12.2.0-14) 12.2.0", "not gfortran"), ("", "not gfortran")):
            sentence = self.refuse(CAF, "main.f90", CAF_FC=self.compiler_that_says(said))
            self.assertIn(found, sentence)
            self.assertIn("gfortran 12, 13 or 14", sentence)

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

    def warned(self, statements, *options, name="warned.f90"):
        """The warnings of a program in which each of the statements has a line of its own, by line."""
        team = f"use iso_fortran_env, only: team_type\n{DECLARATIONS}\ntype(team_type) :: x\n"
        lines = [line.strip() for line in team.splitlines() if line.strip()]
        first = len(lines) + 1
        lines += [*statements, "end"]
        if name.endswith(".f"):
            lines = [line if line.startswith(("c ", " ")) else " " * 6 + line for line in lines]
        self.write(name, "\n".join(lines) + "\n")
        result = self.run_tool(CAF, "-c", *options, name)
        self.assertEqual(result.returncode, 0, result.stderr)
        found = {}
        for line in result.stderr.splitlines():
            place = re.match(r"(\w+\.\w+):(\d+):(\d+): Warning: .* \[-Wcaf\]$", line)
            self.assertTrue(place, line)
            self.assertEqual(place[1], name)
            found[int(place[2]) - first] = line
        return found

    def test_warnings(self):
        found = self.warned(list(WRONG))
        for at, (statement, word) in enumerate(WRONG.items()):
            with self.subTest(statement):
                self.assertIn(word, found.get(at, ""))
        self.assertEqual(self.warned(RIGHT), {})
        self.assertEqual(self.warned(list(WRONG), "-Wno-caf"), {})
        self.assertEqual(self.warned(list(WRONG), "-w"), {})

    def test_warnings_in_all_forms_of_source(self):
        continued = self.warned(["s[1] & ! a comment", "! another", "  & (1:2) & ", " = u", "s[1](2: &", "3) = u"])
        self.assertEqual(len(continued), 1)
        self.assertIn("beginning", list(continued.values())[0])
        several = self.warned(["t = 'x'; S [ 1 ] ( 1 : 2 ) = u", "#define FIRST 1:2", "s[1](2:3) = u"], "-cpp")
        self.assertEqual(list(several), [0])
        fixed = self.warned(["s[1](1:", "c comment", "     &2) = u", "s[1](2:3) = u"], name="fixed.f")
        self.assertEqual(len(fixed), 1)
        self.write("part.inc", "s[1](1:2) = u\n")
        self.write("whole.F90", f"{DECLARATIONS}\n#include \"part.inc\"\ninclude 'part.inc'\nend\n")
        result = self.run_tool(CAF, "-c", "whole.F90")
        self.assertEqual(result.stderr.count("part.inc:1:"), 1, result.stderr)    # both are at that place

    def test_warnings_of_recursion(self):
        for name, warnings in (("s", 1), ("other", 0)):
            self.write("recursive.f90", f"""
                recursive subroutine s(n)
                    integer, intent(in) :: n
                    integer, allocatable :: a(:)[:]
                    allocate (a(n)[*])
                    if (n > 1) call {name}(n - 1)
                end subroutine
                """)
            result = self.run_tool(CAF, "-c", "recursive.f90")
            self.assertEqual(result.stderr.count("recursive procedure"), warnings, result.stderr)

    def test_warnings_of_local_scalars(self):
        is_12 = self.succeed(CAF, "-dumpversion").startswith("12")
        for of_type, warnings in (("one", 0), ("two", 0), ("three", int(is_12))):
            self.write("local.f90", f"""
                module m
                    type :: one
                        integer, allocatable :: a(:)
                    end type
                    type :: two
                        integer, allocatable :: a(:), b(:)
                    end type
                    type :: three
                        integer, allocatable :: a(:), b(:), c(:)
                    end type
                contains
                    subroutine s(n)
                        integer, intent(in) :: n
                        type({of_type}), allocatable :: o[:]
                        type(three), allocatable :: with_dimension(:)[:], local
                        allocate (o[*], with_dimension(1)[*], local)
                        block
                            type({of_type}), allocatable :: o[:]
                            allocate (o[*])
                            if (n > 1) return
                        end block
                        allocate (o%a(n))
                    end subroutine
                end module
                """)
            result = self.run_tool(CAF, "-c", "local.f90")
            self.assertEqual(result.stderr.count("local scalar coarray"), warnings, result.stderr)    # of both o

    def test_warnings_as_errors(self):
        for name in "one", "two":
            self.write(f"{name}.f90", f"subroutine {name}\n{DECLARATIONS}\ns[1] = u // u\nend\n")
        for command, outputs in ((["-c", "one.f90", "two.f90"], ["one.o", "two.o"]),
                                 (["-c", "one.f90", "-o", "x.o"], ["x.o"]),
                                 (["-shared", "-fPIC", "one.f90", "-ox.so"], ["x.so"])):
            result = self.run_tool(CAF, "-Werror", *command)
            self.assertEqual(result.returncode, 1)
            self.assertIn("one.f90:22:", result.stderr)
            self.assertIn("[-Werror=caf]", result.stderr)
            for output in outputs:
                self.assertFalse((self.folder / output).exists())
        self.succeed(CAF, "-Werror", "-Wno-caf", "-c", "one.f90", "two.f90")

    def test_c_beside_fortran(self):
        self.write("three.c", "int three(void);\nint three(void) { return 3; }\n")
        for command in (["-c"], ["-o", "ring"]):
            result = self.run_tool(CAF, "ring_m.f90", "main.f90", "three.c", *command)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.check_sum("./ring")

    def test_refused(self):
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
            sentence = (r"copal: image \d: allocate: coarrays of \d+ bytes here and of \d+ on image \d; "
                        r"all images must allocate the same\n")
            self.assertEqual(len(re.findall(sentence, result.stderr)), 1, result.stderr)

    def test_settings(self):
        """Its variables: what is taken, what is refused with a sentence, and what SHMEM_INFO tells of them."""
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
