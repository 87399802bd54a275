/* man: shmem_atomic_inc */
/* run: oshrun -n 2 ./atomic_inc */
/* prints: 2 PEs have arrived */
#include <shmem.h>
#include <stdio.h>

static int next, arrived; /* on PE 0 */

int main(void)
{
    shmem_init();
    /* 0 on one PE, 1 on the other */
    const int ticket = shmem_atomic_fetch_inc(&next, 0);
    if (ticket < shmem_n_pes())
        shmem_atomic_inc(&arrived, 0);
    shmem_barrier_all();
    if (shmem_my_pe() == 0)
        printf("%d PEs have arrived\n", arrived);
    shmem_finalize();
}
