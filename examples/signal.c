/* run: oshrun -n 4 ./signal */
/* Signals without data: PE 0 waits for a signal from every PE, then sets the start signal of each PE. */
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>

static uint64_t reported, start;

int main(void)
{
    shmem_init();
    int me = shmem_my_pe();
    uint64_t n = (uint64_t)shmem_n_pes();
    shmem_signal_add(&reported, 1, 0);
    if (me == 0) {
        shmem_signal_wait_until(&reported, SHMEM_CMP_EQ, n);
        for (int pe = 0; pe < (int)n; pe++)
            shmem_signal_set(&start, 1000 + (uint64_t)pe, pe);
    }
    uint64_t got = shmem_signal_wait_until(&start, SHMEM_CMP_NE, 0);
    int ok = got == 1000 + (uint64_t)me && shmem_signal_fetch(&start) == got;
    printf("PE %d: start signal %d: %s\n", me, (int)got, ok ? "right" : "WRONG");
    shmem_finalize();
    return !ok;
}
