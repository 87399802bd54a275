/* What every sweep over collectives needs: the names that its command line asks for, and a check of barriers. */
#ifndef COPAL_COLLECTIVES_COMMON_H
#define COPAL_COLLECTIVES_COMMON_H

#include "../../timing/bench.h"

enum { LATE_US = 200 }; /* how late a PE comes to the barrier that is checked */

/* Is name in the list, `all` or names with commas between? */
static inline bool wanted(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = list; at; at = strchr(at, ','), at = at ? at + 1 : NULL)
        if (strcspn(at, ",") == length && strncmp(at, name, length) == 0)
            return true;
    return strcmp(list, "all") == 0;
}

/* Nobody may leave a barrier, one call of op, before the last has come.  Each PE in turn is late; the clock is one. */
static inline void check_barrier(bench_op *op)
{
    for (int turn = 0; turn < 2 * bench.pes; turn++) {
        bench.agree(0, 0);
        for (double start = bench_now_us(); turn % bench.pes == bench.pe && bench_now_us() < start + LATE_US;)
            ;
        long came = (long)bench_now_us(), last = came;
        op(1, 0);
        long left = (long)bench_now_us();
        for (int pe = 0; pe < bench.pes; pe++) {
            long theirs = bench.agree(came, pe);
            last = theirs > last ? theirs : last;
        }
        if (left < last)
            bench_expect("barrier", (size_t)turn, (uint64_t)left, (uint64_t)last);
    }
}

#endif
