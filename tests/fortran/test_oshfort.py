"""oshfort as a user calls it, and the ends of Fortran programs: exit codes, and one sentence for each mistake."""
import os
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
from support import InFolder, programs

OSHFORT = OSHRUN = None    # set from the command line

# Each PE writes 10 x its own number to the next PE, so that the sum is only right when every put arrived.
PROGRAM = """
program sum
    use shmem
    implicit none
    integer, save :: from
    integer :: pe, total
    call shmem_init()
    call shmem_p(from, 10 * (shmem_my_pe() + 1), mod(shmem_my_pe() + 1, shmem_n_pes()))
    call shmem_barrier_all()
    if (shmem_my_pe() == 0) then
        total = 0
        do pe = 0, shmem_n_pes() - 1
            total = total + shmem_g(from, pe)
        end do
        print '(a, i0)', 'sum ', total
    end if
    call shmem_finalize()
end program
"""

# Some programs declare functions that others take from shmem.fh; both must compile. Calls of one routine with a scalar
# and an array, or with data of two types, must compile, too.
CLASSIC = """
      program sum
      implicit none
      include 'mpp/shmem.fh'
      integer my_pe, num_pes, me, i, total, from(2), one
      logical shmem_pe_accessible
      integer*8 shmem_ptr, p
      double precision d(2), e
      common /c/ d, e, from, one
      call start_pes(0)
      me = shmem_my_pe()
      from(1) = 10 * (me + 1)
      call shmem_integer_put(one, from, 1, mod(me + 1, num_pes()))
      call shmem_integer_put(from(2), 7, 1, me)
      call shmem_put8(d, d(2), 1, me)
      call shmem_put8(e, d, 1, me)
      p = shmem_ptr(from, me)
      if (.not. shmem_pe_accessible(me)) stop 3
      call shmem_barrier_all
      total = 0
      do i = 0, num_pes() - 1
         call shmem_get32(from, one, 1, i)
         total = total + from(1)
      enddo
      if (my_pe() .eq. 0) write (*, '(a, i0)') 'sum ', total
      call shmem_finalize
      end
"""

# {call: contents of its message}
MISTAKES = {
    "call shmem_put(x, y, -1, 0)": "shmem_put: argument nelems is -1",
    "call shmem_put(x, y, 3, 9)": "pe is 9",
    "call shmem_put(x, y, 2.5, 0)": "shmem_put: argument nelems is of type real(4)",
    "call shmem_put(x, y, [1, 2], 0)": "shmem_put: argument nelems is an array of integer(4)",
    "call shmem_put(x, z, 3, 0)": "argument dest is of type integer(4) and source of real(8)",
    "call shmem_put(x, y, 11, 0)": "argument dest has 10 elements, but the call uses 11",
    "call shmem_put(x(::2), y, 3, 0)": "argument dest is an array section with gaps",
    "call shmem_get(y, x(10:1:-1), 3, 0)": "argument source is an array section with gaps",
    "call shmem_put(p, p, 3, 0)": "argument source is of type(c_ptr)",
    "k = shmem_sum_reduce(SHMEM_TEAM_WORLD, l, l, 1)": "logical(4)",
    "k = shmem_broadcast(SHMEM_TEAM_WORLD, p, p, 1, 0)": "both of type(c_ptr)",
    "k = int(shmem_test_any(z, 3, cmp=SHMEM_CMP_EQ, cmp_value=0))": "argument ivars is of type real(8)",
    "k = int(shmem_test_any(x, 3, cmp=SHMEM_CMP_EQ, cmp_value=2_8**40))": "argument cmp_value is 1099511627776",
    "call shmem_iput(x, y, 1, 1, -5, 0)": "shmem_iput: argument nelems is -5",
    # Errors that C routines with other names detect.
    "call shmem_put(x, y, 3, 9)": "shmem_put: argument pe is 9",
    "call shmem_get_nbi(y, x, 3, 9)": "shmem_get_nbi: argument pe is 9",
    "call shmem_put(SHMEM_CTX_DEFAULT, z, z, 3, 9)": "shmem_put: argument pe is 9",
    "call shmem_iput(x, y, 1, 1, 3, 9)": "shmem_iput: argument pe is 9",
    "call shmem_ibget(y, x, 1, 1, 1, 3, 9)": "shmem_ibget: argument pe is 9",
    "k = shmem_fcollect(SHMEM_TEAM_INVALID, x, x, 1)": "shmem_fcollect: ",
    "k = shmem_sum_reduce(SHMEM_TEAM_INVALID, x, x, 1)": "shmem_sum_reduce: ",
    "call shmem_atomic_inc(x(1), 9)": "shmem_atomic_inc: argument pe is 9",
    "k = shmem_atomic_fetch_add(SHMEM_CTX_DEFAULT, x(1), 1, 9)": "shmem_atomic_fetch_add: argument pe is 9",
    "call shmem_p(x(1), 1, 9)": "shmem_p: argument pe is 9",
}
CLASSIC_MISTAKES = {
    "call shmem_integer_put(x, y, -3, 0)": "shmem_integer_put: the number of elements is -3",
    "call shmem_clear_lock(x)": "no PE holds",
    "call shpalloc(p, -1, k, 1)": "shpalloc: error -1",
    "call shpdeallc(p, k, 1)": "shpdeallc: error -3",
    "call shmem_integer_put(x, y, 3, 9)": "shmem_integer_put: argument pe is 9",
    "call shmem_put8_nbi(z, z, 1, 9)": "shmem_put8_nbi: argument pe is 9",
    "call shmem_int4_iget(y, x, 1, 1, 3, 9)": "shmem_int4_iget: argument pe is 9",
    "call shmem_int4_inc(x, 9)": "shmem_int4_inc: argument pe is 9",
    "k = shmem_swap(x, 1, 9)": "shmem_swap: argument pe is 9",
    "call shmem_wait_until(x, 9, 1)": "shmem_wait_until: argument cmp is 9",
    "call shmem_broadcast4(x, x, 1, 9, 0, 0, 2, x)": "shmem_broadcast4: ",
    "call shmem_int4_sum_to_all(x, x, 1, 0, 0, 9, x, x)": "shmem_int4_sum_to_all: ",
}


