/* man: shmem_wait */
/* run: oshrun -n 2 ./wait */
/* prints: PE 1 has 3 */
#include <shmem.h>
#include <stdio.h>

static long number;

int main(void)
{
    shmem_init();
    if (shmem_my_pe() == 0) {
        shmem_p(&number, 3, 1);
    } else {
        shmem_wait(&number, 0); /* now shmem_wait_until, SHMEM_CMP_NE */
        printf("PE 1 has %ld\n", number);
    }
    shmem_finalize();
}
