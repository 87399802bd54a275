/* man: shmem_set_lock */
/* run: oshrun -n 2 ./lock */
/* prints: 2 turns */
#include <shmem.h>
#include <stdio.h>

static long lock; /* 0: free */
static int turns; /* on PE 0 */

int main(void)
{
    shmem_init();
    shmem_set_lock(&lock);
    const int before = shmem_g(&turns, 0);
    shmem_p(&turns, before + 1, 0); /* no other PE changed it in between */
    shmem_clear_lock(&lock);        /* completes the put */
    shmem_barrier_all();
    if (shmem_my_pe() == 0)
        printf("%d turns\n", turns);
    shmem_finalize();
}
