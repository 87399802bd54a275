/* man: shmem_barrier_all */
/* run: oshrun -n 2 ./barrier_all */
/* prints: PE 0 has 1 */
#include <shmem.h>
#include <stdio.h>

static int from;

int main(void)
{
    shmem_init();
    const int me = shmem_my_pe(), n = shmem_n_pes();
    shmem_p(&from, me, (me + 1) % n);
    shmem_barrier_all(); /* all PEs have put, and all puts are complete */
    if (me == 0)
        printf("PE 0 has %d\n", from);
    shmem_finalize();
}
