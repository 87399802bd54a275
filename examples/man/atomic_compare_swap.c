/* man: shmem_atomic_compare_swap */
/* run: oshrun -n 2 ./atomic_compare_swap */
/* prints: one PE came first */
#include <shmem.h>
#include <stdio.h>

static int winner = -1; /* on PE 0 */
static int winners;

int main(void)
{
    shmem_init();
    if (shmem_atomic_compare_swap(&winner, -1, shmem_my_pe(), 0) == -1)
        shmem_atomic_inc(&winners, 0);
    shmem_barrier_all();
    if (shmem_my_pe() == 0 && winners == 1 && winner >= 0)
        printf("one PE came first\n");
    shmem_finalize();
}
