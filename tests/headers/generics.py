#!/usr/bin/env python3
"""Every type-generic name, called with every type that it supports, must reach the typed routine of that type.

usage: generics.py [--include DIR] COMPILER OPTION...     (for C11 or later, or C++11 or later)

Writes two files into a temporary folder, compiles them with the options and runs them:
- a mock library that defines each routine of shmem.h, and records its name and the bytes of its arguments;
- a program that calls each generic name with each type, then the expected typed routine, and compares
  the records and the result types of the two calls.
The types and names here come from the specification, not from the headers."""

import argparse
import os
import re
import subprocess
import sys
import tempfile

C_TYPES = {
    "float": "float", "double": "double", "longdouble": "long double", "char": "char", "schar": "signed char",
    "short": "short", "int": "int", "long": "long", "longlong": "long long", "uchar": "unsigned char",
    "ushort": "unsigned short", "uint": "unsigned int", "ulong": "unsigned long", "ulonglong": "unsigned long long",
    "int8": "int8_t", "int16": "int16_t", "int32": "int32_t", "int64": "int64_t", "uint8": "uint8_t",
    "uint16": "uint16_t", "uint32": "uint32_t", "uint64": "uint64_t", "size": "size_t", "ptrdiff": "ptrdiff_t",
    "complexd": "COPAL_COMPLEXD", "complexf": "COPAL_COMPLEXF",
}
# A type with several names may reach the routine of any of them.
SAME = {"schar": "int8", "short": "int16", "int": "int32", "long": "int64", "ptrdiff": "int64", "uchar": "uint8",
        "ushort": "uint16", "uint": "uint32", "ulong": "uint64", "size": "uint64"}

AMO = "int long longlong uint ulong ulonglong int32 int64 uint32 uint64 size ptrdiff".split()
EXT = AMO + ["float", "double"]
BIT = "uint ulong ulonglong int32 int64 uint32 uint64".split()
WAIT = AMO + ["short", "ushort"]
RMA = [name for name in C_TYPES if not name.startswith("complex")]
REDUCE_BIT = "uchar ushort uint ulong ulonglong int8 int16 int32 int64 uint8 uint16 uint32 uint64 size".split()
OLD_FETCH = "float double int long longlong".split()
OLD_ADD = "int long longlong".split()

