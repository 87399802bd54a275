/* run: oshrun -n 4 ./lock */
/* A lock protects an update of several values: no PE that holds the lock sees an incomplete update. */
#include <shmem.h>
#include <stdio.h>

enum { ROUNDS = 200 };
static long lock;
static int first, second; /* used on PE 0, where they are equal while the lock is free */

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), wrong = 0;
    for (int round = 0; round < ROUNDS; round++) {
        if (round % 2 || shmem_test_lock(&lock) != 0) /* if another PE has the lock, wait for it */
            shmem_set_lock(&lock);
        int a = shmem_g(&first, 0), b = shmem_g(&second, 0);
        wrong += a != b;
        shmem_p(&first, a + 1, 0);
        shmem_p(&second, b + 1, 0);
        shmem_clear_lock(&lock); /* completes the puts first */
    }
    shmem_barrier_all();
    int total = shmem_g(&first, 0);
    wrong += total != n * ROUNDS;
    printf("PE %d: %d updates of %d, %d wrong\n", me, total, n * ROUNDS, wrong);
    shmem_finalize();
    return wrong != 0;
}
