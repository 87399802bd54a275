"""caf warns of coindexed accesses that gfortran compiles wrong."""
import os
import re
import unittest

from support import InFolder, programs

CAF = None    # set from the command line

# Statements that gfortran compiles wrong, with a word of the warning; and similar statements that it compiles right.
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
    complex, save :: z[*], z1(3)[*]
    type :: words
        character(:), allocatable :: s
    end type
    type(words) :: word
    type(box) :: fixed(3)
    integer, volatile, save :: loud[*]
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
    "b(:3) = z1(:)[1]%im": "%im of a section",
    "z1(1:2)[1]%im = v(:2)": "%im of a section",
    "z1(:)[1] = z1%im": "%im of a section",
    "b(:3) = p(:)[1]%y": "component behind",
    "p(1:2)[1]%y = v(:2)": "component behind",
    "p(1:2)%y = a(1:2)[1]": "component behind",
    "a(1:2)[1] = p(1:2)%y": "component behind",
    "b(:2) = a(v(1:3:2))[1]": "with a stride",
    "i = sum(2 * g(v)[1])": "in an expression",
    "b(w) = a(1:3)[1]": "whose length is not a constant",
    "c(v, :) = m(:, :)[1]": "several dimensions",
    "c(v, 1) = m(:, 1)[1]": "several dimensions",
    "a(1)[1, stat=i] = 2": "'stat=' is ignored",
    "i = a(1)[1, team=x]": "'team=' is ignored",
    "i = num_images(1)": "num_images",
    "sync images (max(i - 1, 1))": "sync images with an expression",
    "if (i > 1) sync images (sum(v))": "sync images with an expression",
    "i = dot_product(q[1]%d, q[2]%d)": "two components",
    "do i = 1, 2; change team (x); if (i == 1) exit; end team; end do": "a branch out of CHANGE TEAM",
    "i = sum(q[1]%d * q[2]%d)": "two components",
}
# In all versions.
WRONG_ANY = {
    "call co_sum(p%y)": "'co_sum' of a component",
    "call co_broadcast(p(1:2)%y, 1)": "'co_broadcast' of a component",
    "if (i > 1) call co_max(a=p%x, stat=i)": "'co_max' of a component",
    "call co_sum(z1%im)": "'co_sum' of a component",
    "call co_broadcast(fixed, 1)": "explicit shape",
    "call co_broadcast(word, 1)": "string of deferred length",
    "do while (a(1) == 0); end do": "waits for another image",
    "do while (g(1) == 0); i = i + 1; end do": "waits for another image",
    "do while (a(1)[2] == 0); end do": "waits for another image",
    "do; i = g(1)[2]; if (i == 1) exit; end do": "waits for another image",
}
RIGHT_ANY = [
    "call co_sum(a)", "call co_broadcast(p, 1)", "call co_broadcast(p(2)%y, 1)", "call co_broadcast(e%d, 1)",
    "call co_sum(z1)", "call co_broadcast(e, 1)", "call co_broadcast(h, 1)", "call co_broadcast(fixed(2), 1)",
    "do while (a(1) == 0); sync memory; end do", "do while (a(1) == 0); call other; end do",
    "do while (loud == 0); end do", "do while (a(1) == 0); a(1) = a(1) + 1; end do",
    "do i = 1, 6; if (a(i) == 1) exit; end do", "do; i = i + 1; if (a(1)[i] == 1) exit; end do",
    "do i = 1, 6; if (a(1) == 1) exit; b(i) = i; end do", "do while (i == 0); b(1) = a(1)[2, stat=i]; end do",
    "do; if (a(1) == 1) exit; print *, i; end do", "do; if (a(1) == 1) exit; exit; end do",
]
RIGHT = [
    "s[1] = u", "s[1] = ''", "s[1] = 'a//b'", "s[1] = t ! u // u", "s[1] = adjustl(t)", "sa(:)[1] = ua // u",
    "b(1) = z1(2)[1]%im", "b(:3) = z1(:)[1]%re", "z1(2)[1]%im = 1",
    "s[1](2:3) = u", "u = s[1](2:3)", "s[1](:) = t", "t = s[1]", "t = sa(2)[1]", "t = '[1](1:2) = '",
    "b(1) = p(2)[1]%y", "p(2)[1]%y = 3", "b(:3) = a(v)[1]", "b(v) = a(1:3)[1]", "b(v) = a(:3)[1] + 1",
    "b(::2) = a(::2)[1]", "c(:, 1) = m(:, 1)[1]", "c = m(:, :)[1]", "c(:, v) = 2 * m(:, :)[1]",
    "c(v(1), :) = m(1, :)[1]", "i = sum(2 * g(:)[1])", "z1(1) = (1.0, 2.0)", "z[1] = (1.0, 2.0)", "z = (1.0, 2.0)",
    "sync images (mod(i, 2) + 1)", "sync images ([max(i - 1, 1)])", "sync images (v(2))", "sync images (v)",
    "i = sum(q[1]%d)", "b(:3) = q[1]%d * 2", "i = q[1]%d(1) * q[2]%d(2)", "i = a(1)[1, stat=i]",
    "a(1)[1] = max(2, a(2)[1, stat=i])", "i = num_images()",
    "change team (x); do i = 1, 2; if (i == v(1)) exit; end do; end team",
    "allocate (h(3)[*])", "allocate (h(3)[*], mold=e)", "allocate (k[*])", "allocate (g(i)[*], source=i)",
    "allocate (h(2)%d(i))", "h(2)%d = e%d", "k%d = [1, 2, i]", "e = k", "e = h(1)", "deallocate (h, k)",
    "allocate (h(3)[*], source=e)", "allocate (k[*], source=e)", "h = e", "h(2) = e", "k = e",
]


