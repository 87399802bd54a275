/* run: oshrun -n 4 ./pipeline */
/* A PE passes each chunk on as soon as it arrives: a put with signal delivers the data, then the signal. */
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>

enum { CHUNKS = 50, LENGTH = 200 };
static int data[CHUNKS][LENGTH];
static uint64_t here[CHUNKS]; /* one signal per chunk: different chunks may overtake each other */

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), wrong = 0;
    for (int c = 0; c < CHUNKS; c++) {
        if (me > 0)
            shmem_signal_wait_until(&here[c], SHMEM_CMP_EQ, 1);
        for (int i = 0; i < LENGTH; i++)
            data[c][i] += (me + 1) * (c * LENGTH + i); /* each PE adds its part */
        if (me < n - 1)
            shmem_put_signal(data[c], data[c], LENGTH, &here[c], 1, SHMEM_SIGNAL_SET, me + 1);
    }
    for (int c = 0; c < CHUNKS; c++)
        for (int i = 0; i < LENGTH; i++)
            wrong += data[c][i] != (me + 1) * (me + 2) / 2 * (c * LENGTH + i);
    printf("PE %d: %d chunks passed, %d values wrong\n", me, CHUNKS, wrong);
    shmem_finalize();
    return wrong != 0;
}
