/* run: oshrun -n 4 ./reduce */
/* Element by element over all PEs: sum, maximum, bitwise or; source and dest may be the same array. */
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>

enum { N = 4 };
static double value[N], sum[N], largest[N];
static uint64_t bits[1];

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), wrong = 0;
    for (int i = 0; i < N; i++)
        value[i] = (i % 2 ? -1 : 1) * (me + 1) * (i + 1);
    bits[0] = UINT64_C(1) << (63 - me % 24);

    shmem_sum_reduce(SHMEM_TEAM_WORLD, sum, value, N);
    shmem_max_reduce(SHMEM_TEAM_WORLD, largest, value, N);
    shmem_uint64_or_reduce(SHMEM_TEAM_WORLD, bits, bits, 1);

    for (int i = 0; i < N; i++) {
        int sign = i % 2 ? -1 : 1;
        wrong += sum[i] != sign * (i + 1) * n * (n + 1) / 2;
        wrong += largest[i] != (sign > 0 ? n * (i + 1) : -(i + 1));
    }
    wrong += bits[0] != ~UINT64_C(0) << (64 - (n < 24 ? n : 24));
    printf("PE %d: sum %g, maximum %g, bits %#llx: %d wrong\n", me, sum[0], largest[0], (unsigned long long)bits[0],
           wrong);
    shmem_finalize();
    return wrong != 0;
}
