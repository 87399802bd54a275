/* man: shmem_fetch */
/* run: oshrun -n 2 ./atomic_old */
/* prints: 5 */
#include <shmem.h>
#include <stdio.h>

static int number;

int main(void)
{
    shmem_init();
    if (shmem_my_pe() == 0) {
        shmem_int_add(&number, 5, 1); /* now shmem_int_atomic_add */
        shmem_quiet();
        printf("%d\n", shmem_int_fetch(&number, 1));
    }
    shmem_finalize();
}