# (names, types, arguments, whether there is also a form with a context)
GENERICS = [
    ("put get put_nbi get_nbi", RMA, "dest, source, 5, 6", True),
    ("p", RMA, "dest, value, 6", True),
    ("g", RMA, "source, 6", True),
    ("iput iget", RMA, "dest, source, 3, 4, 5, 6", True),
    ("ibput ibget", RMA, "dest, source, 3, 4, 5, 7, 6", True),
    ("put_signal put_signal_nbi", RMA, "dest, source, 5, sig, 8, SHMEM_SIGNAL_ADD, 6", True),
    ("atomic_fetch", EXT, "source, 6", True),
    ("atomic_set atomic_swap", EXT, "dest, value, 6", True),
    ("atomic_add atomic_fetch_add", AMO, "dest, value, 6", True),
    ("atomic_and atomic_or atomic_xor atomic_fetch_and atomic_fetch_or atomic_fetch_xor", BIT, "dest, value, 6", True),
    ("atomic_compare_swap", AMO, "dest, cond, value, 6", True),
    ("atomic_inc atomic_fetch_inc", AMO, "dest, 6", True),
    ("atomic_fetch_nbi", EXT, "fetch, source, 6", True),
    ("atomic_swap_nbi", EXT, "fetch, dest, value, 6", True),
    ("atomic_fetch_add_nbi", AMO, "fetch, dest, value, 6", True),
    ("atomic_fetch_and_nbi atomic_fetch_or_nbi atomic_fetch_xor_nbi", BIT, "fetch, dest, value, 6", True),
    ("atomic_compare_swap_nbi", AMO, "fetch, dest, cond, value, 6", True),
    ("atomic_fetch_inc_nbi", AMO, "fetch, dest, 6", True),
    ("fetch", OLD_FETCH, "source, 6", False),
    ("set swap", OLD_FETCH, "dest, value, 6", False),
    ("cswap", OLD_ADD, "dest, cond, value, 6", False),
    ("inc finc", OLD_ADD, "dest, 6", False),
    ("add fadd", OLD_ADD, "dest, value, 6", False),
    ("alltoall collect fcollect", RMA, "SHMEM_TEAM_SHARED, dest, source, 5", False),
    ("alltoalls", RMA, "SHMEM_TEAM_SHARED, dest, source, 3, 4, 5", False),
    ("broadcast", RMA, "SHMEM_TEAM_SHARED, dest, source, 5, 6", False),
    ("and_reduce or_reduce xor_reduce", REDUCE_BIT, "SHMEM_TEAM_SHARED, dest, source, 5", False),
    ("max_reduce min_reduce", RMA, "SHMEM_TEAM_SHARED, dest, source, 5", False),
    ("sum_reduce prod_reduce sum_inscan sum_exscan", list(C_TYPES), "SHMEM_TEAM_SHARED, dest, source, 5", False),
    ("wait_until test", WAIT, "dest, SHMEM_CMP_GE, value", False),
    ("wait_until_all wait_until_any test_all test_any", AMO, "dest, 5, status, SHMEM_CMP_GE, value", False),
    ("wait_until_some test_some", AMO, "dest, 5, indices, status, SHMEM_CMP_GE, value", False),
    ("wait_until_all_vector wait_until_any_vector test_all_vector test_any_vector", AMO,
     "dest, 5, status, SHMEM_CMP_GE, source", False),
    ("wait_until_some_vector test_some_vector", AMO, "dest, 5, indices, status, SHMEM_CMP_GE, source", False),
]
# Names without a type: the call, and the plain routine that it must reach.
UNTYPED = [
    ("shmem_sync(SHMEM_TEAM_SHARED)", "shmem_team_sync(SHMEM_TEAM_SHARED)"),
    ("shmem_sync(1, 2, 3, psync)", "(shmem_sync)(1, 2, 3, psync)"),
    ("shmem_signal_add(context, sig, 8, 6)", "shmem_ctx_signal_add(context, sig, 8, 6)"),
    ("shmem_signal_add(sig, 8, 6)", "(shmem_signal_add)(sig, 8, 6)"),
    ("shmem_signal_set(context, sig, 8, 6)", "shmem_ctx_signal_set(context, sig, 8, 6)"),
    ("shmem_signal_set(sig, 8, 6)", "(shmem_signal_set)(sig, 8, 6)"),
    # A generic call as the argument of another generic call, and of the same one.
    ("shmem_p(dest_int, shmem_g(source_int, 1), 6)", "shmem_int_p(dest_int, shmem_int_g(source_int, 1), 6)"),
    ("shmem_g(source_int + shmem_g(source_int, 1) - 42, 6)",
     "shmem_int_g(source_int + shmem_int_g(source_int, 1) - 42, 6)"),
    # The call must not be split at the commas inside an argument.
    ("shmem_put(&dest_int[sum(1, 2)], source_int, 5, 6)", "shmem_int_put(dest_int + 3, source_int, 5, 6)"),
]
N_GENERICS = 73

HARNESS = r"""
#define COPAL_NO_GENERICS
#include <shmem.h>
#include <stdio.h>
#include <string.h>

char notes[4096];

static void note(const char *text)
{
    strcat(notes, text);
}

static void note_bytes(const void *argument, size_t size)
{
    char *end = notes + strlen(notes);
    for (size_t i = 0; i < size; i++)
        end += sprintf(end, "%02x", ((const unsigned char *)argument)[i]);
    strcpy(end, " ");
}
"""

PROGRAM = r"""
#include <shmem.h>
#include <stdio.h>
#include <string.h>

#ifdef __cplusplus
#include <type_traits>
#define SAME_TYPE(A, B) static_assert(std::is_same<decltype(A), decltype(B)>::value, "types returned differ")
extern "C" char notes[4096];
#else
#define SAME_TYPE(A, B) \
    _Static_assert(__builtin_types_compatible_p(__typeof__(A), __typeof__(B)), "types returned differ")
extern char notes[4096];
#endif

static char first[4096];
static int failures;
static shmem_ctx_t context;
static uint64_t sig[1];
static long psync[1];
static int status[1];
static size_t indices[1];

static int sum(int a, int b)
{
    return a + b;
}

static void begin(void)
{
    notes[0] = 0;
}

static void keep(void)
{
    strcpy(first, notes);
    notes[0] = 0;
}

static void compare(const char *generic)
{
    if (notes[0] && !strcmp(first, notes))
        return;
    printf("%s called\n    %s, not\n    %s\n", generic, first, notes);
    failures++;
}

#define REACHES(GENERIC, TYPED) \
    do { SAME_TYPE(GENERIC, TYPED); begin(); (void)(GENERIC); keep(); (void)(TYPED); compare(#GENERIC); } while (0)
"""


def note_argument(parameter):
    """The statement that records an argument: its bytes, or a long double's value, since some of its bytes are
    padding."""
    ctype, name = re.fullmatch(r"\s*(.*?)(\w+)\s*", parameter).groups()
    if ctype.strip() == "long double":
        return f'snprintf(notes + strlen(notes), 40, "%La ", {name}); '
    return f"note_bytes(&{name}, sizeof {name}); "


