"""The environment variables of SHCOLL as a user sets them: requests, tables, nodes; accepted and refused values."""
import os
import re
import shutil
import subprocess
import unittest

from support import LIMIT, OneFolder, programs

OSHCC = OSHRUN = None    # set from the command line

# usage: calls reduce:BYTES | inscan:BYTES | set:BYTES | broadcast:BYTES ...: each call is made and its result compared.
CALLS = r"""
#include <locale.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { MOST = 1 << 16 };
static double from[MOST], to[MOST], work[MOST];
static long pSync[SHMEM_REDUCE_SYNC_SIZE];

static void fail(const char *call, long i, double found, double wanted)
{
    printf("PE %d: %s: element %ld is %g and not %g\n", shmem_my_pe(), call, i, found, wanted);
    exit(3);
}

int main(int argc, char **argv)
{
    setlocale(LC_ALL, "");
    shmem_init();
    const int me = shmem_my_pe(), n_pes = shmem_n_pes();
    for (int i = 0; i < SHMEM_REDUCE_SYNC_SIZE; i++)
        pSync[i] = SHMEM_SYNC_VALUE;
    for (int a = 1; a < argc; a++) {
        const long n = atol(strchr(argv[a], ':') + 1) / 8;
        const int members = argv[a][0] == 'i' ? me + 1 : n_pes;
        for (long i = 0; i < n; i++)
            from[i] = (double)(me + 1) * (double)(i + a), to[i] = -1;
        shmem_barrier_all();
        switch (argv[a][0]) {
        case 'r': shmem_double_sum_reduce(SHMEM_TEAM_WORLD, to, from, n); break;
        case 'i': shmem_double_sum_inscan(SHMEM_TEAM_WORLD, to, from, n); break;
        case 's': shmem_double_sum_to_all(to, from, (int)n, 0, 0, n_pes, work, pSync); break;
        default: shmem_double_broadcast(SHMEM_TEAM_WORLD, to, from, n, n_pes - 1); break;
        }
        for (long i = 0; i < n; i++) {
            const double wanted = (argv[a][0] == 'b' ? n_pes : members * (members + 1) / 2) * (double)(i + a);
            if (to[i] != wanted)
                fail(argv[a], i, to[i], wanted);
        }
    }
    shmem_finalize();
    return 0;
}
"""

# Reductions in the pairs of PEs (0, 1) and (2, 3), of different sizes, then in (0, 2) and (1, 3).
PAIRS = r"""
#include <shmem.h>
enum { MOST = 1 << 17 };
static double from[MOST], to[MOST];

static void sum(shmem_team_t team, long n)
{
    shmem_double_sum_reduce(team, to, from, (size_t)n);
    const int partner = shmem_team_translate_pe(team, 1 - shmem_team_my_pe(team), SHMEM_TEAM_WORLD);
    if (to[0] != from[0] + shmem_double_g(from, partner))
        shmem_global_exit(3);
    shmem_sync(team);
}

int main(void)
{
    shmem_init();
    shmem_team_t pair = SHMEM_TEAM_INVALID, other = SHMEM_TEAM_INVALID, made;
    const int me = shmem_my_pe();
    from[0] = me + 1;
    for (int i = 0; i < 2; i++) {
        shmem_team_split_strided(SHMEM_TEAM_WORLD, 2 * i, 1, 2, 0, 0, &made);
        pair = made != SHMEM_TEAM_INVALID ? made : pair;
        shmem_team_split_strided(SHMEM_TEAM_WORLD, i, 2, 2, 0, 0, &made);
        other = made != SHMEM_TEAM_INVALID ? made : other;
    }
    for (long power = 2; power < MOST; power *= 2) {
        sum(pair, me < 2 ? power / 2 + 1 : power);
        sum(other, power);
    }
    shmem_finalize();
    return 0;
}
"""

ANY = "recursive_doubling:slots"     # works everywhere
PTR = "rabenseifner:shmem_ptr"       # needs all members on one node
REFUSED = "needs all members on one node"


def crowded(pes):
    return "crowded" if pes > len(os.sched_getaffinity(0)) else "free"


