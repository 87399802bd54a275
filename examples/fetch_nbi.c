/* run: oshrun -n 4 ./fetch_nbi */
/* Nonblocking fetching atomics: many are pending at the same time, and shmem_quiet completes their results. */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

static long counter = 1000;

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), wrong = 0;
    long *ticket = malloc((size_t)n * sizeof *ticket);
    shmem_barrier_all();
    for (int pe = 0; pe < n; pe++)
        shmem_atomic_fetch_inc_nbi(&ticket[pe], &counter, pe);
    shmem_quiet();
    for (int pe = 0; pe < n; pe++)
        wrong += ticket[pe] < 1000 || ticket[pe] >= 1000 + n;
    shmem_barrier_all();
    wrong += counter != 1000 + n;
    printf("PE %d: %d tickets, mine from PE 0 is %ld; %d wrong\n", me, n, ticket[0], wrong);
    free(ticket);
    shmem_finalize();
    return wrong != 0;
}
