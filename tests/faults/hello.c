/* Every PE checks that the job works, and prints a line. */
#include <shmem.h>
#include <stdio.h>
#include "../check.h"

static long sum, mine;

int main(void)
{
    shmem_init();
    mine = shmem_my_pe() + 1;
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &sum, &mine, 1);
    long n = shmem_n_pes(), *p = shmem_malloc(100000);
    CHECK(sum == n * (n + 1) / 2, "sum is %ld", sum);
    CHECK(p, "no heap");
    if (p) {
        shmem_long_p(p, mine, (int)(mine % n));
        shmem_barrier_all();
        CHECK(*p == (mine + n - 2) % n + 1, "neighbour put %ld", *p);
    }
    printf("hello from PE %ld of %ld\n", mine - 1, n);
    shmem_finalize();
    return check_result();
}
