#!/usr/bin/env python3
"""Calls with wrong types must not compile.

usage: wrong.py [--include DIR] COMPILER OPTION...     (for C11 or later, or C++11 or later)

All calls are in one program, each on a line of its own; the compiler must report each of these lines, and no other.
Warnings count, since C compilers only warn about some calls that the language forbids."""

import argparse
import os
import re
import subprocess
import sys

RIGHT = ["shmem_put(i, ci, 1, 0)", "shmem_put(ctx, i, ci, 1, 0)", "shmem_g(ci, 0)", "shmem_sync(team)"]
WRONG = [
    # A type that no routine accepts.
    "shmem_put(v, v, 1, 0)", "shmem_put(ctx, v, v, 1, 0)", "shmem_p(s, *s, 0)", "shmem_put(ip, ip, 1, 0)",
    "shmem_put(square, i, 1, 0)", "shmem_g(cs, 0)", "shmem_put(5, i, 1, 0)",
    "shmem_sum_inscan(team, b, b, 1)",
    # A type of other routines, not of this one.
    "shmem_atomic_add(d, 1.0, 0)", "shmem_atomic_and(ll, 1, 0)", "shmem_atomic_fetch_or(f, 1, 0)",
    "shmem_atomic_compare_swap(d, 1.0, 2.0, 0)", "shmem_atomic_set(sh, 1, 0)", "shmem_atomic_swap(ld, 1.0, 0)",
    "shmem_and_reduce(team, c, c, 1)", "shmem_xor_reduce(team, d, d, 1)", "shmem_max_reduce(team, z, z, 1)",
    "shmem_or_reduce(team, ll, ll, 1)", "shmem_wait_until(d, SHMEM_CMP_EQ, 1)",
    "shmem_test_all(sh, 1, 0, SHMEM_CMP_EQ, 1)",
    "shmem_fadd(ui, 1, 0)", "shmem_fetch(ul, 0)", "shmem_p(z, *z, 0)",
    # Two types in one call.
    "shmem_put(i, d, 1, 0)", "shmem_get(ctx, d, i, 1, 0)", "shmem_collect(team, i, l, 1)",
    "shmem_atomic_fetch_nbi(i, l, 0)", "shmem_test_any_vector(i, 1, 0, SHMEM_CMP_EQ, l)",
    # const where the routine writes.
    "shmem_put(ci, i, 1, 0)", "shmem_p(ci, 1, 0)", "shmem_get(ctx, ci, i, 1, 0)", "shmem_atomic_inc(ci, 0)",
    "shmem_sum_reduce(team, ci, ci, 1)",
    # Not the handle that is wanted.
    "shmem_put(team, i, i, 1, 0)", "shmem_sync(ctx)", "shmem_sync(1)", "shmem_signal_add(team, u64, 1, 0)",
    "shmem_broadcast(ctx, i, i, 1, 0)", "shmem_ctx_quiet(team)", "shmem_ctx_quiet(1)",
    "shmem_team_my_pe(SHMEM_CTX_DEFAULT)",
    # Too many or too few arguments.
    "shmem_put(i, i, 1)", "shmem_put(ctx, i, i, 1)", "shmem_put(ctx, i, i, 1, 0, 0)", "shmem_g(ctx, i)",
    "shmem_p(i, 0)",
    "shmem_wait_until(i, SHMEM_CMP_EQ)", "shmem_sync(team, 1)", "shmem_signal_set(u64, 1)", "shmem_barrier_all(1)",
]
PARAMETERS = """void *v, struct s *s, const struct s *cs, int **ip, int (*square)[4], boolean *b, char *c, short *sh, \
int *i, const int *ci, long *l, long long *ll, unsigned *ui, unsigned long *ul, uint64_t *u64, float *f, double *d, \
long double *ld, COPAL_COMPLEXD *z, shmem_ctx_t ctx, shmem_team_t team"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    here = os.path.dirname(os.path.abspath(__file__))
    parser.add_argument("--include", default=os.path.join(here, "..", "..", "include"))
    parser.add_argument("compiler")
    parser.add_argument("options", nargs=argparse.REMAINDER)
    args = parser.parse_args()
    cxx = "++" in os.path.basename(args.compiler)

    lines = ["#include <shmem.h>", "struct s { int i; };", f"typedef {'bool' if cxx else '_Bool'} boolean;"]
    line_of = {}
    for call in RIGHT + WRONG:
        line_of[call] = len(lines) + 2
        name = f"call_{len(lines)}({PARAMETERS})"
        lines += [f"void {name}; void {name} {{", f"    {call};", "}"]
    all_errors = "-ferror-limit=0" if "clang" in args.compiler else "-fmax-errors=0"
    done = subprocess.run([args.compiler, *args.options, "-I" + args.include, "-x", "c++" if cxx else "c", all_errors,
                           "-fsyntax-only", "-"], input="\n".join(lines) + "\n", text=True, stderr=subprocess.PIPE)

    # Also reads notes: for an error inside a macro, compilers report the macro's line, with a note about the call's
    # line.
    complaints = {int(line) for line in re.findall(r"<stdin>:(\d+):\d+:", done.stderr)}
    failures = [call for call in RIGHT if line_of[call] in complaints]
    failures += [call for call in WRONG if line_of[call] not in complaints]
    for call in failures:
        print(f"{call} must {'' if call in RIGHT else 'not '}compile")
    others = complaints - set(line_of.values())
    if others:
        print(f"complaints of lines {sorted(others)}, which are right\n{done.stderr[:2000]}")
    sys.exit(bool(failures or others))


if __name__ == "__main__":
    main()
