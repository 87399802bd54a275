/* run: oshrun -n 4 ./fence */
/* Data, then a flag: shmem_fence keeps them in order, so a PE that sees the flag sees the data. */
#include <shmem.h>
#include <stdio.h>

enum { N = 512, ROUNDS = 100 };
static long data[N];
static int flag, taken;

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), right = (me + 1) % n, left = (me + n - 1) % n, wrong = 0;
    for (int round = 1; round <= ROUNDS; round++) {
        long source[N];
        for (int i = 0; i < N; i++)
            source[i] = 1000000L * me + 1000L * round + i;
        shmem_put(data, source, N, right);
        shmem_fence();
        shmem_atomic_set(&flag, round, right);

        shmem_wait_until(&flag, SHMEM_CMP_EQ, round);
        for (int i = 0; i < N; i++)
            wrong += data[i] != 1000000L * left + 1000L * round + i;
        shmem_atomic_set(&taken, round, left); /* the sender may send again */
        shmem_wait_until(&taken, SHMEM_CMP_EQ, round);
    }
    printf("PE %d: %d messages from PE %d, %d values wrong\n", me, ROUNDS, left, wrong);
    shmem_finalize();
    return wrong != 0;
}