class Settings(OneFolder):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        (cls.folder / "calls.c").write_text(CALLS)
        subprocess.run([OSHCC, "-Wall", "-Wextra", "-Werror", "calls.c", "-o", "calls"], cwd=cls.folder, check=True)

    def run_job(self, *words, **environment):
        return subprocess.run([OSHRUN, *(str(word) for word in words)], cwd=self.folder, timeout=LIMIT, text=True,
                              env=dict(os.environ, **environment), stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def calls(self, *calls, pes=2, **environment):
        result = self.run_job("-n", pes, "./calls", *calls, **environment)
        self.assertEqual(result.returncode, 0, f"{calls} {environment}: {result.stdout}{result.stderr}")
        return result.stdout

    def choices(self, pes=2, **environment):
        """What SHCOLL_INFO prints: {collective: [(bytes, algorithm, why)]}, and its first line."""
        lines = self.calls(pes=pes, SHCOLL_INFO="1", **environment).splitlines()
        self.assertEqual(sum(line.startswith("Algorithms of collectives") for line in lines), 1)
        found, collective = {}, None
        for line in lines[2:]:
            collective = line[2:12].strip() or collective
            sizes, algorithm, why = re.fullmatch(r"(\S+) +(\S+) +(\S.*)", line[13:].strip()).groups()
            found.setdefault(collective, []).append((sizes, algorithm, why))
        return found, lines[0]

    def refuse(self, *calls, pes=2, **environment):
        result = self.run_job("-n", pes, "./calls", *calls, **environment)
        self.assertEqual(result.returncode, 1, f"{environment}: {result.stdout}{result.stderr}")
        sentences = [line for line in result.stderr.splitlines() if "shcoll" in line]
        self.assertEqual(len(set(line.split(": ", 2)[2] for line in sentences)), 1, result.stderr)
        return sentences[0]

    # --- requests

    def test_a_request_is_taken(self):
        self.assertEqual(self.choices(SHCOLL_REDUCE=PTR)[0]["reduce"], [("all", PTR, "requested")])
        self.assertEqual(self.choices(SHCOLL_BROADCAST="kary:signal:3")[0]["broadcast"],
                         [("all", "kary:signal:3", "requested")])
        self.assertEqual(self.choices(SHCOLL_SYNC="linear")[0]["sync"], [("all", "linear", "requested")])
        self.calls("reduce:8", "reduce:8000", "broadcast:800", "set:80", pes=3, SHCOLL_REDUCE=PTR,
                   SHCOLL_BROADCAST="kary:signal:2", SHCOLL_SYNC="knomial:2")

    def test_the_first_range_that_fits(self):
        request = f"{ANY}@..200,{PTR}@100..1k,{ANY}@201..300,{PTR}@1M..2g"
        reduce = self.choices(SHCOLL_REDUCE=request)[0]["reduce"]
        self.assertEqual(reduce[:2], [("..200", ANY, "requested"), ("201..1k", PTR, "requested")])
        self.assertIn(("1M..2G", PTR, "requested"), reduce)
        self.assertEqual({why for sizes, _, why in reduce if sizes.startswith("1025.")}, {"tuning table"})
        self.assertEqual({why for sizes, _, why in reduce if sizes.endswith("..")}, {"tuning table"})

    def test_each_scan_has_a_variable(self):
        found = self.choices(SHCOLL_SCAN="parts", SHCOLL_EXSCAN="linear@..64k")[0]
        self.assertEqual(found["inscan"], [("all", "parts:shmem_ptr", "requested")])
        self.assertEqual([(bytes, name.split(":")[0]) for bytes, name, _ in found["exscan"]],
                         [("..64k", "linear"), ("65537..", "parts")])

    def test_both_scans_have_one_variable(self):
        found = self.choices(SHCOLL_SCAN="parts@..64k")[0]
        for scan in "inscan", "exscan":
            self.assertEqual(found[scan][0], ("..64k", "parts:shmem_ptr", "requested"))
        self.calls("inscan:800", "inscan:80000", pes=3, SHCOLL_SCAN="parts@..64k")

    def test_algorithms_that_are_the_same_do_not_alternate(self):
        """With two members, several algorithms send the same messages; rounding does not choose among them."""
        for collective, rows in self.choices(SHMEM_NODES="2")[0].items():
            names = [name for _, name, _ in rows]
            self.assertLessEqual(max(map(names.count, names)), 2, f"{collective}: {rows}")

    def test_a_table_in_a_country_of_decimal_commas(self):
        locales = self.folder / "locales"
        locales.mkdir()
        made = shutil.which("localedef") and subprocess.run(
            ["localedef", "-i", "de_DE", "-f", "UTF-8", locales / "de_DE.UTF-8"],
            capture_output=True).returncode in (0, 1)
        if not made or not (locales / "de_DE.UTF-8").exists():
            self.skipTest("no locale with a decimal comma can be made here")
        self.calls("reduce:8", LOCPATH=str(locales), LC_ALL="de_DE.UTF-8",
                   SHCOLL_TABLE=self.table("parameter gamma 3.5e-11"))

    def test_boundaries_between_two_powers_of_two(self):
        """A refusal shows that the request applies to a call. All these sizes share one range of a plan, 513 to 1024.
        """
        request = {"SHCOLL_REDUCE": f"{PTR}@600..696,{ANY}", "SHCOLL_NODE_SIZE": "1"}
        for order in ("reduce:592", "reduce:704"), ("reduce:704", "reduce:592", "reduce:704"):
            self.calls(*order, **request)
            for size in 600, 696:
                self.assertIn(REFUSED, self.refuse(*order, f"reduce:{size}", **request))
        for request, fine, refused in (f"{ANY}@600..,{PTR}", 704, 592), (f"{ANY}@..599,{PTR}", 592, 704):
            self.assertIn(REFUSED, self.refuse(f"reduce:{fine}", f"reduce:{refused}", SHCOLL_REDUCE=request,
                                               SHCOLL_NODE_SIZE="1"))

    def test_what_cannot_work_is_refused(self):
        self.calls("reduce:80", "set:80", pes=3, SHCOLL_REDUCE=PTR)
        for call in "reduce:80", "set:80":
            sentence = self.refuse(call, pes=3, SHCOLL_REDUCE=PTR, SHCOLL_NODE_SIZE="2")
            self.assertIn(f"reduce by {PTR} {REFUSED}, which this call of 3 members does not have; ", sentence)
            other = re.search(r"; (\S+) can do it$", sentence)[1]
            self.calls(call, pes=3, SHCOLL_REDUCE=other, SHCOLL_NODE_SIZE="2")

    def test_a_name_without_a_form(self):
        """A name without a form means the first form that supports the call."""
        name = PTR.split(":")[0]
        for node_size, form in ("3", "shmem_ptr"), ("2", "get"):
            reduce = self.choices(pes=3, SHCOLL_REDUCE=name, SHCOLL_NODE_SIZE=node_size)[0]["reduce"]
            self.assertEqual(reduce, [("all", f"{name}:{form}", "requested")])
            self.calls("reduce:80", "reduce:8000", "set:80", pes=3, SHCOLL_REDUCE=name, SHCOLL_NODE_SIZE=node_size)
        for collective, other in ("reduce", "get"), ("inscan", "signal"):
            for name, form in ("two_level", "slots"), (f"two_level:{other}", other):
                asked = {f"SHCOLL_{collective.upper()}": name, "SHCOLL_NODE_SIZE": "2"}
                self.assertEqual(self.choices(pes=4, **asked)[0][collective],
                                 [("all", f"two_level:{form}", "requested")])
                self.calls(f"{collective}:80", f"{collective}:8000", "set:80", pes=4, **asked)

    def test_bad_requests(self):
        for value, said in (("fastest", '"fastest" is no algorithm of reduce; allowed are '),
                            ("parts:counter", '"parts:counter" is no algorithm'), ("parts:4", '"parts:4" is no'),
                            ("parts,", '"" is no algorithm'), (",parts", '"" is no algorithm'),
                            ("parts:", '"parts:" is no algorithm'), ("@..5", '"" is no algorithm'),
                            ("x" * 300, "is no algorithm"), ("parts@", '"" is no range'), ("parts@5", '"5" is no'),
                            ("parts@5..x", '"5..x" is no range'), ("parts@9..5", '"9..5" is no range'),
                            ("parts@-1..5", '"-1..5" is no range'), ("parts@1..2..3", '"1..2..3" is no range'),
                            ("parts@..5kk", '"..5kk" is no range'), ("parts@..99999999999999999999", "is no range"),
                            ("parts@..9999999999999g", "is no range"), ("parts@..5;ring", "is no range")):
            sentence = self.refuse(SHCOLL_REDUCE=value)
            self.assertIn(f'SHCOLL_REDUCE is "{value[:100]}', sentence)
            self.assertIn(said, sentence)
            self.assertIn("allowed are", sentence)
        for variable in "SYNC", "BROADCAST", "FCOLLECT", "COLLECT", "ALLTOALL", "ALLTOALLS", "SCAN":
            self.assertIn(f'SHCOLL_{variable} is "fastest"', self.refuse(**{f"SHCOLL_{variable}": "fastest"}))
        names = [name for _, name, _ in self.choices(SHCOLL_TABLE="none")[0]["reduce"]]
        for name in names:
            self.assertIn(name, self.refuse(SHCOLL_REDUCE="fastest"))

    def test_empty_is_not_set(self):
        empty = {f"SHCOLL_{name}": "" for name in ("REDUCE", "TABLE", "NODE_SIZE", "INFO")}
        self.assertEqual(self.calls("reduce:80", **empty), "")

    def test_too_many_rules(self):
        self.calls("reduce:80", SHCOLL_REDUCE=",".join(["parts"] * 400))
        self.assertIn("one rule too many", self.refuse(SHCOLL_REDUCE=",".join(["parts"] * 1000)))

    def test_all_pes_choose_as_pe_0(self):
        """An environment that differs between the PEs: PE 0's applies to all."""
        words = ["./calls", "reduce:80", "reduce:8000", "broadcast:80"]
        mine = ["-x", f"SHCOLL_REDUCE={ANY}", "-x", "SHCOLL_NODE_SIZE=2", "-x", "SHCOLL_BROADCAST=linear"]
        others = ["-x", f"SHCOLL_REDUCE={PTR}", "-x", "SHCOLL_NODE_SIZE=1", "-x", "SHCOLL_BROADCAST=nonsense",
                  "-x", "SHCOLL_TABLE=nonsense", "-x", "SHCOLL_INFO=1"]
        result = self.run_job("-n", 1, *mine, *words, ":", "-n", 3, *others, *words)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))
        result = self.run_job("-n", 1, *mine, "-x", f"SHCOLL_REDUCE={PTR}", *words, ":", "-n", 3, *mine, *words)
        self.assertEqual(result.returncode, 1)
        self.assertIn(REFUSED, result.stderr)

    def test_read_again_by_the_next_shmem_init(self):
        """The second shmem_init drops the first choices."""
        (self.folder / "twice.c").write_text(r"""
            #include <shmem.h>
            #include <stdlib.h>
            int main(int argc, char **argv)
            {
                static double x, y;
                for (int i = 1; i < argc; i++) {
                    setenv("SHCOLL_REDUCE", argv[i], 1);
                    shmem_init();
                    x = shmem_my_pe() + i;
                    shmem_double_sum_reduce(SHMEM_TEAM_WORLD, &y, &x, 1);
                    shmem_finalize();
                    if (y != 2 * i + 1)
                        return 2;
                }
                return 0;
            }""")
        subprocess.run([OSHCC, "twice.c", "-o", "twice"], cwd=self.folder, check=True)
        for values, code in ((ANY, ANY, ""), 0), ((ANY, PTR), 1), (("", "", PTR), 1):
            result = self.run_job("-n", 2, "./twice", *values, SHCOLL_NODE_SIZE="1")
            self.assertEqual(result.returncode, code, f"{values}: {result.stdout}{result.stderr}")

    # --- nodes

    def test_node_size(self):
        self.assertIn("4 PEs on 1 node", self.choices(pes=4)[1])
        self.assertIn("4 PEs on 2 nodes", self.choices(pes=4, SHCOLL_NODE_SIZE="2")[1])
        self.assertIn("4 PEs on 2 nodes", self.choices(pes=4, SHCOLL_NODE_SIZE="3")[1])
        self.assertIn("4 PEs on 1 node", self.choices(pes=4, SHCOLL_NODE_SIZE="100")[1])
        for n in 1, 2, 3:
            self.calls("reduce:80", "reduce:8000", "broadcast:800", "set:80", pes=5, SHCOLL_NODE_SIZE=str(n))
            self.calls("reduce:80", pes=5, SHCOLL_NODE_SIZE=str(n), SHCOLL_SYNC="two_level")
        for value in "0", "-1", "two", "2x", "99999999999":
            sentence = self.refuse(SHCOLL_NODE_SIZE=value)
            self.assertIn(f'SHCOLL_NODE_SIZE is "{value}", allowed is a number of PEs from 1 to', sentence)

    # --- tables

    def table(self, *lines, name="my.table"):
        (self.folder / name).write_text("\n".join(lines) + "\n")
        return name

    def test_a_table_is_taken(self):
        kind = crowded(2)
        name = self.table("# a comment", "", f"reduce 2 {kind} 64 {ANY}   # another", f"reduce 2 {kind} 1k {PTR}",
                          f"reduce\t2\t{kind}\tmax\t{PTR}", f"broadcast 2 {kind} 100 kary:signal:2",
                          f"broadcast 2 {kind} max linear\r")
        found = self.choices(SHCOLL_TABLE=name)[0]
        self.assertEqual(found["reduce"], [("..64", ANY, "tuning table"), ("65..", PTR, "tuning table")])
        self.assertEqual(found["broadcast"],
                         [("..100", "kary:signal:2", "tuning table"), ("101..", "linear:get", "tuning table")])
        self.assertEqual(found["fcollect"][0][2], "cost model")
        self.calls("reduce:8", "reduce:64", "reduce:72", "broadcast:96", "broadcast:104", SHCOLL_TABLE=name)
        both = self.choices(SHCOLL_TABLE=name, SHCOLL_REDUCE=f"{PTR}@..8")[0]["reduce"]
        self.assertEqual([line[0] for line in both], ["..8", "9..64", "65.."])

    def test_without_a_table_the_model_chooses(self):
        for pes in 2, 5:
            for choices in self.choices(pes=pes, SHCOLL_TABLE="none")[0].values():
                self.assertEqual({why for _, _, why in choices}, {"cost model"})
            self.calls("reduce:8", "reduce:80000", "inscan:80", "broadcast:800", "set:800", pes=pes,
                       SHCOLL_TABLE="none")

    def nearest(self, pes, *members, name="kary:signal", nodes=None):
        kind = crowded(pes)
        lines = [f"broadcast {n} {kind} max {name}:{i + 2}" for i, n in enumerate(members)]
        environment = {"SHCOLL_NODE_SIZE": str(nodes)} if nodes else {}
        choice = self.choices(pes=pes, SHCOLL_TABLE=self.table(*lines), **environment)[0]["broadcast"]
        return members[int(choice[0][1].split(":")[-1]) - 2] if choice[0][2] == "tuning table" else None

    def test_the_nearest_number_of_members(self):
        self.assertEqual(self.nearest(3, 2, 4), 4)
        self.assertEqual(self.nearest(5, 2, 4, 8, 16), 4)
        self.assertEqual(self.nearest(6, 2, 4, 8, 16), 8)
        self.assertEqual(self.nearest(4, 2, 8), 2)
        self.assertEqual(self.nearest(4, 8, 2), 2)
        self.assertEqual(self.nearest(2, 4, 1000), 4)
        self.assertIsNone(self.nearest(2, 5, 1000))
        self.assertIsNone(self.nearest(5, 2, 11))
        self.assertEqual(self.nearest(2, 5, 4, 1000), 4)
        self.assertEqual(self.nearest(4, "4", "4/2", nodes=2), "4/2")
        self.assertEqual(self.nearest(6, "4/2", "12/12", "2/2", nodes=2), "4/2")
        self.assertEqual(self.nearest(8, "8/8", "8/3", "8/2", nodes=2), "8/3")
        self.assertIsNone(self.nearest(4, "4", nodes=2))
        self.assertIsNone(self.nearest(4, "4/2"))

    def test_crowded_or_free(self):
        lines = [f"broadcast 2 {kind} max kary:signal:{k}" for kind, k in (("free", 2), ("crowded", 3))]
        for pes in 2, len(os.sched_getaffinity(0)) + 1:
            if pes <= 16:
                choice = self.choices(pes=pes, SHCOLL_TABLE=self.table(*lines))[0]["broadcast"][0][1]
                self.assertEqual(choice, f"kary:signal:{2 if crowded(pes) == 'free' else 3}")

    def test_a_line_that_does_not_suit(self):
        """If a row cannot be used, the next nearest row applies, then the model."""
        kind = crowded(3)
        name = self.table(f"reduce 3/3 {kind} max {PTR}", f"reduce 4/4 {kind} 520 {ANY}",
                          f"reduce 4/4 {kind} max {PTR}", f"reduce 3 {kind} max {ANY}")
        reduce = self.choices(pes=3, SHCOLL_TABLE=name, SHCOLL_NODE_SIZE="1")[0]["reduce"]
        self.assertEqual(reduce[0], ("..520", ANY, "tuning table"))
        self.assertEqual({why for _, _, why in reduce[1:]}, {"cost model"})
        self.calls(*(f"reduce:{size}" for size in (300, 520, 528, 520, 4096)), "set:80", pes=3, SHCOLL_TABLE=name,
                   SHCOLL_NODE_SIZE="1")

    def test_bad_tables(self):
        start = "reduce 2 free max parts"
        for line, said in (("reduce 2 free max", "has 4 words"), ("reduce 2 free max parts more", "has 6 words"),
                           ("redcue 2 free max parts", '"redcue" is no collective'),
                           ("reduce two free max parts", '"two" is no number of members'),
                           ("reduce 0 free max parts", '"0" is no number'), ("reduce 2/0 free max parts", '"2/0" is'),
                           ("reduce 2/3 free max parts", '"2/3" is no'), ("reduce 2x free max parts", '"2x" is no'),
                           ("reduce 2 idle max parts", 'processors are "idle"; allowed are free and crowded'),
                           ("reduce 2 crowded 4q parts", '"4q" is no number of bytes'),
                           ("reduce 2 crowded max partz", '"partz" is no algorithm of reduce; allowed are'),
                           ("reduce 2 free 4k parts", "ascending"), ("reduce 2 free max parts", "ascending order"),
                           ("parameter gamma", "has 2 words"), ("parameter gamme 1e-9", '"gamme" is no parameter'),
                           ("parameter gamma -1", 'gamma is "-1"; allowed are seconds'),
                           ("parameter gamma nan", 'gamma is "nan"'), ("parameter gamma 1e-9s", 'gamma is "1e-9s"'),
                           ("x" * 600, "is too long")):
            sentence = self.refuse(SHCOLL_TABLE=self.table("# first", start, line, start))
            self.assertIn('SHCOLL_TABLE is "my.table": line 3', sentence)
            self.assertIn(said, sentence)
            self.assertIn("allowed are", sentence)
        self.assertIn("must go up to max", self.refuse(SHCOLL_TABLE=self.table(start, "reduce 4 crowded 4k parts")))
        self.assertIn("No such file", self.refuse(SHCOLL_TABLE="missing.table"))
        self.assertIn("Is a directory", self.refuse(SHCOLL_TABLE="."))
        self.assertIn("one rule too many", self.refuse(SHCOLL_TABLE=self.table(
            *(f"reduce {n} free max parts" for n in range(1, 1000)))))
        (self.folder / "binary").write_bytes(bytes(range(256)) * 40)
        self.assertIn('SHCOLL_TABLE is "binary": line 1', self.refuse(SHCOLL_TABLE="binary"))

    def test_choices_do_not_depend_on_what_was_called_before(self):
        """The pairs (0, 1) and (2, 3) have called with different sizes before (0, 2) and (1, 3) call, which have the
        same shape. Each value of the parameter makes the model's choice change at another size."""
        (self.folder / "pairs.c").write_text(PAIRS)
        subprocess.run([OSHCC, "-Wall", "-Wextra", "-Werror", "pairs.c", "-o", "pairs"], cwd=self.folder, check=True)
        kind = "crowded_alpha" if crowded(4) == "crowded" else "node.alpha"
        for step in range(8):
            name = self.table(f"parameter {kind} {1e-6 * 2 ** (step / 8)}")
            result = self.run_job("-n", 4, "-timeout", LIMIT, "./pairs", SHCOLL_TABLE=name)
            self.assertEqual(result.returncode, 0, f"step {step}: {result.stdout}{result.stderr}")

    def test_parameters_change_the_models_choice(self):
        """The cheapest sync changes if the cost is in the gap between messages instead of in their latency."""
        cheapest = set()
        for alpha, gap in ("1e-9", "1e-3"), ("1e-3", "0"):
            name = self.table(*(f"parameter {name} {value}" for name, value in (
                ("node.alpha", alpha), ("crowded_alpha", alpha), ("node.gap", gap), ("atomic", "0"))))
            cheapest.add(self.choices(pes=8, SHCOLL_TABLE=name)[0]["sync"][0][1])
        self.assertEqual(len(cheapest), 2, cheapest)


if __name__ == "__main__":
    OSHRUN, OSHCC = programs()
    unittest.main(verbosity=2)
