/* man: shmem_atomic_swap */
/* run: oshrun -n 2 ./atomic_swap */
/* prints: no PE was there before: -1 */
#include <shmem.h>
#include <stdio.h>

static int last = -1; /* the last PE that arrived */

int main(void)
{
    shmem_init();
    const int before = shmem_atomic_swap(&last, shmem_my_pe(), 0);
    if (before == -1) /* on the first PE; the second gets its number */
        printf("no PE was there before: %d\n", before);
    shmem_finalize();
}
