/* PE 0 adds records for PE 1 without end, and never waits: its puts to PE 1 arrive, and it serves PE 1's
 * requests. A second thread of PE 0, which sleeps in a wait, is served too. */
#include <pthread.h>
#include <shmem.h>
#include <stdatomic.h>
#include <time.h>

#include "../check.h"

enum { MOST_SECONDS = 10 };
static long words[1024], value = 77, told[5], answer, end;
static _Atomic int is_over;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Whether the word has changed before the time was over. */
static int stream_until_changed(const long *word)
{
    const double from = now();
    for (long i = 0; !is_over && now() - from < MOST_SECONDS; i++) {
        if (word && __atomic_load_n(word, __ATOMIC_ACQUIRE))
            return 1;
        shmem_long_atomic_inc(&words[i % 1024], 1);
        for (double t = now(); now() - t < 2e-6;) { /* computes */
        }
    }
    return is_over;
}

static void *stream(void *seen)
{
    *(int *)seen = stream_until_changed(NULL);
    return NULL;
}

static void wait_beside(void)
{
    pthread_t thread;
    int seen = 0;
    pthread_create(&thread, NULL, stream, &seen);
    shmem_long_wait_until(&end, SHMEM_CMP_EQ, 1);
    is_over = 1;
    pthread_join(thread, NULL);
    CHECK(seen, "a thread that waits was not served while another one added records for %d s", MOST_SECONDS);
}

int main(void)
{
    int level;
    shmem_init_thread(SHMEM_THREAD_MULTIPLE, &level);
    const int me = shmem_my_pe(), last = shmem_n_pes() - 1;
    shmem_barrier_all();
    if (me == 0) {
        for (int i = 0; i < 5; i++)
            shmem_long_p(&told[i], 1, last);
        CHECK(stream_until_changed(&answer), "no answer of PE %d in %d s", last, MOST_SECONDS);
        shmem_barrier_all();
        wait_beside();
    } else if (me == last) {
        for (int i = 0; i < 5; i++)
            shmem_long_wait_until(&told[i], SHMEM_CMP_EQ, 1);
        CHECK(shmem_long_g(&value, 0) == 77, "another value");
        shmem_long_p(&answer, 1, 0);
        shmem_barrier_all();
        nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL); /* late */
        shmem_long_p(&end, 1, 0);
    } else {
        shmem_barrier_all();
    }
    shmem_barrier_all();
    shmem_finalize();
    return check_result();
}
