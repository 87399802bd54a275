/* run: oshrun -n 4 ./teams */
/* The even and the odd PEs each become a team, with their own numbers and their own collectives. */
#include <shmem.h>
#include <stdio.h>

static int value, sum;

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), ok = 1;
    shmem_team_t even, odd = SHMEM_TEAM_INVALID;
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, (n + 1) / 2, NULL, 0, &even);
    if (n > 1)
        shmem_team_split_strided(SHMEM_TEAM_WORLD, 1, 2, n / 2, NULL, 0, &odd);
    shmem_team_t mine = me % 2 ? odd : even;
    ok = (me % 2 ? even : odd) == SHMEM_TEAM_INVALID; /* I am not in the other team */

    value = me;
    shmem_sum_reduce(mine, &sum, &value, 1);
    int expected = 0;
    for (int pe = me % 2; pe < n; pe += 2)
        expected += pe;
    int last = shmem_team_n_pes(mine) - 1;
    int last_in_world = shmem_team_translate_pe(mine, last, SHMEM_TEAM_WORLD);
    ok = ok && sum == expected && shmem_team_my_pe(mine) == me / 2 && last_in_world == 2 * last + me % 2;
    printf("PE %d is PE %d of %d in its team; sum %d: %s\n", me, shmem_team_my_pe(mine), last + 1, sum,
           ok ? "right" : "WRONG");
    shmem_team_destroy(mine);
    shmem_finalize();
    return !ok;
}
