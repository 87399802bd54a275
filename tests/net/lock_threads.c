/* All threads of all PEs contend for one lock, and for others in turn. Between nodes, a PE's threads share the PE's
 * entry in the lock's queue. */
#include <pthread.h>
#include <sched.h>
#include <shmem.h>

#include "../check.h"

enum { THREADS = 3, LOCKS = 4, ROUNDS = 800 };

static _Alignas(64) long lock[LOCKS][8]; /* a line each: their homes are different PEs */
static long count[LOCKS];

static void *contend(void *unused)
{
    for (int round = 0; round < ROUNDS; round++) {
        const int k = round * LOCKS / ROUNDS;
        if (round % 3)
            shmem_set_lock(lock[k]);
        else
            while (shmem_test_lock(lock[k]))
                sched_yield();
        shmem_long_p(&count[k], shmem_long_g(&count[k], 0) + 1, 0);
        shmem_clear_lock(lock[k]);
    }
    return unused;
}

int main(void)
{
    int provided;
    pthread_t thread[THREADS];
    shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
    for (int t = 0; t < THREADS; t++)
        pthread_create(&thread[t], NULL, contend, NULL);
    for (int t = 0; t < THREADS; t++)
        pthread_join(thread[t], NULL);
    shmem_barrier_all();
    for (int k = 0; k < LOCKS && shmem_my_pe() == 0; k++)
        CHECK(count[k] == ROUNDS / LOCKS * THREADS * shmem_n_pes(), "lock %d: the count is %ld", k, count[k]);
    shmem_finalize();
    return check_result();
}
