/* run: oshrun -n 4 ./poll */
/* shmem_test returns without waiting, so that the PE can do other work meanwhile. */
#include <shmem.h>
#include <stdio.h>

static int ball; /* how many PEs have had the ball */

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    long looks = 1;
    if (me > 0)
        while (!shmem_test(&ball, SHMEM_CMP_GT, 0))
            looks++; /* useful work here */
    int held = ball + 1;
    if (me < n - 1)
        shmem_atomic_set(&ball, held, me + 1);
    int ok = held == me + 1;
    printf("PE %d: had the ball as number %d, after %ld looks: %s\n", me, held, looks, ok ? "right" : "WRONG");
    shmem_finalize();
    return !ok;
}
