"""Tools of others, attached in the ways of Score-P and TAU: by ld's --wrap, by a preloaded library that calls the next
definition, and by the pshmem_ names. Each tool has every routine of the specification, and counts its calls."""
import collections
import pathlib
import re
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE.parent / "tools"))
from support import InFolder, programs
from test_profile import PES, ROUTINES

OSHRUN = OSHCC = None    # set from the command line

COUNTER = """#define _GNU_SOURCE
#include <dlfcn.h>
#define COPAL_NO_GENERICS
#include <pshmem.h>
#include <shmem.h>
#include <stdio.h>
#include <unistd.h>

static struct counted { const char *name; long calls; } *all[2000];
static int n;

static void tool_count(struct counted *c)
{
    if (!c->calls++)
        all[n++] = c;
}

__attribute__((destructor)) static void tell(void)
{
    char path[40];
    snprintf(path, sizeof path, "counted.%ld", (long)getpid());
    FILE *out = n ? fopen(path, "w") : NULL;
    for (int i = 0; i < n; i++)
        fprintf(out, "%s %ld\\n", all[i]->name, all[i]->calls);
    if (out)
        fclose(out);
}

"""
BEGIN = '    static struct counted tool_calls = {"NAME", 0};\n    tool_count(&tool_calls);\n'
WRAPPED = "RESULT __real_NAME(TYPES);\nRESULT __wrap_NAME(TYPES)\n{\n" + BEGIN + "    RETURN__real_NAME(VALUES);\n}\n"
PRELOADED = "RESULT NAME(TYPES)\n{\n    static RESULT (*next)(TYPES);\n" + BEGIN + \
    '    if (!next)\n        *(void **)&next = dlsym(RTLD_NEXT, "NAME");\n    RETURNnext(VALUES);\n}\n'
RENAMED = "RESULT NAME(TYPES)\n{\n" + BEGIN + "    RETURNpNAME(VALUES);\n}\n"

# Calls of counts.c that a tool sees but a profile lacks: a profile never counts them, or shmem_pcontrol has stopped it.
MORE = {"shmem_init": PES, "shmem_my_pe": PES, "shmem_n_pes": PES, "shmem_team_my_pe": PES, "shmem_team_n_pes": PES,
        "shmem_pcontrol": 2 * PES, "shmem_finalize": PES, "shmem_long_p": PES}
SEEN = collections.Counter({name: calls for name, (calls, _, _) in ROUTINES.items()}) + collections.Counter(MORE)


def prototypes():
    """(result, name, arguments with their types, their names) of each routine."""
    text = subprocess.run(["cc", "-E", "-P", "-DCOPAL_NO_GENERICS", ROOT / "include/shmem.h"], check=True, text=True,
                          stdout=subprocess.PIPE).stdout
    specified = set(subprocess.run([ROOT / "scripts/check-symbols", "--names"], check=True, text=True,
                                   stdout=subprocess.PIPE).stdout.split())
    for result, name, types in re.findall(r"([\w\s*]+?)\b(\w+)\s*\(([^()]*)\)\s*;", text):
        if name in specified:
            specified.remove(name)
            types = " ".join(types.split())
            values = ", ".join(re.findall(r"(\w+)(?:,|$)", types.replace(", ...", ""))) if types != "void" else ""
            yield " ".join(result.replace("_Noreturn", "").split()), name, types, values
    if specified:
        raise AssertionError(f"the header does not declare {sorted(specified)}")


class OtherTools(InFolder):
    def tool(self, pattern, prefix=""):
        """A source with the pattern, filled in for each routine that begins with the prefix."""
        body, names = [], []
        for result, name, types, values in prototypes():
            if name.startswith(prefix):
                names.append(name)
                words = {"RESULT": result, "NAME": name, "TYPES": types, "VALUES": values,
                         "RETURN": "" if result == "void" else "return "}
                body.append(re.sub("|".join(words), lambda word: words[word[0]], pattern))
        self.assertGreater(len(names), 1700)
        self.write("tool.c", COUNTER + "\n".join(body))
        return names

    def counted(self, *options, **environment):
        """The counts of the tools of all PEs for ./program."""
        self.succeed(OSHRUN, "-n", PES, *options, "./program", **environment)
        total = collections.Counter()
        for path in self.folder.glob("counted.*"):
            for line in path.read_text().splitlines():
                name, calls = line.split()
                total[name] += int(calls)
            path.unlink()
        return dict(total)

    def check_counts(self, *before, **environment):
        for options in (), ("--nodes", 2, "--fabric", "disorder:1"):
            self.assertEqual(self.counted(*options, *before, **environment), dict(SEEN))

    def test_wrapped_by_the_linker(self):
        names = self.tool(WRAPPED)
        self.write("wrapped", "\n".join(f"-Wl,--wrap={name}" for name in names))
        self.succeed(OSHCC, "-o", "program", HERE / "counts.c", "tool.c", "@wrapped")
        self.check_counts()

    def test_preloaded(self):
        """Programs in C, and in Fortran, whose module calls the same names."""
        self.tool(PRELOADED)
        self.succeed("cc", f"-I{ROOT}/include", "-shared", "-fPIC", "-o", "libtool.so", "tool.c")
        self.succeed(OSHCC, "-o", "program", HERE / "counts.c")
        preload = "env", f"LD_PRELOAD={self.folder}/libtool.so"
        self.check_counts(*preload)
        fortran = pathlib.Path(OSHCC).parent / "oshfort"
        if not fortran.exists():
            return
        self.write("program.f90", """program calls
            use shmem
            implicit none
            integer, save, target :: there(10)
            integer :: i
            call shmem_init()
            do i = 1, 3
                call shmem_put(there, [1, 2, 3], 3, mod(shmem_my_pe() + 1, shmem_n_pes()))
            end do
            call shmem_barrier_all()
            call shmem_finalize()
        end program""")
        self.succeed(fortran, "-o", "program", "program.f90")
        seen = self.counted(*preload)
        self.assertEqual({name: seen.get(name) for name in ("shmem_put32", "shmem_my_pe", "shmem_barrier_all")},
                         {"shmem_put32": 3 * PES, "shmem_my_pe": 3 * PES, "shmem_barrier_all": PES})

    def test_by_other_names(self):
        """A tool in objects that are linked with the program, or in a preloaded library."""
        self.tool(RENAMED, "shmem_")
        self.succeed(OSHCC, "-o", "program", HERE / "counts.c", "tool.c")
        self.check_counts()
        self.succeed(OSHCC, "-shared", "-fPIC", "-o", "libtool.so", "tool.c")
        self.succeed(OSHCC, "-o", "program", HERE / "counts.c")
        self.check_counts("env", f"LD_PRELOAD={self.folder}/libtool.so")


if __name__ == "__main__":
    OSHRUN, OSHCC = programs()
    unittest.main(verbosity=2)
