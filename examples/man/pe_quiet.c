/* man: shmem_pe_quiet */
/* run: oshrun -n 2 ./pe_quiet */
/* prints: PE 1 has 8, says PE 0 */
#include <shmem.h>
#include <stdio.h>

static int number;

int main(void)
{
    const int targets[] = {1};

    shmem_init();
    if (shmem_my_pe() == 0) {
        shmem_p(&number, 8, 1);
        shmem_pe_quiet(targets, 1); /* does not wait for other PEs */
        printf("PE 1 has %d, says PE 0\n", shmem_g(&number, 1));
    }
    shmem_finalize();
}
