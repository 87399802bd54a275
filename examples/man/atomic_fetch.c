/* man: shmem_atomic_fetch shmem_atomic_set */
/* run: oshrun -n 2 ./atomic_fetch */
/* prints: PE 1 has 42 */
#include <shmem.h>
#include <stdio.h>

static long number;

int main(void)
{
    shmem_init();
    if (shmem_my_pe() == 0) {
        shmem_atomic_set(&number, 42, 1);
        shmem_quiet();
        printf("PE 1 has %ld\n", shmem_atomic_fetch(&number, 1));
    }
    shmem_finalize();
}
