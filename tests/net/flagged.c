/* Data, a fence and a flag, back and forth: up to 32 KiB none of these waits for a reply, as the counters show. */
#include <shmem.h>

#include "../check.h"

enum { MOST = 4096, ROUNDS = 100 };
static long data[MOST], source[MOST], flag;

static void receive(int n, long round)
{
    int wrong = 0;
    shmem_long_wait_until(&flag, SHMEM_CMP_EQ, round);
    for (int i = 0; i < n; i++)
        wrong += data[i] != round * MOST + i;
    CHECK(wrong == 0, "%d of %d elements are wrong in round %ld", wrong, n, round);
}

int main(void)
{
    shmem_init();
    const int me = shmem_my_pe();
    for (long round = 1; round <= ROUNDS; round++) {
        const int n = 513 + (int)(round * 997 % (MOST - 512));
        for (int i = 0; i < n; i++)
            source[i] = round * MOST + i;
        if (me == 1)
            receive(n, round);
        shmem_long_put(data, source, (size_t)n, 1 - me);
        shmem_fence();
        shmem_long_p(&flag, round, 1 - me);
        if (me == 0)
            receive(n, round);
    }
    shmem_finalize();
    return check_result();
}
