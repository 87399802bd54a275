"""cafrun --races as a user calls it: reports with the names of images and coarrays. tests/races/segments.f90 tests
what is a race between images."""
import pathlib
import re
import unittest

from support import InFolder, outcome, programs, run

TOOLS = pathlib.Path(__file__).parents[2] / "tools"
OSHRUN = OSHCC = None    # set from the command line

# x and y have the same memory, in turn; the end of x at END TEAM is not reported.
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


# One image puts to memory that another image loads: an allocated coarray, and a static one.
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
# Accesses of gfortran's library for a list: a scalar, an array, a section, a text.
LISTS = """program lists
    implicit none
    integer, save :: x[*] = 1, y(4)[*] = 2, z(8)[*] = 3
    character(8), save :: c[*] = 'a'
    character(8) :: text = 'b'
    integer :: unit
    sync all
    if (this_image() == 1) then
        x[2] = 3
        y(2)[2] = 4
        z(5)[2] = 5
        c[2] = 'b'
    else
        open (newunit=unit, status='scratch')
        write (unit, *) x
        write (unit, *) y
        write (unit, *) z(1:8:2)
        read (text, *) c
    end if
end program
"""
# Image 3 fails while the others are in a statement.
FAILED = """program failed
    use, intrinsic :: iso_fortran_env
    implicit none
    type(event_type) :: there[*]
    integer, allocatable :: y(:)[:]
    integer :: status = 0, seen = 0
    allocate (y(8)[*])
    if (this_image() /= 3) then
        event post (there[3])
    else
        event wait (there, until_count=2)
        call sleep(1) ! until the others are in it
        fail image
    end if
    do while (status /= stat_failed_image)
        sync all (stat=status)
    end do
    if (this_image() == 1) y(2)[2] = 1
    if (this_image() == 2) seen = y(2)
    if (seen > 1) error stop
end program
"""
# Image 2 is killed while it holds all locks that the images share.
KILLED = """program killed
    use, intrinsic :: iso_fortran_env
    implicit none
    interface
        subroutine die_inside() bind(c)
        end subroutine
    end interface
    integer(atomic_int_kind) :: word[*]
    integer :: seen = 0
    sync all
    if (this_image() == 2) call die_inside()
    do while (size(failed_images()) == 0)
    end do
    call atomic_define(word, 5)
    call atomic_ref(seen, word)
    sync images (1)
    print '(a, i0)', 'image 1 has seen ', seen
end program
"""
DIE_INSIDE = """#include "races/board.h"
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static int file;

static void hold(uint64_t at, size_t places, size_t bytes)
{
    char *locks = mmap(NULL, places * bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, (off_t)at);
    for (size_t i = 0; i < places; i++)
        *(_Atomic uint32_t *)(locks + i * bytes) = (uint32_t)getpid();
}

void die_inside(void);
void die_inside(void)
{
    const size_t clock = board_clock_length(2) * sizeof(uint32_t);
    hold(BOARD_WORDS_AT, BOARD_WORDS, sizeof(struct board_word));
    hold(BOARD_MEETINGS_AT, BOARD_MEETINGS, sizeof(struct board_meeting) + 2 * BOARD_RING * clock);
    raise(SIGKILL);
}

__attribute__((constructor(101))) static void find_board(void)
{
    int launcher, fd;
    char path[64];
    const char *told = getenv("COPAL_RACES");
    if (!told || sscanf(told, "%d:%d", &launcher, &fd) != 2)
        return;
    snprintf(path, sizeof path, "/proc/%d/fd/%d", launcher, fd);
    file = open(path, O_RDWR);
}
"""
HINT = (r"; nothing orders them\. A sync all, sync team or sync images of both, or an event that one of them posts "
        r"after its access and the other waits for, would order them\.")


class Images(InFolder):
    def setUp(self):
        super().setUp()
        self.bin = pathlib.Path(OSHRUN).parent
        if not (self.bin.parent / "lib/copal/tapped").is_dir() or not (self.bin / "caf").exists():
            self.skipTest("there are no coarrays")

    def races(self, text, images=2):
        """The report about a program."""
        self.write("program.f90", text)
        run(self.bin / "caf", "--races", "-g", "-O1", "program.f90", "-o", "program", folder=self.folder)
        code, out, err = outcome([self.bin / "cafrun", "-n", images, "--races", "./program"], self.folder)
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

    def test_lists(self):
        """Each of the four lines accesses one of the coarrays that image 1 puts to; the output goes to a file."""
        said = self.races(LISTS)
        for line, put, access in ((15, 9, "load"), (16, 10, "load"), (17, 11, "load"), (18, 12, "store")):
            sides = (rf"image 2's {access} at program\.f90:{line} in lists",
                     rf"image 1's put at program\.f90:{put} in lists")
            self.assertRegex(said, f"copal: race: ({', and '.join(sides)}|{', and '.join(reversed(sides))}), access")

    def test_races_behind_a_failure(self):
        self.assertIn("image 1's put at program.f90:18 in failed", self.races(FAILED, 3))

    def test_image_killed_inside_a_lock(self):
        """The other images continue, as without --races; a job that ends with its first PE ends."""
        self.write("die.c", DIE_INSIDE)
        self.write("program.f90", KILLED)
        run(OSHCC, "-g", "-O1", "-I", TOOLS, "-c", "die.c", folder=self.folder)
        run(self.bin / "caf", "--races", "-g", "-O1", "program.f90", "die.o", "-o", "program", folder=self.folder)
        code, out, err = outcome([self.bin / "cafrun", "-n", 2, "--races", "./program"], self.folder)
        self.assertEqual(out, "image 1 has seen 5\n", err)
        self.assertNotIn("copal: race", err)
        code, out, err = outcome([OSHRUN, "-n", 2, "--races", "./program"], self.folder)
        self.assertEqual((code, out), (137, ""), err)
        self.assertIn("oshrun: PE 1 was killed by signal 9", err)


if __name__ == "__main__":
    OSHRUN, OSHCC = programs()
    unittest.main(verbosity=2)
