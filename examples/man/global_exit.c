/* man: shmem_global_exit */
/* run: oshrun -n 2 ./global_exit */
/* prints: found it: the others need not go on */
#include <shmem.h>
#include <stdio.h>

static long never;

int main(void)
{
    shmem_init();
    if (shmem_my_pe() == 0) {
        printf("found it: the others need not go on\n");
        shmem_global_exit(0);
    }
    shmem_wait_until(&never, SHMEM_CMP_NE, 0);
}
