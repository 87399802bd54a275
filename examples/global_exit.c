/* run: oshrun -n 4 ./global_exit */
/* The PE that finds the answer ends the whole job with its exit code; the other PEs would wait forever. */
#include <shmem.h>
#include <stdio.h>

static int never;

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    for (int candidate = 2 + me; candidate < 1000; candidate += n) {
        if (candidate * candidate == 529) {
            printf("PE %d: the root of 529 is %d\n", me, candidate);
            fflush(stdout);
            shmem_global_exit(0);
        }
    }
    shmem_wait_until(&never, SHMEM_CMP_NE, 0);
    return 1; /* not reached */
}
