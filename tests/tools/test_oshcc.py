"""oshcc and oshc++ as a user calls them: compilation, options that they pass on, and their errors."""
import os
import pathlib
import shlex
import subprocess
import unittest

from support import InFolder, programs

OSHCC = OSHCXX = OSHRUN = None    # set from the command line

# Each PE writes 10 x its own number to the next PE, so the sum is right only if every put has arrived.
PROGRAM = r"""
#include <shmem.h>
#include <stdio.h>
#ifndef WORD
#define WORD "sum"
#endif
int main(void)
{
    static long from;
    shmem_init();
    shmem_long_p(&from, 10 * (shmem_my_pe() + 1), (shmem_my_pe() + 1) % shmem_n_pes());
    shmem_barrier_all();
    if (shmem_my_pe() == 0) {
        long sum = 0;
        for (int pe = 0; pe < shmem_n_pes(); pe++)
            sum += shmem_long_g(&from, pe);
        printf("%s %ld\n", WORD, sum);
    }
    shmem_finalize();
    return 0;
}
"""

PLUGIN = r"""
#include <shmem.h>
int plugin(void);
int plugin(void)
{
    shmem_init();
    long *cell = shmem_malloc(sizeof *cell);
    *cell = 0;
    shmem_barrier_all();
    shmem_long_atomic_add(cell, shmem_my_pe() + 1, 0);
    shmem_barrier_all();
    int sum = (int)shmem_long_g(cell, 0);
    shmem_finalize();
    return sum;
}
"""

HOST = r"""
#include <dlfcn.h>
#include <stdio.h>
int main(void)
{
    void *library = dlopen("./libplugin.so", RTLD_NOW);
    int (*plugin)(void) = library ? (int (*)(void))dlsym(library, "plugin") : 0;
    if (!plugin)
        return fprintf(stderr, "%s\n", dlerror()), 1;
    printf("plugin %d\n", plugin());
    return 0;
}
"""