# In gfortran 15 and 16, and in 15 alone.
WRONG_NEW = {
    "v = shaped(1:3)[1]": "dummy argument of assumed shape",
    "i = shaped(2)[1]": "dummy argument of assumed shape",
    "v = q[1]%d(9::-3)": "negative stride and no end",
    "form team (long, x)": "the lower half",
    "event wait (event, until_count=merge(2, 1, i == 1))": "'until_count=' with an expression",
    "v = a(auto)[1]": "vector subscript whose bounds are no constants",
    "a(auto)[1] = v": "vector subscript whose bounds are no constants",
    "i = a(g(1)[2])[1]": "of another",
    "a(max(a(2)[1], 1))[2] = i": "of another",
    "if (g(a(2)[1] - 1)[2] == 1) i = 2": "of another",
    "i = a(1)[a(2)[3]]": "of another",
    "a(1)[i + g(2)[3]] = 2": "of another",
    "i = q[1]%d(max(1, a(1)[2]))": "of another",
    "i = o[1]%of(min(i, 2))%n(a(1)[2])": "of another",
    "event post (event[a(1)[2]])": "of another",
    "allocate (g(a(1)[2])[*])": "a coarray's bounds",
    "allocate (g(2)[max(a(1)[2], 1):*])": "a coarray's bounds",
    "call changes(a(1)[2])": "may change",
    "call changes(q[2]%d(1))": "may change",
    "call changes_class(p(1)[2])": "may change",
    "call changes_section(a(1:i)[2])": "may change",
    "call sets_elements(a(1:i)[2])": "may change",
    "call random_number(r(:)[2])": "may change",
    "call get_command_argument(1, s[2])": "may change",
    "call system_clock(a(1)[2])": "may change",
    "call mvbits(7, 0, 3, a(1)[2], 0)": "may change",
    "inquire (file='/', number=a(1)[2])": "may change",
    "open (newunit=a(1)[2], status='scratch')": "may change",
    "read (*, *, iostat=a(1)[2]) i": "may change",
    "b(g(1)[2]) = a(1)[1]": "one side of an assignment",
    "if (i > 1) b(a(1)[2]:a(1)[2] + 1) = a(1:2)[1]": "one side of an assignment",
    "block; integer :: n(a(1)[2]); n = 1; end block": "an array bound or a length",
    "block; character(a(1)[2]) :: c; c = ''; end block": "an array bound or a length",
    "allocate (character(a(1)[2]) :: word%s)": "an array bound or a length",
    "read (*, *) a(1)[2]": "may change",
    "read (*, *) i, s[2]": "may change",
    "write (s[2], '(a)') t": "may change",
}
WRONG_16 = {
    "a(1)[1] = b(g(1)[2])": "one side of an assignment",
}
WRONG_15 = {
    "sync images (max(i - 1, 1))": "sync images with an expression",
    "g(1)[1] = g(2)[1] + 1": "gfortran reads the object of this image",
    "g(1)[1] = (g(2)[1])": "gfortran reads the object of this image",
    "g(1)[1] = g(2)[1, team=x]": "'team=' is ignored",
    "i = num_images(1)": "num_images is taken for a distance",
    "associate (n => a(2:3)); n(1)[2] = 1; end associate": "a coindexed ASSOCIATE name",
    "associate (n => g(2)); i = n[2]; end associate": "a coindexed ASSOCIATE name",
}
RIGHT_NEW = [
    "shaped(2)[1] = 3", "v = q[1]%d(9:1:-4)", "form team (i, x)", "wide(1:i) = far(1:i)[1]",
    "wide = far(1:70000)[1]", "v = far([(i, i=1, 3)])",
    "g(1)[1] = g(2)[1]", "g(1)[1] = max(i, 3) + sum([1, 2])", "p(1:2)[1]%y = v(:2)", "s[1](1:2) = u",
    "event wait (event, until_count=i)", "event wait (event)",
    "i = num_images()", "v = a(w)[1]", "v = g(w)[1]", "sync images (mod(i, 2) + 1)", "sync images (v)",
    "v = a(v)[1]", "a(v)[1] = auto",
    "b(g(1)[2]) = a(1)[1] + 1", "b(g(1)[2]) = i",
    "block; integer, save :: n(2)[2, *] = 1; end block",
    "inquire (file=s[2], number=i)", "allocate (character(i) :: word%s)",
    "i = g(v(2))[1] + max(g(1)[2], 3)", "g(v(1))[2] = max(v(1), i)",
    "write (*, *) [a(1)[1], g(2)[i]]", "if (i == 1) write (*, *) [a(1)[1]]", "if (a(1)[2] == 2) g(2)[i] = i",
    "allocate (g(i)[*], source=a(1)[2])", "allocate (w(a(1)[2]))", "where (g(:)[1] > 1) b = g(:)[2]",
    "i = max(q[1]%d(1), a(1)[2])", "i = sum([a(1)[1], q[2]%d(2) * a(v(1))[2]])",
    "associate (n => (a(1:long)[1])); print *, n; end associate",
    "associate (n => (a(1:i)[1])); print *, n; end associate",
    "associate (n => (a(1:3)[1])); print *, n; end associate",
    "associate (n => (a(i)[1])); print *, n; end associate", "associate (n => g); i = n(1)[2]; end associate",
    "associate (n => a(2:3)); n(1) = 1; end associate", "print *, a(1:i)[1]",
    "call reads(a(1)[2], t)", "call reads(i, s[2])", "call changes(b(a(1)[2]))", "call changes_section(b(a(1)[2]:))",
    "read (s[2], *) i", "read (*, *) b(a(1)[2])", "write (t, '(a)') s[2]",
    "call takes_value(a(1)[2])", "call takes_values(a(1:i)[2])", "call may_omit(a(1)[2])",
    "i = a(1)[2]; call system_clock(i)",
]
INTERFACE = """
    interface
    subroutine changes(n); integer, intent(inout) :: n; end
    subroutine changes_section(n); integer, intent(inout) :: n(:); end
    subroutine changes_class(n); class(*), intent(inout) :: n; end
    elemental subroutine sets_elements(n); integer, intent(out) :: n; end
    subroutine reads(n, c); integer, intent(in) :: n; character(*), intent(in) :: c; end
    subroutine takes_value(n); integer, value :: n; end
    elemental subroutine takes_values(n); integer, value :: n; end
    subroutine may_omit(n, m); integer, intent(in) :: n; integer, optional :: m; end
    end interface
"""


