/* man: shmem_get_nbi */
/* run: oshrun -n 2 ./get_nbi */
/* prints: 10 and 21 */
#include <shmem.h>
#include <stdio.h>

static int a, b;

int main(void)
{
    int their_a, their_b;

    shmem_init();
    a = 10 * shmem_my_pe();
    b = 21 * shmem_my_pe();
    shmem_barrier_all();
    if (shmem_my_pe() == 0) {
        shmem_get_nbi(&their_a, &a, 1, 1); /* both are pending */
        shmem_get_nbi(&their_b, &b, 1, 1);
        shmem_quiet();
        printf("%d and %d\n", their_a, their_b);
    }
    shmem_finalize();
}