class Oshfort(InFolder):
    def setUp(self):
        super().setUp()
        self.write("sum.f90", PROGRAM)

    def test_program(self):
        self.succeed(OSHFORT, "-std=f2018", "-Wall", "-Wextra", "-Werror", "sum.f90", "-o", "sum")
        self.assertEqual(self.succeed(OSHRUN, "-n", 3, "./sum"), "sum 60\n")
        self.assertEqual(self.succeed(OSHRUN, "-n", 4, "./sum"), "sum 100\n")

    def test_separate_compilation(self):
        self.succeed(OSHFORT, "-c", "sum.f90")
        self.succeed(OSHFORT, "sum.o", "-o", "sum")
        self.assertEqual(self.succeed(OSHRUN, "-n", 3, "./sum"), "sum 60\n")

    def test_classic_fixed_form(self):
        self.write("classic.f", CLASSIC)
        self.succeed(OSHFORT, "-Wall", "-Werror", "classic.f", "-o", "classic")
        self.assertEqual(self.succeed(OSHRUN, "-n", 3, "./classic"), "sum 60\n")

    def test_classic_free_form(self):
        free = CLASSIC.replace("mpp/shmem.fh", "shmem.fh").replace("      ", "")
        self.write("classic.f90", free)
        self.succeed(OSHFORT, "-Wall", "-Werror", "classic.f90", "-o", "classic")
        self.assertEqual(self.succeed(OSHRUN, "-n", 3, "./classic"), "sum 60\n")

    def test_own_options(self):
        shown = self.succeed(OSHFORT, "--show", "-O3", "sum.f90")
        for word in "-O3", "-lshmem_fortran", "-lshmem", "finclude":
            self.assertIn(word, shown)
        self.assertNotIn("-lshmem", self.succeed(OSHFORT, "--show", "-c", "sum.f90"))
        self.assertIn("OpenSHMEM", self.succeed(OSHFORT, "--version"))
        self.assertIn("OSHCC_FC", self.succeed(OSHFORT, "--help"))

    def run_line(self, line, classic=False):
        use = "" if classic else "use, intrinsic :: iso_c_binding\nuse shmem\n"
        include = ("include 'shmem.fh'\ninteger, external :: shmem_swap\ninteger(8), save :: p = 0\n" if classic
                   else "type(c_ptr), save :: p\n")
        self.write("line.f90", f"program line\n{use}implicit none\n{include}integer, save :: x(10) = 0\n"
                   "integer :: y(10) = 1, k = 0\nreal(8), save :: z(10)\nlogical, save :: l = .true.\n"
                   f"call shmem_init()\n{line}\nprint *, x(1), y(1), z(1), l, k, 'goes on'\n"
                   "call shmem_finalize()\nend program\n")
        self.succeed(OSHFORT, "line.f90", "-o", "line")
        return self.run_tool(OSHRUN, "-n", 2, "./line")

    def test_exit_codes(self):
        for line, code in {"call shmem_global_exit(7)": 7, "stop 5": 5, "error stop 6": 6, "k = 0": 0}.items():
            with self.subTest(line):
                self.assertEqual(self.run_line(line).returncode, code)

    def test_quits(self):
        """At a terminal Ctrl-\\ also reaches the PEs; only oshrun must act on it."""
        result = self.run_line("if (shmem_my_pe() == 1) call execute_command_line('kill -QUIT $PPID')")
        self.assertEqual((result.returncode, result.stdout.count("goes on"), result.stderr), (0, 2, ""))

    def test_mistakes(self):
        for classic, table in (False, MISTAKES), (True, CLASSIC_MISTAKES):
            for line, sentence in table.items():
                with self.subTest(line):
                    result = self.run_line(line, classic)
                    self.assertEqual(result.returncode, 1, result.stderr)
                    self.assertIn(sentence, result.stderr)
                    self.assertNotIn("goes on", result.stdout)
                    said = {text for text in result.stderr.splitlines() if text.startswith("copal: PE")}
                    self.assertIn(len(said), (1, 2), result.stderr)


if __name__ == "__main__":
    OSHRUN, oshcc = programs()
    OSHFORT = os.path.join(os.path.dirname(oshcc), "oshfort")
    unittest.main(verbosity=2)
