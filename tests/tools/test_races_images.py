"""cafrun --races from the outside: how a report speaks of images and coarrays.  What is a race between images and what
is none, tests/races/segments.f90 says."""
import pathlib
import re
import unittest

from support import InFolder, outcome, programs, run

OSHRUN = OSHCC = None    # set from the command line
LIMIT_S = 120

# x and y have the same memory, by turns; nobody tells of its end at END TEAM.
ROUNDS = """program rounds
    use, intrinsic :: iso_fortran_env
    implicit none
    type(team_type) :: all
    integer :: i
    form team (1, all)
    do i = 1, 50
        call one(i)
    end do
contains
    subroutine one(i)
        integer, intent(in) :: i
        integer, allocatable, save :: x(:)[:], y(:)[:]
        integer :: seen = 0
        change team (all)
            if (i < 50) allocate (x(64)[*])
            if (i == 50) allocate (y(64)[*])
            if (i == 50 .and. this_image() == 1) y(3)[2] = 1
            if (i == 50 .and. this_image() == 2) seen = y(3)
        end team
        if (seen > 1) error stop
    end subroutine
end program
"""


# One image puts to what another one loads, a coarray that is allocated, and one that is not.
PUTS = """program puts
    implicit none
    integer, save :: x(4)[*] = 0
    integer, allocatable :: y(:)[:]
    integer :: seen = 0
    allocate (y(8)[*])
    sync all
    if (this_image() == 1) x(2)[2] = 1
    if (this_image() == 1) y(2)[2] = 1
    if (this_image() == 2) seen = x(2)
    if (this_image() == 2) seen = y(2)
    if (seen > 1) error stop
end program
"""
HINT = (r"; nothing orders them\. A sync all, sync team or sync images of both, or an event that one posts after its "
        r"access and the other waits for, would order them\.")


class Images(InFolder):
    def setUp(self):
        super().setUp()
        self.bin = pathlib.Path(OSHRUN).parent
        if not (self.bin.parent / "lib/copal/tapped").is_dir() or not (self.bin / "caf").exists():
            self.skipTest("there are no coarrays")
        if int(run(self.bin / "caf", "-dumpversion").split(".")[0]) > 14:
            self.skipTest("accessors of gfortran 15 and 16 move data within a node unseen")

    def races(self, text):
        """What is said of a program, on two images."""
        self.write("program.f90", text)
        run(self.bin / "caf", "--races", "-g", "-O1", "program.f90", "-o", "program", folder=self.folder)
        code, out, err = outcome([self.bin / "cafrun", "-n", 2, "--races", "./program"], LIMIT_S, self.folder)
        self.assertEqual((code, out), (66, ""), err)
        return err

    def test_memory_of_a_team_that_has_ended(self):
        said = self.races(ROUNDS)
        self.assertEqual(re.findall(r" at byte 8 of 256 allocated at program\.f90:(\d+) in one;", said), ["17"], said)

    def test_images_and_coarrays(self):
        said = self.races(PUTS)
        for load, put, coarray in ((10, 8, "static coarray, at byte 4 of 16"),
                                   (11, 9, r"coarray, at byte 4 of 32 allocated at program\.f90:6 in puts")):
            sides = rf"image 2's load at program\.f90:{load} in puts", rf"image 1's put at program\.f90:{put} in puts"
            bytes_of = ", access the same 4 bytes of image 2's "
            self.assertRegex(said, f"copal: race: ({', and '.join(sides)}|{', and '.join(reversed(sides))})"
                                   f"{bytes_of}{coarray}{HINT}\n")
        self.assertNotIn("PE ", said)


if __name__ == "__main__":
    OSHRUN, OSHCC = programs()
    unittest.main(verbosity=2)
