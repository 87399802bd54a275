/* man: shmem_wait_until */
/* run: oshrun -n 2 ./wait_until */
/* prints: PE 1 has waited for 5 */
#include <shmem.h>
#include <stdio.h>

static int number;

int main(void)
{
    shmem_init();
    if (shmem_my_pe() == 0) {
        shmem_atomic_set(&number, 5, 1);
    } else {
        shmem_wait_until(&number, SHMEM_CMP_GT, 4);
        printf("PE 1 has waited for %d\n", number);
    }
    shmem_finalize();
}
