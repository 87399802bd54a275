/* Shared by all sweeps over collectives: the names on the command line, and a check of barriers. */
#pragma once

#include "../../timing/bench.h"

enum { LATE_US = 200, FEW = 4 }; /* delay of a PE at the checked barrier; number of delayed PEs if there are many */

/* Whether name is in the list: `all`, or names separated by commas. */
static inline bool wanted(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = list; at; at = strchr(at, ','), at = at ? at + 1 : NULL)
        if (strcspn(at, ",") == length && strncmp(at, name, length) == 0)
            return true;
    return strcmp(list, "all") == 0;
}

static inline void be_late(void)
{
    if (bench.emulated)
        bench.compute(LATE_US * 1e-6);
    for (double start = bench_now_us(); !bench.emulated && bench_now_us() < start + LATE_US;)
        ;
}

/* Checks that no PE leaves a barrier (a call of op) before the last PE has arrived.  One PE after the other is late; if
 * there are many emulated PEs, only a few are.  All PEs use the same clock. */
static inline void check_barrier(bench_op *op)
{
    int step = bench.emulated && bench.pes > FEW ? bench.pes / FEW : 1;
    for (int turn = 0; turn < 2 * bench.pes; turn += step) {
        bench.agree(0, 0);
        if (turn % bench.pes == bench.pe)
            be_late();
        long came = (long)bench_now_us(), last = came;
        op(1, 0);
        long left = (long)bench_now_us();
        for (int pe = turn % bench.pes % step; pe < bench.pes; pe += step) {
            long theirs = bench.agree(came, pe);
            last = theirs > last ? theirs : last;
        }
        if (left < last)
            bench_expect("barrier", (size_t)turn, (uint64_t)left, (uint64_t)last);
    }
}
