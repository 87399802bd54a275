"""scripts/mutate: the tables are true of this tree, and what is wrong in them is said; mutants are built and judged."""
import pathlib
import subprocess
import sys
import unittest

from support import InFolder

SOURCE = pathlib.Path(__file__).resolve().parents[2]

SUITES = """\
== sum
build sum
run ./sum SEED
seeds 1 2
limit 5
"""

RULE = """\
== two
rule Both are added.
by sum
file src/sum.c
-    total += b;
     return total;
"""

CMAKE = """\
cmake_minimum_required(VERSION 3.25)
project(Sum LANGUAGES C)
add_library(shmem SHARED src/sum.c)
add_executable(sum src/main.c)
target_link_libraries(sum shmem)
"""

SUM = """\
int sum(int a, int b)
{
    int total = a;
    total += b;
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


class Mutations(InFolder):
    def setUp(self):
        super().setUp()
        self.write("tests/mutations/suites.txt", SUITES)
        self.write("src/sum.c", SUM)
        self.write("src/main.c", MAIN)
        self.write("CMakeLists.txt", CMAKE)
        self.write(".gitignore", "build\n")
        self.write("docs/mutations.md", "# Page\n\n<!-- scripts/mutate --page writes what follows -->\n")
        subprocess.run(["git", "init", "-q", self.folder], check=True)

    def mutate(self, rule, *options):
        self.write("tests/mutations/sum.txt", rule)
        return self.run_tool(SOURCE / "scripts/mutate", "--source", self.folder, "--build", self.folder / "build/m",
                             *options)

    def test_this_tree(self):
        self.succeed(SOURCE / "scripts/mutate", "--check")

    def test_wrong_tables(self):
        for rule, said in ((RULE.replace("+= b", "-= b"), "the old text is 0 times in src/sum.c"),
                           (RULE.replace("     return", "-    return").replace("-    total += b;\n", "")
                            .replace("return total;", "}"), "0 times"),
                           (RULE.replace("sum.c", "sun.c"), "there is no src/sun.c"),
                           (RULE.replace("by sum", "by product"), "'by' names \\['product'\\]"),
                           (RULE + "\n" + RULE, "twice"),
                           (RULE.replace("rule Both are added.\n", ""), "without a rule"),
                           (RULE.replace("rule Both", "rule\nBoth"), "sum.txt:2: neither")):
            with self.subTest(said):
                result = self.mutate(rule, "--list")
                self.assertEqual(result.returncode, 1)
                self.assertRegex(result.stderr, said)

    def test_page(self):
        result = self.mutate(RULE, "--check")
        self.assertEqual(result.returncode, 1)
        self.assertIn("does not have the rules", result.stderr)

    def test_verdicts(self):
        """Failing and hanging are noticed; what is not is an error, unless the table says why, and then the reverse."""
        hangs = RULE.replace("-    total += b;", "-    total += b;\n+    return 7;")
        other = RULE.replace("-    total += b;", "-    total += b;\n+    total = a + b;")
        why = "redundant The same."
        for rule, code, said in ((RULE, 0, "two: noticed sum"), (hangs, 0, "two: noticed sum.*hangs"),
                                 (other, 1, "WRONG: two: unnoticed"),
                                 (other.replace("by sum", f"by sum\n{why}"), 0, "two: unnoticed"),
                                 (RULE.replace("by sum", f"by sum\n{why}"), 1, "WRONG: two: noticed")):
            with self.subTest(said):
                result = self.mutate(rule)
                self.assertRegex(result.stdout, said, result.stderr)
                self.assertEqual(result.returncode, code)
                self.assertEqual((self.folder / "src/sum.c").read_text(), SUM)
        self.assertEqual(self.mutate(RULE).returncode, 0)
        self.assertEqual(self.mutate(RULE, "--page").returncode, 0)
        page = (self.folder / "docs/mutations.md").read_text()
        self.assertIn("| Both are added. | `src/sum.c` | `sum` fails |", page)
        self.assertEqual(self.mutate(RULE, "--check").returncode, 0)
        self.assertIn("0 rules", self.mutate(RULE, "--missing").stdout)

    def test_a_busy_machine(self):
        """What takes longer than its limit without mutations does not hang, nor with one that nothing notices."""
        slow = SUITES.replace("limit 5", "limit 1").replace("./sum SEED", "sh -c 'sleep 2; ./sum 1'")
        self.write("tests/mutations/suites.txt", slow)
        other = RULE.replace("-    total += b;", "-    total += b;\n+    total = a + b;")
        result = self.mutate(other)
        self.assertRegex(result.stdout, "sum: passes without mutations", result.stderr)
        self.assertRegex(result.stdout, "WRONG: two: unnoticed")

    def test_what_does_not_compile(self):
        result = self.mutate(RULE.replace("-    total += b;", "-    total += b;\n+    nothing"))
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stdout, "WRONG: two: broken.*the mutant cannot be built")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
