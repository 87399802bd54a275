/* man: shmemx_signal_after */
/* run: oshrun -n 3 --nodes 3 ./signal_after */
/* prints: PE 2 has found 7 on PE 1 */
#include <shmem.h>
#include <shmemx.h>
#include <stdio.h>

static int value;
static uint64_t ready;

int main(void)
{
    shmem_init();
    const int me = shmem_my_pe();
    if (me == 0) {
        shmem_int_p(&value, 7, 1);
        shmemx_signal_after(&ready, 1, 2);
        /* PE 0 may compute here: it does not wait for PE 1. */
    } else if (me == 2) {
        shmem_signal_wait_until(&ready, SHMEM_CMP_EQ, 1);
        printf("PE 2 has found %d on PE 1\n", shmem_int_g(&value, 1));
    }
    shmem_finalize();
}