class Oshcc(InFolder):
    def setUp(self):
        super().setUp()
        self.write("sum.c", PROGRAM)

    def sum_of(self, program, pes=3):
        return self.succeed(OSHRUN, "-n", pes, f"./{program}")

    def test_program(self):
        self.succeed(OSHCC, "-Wall", "-Wextra", "-pedantic", "-Werror", "sum.c", "-o", "sum")
        self.assertEqual(self.sum_of("sum"), "sum 60\n")
        self.assertEqual(self.sum_of("sum", 4), "sum 100\n")

    def test_cplusplus(self):
        self.write("sum.cpp", "#include <string>\n" + PROGRAM.replace("WORD,", "std::string(WORD).c_str(),"))
        self.succeed(OSHCXX, "-Wall", "-Wextra", "-pedantic", "-Werror", "sum.cpp", "-o", "sum")
        self.assertEqual(self.sum_of("sum"), "sum 60\n")

    def test_mathematics(self):
        """Programs of other OpenSHMEMs, whose wrappers link libm, lack -lm; programs that do not use libm must not load
        it."""
        self.write("sqrt.c", "#include <math.h>\n" + PROGRAM.replace("sum);", "(long)sqrt((double)sum));"))
        self.succeed(OSHCC, "sqrt.c", "-o", "sqrt")
        self.succeed(OSHCC, "sum.c", "-o", "sum")
        self.assertIn("libm.so", self.succeed("readelf", "-d", "sqrt"))
        self.assertNotIn("libm.so", self.succeed("readelf", "-d", "sum"))

    def test_separate_compilation(self):
        self.succeed(OSHCC, "-c", "sum.c")
        self.succeed(OSHCC, "sum.o", "-o", "sum")
        self.assertEqual(self.sum_of("sum"), "sum 60\n")

    def test_from_standard_input(self):
        with open(self.folder / "sum.c") as source:
            subprocess.run([OSHCC, "-x", "c", "-", "-o", "sum"], cwd=self.folder, stdin=source, check=True)
        self.assertEqual(self.sum_of("sum"), "sum 60\n")

    def test_no_library_without_link(self):
        for option in "-c", "-S", "-E", "-M", "-MM", "-fsyntax-only":
            shown = self.succeed(OSHCC, option, "sum.c", "--show")
            self.assertNotIn("-lshmem", shown)
            self.assertNotIn("-rpath", shown)
            self.succeed(OSHCC, option, "sum.c")
        for option in "-v", "-dumpmachine", "-print-search-dirs":
            self.assertNotIn("-lshmem", self.succeed(OSHCC, option, "--show"))
            self.succeed(OSHCC, option)
        self.assertIn("-lshmem", self.succeed(OSHCC, "-MD", "sum.c", "--show"))

    def test_value_that_is_missing(self):
        """Added words do not become an option's argument, and an option's argument is not an input file."""
        for tool in self.tools():
            for option in "-o", "-l", "-I", "-L", "-x":
                result = self.run_tool(tool, "sum.c", option)
                self.assertRegex(result.stderr, rf"\Amissing|error: (missing|argument to).*{option}", str(tool))
                self.assertNotEqual(result.returncode, 0)
            result = self.run_tool(tool, "-o", "sum")
            self.assertRegex(result.stderr, "no input files")
            self.assertNotEqual(result.returncode, 0)
        self.succeed(OSHCC, "-I", ".", "-D", "X", "sum.c", "-Xlinker", "-O1", "-o", "sum")
        self.assertIn("-lshmem", self.succeed(OSHCC, "-o", "sum", "sum.c", "--show"))

    def test_shared_library(self):
        """A program that was not linked with Copal loads a library that was."""
        self.write("plugin.c", PLUGIN)
        self.write("host.c", HOST)
        self.succeed(OSHCC, "-shared", "-fPIC", "plugin.c", "-o", "libplugin.so")
        self.succeed(*self.plain_compiler(), "host.c", "-o", "host", "-ldl")
        self.assertEqual(self.succeed(OSHRUN, "-n", 3, "./host").splitlines(), ["plugin 6"] * 3)

    def plain_compiler(self):
        """The compiler and the sanitizers this build uses, without the library."""
        shown = shlex.split(self.succeed(OSHCC, "--show", "-c"))
        return [word for word in shown if not word.startswith("-I") and word != "-c"]

    def test_show_is_the_command(self):
        folder = self.folder / "it's a folder"
        folder.mkdir()
        (folder / "sum.c").write_text(PROGRAM)
        text = 'a "quoted" $HOME'
        define = "-DWORD=" + '"' + text.replace('"', r"\"") + '"'
        shown = self.succeed(OSHCC, "--show", define, folder / "sum.c", "-o", "sum")
        self.assertEqual(shown.count("\n"), 1)
        self.assertFalse((self.folder / "sum").exists(), "--show ran the compiler")
        self.assertIn(define, shlex.split(shown))
        self.succeed("sh", "-c", shown)
        self.assertEqual(self.sum_of("sum"), text + " 60\n")

    def tools(self):
        """The compilers' wrappers of this build, each with a library that its programs need."""
        folder = pathlib.Path(OSHCC).parent
        named = {"oshcc": "shmem", "oshc++": "shmem", "oshfort": "shmem_fortran", "caf": "caf_gfortran"}
        return {folder / tool: library for tool, library in named.items()
                if (folder / tool).exists() and self.run_tool(folder / tool, "--show").returncode == 0}

    def test_other_names_of_show(self):
        """Build systems query with the options of MPI's and other OpenSHMEMs' wrappers."""
        for tool in self.tools():
            for arguments in ["sum.c", "-o", "sum"], ["-c", "sum.c"], []:
                shown = self.succeed(tool, "--show", *arguments)
                for option in "-show", "-showme", "--showme":
                    self.assertEqual(self.succeed(tool, option, *arguments), shown)
            self.assertIn("-lshmem", shlex.split(shown))    # alone it also prints the libraries

    def test_parts_of_the_command(self):
        for tool, library in self.tools().items():
            part = {name: shlex.split(self.succeed(tool, f"-showme:{name}", "-c", "ignored.c"))
                    for name in ("command", "compile", "link", "incdirs", "libdirs", "libs")}
            self.assertEqual(part["link"], shlex.split(self.succeed(tool, "--showme:link")))
            everything = shlex.split(self.succeed(tool, "-show"))
            self.assertEqual(everything[:len(part["command"])], part["command"])
            self.assertEqual(set(everything), set(part["command"] + part["compile"] + part["link"]))
            self.assertEqual([word[2:] for word in everything if word.startswith("-I")], part["incdirs"])
            self.assertEqual([word[2:] for word in everything if word.startswith("-L")], part["libdirs"])
            self.assertEqual([word[2:] for word in everything if word.startswith("-l")], part["libs"])
            self.assertTrue((pathlib.Path(part["incdirs"][0]) / "shmem.h").exists())
            named, = [word for word in part["libs"] if word.startswith(library)]
            self.assertTrue((pathlib.Path(part["libdirs"][0]) / f"lib{named}.so").exists())
            self.assertIn("-showme:nothing is not known", self.refuse(tool, "-showme:nothing"))

    def test_build_by_the_parts(self):
        words = f"$({OSHCC} -showme:command) $({OSHCC} -showme:compile)"
        self.succeed("sh", "-c", f"{words} -c sum.c && {words} sum.o $({OSHCC} -showme:link) -o sum")
        self.assertEqual(self.sum_of("sum"), "sum 60\n")

    def test_arguments_pass_unchanged(self):
        self.succeed(OSHCC, '-DWORD="two  words"', "sum.c", "-o", "sum")
        self.assertEqual(self.sum_of("sum"), "two  words 60\n")

    def test_our_header_wins(self):
        (self.folder / "other").mkdir()
        (self.folder / "other" / "shmem.h").write_text("#error another package's header\n")
        self.succeed(OSHCC, "-Iother", "sum.c", "-o", "sum")
        self.assertEqual(self.sum_of("sum"), "sum 60\n")

    def test_found_through_links_and_path(self):
        (self.folder / "bin").mkdir()
        (self.folder / "bin" / "occ").symlink_to(OSHCC)
        self.succeed("./bin/occ", "sum.c", "-o", "sum")
        path = f"{self.folder / 'bin'}:{os.environ['PATH']}"
        self.succeed("sh", "-c", "occ sum.c -o sum2", PATH=path)
        self.assertEqual(self.sum_of("sum") + self.sum_of("sum2"), "sum 60\nsum 60\n")

    def test_compiler_of_the_environment(self):
        self.succeed(OSHCC, "sum.c", "-o", "sum", OSHCC_CC="gcc -DWORD=__func__")
        self.assertEqual(self.sum_of("sum"), "main 60\n")
        shown = self.succeed(OSHCXX, "--show", "sum.cc", OSHCC_CC="wrong", OSHCC_CXX="g++ -O1")
        self.assertEqual(shlex.split(shown)[:2], ["g++", "-O1"])
        self.assertIn("'no-such-cc'", self.refuse(OSHCC, "sum.c", OSHCC_CC="no-such-cc -O2"))

    def test_static_is_refused(self):
        for option in "-static", "--static", "-static-pie":
            self.assertIn(option, self.refuse(OSHCC, option, "sum.c", "-o", "sum"))
            self.assertFalse((self.folder / "sum").exists())
        self.succeed(OSHCC, "-static-libgcc", "sum.c", "-o", "sum")

    def test_exit_code_is_the_compilers(self):
        self.write("wrong.c", "int main(void) { return nothing; }\n")
        result = self.run_tool(OSHCC, "wrong.c")
        self.assertEqual(result.returncode, 1)
        self.assertIn("nothing", result.stderr)
        self.assertNotEqual(self.run_tool(OSHCC).returncode, 0)

    def test_help_and_version(self):
        self.assertIn("usage: oshcc ", self.succeed(OSHCC, "--help"))
        self.assertIn("OSHCC_CXX", self.succeed(OSHCXX, "--help"))
        self.assertRegex(self.succeed(OSHCC, "--version"), r"^oshcc \(Copal\) \d+\.\d+\.\d+, OpenSHMEM 1\.6, .*\n.+")


if __name__ == "__main__":
    OSHRUN, OSHCC = programs()
    OSHCXX = os.path.join(os.path.dirname(OSHCC), "oshc++")
    unittest.main(verbosity=2)
