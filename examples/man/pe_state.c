/* man: shmemx_pe_state */
/* run: oshrun -n 3 --outlive ./pe_state */
/* prints: PE 2 is dead, PE 1 is not */
#include <shmemx.h>
#include <stdio.h>

static int done;

int main(void)
{
    shmem_init();
    if (shmem_my_pe() == 2 && shmemx_outlives_pes())
        shmemx_fail();
    if (shmem_my_pe() == 1) /* PE 1 lives until PE 0 has read its state */
        shmem_wait_until(&done, SHMEM_CMP_EQ, 1);
    if (shmem_my_pe() == 0) {
        while (shmemx_pe_state(2) != SHMEMX_PE_DEAD)
            ;
        printf("PE 2 is dead, PE 1 is %s\n",
               shmemx_pe_state(1) == SHMEMX_PE_DEAD ? "too" : "not");
        shmem_atomic_set(&done, 1, 1);
    }
    shmem_finalize(); /* waits for the living PEs */
}
