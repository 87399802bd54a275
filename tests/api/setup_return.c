/* main returns 0 without shmem_finalize. The library ends as if main had called it, so that PEs that still work can
 * access the memory of all other PEs. */
#include <shmem.h>
#include <time.h>
#include "../check.h"

static long inbox, outbox;

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), right = (me + 1) % n;
    outbox = 5 + me;
    shmem_barrier_all();
    if (me % 2 == 0)
        return check_result(); /* returns first; the other PEs execute the following while this PE waits for them */
    nanosleep(&(struct timespec){0, 50000000}, NULL); /* late on purpose */
    shmem_long_p(&inbox, 90 + me, right);
    shmem_quiet();
    CHECK(shmem_long_g(&inbox, right) == 90 + me, "put to PE %d, which has returned from main", right);
    CHECK(shmem_long_g(&outbox, right) == 5 + right, "get from PE %d, which has returned from main", right);
    CHECK(shmem_long_atomic_fetch_add(&inbox, 1, right) == 90 + me, "atomic on PE %d", right);
    return check_result();
}