def mock(declarations, cxx):
    """Definitions of all routines declared in the preprocessed header; they return 42."""
    lines = [HARNESS]
    pattern = r"([\w ]+?[ *]+)(shmem_\w+)\s*\(([^()]*)\)\s*;"
    for returned, name, parameters in re.findall(pattern, declarations):
        returned = " ".join(w for w in returned.split() if w not in ("extern", "_Noreturn"))
        notes = "".join(note_argument(p) for p in parameters.split(",") if p.strip() not in ("void", "..."))
        typed = re.match(r"shmem_(ctx_)?([a-z]+\d*)_(.*)", name)
        shown = name
        if typed and typed[2] in SAME:
            shown = f"shmem_{typed[1] or ''}{SAME[typed[2]]}_{typed[3]}"
        if cxx and name == "shmem_wait_until":
            shown = "shmem_int64_wait_until"  # an overload for long would be this very function
        body = f'note("{shown} "); {notes}'
        if returned != "void":
            body += f"return ({returned})42;"
        lines.append(f"{returned} {name}({parameters}) {{ {body} }}")
    return "\n".join(lines) + "\n"


def calls(typed_cases):
    """The program: one function per generic name."""
    lines = [PROGRAM]
    # A value per type and per argument.
    for i, (name, ctype) in enumerate(C_TYPES.items()):
        lines.append(f"{ctype} fetch_{name}[8], dest_{name}[8];")
        lines.append(f"static const {ctype} source_{name}[8] = {{0}};")
        lines.append(f"{ctype} cond_{name} = {10 + i}, value_{name} = {50 + i};")
    names = []
    for generic, types, arguments, with_context in typed_cases:
        for op in generic.split():
            names.append(op)
            lines.append(f"static void check_{op}(void)\n{{")
            for t in types:
                typed = re.sub(r"\b(fetch|dest|source|cond|value)\b", rf"\1_{t}", arguments)
                lines.append(f"    REACHES(shmem_{op}({typed}), shmem_{t}_{op}({typed}));")
                if with_context:
                    # Here the source is not const: both forms must work.
                    plain = typed.replace(f"source_{t}", f"fetch_{t}")
                    call = f"shmem_{op}(context, {plain})"
                    lines.append(f"    REACHES({call}, shmem_ctx_{t}_{op}(context, {plain}));")
            lines.append("}\n")
    lines.append("static void check_untyped(void)\n{")
    lines += [f"    REACHES({generic}, {plain});" for generic, plain in UNTYPED]
    lines.append("}\n\nint main(void)\n{\n    context = SHMEM_CTX_DEFAULT;")
    lines += [f"    check_{op}();" for op in names]
    lines.append("    check_untyped();\n    return failures != 0;\n}\n")
    return "\n".join(lines), names


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    here = os.path.dirname(os.path.abspath(__file__))
    parser.add_argument("--include", default=os.path.join(here, "..", "..", "include"))
    parser.add_argument("compiler")
    parser.add_argument("options", nargs=argparse.REMAINDER)
    args = parser.parse_args()
    cxx = "++" in os.path.basename(args.compiler)
    program, names = calls(GENERICS)
    if len(set(names)) + 3 != N_GENERICS:
        sys.exit(f"generics.py tests {len(set(names)) + 3} generic names, the specification has {N_GENERICS}")

    with tempfile.TemporaryDirectory() as folder:
        def run(*command):
            done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
            if done.returncode:
                sys.stdout.write(done.stdout[:4000])
                sys.exit(f"generics.py: {' '.join(command[:3])} ... ended with {done.returncode}")
            return done.stdout

        def path(name, text=None):
            if text is not None:
                with open(os.path.join(folder, name), "w", encoding="ascii") as file:
                    file.write(text)
            return os.path.join(folder, name)

        include = "-I" + args.include
        only = path("only.c", "#define COPAL_NO_GENERICS\n#include <shmem.h>\n")
        # The mock is C in both cases, as the library is: this tests the linkage of the C++ declarations as well.
        c_compiler = args.compiler.replace("clang++", "clang").replace("g++", "gcc")
        declarations = run(c_compiler, "-std=c11", include, "-E", "-P", only)
        run(c_compiler, "-std=c11", include, "-w", "-c", path("mock.c", mock(declarations, cxx)), "-o", path("mock.o"))
        source = path("calls.cpp" if cxx else "calls.c", program)
        run(args.compiler, *args.options, include, source, path("mock.o"), "-o", path("calls"))
        print(run(path("calls")), end="")


if __name__ == "__main__":
    main()
