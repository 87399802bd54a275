"""oshrun --races and oshcc --races as a user calls them: options, exit codes, suppressions, separate steps, wrappers.
tests/races and tests/unit/races.c test what is a race."""
import os
import shutil
import unittest

from support import InFolder, network_settings, outcome, programs, run

OSHCC = OSHRUN = None    # set from the command line

# PE 0 puts to PE 1 in a function of another file; PE 1 loads in line 12.
MAIN = r"""#include <shmem.h>
#include <string.h>
void put(long *word);
int main(int argc, char **argv)
{
    static long word, seen;
    shmem_init();
    if (shmem_my_pe() == 0)
        put(&word);
    shmem_sync_all();
    if (shmem_my_pe() == 1)
        seen = word;
    shmem_finalize();
    return argc > 1 && strcmp(argv[1], "fail") == 0 ? 3 : 0 * (int)seen;
}
"""
PUT = r"""#include <shmem.h>
void put(long *word);
void put(long *word)
{
    shmem_long_p(word, 1, 1);
}
"""
MAIN_ALONE = r"""#include <shmem.h>
int main(void)
{
    shmem_init();
    shmem_barrier_all();
    shmem_finalize();
}
"""
LIBRARY = r"""#include <fcntl.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static char text[64] = "abc";
static int less(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }
int main(int argc, char **argv)
{
    shmem_init();
    FILE *in = fopen("/dev/zero", "r");
    const char *what = argv[argc - 1];
    if (shmem_my_pe() == 0)
        shmem_putmem(text, "xyz", 4, 1);
    else if (strcmp(what, "puts") == 0)
        puts(text);
    else if (strcmp(what, "fputs") == 0)
        fputs(text, stdout);
    else if (strcmp(what, "printf") == 0)
        printf("%d %g %s\n", 1, 2., text);
    else if (strcmp(what, "fprintf") == 0)
        fprintf(stdout, "%ld %s\n", 1L, text);
    else if (strcmp(what, "fwrite") == 0)
        fwrite(text, 1, 4, stdout);
    else if (strcmp(what, "fread") == 0)
        argc += fread(text, 1, 4, in) == 4;
    else if (strcmp(what, "write") == 0)
        argc += write(1, text, 4) == 4;
    else if (strcmp(what, "read") == 0)
        argc += read(fileno(in), text, 4) == 4;
    else if (strcmp(what, "strlen") == 0)
        argc += strlen(text) == 4;
    else if (strcmp(what, "qsort") == 0)
        qsort(text, 4, 1, less);
    shmem_finalize();
    return argc > 100;
}
"""
COPY = r"""#include <shmem.h>
struct big { long word[40]; } to, from = {{3}}, *target = &to, *source = &from;
int main(void)
{
    *target = *source;
    shmem_init();
    *target = *source;
    shmem_finalize();
    *target = *source;
    return to.word[0] - 3;
}
"""
BY_CLANG = r"""#include <shmem.h>
#include <stddef.h>
void *__tsan_memcpy(void *to, const void *from, size_t bytes);
void *__tsan_memmove(void *to, const void *from, size_t bytes);
void *__tsan_memset(void *to, int value, size_t bytes);
static long to[9], from[9] = {3};
int main(int argc, char **argv)
{
    __tsan_memset(to, 0, sizeof to);
    shmem_init();
    if (shmem_my_pe() == 0)
        shmem_long_p(&to[5], 1, 1);
    else if (*argv[1] == 'm')
        __tsan_memmove(&to[1], from, 64);
    else
        __tsan_memcpy(&to[1], from, 64);
    shmem_finalize();
    return argc == 0;
}
"""
LONGEST_NAME = """#include <shmem.h>
static unsigned long long word, before;
int main(void)
{
    shmem_init();
    if (shmem_my_pe() == 0)
        shmem_ctx_ulonglong_atomic_compare_swap_nbi(SHMEM_CTX_DEFAULT, &before, &word, 0, 1, 1);
    else
        before = word;
    shmem_finalize();
}
"""
REPORT = (r"copal: race: PE 1's load at main\.c:12 in main, and PE 0's shmem_long_p at put\.c:5 in put, access the "
          r"same 8 bytes of PE 1's variable word; nothing orders them\. .*shmem_quiet.*\n")


