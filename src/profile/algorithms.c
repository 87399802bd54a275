/* Which algorithms the program's collectives take.  A call is told of as the first that SHCOLL chooses for it which is
 * no sync, or else as its sync: what others an algorithm, or a check, has called is part of it. */
#include "profile/profile.h"

#include <string.h>

struct piece_algorithm algorithms[ALGORITHMS];
uint32_t algorithms_n;

/* Of the call that this thread is in. */
static _Thread_local struct piece_algorithm chosen __attribute__((tls_model("initial-exec")));

void algorithm_forget(void)
{
    chosen.collective[0] = 0;
}

void copal_tap_algorithm(const char *collective, const char *algorithm, size_t bytes)
{
    if (chosen.collective[0] && strcmp(chosen.collective, "sync") != 0)
        return;
    strncpy(chosen.collective, collective, sizeof chosen.collective - 1);
    strncpy(chosen.algorithm, algorithm, sizeof chosen.algorithm - 1);
    chosen.range = bits_of(bytes);
    chosen.bytes = bytes;
}

static bool is_same(const struct piece_algorithm *a, const struct piece_algorithm *b)
{
    return a->range == b->range && strcmp(a->algorithm, b->algorithm) == 0 && strcmp(a->collective, b->collective) == 0;
}

/* Without one where the library is none that tells; what is more than the table has room for is left out. */
void algorithm_note(void)
{
    uint32_t i = 0;
    if (!chosen.collective[0])
        return;
    while (i < algorithms_n && !is_same(&algorithms[i], &chosen))
        i++;
    if (i == ALGORITHMS)
        return;
    if (i == algorithms_n) {
        algorithms[algorithms_n++] = chosen;
        algorithms[i].bytes = 0;
    }
    algorithms[i].calls++;
    algorithms[i].bytes += chosen.bytes;
}
