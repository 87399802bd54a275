/* pes: 1 2 5 */
/* The number of attempts to change a lock's word does not grow with the number of contending images: on average a few
 * for each LOCK and UNLOCK. This matters on several nodes; CMakeLists.txt runs the test with many images. */
#include "core.h"

#include <pshmem.h>

enum { ROUNDS = 4, MOST = 6 };
static int64_t swaps;

/* The core calls this function to swap the word. */
uint64_t shmem_ulong_atomic_compare_swap(uint64_t *dest, uint64_t cond, uint64_t value, int pe)
{
    swaps++;
    return pshmem_ulong_atomic_compare_swap(dest, cond, value, pe);
}

int main(void)
{
    start();
    int64_t *a = coarray(3 * sizeof(int64_t)); /* the lock, the data that it guards, the number of all images' swaps */
    for (int round = 0; round < ROUNDS; round++) {
        ok(caf_sync_all());
        ok(caf_lock(0, a, NULL));
        shmem_int64_p(&a[1], shmem_int64_g(&a[1], 0) + 1, 0);
        ok(caf_unlock(0, a));
    }
    shmem_int64_atomic_add(&a[2], swaps, 0);
    ok(caf_sync_all());
    if (me == 1) {
        CHECK(a[1] == ROUNDS * n, "%lld, expected %d", (long long)a[1], ROUNDS * n);
        CHECK(a[2] <= (int64_t)MOST * ROUNDS * n, "%lld swaps in %d times that %d images have locked",
              (long long)a[2], ROUNDS, n);
    }
    ok(caf_sync_all());
    caf_stop(check_result());
}
