/* A member must not mistake data that reductions have left in slots for the number of a later operation, whose slots
 * have another size. Each element of the data is the number of a coming operation, or this number times a constant.
 * In the alltoall, the slots of a late PE are as the reductions left them. */
/* pes: 5 6 7 8 */
#define COPAL_NO_GENERICS
#include <shmem.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { N = 300, TURNS = 300, MOST = 8 };
static uint64_t operand[N], result[N], from[MOST], to[MOST];
static int me, n;

static int reduction(uint64_t value)
{
    int wrong = 0;
    for (int i = 0; i < N; i++)
        operand[i] = value, result[i] = ~value;
    shmem_uint64_max_reduce(SHMEM_TEAM_WORLD, result, operand, N);
    for (int i = 0; i < N; i++)
        wrong += result[i] != value;
    return wrong;
}

static int alltoall(uint64_t turn)
{
    int wrong = 0;
    for (int i = 0; i < n; i++) {
        from[i] = turn * 100 + (uint64_t)(me * MOST + i);
        to[i] = 0;
    }
    shmem_sync_all();
    if (me == (int)(turn % (uint64_t)n))
        nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL); /* late on purpose */
    shmem_uint64_alltoall(SHMEM_TEAM_WORLD, to, from, 1);
    for (int i = 0; i < n; i++)
        wrong += to[i] != turn * 100 + (uint64_t)(i * MOST + me);
    return wrong;
}

int main(void)
{
    setenv("SHCOLL_NODE_SIZE", "1", 1);
    setenv("SHCOLL_REDUCE", "two_level:slots", 1);
    setenv("SHCOLL_ALLTOALL", "two_level:slots", 1);
    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    int wrong = 0;
    /* Two reductions and an alltoall are three operations in slots; operation 3 * turn + 3 is the alltoall. */
    for (uint64_t turn = 0; turn < TURNS; turn++) {
        const uint64_t number = 3 * turn + 2 + turn % 3, factor = turn / 3 % 2 ? 0x9e3779b97f4a7c15 : 1;
        wrong += reduction(number * factor) + reduction(number * factor) + alltoall(turn);
    }
    if (wrong)
        printf("PE %d: %d values are wrong\n", me, wrong);
    shmem_finalize();
    return wrong != 0;
}
