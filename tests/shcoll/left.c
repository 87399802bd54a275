/* A collective leaves data in memory where later collectives read sequence numbers (src/shcoll/group/slots.h). The data
 * is words that equal the number of the call after the next. In that call a member is late, and the others must not
 * mistake the words for its signal.
 *
 * Nodes of two PEs: leaders have fewer slots than the whole group, so the slots are at other addresses. */
/* pes: 3 4 5 7 8 */
#include <shcoll.h>
#include <shmem.h>

#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include "../check.h"

enum { MOST = 400, MOST_PES = 8, NUMBER = 3 };

static uint64_t source[MOST * MOST_PES], dest[MOST * MOST_PES], word, sum;

struct named {
    enum shcoll_collective what;
    const char *algorithm;
};
static const struct named leave[] = {
    {SHCOLL_REDUCE, "recursive_doubling:slots"}, {SHCOLL_REDUCE, "two_level:slots"}, {SHCOLL_ALLTOALL, "two_level"},
};
static const struct named meet[] = {{SHCOLL_REDUCE, "recursive_doubling:slots"}, {SHCOLL_REDUCE, "two_level:slots"}};

static void add(struct shcoll_group *g, const struct named *by)
{
    const struct shcoll_op *op = &shcoll_ops[SHCOLL_SUM][SHCOLL_UINT64];
    shcoll_run(shcoll_find(by->what, by->algorithm), g,
               &(struct shcoll_call){.dest = &sum, .source = &word, .n = 1, .size = sizeof word, .op = op});
}

static void try(const struct named *first, const struct named *then, size_t words, int late)
{
    const uint64_t n = (uint64_t)shmem_n_pes(), top = (uint64_t)1 << 40;
    struct shcoll_group *g = shcoll_group_create(0, 1, shmem_n_pes());
    struct shcoll_call call = {.dest = dest, .source = source, .n = words, .size = sizeof *source};
    if (first->what == SHCOLL_REDUCE)
        call.op = &shcoll_ops[SHCOLL_MAX][SHCOLL_UINT64];
    shcoll_run(shcoll_find(first->what, first->algorithm), g, &call);
    word = top + (uint64_t)shmem_my_pe();
    add(g, then);
    if (shmem_my_pe() == late)
        nanosleep(&(struct timespec){.tv_nsec = 500000}, NULL); /* late on purpose */
    add(g, then);
    CHECK(sum == n * top + n * (n - 1) / 2, "%zu words by %s %s, then %s, PE %d late: the sum is %llx", words,
          shcoll_collective_names[first->what], first->algorithm, then->algorithm, late, (unsigned long long)sum);
    shmem_barrier_all();
    shcoll_group_free(g);
}

int main(void)
{
    setenv("SHCOLL_NODE_SIZE", "2", 1); /* read by shcoll_init */
    shmem_init();
    shcoll_init();
    for (size_t i = 0; i < sizeof source / sizeof *source; i++)
        source[i] = NUMBER;
    for (size_t i = 0; i < sizeof leave / sizeof *leave; i++)
        for (size_t j = 0; j < sizeof meet / sizeof *meet; j++)
            for (size_t words = MOST; words > 10; words /= 2)
                for (int late = 0; late < shmem_n_pes(); late++)
                    try(&leave[i], &meet[j], words, late);
    shmem_finalize();
    return check_result();
}
