/* run: oshrun -n 4 ./pi */
/* Pi by throwing darts at a square: each PE throws its own, one reduction adds the hits. */
#include <math.h>
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>

enum { DARTS = 1000000 };
static long hits, all_hits;

static double uniform(uint64_t *state) /* xorshift, in [0, 1) */
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (double)(*state >> 11) / 9007199254740992.0;
}

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    uint64_t state = UINT64_C(0x9e3779b97f4a7c15) * (uint64_t)(me + 1); /* another sequence on each PE */
    for (int i = 0; i < DARTS; i++) {
        double x = uniform(&state), y = uniform(&state);
        hits += x * x + y * y < 1;
    }
    shmem_sum_reduce(SHMEM_TEAM_WORLD, &all_hits, &hits, 1);
    double pi = 4.0 * (double)all_hits / ((double)DARTS * n);
    int ok = fabs(pi - 3.14159265) < 0.01;
    if (me == 0)
        printf("pi is about %.5f from %d million darts: %s\n", pi, n, ok ? "right" : "WRONG");
    shmem_finalize();
    return !ok;
}