class Warnings(InFolder):
    def setUp(self):
        super().setUp()
        self.version = int(self.succeed(CAF, "-dumpversion").split(".")[0])
        if "-fplugin=" not in self.succeed(CAF, "-showme:compile"):
            self.skipTest("no plugin for this compiler")

    def only_old_compilers(self):
        if self.version > 14:
            self.skipTest("the faults are those of gfortran 12 to 14")

    def warned(self, statements, *options, name="warned.f90", start=()):
        """The warnings by line, for a program with one statement in each line."""
        head, *declared = [*start, ""]
        team = f"{head}\nuse iso_fortran_env, only: event_type, team_type\n" + "\n".join(declared)
        team += f"{DECLARATIONS}\ntype(team_type) :: x\n"
        lines = [line.strip() for line in team.splitlines() if line.strip()]
        first = len(lines) + 1
        lines += [*statements, "end"]
        if name.endswith(".f"):
            lines = [line if line.startswith(("c ", " ")) else " " * 6 + line for line in lines]
        self.write(name, "\n".join(lines) + "\n")
        result = self.run_tool(CAF, "-fno-diagnostics-show-caret", "-c", *options, name)
        self.assertEqual(result.returncode, 0, result.stderr)
        found = {}
        for line in result.stderr.splitlines():
            place = re.match(r"(\w+\.\w+):(\d+):(\d+): Warning: .* \[-Wcaf\]$", line)
            self.assertTrue(place, line)
            self.assertEqual(place[1], name)
            found[int(place[2]) - first] = line
        return found

    def check_all(self, wrong, right, start=()):
        found = self.warned(list(wrong), start=start)
        for at, (statement, word) in enumerate(wrong.items()):
            with self.subTest(statement):
                self.assertIn(word, found.get(at, ""))
        self.assertEqual(self.warned(right, start=start), {})

    def test_warnings_of_all_compilers(self):
        self.check_all(WRONG_ANY, RIGHT_ANY)

    def test_warnings(self):
        self.only_old_compilers()
        self.check_all(WRONG, RIGHT)
        self.assertEqual(self.warned(list(WRONG), "-Wno-caf"), {})
        self.assertEqual(self.warned(list(WRONG), "-w"), {})

    def test_warnings_of_new_compilers(self):
        if self.version < 15:
            self.skipTest("the faults are those of gfortran 15 and 16")
        wrong = {**WRONG_NEW, **(WRONG_16 if self.version > 15 else WRONG_15)}
        start = ["subroutine taken(shaped)", "integer :: shaped(:)[*]", "integer, save :: far(70000)[*]",
                 "integer :: wide(70000), auto(size(shaped))", "integer(8) :: long",
                 "type(event_type), save :: event[*]", "type last; integer :: n(3); end type",
                 "type both; type(last) :: of(2); end type", "type(both), save :: o[*]", "real, save :: r(3)[*]",
                 *INTERFACE.splitlines()]
        self.check_all(wrong, RIGHT_NEW, start)
        self.assertEqual(self.warned(list(wrong), "-Wno-caf", start=start), {})

    def test_warnings_of_accessors(self):
        self.write("dummies.f90", """
            subroutine s(n, a, b)
                integer, intent(in) :: n
                integer :: a(n)[*], b(3)[*]
                a(2)[1] = 1
                b(2)[1] = 1
                call part(b(2:))
                call part(b)
            contains
                subroutine part(x)
                    integer :: x(2)[*]
                    x(1)[1] = 1
                end subroutine
            end subroutine
            """)
        result = self.run_tool(CAF, "-fno-diagnostics-show-caret", "-c", "dummies.f90")
        self.assertEqual(re.findall(r":(\d+):\d+: Warning: (.*?) coarray", result.stderr),
                         [("5", "a dummy"), ("7", "a part of a")] if self.version > 14 else [])

    def test_warnings_in_all_forms_of_source(self):
        self.only_old_compilers()
        continued = self.warned(["s[1] & ! a comment", "! another", "  & (1:2) & ", " = u", "s[1](2: &", "3) = u"])
        self.assertEqual(len(continued), 1)
        self.assertIn("beginning", list(continued.values())[0])
        several = self.warned(["t = 'x'; S [ 1 ] ( 1 : 2 ) = u", "#define FIRST 1:2", "s[1](2:3) = u"], "-cpp")
        self.assertEqual(list(several), [0])
        fixed = self.warned(["s[1](1:", "c comment", "     &2) = u", "s[1](2:3) = u"], name="fixed.f")
        self.assertEqual(len(fixed), 1)
        self.write("part.inc", "s[1](1:2) = u\n")
        self.write("whole.F90", f"{DECLARATIONS}\n#include \"part.inc\"\ninclude 'part.inc'\nend\n")
        result = self.run_tool(CAF, "-fno-diagnostics-show-caret", "-c", "whole.F90")
        self.assertEqual(result.stderr.count("part.inc:1:"), 1, result.stderr)    # both warnings are for that place

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

    def test_warnings_of_entries(self):
        for of_image, other, warnings in (("[*]", "x", 2), ("", "x", 0), ("[*]", "", 0)):
            self.write("entry.f90", f"""
                subroutine s(x)
                    integer, intent(inout) :: x(3){of_image}
                    x(1) = 1
                    return
                    {"entry other(x)" if other else "return"}
                    x(2) = 2
                end subroutine
                """)
            result = self.run_tool(CAF, "-c", "entry.f90")
            self.assertEqual(result.stderr.count("a dummy coarray in a procedure with ENTRY"), warnings, result.stderr)

    def test_warnings_of_local_scalars(self):
        for of_type, warnings in (("one", 0), ("two", 0), ("three", 2 * int(self.version == 12))):
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
        self.only_old_compilers()
        for name in "one", "two":
            self.write(f"{name}.f90", f"subroutine {name}\n{DECLARATIONS}\ns[1] = u // u\nend\n")
        for command, outputs in ((["-c", "one.f90", "two.f90"], ["one.o", "two.o"]),
                                 (["-c", "one.f90", "-o", "x.o"], ["x.o"]),
                                 (["-shared", "-fPIC", "one.f90", "-ox.so"], ["x.so"])):
            result = self.run_tool(CAF, "-Werror", *command)
            self.assertEqual(result.returncode, 1)
            self.assertIn(f"one.f90:{3 + len(DECLARATIONS.splitlines())}:", result.stderr)
            self.assertIn("[-Werror=caf]", result.stderr)
            for output in outputs:
                self.assertFalse((self.folder / output).exists())
        self.assertEqual(self.run_tool(CAF, "-Werror=caf", "-c", "one.f90").returncode, 1)
        self.succeed(CAF, "-Werror=caf", "-Wno-error=caf", "-c", "one.f90")
        self.succeed(CAF, "-Werror", "-Wno-caf", "-c", "one.f90", "two.f90")
        self.succeed(CAF, "-Werror", "-w", "-c", "one.f90", "two.f90")


if __name__ == "__main__":
    CAF = os.path.join(os.path.dirname(programs()[1]), "caf")
    unittest.main(verbosity=2)
