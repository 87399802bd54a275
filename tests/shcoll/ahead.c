/* Consecutive broadcasts: the root does not wait for a late member, so it can be many calls ahead, and flags that
 * the late member has not read must not be reused. The test uses each algorithm, with different data in each call, and
 * with sizes of one line and of several.
 *
 * Also groups that are created and destroyed in the same memory: no member signals into a work area before its owner
 * has cleared it.
 *
 * ahead [CALLS in a row]: fewer on networks where each call waits for the scheduler */
/* pes: 2 3 5 8 */
#include <shcoll.h>
#include <shmem.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../check.h"

enum { CALLS = 700, WORDS = 25, GROUPS = 200 };

/* Calls have the same root, or the root changes sometimes or in each call, or there are syncs between the calls, or
 * there are several lines of data, always or sometimes. */
enum pattern { SAME_ROOT, ROOTS_IN_TURN, ANOTHER_ROOT, SYNCS, WIDE, WIDE_IN_TURN, PATTERNS };

static int calls = CALLS;
static uint64_t source[CALLS][WORDS], dest[CALLS][WORDS];

static int root_of(enum pattern pattern, int call)
{
    return pattern == ROOTS_IN_TURN ? call / 37 % shmem_n_pes() : pattern == ANOTHER_ROOT ? call % shmem_n_pes() : 0;
}

static size_t words_of(enum pattern pattern, int call)
{
    return pattern == WIDE || (pattern == WIDE_IN_TURN && call / 7 % 2) ? WORDS : 1;
}

static void in_a_row(struct shcoll_group *g, struct shcoll_choice choice, enum pattern pattern, int late, int row)
{
    memset(dest, 0, sizeof dest);
    for (int i = 0; i < calls; i++)
        for (size_t k = 0; k < WORDS; k++)
            source[i][k] = (uint64_t)(WORDS - k) << 59 | (uint64_t)(row << 8 | (int)pattern) << 24 |
                (uint64_t)late << 16 | (uint64_t)i;
    shmem_barrier_all();
    if (shmem_my_pe() == late)
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL); /* late on purpose */
    for (int i = 0; i < calls; i++) {
        if (pattern == SYNCS && i % 29 == 28)
            shcoll_sync(g);
        const size_t words = words_of(pattern, i);
        shcoll_run(choice, g, &(struct shcoll_call){.dest = dest[i], .source = source[i], .n = words * sizeof **dest,
                                                    .size = 1, .root = root_of(pattern, i)});
        for (size_t k = 0; k < words; k++)
            CHECK(dest[i][k] == source[i][k], "row %d, pattern %d, PE %d late: broadcast %d brings %llx, not %llx", row,
                  pattern, late, i, (unsigned long long)dest[i][k], (unsigned long long)source[i][k]);
    }
    shmem_barrier_all();
}

static void come_and_go(void)
{
    for (int i = 0; i < GROUPS && i < calls; i++) {
        struct shcoll_group *g = shcoll_group_create(0, 1, shmem_n_pes());
        shcoll_sync(g);
        source[0][0] = (uint64_t)i;
        shcoll_broadcast(g, dest, source, sizeof **dest, i % shmem_n_pes());
        CHECK(dest[0][0] == (uint64_t)i, "group %d: a broadcast brings %llx", i, (unsigned long long)dest[0][0]);
        shcoll_sync(g);
        shcoll_group_free(g);
    }
}

int main(int argc, char **argv)
{
    if (argc > 1)
        calls = atoi(argv[1]);
    shmem_init();
    shcoll_init();
    struct shcoll_group *g = shcoll_group_create(0, 1, shmem_n_pes());
    struct shcoll_choice choice;
    char why[SHCOLL_SENTENCE_BYTES];
    for (int row = 0; (choice = shcoll_algorithm_number(SHCOLL_BROADCAST, row)).algorithm; row++) {
        const struct shcoll_call call = {.dest = dest, .source = source, .n = sizeof dest[0], .size = 1};
        if (shcoll_refuses(choice, g, &call, why))
            continue;
        for (enum pattern pattern = SAME_ROOT; pattern < PATTERNS; pattern++) {
            in_a_row(g, choice, pattern, shmem_n_pes() - 1, row);
            in_a_row(g, choice, pattern, 1, row);
        }
    }
    shcoll_group_free(g);
    come_and_go();
    shmem_finalize();
    return check_result();
}
