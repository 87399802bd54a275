/* A program whose calls are known: test_profile.py compares its profile with them.  PE i sends to i + 1. */
#include <shmem.h>
#include <string.h>

enum { PUTS = 10, GETS = 5, ATOMICS = 7, BARRIERS = 3, LONG = 3000 };
static long cell[PUTS], from[2];
static uint64_t signal;

int main(void)
{
    shmem_init();
    const int me = shmem_my_pe(), n = shmem_n_pes(), next = (me + 1) % n;
    char *block = shmem_malloc(LONG), *other = shmem_malloc(1000), mine[LONG];
    long sum[2];
    shmem_team_t pair;
    shmem_ctx_t ctx;
    memset(mine, me, sizeof mine);
    for (long i = 0; i < PUTS; i++)
        shmem_long_p(&cell[i], i, next);
    shmem_quiet();
    for (int i = 0; i < GETS; i++)
        shmem_long_get(from, &cell[i], 1, next);
    shmem_putmem_nbi(block, mine, LONG, next);
    for (int i = 0; i < ATOMICS; i++)
        shmem_long_atomic_inc(&cell[0], 0);
    shmem_putmem_signal(other, mine, 1000, &signal, 5, SHMEM_SIGNAL_SET, next);
    shmem_signal_wait_until(&signal, SHMEM_CMP_EQ, 5);
    for (int i = 0; i < BARRIERS; i++)
        shmem_barrier_all();
    shmem_team_split_strided(SHMEM_TEAM_WORLD, me % 2, 2, n / 2, NULL, 0, &pair);
    shmem_team_create_ctx(pair, 0, &ctx);
    shmem_ctx_long_p(ctx, &cell[1], 1, (shmem_team_my_pe(pair) + 1) % shmem_team_n_pes(pair)); /* to me + 2 */
    shmem_ctx_destroy(ctx);
    shmem_pcontrol(0);
    shmem_long_p(&cell[2], 1, next); /* shmem_pcontrol has stopped counting */
    shmem_pcontrol(1);
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, (long *)block, from, 2);
    memcpy(sum, block, sizeof sum);
    shmem_free(other);
    shmem_free(block);
    shmem_finalize();
    return 0;
}
