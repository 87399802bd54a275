"""Coarray programs without a launcher start the right number of images and otherwise work as usual; and programs that
are linked with another coarray library."""
import argparse
import os
import pathlib
import shlex
import signal
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools"))
from support import LIMIT, InFolder

CAF = CAFRUN = None    # set from the command line

PROGRAM = """
    character(80) :: arg, line
    integer :: total[*]
    call get_command_argument(1, arg)
    line = '-'
    if (this_image() == 1 .and. arg == 'read') read (*, '(a)') line
    total = this_image()
    call co_sum(total)
    if (total /= num_images() * (num_images() + 1) / 2) error stop 9
    if (this_image() == num_images() .and. arg /= 'read') print '(i0,1x,i0,1x,a)', num_images(), &
        command_argument_count(), trim(arg)
    if (this_image() == 1 .and. arg == 'read') print '(i0,1x,a)', num_images(), trim(line)
    sync all
    if (arg == 'stop') stop 5, quiet=.true.
    if (arg == 'error') error stop 7, quiet=.true.
    if (arg == 'again' .and. this_image() == 1) call execute_command_line('./alone x')
    if (arg == 'sleep') call sleep(100) ! it is ended
    end
"""

# A minimal coarray library of another implementation.
OTHER = """
void _gfortran_caf_init(int *argc, char ***argv) { (void)argc; (void)argv; }
void _gfortran_caf_finalize(void) { }
int _gfortran_caf_this_image(int distance) { return distance + 1; }
"""


class Alone(InFolder):
    def setUp(self):
        super().setUp()
        self.write("alone.f90", PROGRAM)
        self.succeed(CAF, "alone.f90", "-o", "alone")

    def test_how_many(self):
        own, gfortrans = "COPAL_NUM_IMAGES", "GFORTRAN_NUM_IMAGES"
        for variables, images in (({}, 1), ({own: "1"}, 1), ({own: "3"}, 3), ({gfortrans: "4"}, 4), ({own: ""}, 1),
                                  ({own: "1", gfortrans: "4"}, 1), ({own: "2", gfortrans: "x"}, 2),
                                  ({own: "", gfortrans: "2"}, 2)):
            self.assertEqual(self.succeed("./alone", "a b", **variables), f"{images} 1 a b\n", variables)
            self.assertEqual(self.succeed(CAFRUN, "-n", 2, "./alone", **variables), "2 0 \n")    # with the launcher

    def test_values(self):
        for value in "0", "-1", "x", "3x", "3 ", " 3", "1.5", "100001", "99999999999999999999", "0x10":
            for name in "COPAL_NUM_IMAGES", "GFORTRAN_NUM_IMAGES":
                self.assertEqual(self.refuse("./alone", **{name: value}), f"copal: environment variable {name} is "
                                 f'"{value}", allowed is a number from 1 to 100000\n')

    def test_arguments(self):
        self.assertEqual(self.succeed("./alone", "-n", "", "*", "a  'b", COPAL_NUM_IMAGES="2"), "2 4 -n\n")
        for others in ((":",), (":", "b"), ("b", ":", "-n", "1", "true")):    # which separate programs of cafrun
            self.assertEqual(self.succeed("./alone", "a", *others, COPAL_NUM_IMAGES="2"), f"2 {1 + len(others)} a\n")
        self.succeed("mkdir", "a folder")
        self.succeed("cp", "alone", "a folder/-alone")
        path = f"{self.folder}/a folder:{os.environ['PATH']}"
        self.assertEqual(self.succeed("env", "--", "-alone", "x", PATH=path, COPAL_NUM_IMAGES="2"), "2 1 x\n")

    def test_standard_input(self):
        said = subprocess.run(["./alone", "read"], cwd=self.folder, input="a line\n", text=True, stdout=subprocess.PIPE,
                              env=os.environ | {"GFORTRAN_NUM_IMAGES": "3"}, timeout=LIMIT, check=True)
        self.assertEqual(said.stdout, "3 a line\n")

    def test_exit_codes(self):
        for argument, code in (("stop", 5), ("error", 7)):
            self.assertEqual(self.run_tool("./alone", argument, COPAL_NUM_IMAGES="3").returncode, code)

    def test_started_by_an_image(self):
        """A program that an image starts has one image."""
        self.assertEqual(self.succeed("./alone", "again", COPAL_NUM_IMAGES="3").splitlines(), ["3 1 again", "1 1 x"])

    def test_signal(self):
        """The first process becomes the launcher, which ends its images."""
        job = subprocess.Popen(["./alone", "sleep"], cwd=self.folder, env=os.environ | {"COPAL_NUM_IMAGES": "3"},
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
        self.assertEqual(job.stdout.readline(), "3 1 sleep\n")
        job.send_signal(signal.SIGTERM)
        job.communicate(timeout=LIMIT)    # returns when no image holds its end of the pipes
        self.assertIn(job.returncode, (-signal.SIGTERM, 128 + signal.SIGTERM))

    def test_another_coarray_library(self):
        """If a program is linked with two coarray libraries, it calls the first, whichever that is."""
        self.write("mine.f90", "if (this_image() /= 1) error stop 2\nend\n")
        self.write("other.c", OTHER)
        self.succeed(CAF, "-c", "mine.f90")
        compiler, *_ = shlex.split(self.succeed(CAF, "-showme:command"))
        libraries = shlex.split(self.succeed(CAF, "-showme:link"))
        self.succeed("gcc", "-c", "-fPIC", "other.c")
        self.succeed("ar", "rcs", "libother.a", "other.o")
        self.succeed("gcc", "-shared", "other.o", "-o", "libshared.so")
        for other, said in (("libother.a", "program"), ("./libshared.so", "libshared.so")):
            self.succeed(compiler, "mine.o", other, "-Wl,--no-as-needed", *libraries, "-o", "program")
            for command in ["./program"], [CAFRUN, "-n", "2", "./program"]:
                result = self.run_tool(*command)
                self.assertEqual(result.returncode, 1)
                self.assertRegex(result.stderr, "copal: the program has the coarrays of another library, in "
                                 f".*{said}, and is linked with .*libcaf_gfortran1[0-9].so.* too; link it with one\n")
            self.succeed(compiler, "mine.o", *libraries, other, "-o", "program")    # calls Copal's
            self.succeed(CAFRUN, "-n", "1", "./program")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--cafrun", required=True, type=os.path.abspath)
    parser.add_argument("--caf", required=True, type=os.path.abspath)
    options, sys.argv[1:] = parser.parse_known_args()
    CAF, CAFRUN = options.caf, options.cafrun
    unittest.main(verbosity=2)
