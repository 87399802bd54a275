# timeout: 180
"""scripts/mutate: markers and tables agree with this tree, errors in them are reported; mutants are judged."""
import pathlib
import subprocess
import sys
import unittest

from support import InFolder

SOURCE = pathlib.Path(__file__).resolve().parents[2]

SUITES = "sum: seeds 1 2, limit 5\n    tests/sum SEED\n"
ROW = "| two | Both are added. | `sum` |\n"
WHY_NOT = ROW.replace("` |", "` | redundant: the same |")

CMAKE = """\
cmake_minimum_required(VERSION 3.25)
project(Sum LANGUAGES C)
add_library(shmem SHARED src/sum.c)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY tests)
add_executable(sum src/main.c)
target_link_libraries(sum shmem)
add_custom_target(oshrun)
add_custom_target(copal_emu)
add_custom_target(copal_ucx)
"""

SUM = """\
int sum(int a, int b)
{
    int total = a;
    if (a != b ||
            b)
        total += b;
    else
        total += a;
    return total;
}
"""

MAIN = """\
int sum(int a, int b);
int main(int argc, char **argv)
{
    while (sum(0, 9) == 7)
        ;
    return sum(argc, argv[1][0]) != argc + argv[1][0];
}
"""

IF = "    if (a != b ||"
OUT = IF + " /* MUTANT two */"
HANGS = "    /* MUTANT two: return\n     * 7; */\n" + IF
SAME = IF + " /* MUTANT two: a != b || b => b || a != b */"


class Mutations(InFolder):
    def setUp(self):
        super().setUp()
        self.write("src/main.c", MAIN)
        self.write("CMakeLists.txt", CMAKE)
        self.write(".gitignore", "build\n")
        subprocess.run(["git", "init", "-q", self.folder], check=True)

    def mutate(self, marked, *options, row=ROW, suites=SUITES):
        self.write("src/sum.c", SUM.replace(IF, marked))
        self.write("docs/mutations.md", f"# Page\n\n| name | rule | suites |\n|---|---|---|\n{row}\n")
        self.write("tests/mutations.txt", suites)
        return self.run_tool(SOURCE / "scripts/mutate", "--source", self.folder, "--build", self.folder / "build/m",
                             *options)

    def test_this_tree(self):
        self.succeed(SOURCE / "scripts/mutate", "--check")

    def test_what_is_wrong(self):
        for marked, row, suites, said in (
                (OUT.replace("two", "three"), ROW, SUITES, "sum.c: three: docs/mutations.md does not have"),
                (IF, ROW, SUITES, "no marker in src and tools has .*: two"),
                (OUT.replace("/* MUTANT", "/*MUTANT"), ROW, SUITES, "sum.c: no marker: .*MUTANT two"),
                (OUT.replace("two", "two: c => d"), ROW, SUITES, "must contain .* once: c => d"),
                (OUT.replace("two", "two: total => a"), ROW, SUITES, "must contain .* once: total => a"),
                (OUT.replace("two", "two: a => a"), ROW, SUITES, "must contain .* once"),
                (OUT.replace("two", "two: b) => b)"), ROW, SUITES, "its mutant is the same"),
                (OUT, ROW + ROW, SUITES, "a new name"),
                (OUT, ROW.replace("`sum`", "`product`"), SUITES, "suites of tests/mutations.txt: .*product"),
                (OUT, ROW.replace("`sum`", ""), SUITES, "not '| name"),
                (OUT, ROW, SUITES + "product:\n    tests/sum 1\n", "names none of product"),
                (OUT, ROW, "run tests/sum\n" + SUITES, "nor a command: run tests/sum")):
            with self.subTest(said):
                result = self.mutate(marked, "--check", row=row, suites=suites)
                self.assertEqual(result.returncode, 1)
                self.assertRegex(result.stderr, said)

    def test_verdicts(self):
        """scripts/mutate notices failures and hangs. An unnoticed mutation is an error unless the page explains it; a
        noticed mutation that the page explains is an error, too."""
        twice = "    /* MUTANT two: a != b => 0 */\n    /* MUTANT two: + total = 0; */\n" + IF
        for marked, row, code, said in ((OUT, ROW, 0, "two: noticed sum"),
                                        (HANGS, ROW, 0, "two: noticed sum.*hangs"),
                                        (twice, ROW, 0, "two: noticed sum"),
                                        (SAME, ROW, 1, "WRONG: two: unnoticed"),
                                        (SAME, WHY_NOT, 0, "two: unnoticed"),
                                        (OUT, WHY_NOT, 1, "WRONG: two: noticed")):
            with self.subTest(said):
                result = self.mutate(marked, row=row)
                self.assertRegex(result.stdout, said, result.stderr)
                self.assertEqual(result.returncode, code)
                self.assertEqual((self.folder / "src/sum.c").read_text(), SUM.replace(IF, marked))
        self.assertIn("0 rules", self.mutate(OUT, "three*").stdout)
        self.assertIn("1 rules", self.mutate(OUT, "src/s*").stdout)

    def test_a_busy_machine(self):
        """A test that exceeds its limit without mutations gets a longer limit: an unnoticed mutation is no hang."""
        slow = SUITES.replace("limit 5", "limit 1").replace("tests/sum SEED", "sh -c 'sleep 2; tests/sum 1'")
        result = self.mutate(SAME, suites=slow)
        self.assertRegex(result.stdout, "sum: passes without mutations", result.stderr)
        self.assertRegex(result.stdout, "WRONG: two: unnoticed")

    def test_what_does_not_compile(self):
        result = self.mutate(OUT.replace("two", "two: nothing"))
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stdout, "WRONG: two: broken.*the mutant cannot be built")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