class Races(InFolder):
    def setUp(self):
        super().setUp()
        self.write("main.c", MAIN)
        self.write("put.c", PUT)
        self.build( "--races", "-c", "put.c")
        self.build( "--races", "main.c", "put.o", "-o", "program")

    def build(self, *words, **environment):
        run(OSHCC, *words, folder=self.folder, **environment)

    def races(self, *words, options=("--races",)):
        return outcome([OSHRUN, "-n", 2, *options, *(words or ["./program"])], self.folder)

    def test_report_and_exit_code(self):
        code, out, err = self.races()
        self.assertRegex(err, f"^{REPORT}oshrun: races: 1 reported, 0 suppressed\n$")
        self.assertEqual((code, out), (66, ""))
        code, out, err = self.races(options=["--races=log"])
        self.assertRegex(err, f"^{REPORT}")
        self.assertEqual(code, 0)

    def test_none_found_and_nothing_looked_at(self):
        self.write("right.c", MAIN_ALONE)
        self.build("--races", "right.c", "-o", "right")
        self.assertEqual(self.races("./right"), (0, "", "oshrun: races: none found\n"))
        self.build("right.c", "-o", "plain")
        self.assertRegex(self.races("./plain")[2], "^oshrun: races: none found\noshrun: races: the program "
                         "was not compiled with --races .*its loads and stores were not checked")
        self.assertRegex(self.races("true")[2], "^oshrun: races: nothing was checked: no PE has called")

    def test_what_the_c_library_does(self):
        """Symmetric memory that the C library reads, writes and sorts."""
        self.write("library.c", LIBRARY)
        self.build("--races", "library.c", "-o", "library")
        for what in ("puts", "fputs", "printf", "fprintf", "fwrite", "fread", "write", "read", "strlen", "qsort"):
            code, _, err = self.races("./library", what)
            self.assertEqual(code, 66, f"{what}: {err}")
            access = "store" if what in ("fread", "read", "qsort") else "load"
            self.assertRegex(err, f"PE 1's {access} at library\\.c:\\d+ in main")
        self.assertEqual(self.races("./library", "none")[0], 0)

    def test_another_exit_code_is_the_jobs(self):
        self.assertEqual(self.races("./program", "fail")[0], 3)

    def test_silent_without_the_option(self):
        self.assertEqual(self.races(options=[]), (0, "", ""))

    def test_assignments_of_large_objects(self):
        """gcc reports them as ranges, also before shmem_init and after shmem_finalize, and in a job without --races."""
        self.write("copy.c", COPY)
        self.build("--races", "copy.c", "-o", "copy")
        self.assertEqual(self.races("./copy", options=[]), (0, "", ""))
        self.assertEqual(self.races("./copy"), (0, "", "oshrun: races: none found\n"))

    def test_too_little_address_space(self):
        """If the address space suffices for the program but not for the detector, the job runs and is not checked."""
        code, out, err = self.races("sh", "-c", "ulimit -v 1500000; exec ./program")
        self.assertRegex(err, "^copal: races are not detected: [^\n]*; raise the limit on address space "
                         "\\(ulimit -v\\)\noshrun: races: 2 of 2 PEs were not checked\n$")
        self.assertEqual((code, out), (0, ""))

    def test_a_mark_of_the_linkers_is_no_name_for_a_variable(self):
        """Reports name the variable, not a linker symbol of size 0 at the same address."""
        self.write("main.c", "static long word;\n__asm__(\".globl mark; .set mark, word; .size mark, 0\");\n" +
                   MAIN.replace("static long word, seen;", "static long seen;"))
        self.build("--races", "main.c", "put.o", "-o", "program")
        self.assertRegex(self.races()[2], "PE 1's variable word; nothing")

    def test_behind_wrappers(self):
        for wrapper in (["sh", "-c", "./program"], ["env", "A=b", "./program"],
                        ["bash", "-c", "for i in 3 4 5 6 7 8 9; do eval \"exec $i>&-\"; done; ./program"]):
            code, _, err = self.races(*wrapper)
            self.assertRegex(err, REPORT)
            self.assertEqual(code, 66)

    def test_what_was_not_compiled_for_it(self):
        """A file compiled without --races: its calls are recorded, its loads are not."""
        text = MAIN.replace("seen = word", "shmem_long_get(&seen, &word, 1, 1)")
        self.write("plain.c", text)
        self.build( "-g", "plain.c", "put.c", "-o", "plain")
        code, _, err = self.races("./plain")
        self.assertIn("PE 1's shmem_long_get at plain.c:12 in main", err)
        self.assertEqual(code, 66)
        self.build( "-g", "main.c", "put.c", "-o", "plain")
        code, out, err = self.races("./plain")
        self.assertEqual((code, out), (0, ""))
        self.assertNotIn("copal: race", err)

    def test_clang(self):
        if not shutil.which("clang"):
            self.skipTest("clang is not installed")
        self.build( "--races", "main.c", "put.c", "-o", "program", OSHCC_CC="clang")
        code, _, err = self.races()
        self.assertRegex(err, REPORT)
        self.assertEqual(code, 66)

    def test_assignments_by_clang(self):
        """From version 15 on, clang assigns large objects by functions of the runtime (__tsan_memcpy)."""
        self.write("copy.c", BY_CLANG)
        self.build("--races", "copy.c", "-o", "copy")
        for what, line in ("move", 14), ("copy", 16):
            code, _, err = self.races("./copy", what)
            self.assertRegex(err, f"PE 1's store at copy\\.c:{line} in main")
            self.assertEqual(code, 66)

    def test_longest_name(self):
        self.write("long.c", LONGEST_NAME)
        self.build("--races", "long.c", "-o", "long")
        self.assertIn("PE 0's shmem_ctx_ulonglong_atomic_compare_swap_nbi at long.c:7 in main", self.races("./long")[2])

    def test_last_call_of_a_function(self):
        """If the compiler made a call a jump, the backtrace would lack the calling function."""
        self.write("main.c", MAIN.replace("static long word, seen", "static long word; static volatile long seen"))
        self.build("--races", "-O2", "main.c", "put.c", "-o", "program")
        self.assertRegex(self.races()[2], REPORT)

    def test_suppressions(self):
        for pattern, passed in (("put", True), ("main.c", True), ("put.c:5", True), ("*.c:12  # the load", True),
                                ("# put", False), ("put.c:6", False), ("pu", False)):
            self.write("known", f"\n  {pattern}\n")
            code, _, err = self.races(options=["--races", "--races-suppress", "known"])
            self.assertEqual(code, 0 if passed else 66, pattern)
            self.assertIn("0 reported, 1 suppressed" if passed else "1 reported, 0 suppressed", err)

    def test_bad_options(self):
        for options, sentence in (
                (["--races=all"], "oshrun: --races=all: expected --races, or --races=log, which does not change"),
                (["--races-suppress", "known"], "oshrun: --races-suppress known: without --races nothing is reported"),
                (["--races", "--races-suppress", "nowhere"], "oshrun: --races-suppress nowhere: No such file"),
                (["--races", "--nodes", "2"], "oshrun: --races: supports jobs of one node only; start it without"),
                (["--races", "--hosts", "a,b", "--launcher", "srun"],
                 "oshrun: --races: supports jobs of one node only, and this job is handed over")):
            code, out, err = self.races(options=options)
            self.assertIn(sentence, err)
            self.assertEqual((code, out, err.count("\n")), (2, "", 1))

    def test_nodes_by_the_environment(self):
        for name in ("SHMEM_NODES", "SMA_NODES"):
            code, out, err = outcome([OSHRUN, "-n", 2, "--races", "./program"], self.folder, **{name: "2"})
            self.assertIn("oshrun: --races: supports jobs of one node only", err)
            self.assertEqual((code, out, err.count("\n")), (2, "", 1))


if __name__ == "__main__":
    OSHRUN, OSHCC = programs()
    os.environ.pop("SHMEM_NODES", None)
    os.environ.update(network_settings())
    unittest.main(verbosity=2)
