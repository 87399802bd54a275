/* man: shmem_ptr */
/* run: oshrun -n 2 ./ptr */
/* prints: PE 1 has 101 */
#include <shmem.h>
#include <stdio.h>

static int number;

int main(void)
{
    shmem_init();
    number = 100 + shmem_my_pe();
    shmem_barrier_all();
    if (shmem_my_pe() == 0) {
        const int *theirs = shmem_ptr(&number, 1); /* NULL: another node */
        printf("PE 1 has %d\n", theirs ? *theirs : shmem_g(&number, 1));
    }
    shmem_finalize();
}
