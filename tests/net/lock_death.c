/* The last PE is killed: the locks in its memory no longer exist for other nodes. No PE acquires them any more, and
 * their holders can release them. All other locks work as before. For oshrun --outlive -n 3, with SHMEM_NODES=3. */
#include <shmem.h>
#include <shmemx.h>
#include <signal.h>
#include <unistd.h>

#include "../check.h"

enum { LOCKS = 64 };
static _Alignas(64) long lock[LOCKS][8]; /* a line each: their homes are different PEs */
static int turn;

static int acquire_all(int acquired[LOCKS])
{
    int n = 0;
    for (int k = 0; k < LOCKS; k++)
        n += acquired[k] = shmem_test_lock(lock[k]) == 0;
    return n;
}

static void release_all(const int acquired[LOCKS])
{
    for (int k = 0; k < LOCKS; k++)
        if (acquired[k])
            shmem_clear_lock(lock[k]);
}

int main(void)
{
    int held[LOCKS];
    shmem_init();
    const int me = shmem_my_pe(), victim = shmem_n_pes() - 1;
    for (int k = 0; k < LOCKS; k++) {
        shmem_set_lock(lock[k]);
        shmem_clear_lock(lock[k]);
    }
    shmem_barrier_all();
    if (me == 0)
        CHECK(acquire_all(held) == LOCKS, "not all locks are free");
    shmem_barrier_all();
    if (me == victim)
        raise(SIGKILL);
    while (shmemx_pe_state(victim) != SHMEMX_PE_DEAD)
        usleep(1000);
    if (me == 0) {
        release_all(held);
        const int n = acquire_all(held);
        CHECK(n > 0 && n < LOCKS, "PE 0 acquires %d of %d locks", n, LOCKS);
        shmem_int_p(&turn, 1, 1);
        shmem_int_wait_until(&turn, SHMEM_CMP_EQ, 1);
        release_all(held);
        shmem_int_p(&turn, 2, 1);
    } else {
        shmem_int_wait_until(&turn, SHMEM_CMP_EQ, 1);
        CHECK(acquire_all(held) == 0, "PE 1 acquires locks that PE 0 holds");
        shmem_int_p(&turn, 1, 0);
        shmem_int_wait_until(&turn, SHMEM_CMP_EQ, 2);
        const int n = acquire_all(held);
        CHECK(n > 0 && n < LOCKS, "PE 1 acquires %d of %d locks", n, LOCKS);
        release_all(held);
    }
    shmem_finalize();
    return check_result();
}
