/* Two threads of one PE, and what may order them. */
/* pes: 2 */
#include "start.h"

#include <semaphore.h>
#include <stdatomic.h>
#include <threads.h>
#include <unistd.h>

static void *put_and_quiet(void *word)
{
    shmem_long_p(word, 1, 0); /* put */
    shmem_quiet();
    return NULL;
}

/* 9.12.2, quiet: it completes operations for the calling thread, and for a thread that synchronizes with the calling
 * thread afterwards.
 * wrong: race: put load */
RULE(quiet_of_a_thread)
{
    static long word;

    if (me != 0)
        return;
    pthread_t other = start(put_and_quiet, &word);
    if (right)
        pthread_join(other, NULL);
    look(word, 1); /* load */
    if (!right)
        pthread_join(other, NULL);
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *add_locked(void *word)
{
    pthread_mutex_lock(&mutex);
    *(long *)word += 1; /* locked */
    pthread_mutex_unlock(&mutex);
    return NULL;
}

/* 9.2, threads: threads may store to one object under a mutex, if all of them lock it.
 * wrong: race: locked add */
RULE(mutex_and_store)
{
    static long word;

    if (me != 0)
        return;
    pthread_t other = start(add_locked, &word);
    if (right)
        add_locked(&word);
    else
        word += 1; /* add */
    pthread_join(other, NULL);
    look(word, 2);
}

static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int announced; /* under the mutex */

static void *put_and_announce(void *word)
{
    shmem_long_p(word, 1, 0); /* announced */
    shmem_quiet();
    pthread_mutex_lock(&mutex);
    announced = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

/* 9.2, threads: a thread that has waited for a condition variable sees what was done before the signal.
 * wrong: race: announced load */
RULE(condition)
{
    static long word;

    if (me != 0)
        return;
    pthread_t other = start(put_and_announce, &word);
    for (int turn = 0; turn < 2; turn++) {
        if (right == (turn == 1))
            look(word, 1); /* load */
        else {
            pthread_mutex_lock(&mutex);
            while (!announced)
                pthread_cond_wait(&changed, &mutex);
            pthread_mutex_unlock(&mutex);
        }
    }
    pthread_join(other, NULL);
}

static pthread_barrier_t barrier;

static void *put_before_barrier(void *word)
{
    shmem_long_p(word, 1, 0); /* before */
    shmem_quiet();
    pthread_barrier_wait(&barrier);
    return NULL;
}

/* 9.2, threads: a barrier of threads orders accesses before it and after it.
 * wrong: race: before load */
RULE(barrier_of_threads)
{
    static long word;

    if (me != 0)
        return;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_t other = start(put_before_barrier, &word);
    if (right)
        pthread_barrier_wait(&barrier);
    look(word, 1); /* load */
    if (!right)
        pthread_barrier_wait(&barrier);
    pthread_join(other, NULL);
    pthread_barrier_destroy(&barrier);
}

static sem_t posted;

static void *store_and_post(void *word)
{
    *(long *)word = 1; /* posted */
    sem_post(&posted);
    return NULL;
}

/* 9.2, threads: a semaphore orders accesses before its post and after its wait.
 * wrong: race: posted load */
RULE(semaphore)
{
    static long word;

    if (me != 0)
        return;
    sem_init(&posted, 0, 0);
    pthread_t other = start(store_and_post, &word);
    if (right)
        sem_wait(&posted);
    look(word, 1); /* load */
    if (!right)
        sem_wait(&posted);
    pthread_join(other, NULL);
    sem_destroy(&posted);
}

static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;

static void *store_as_writer(void *word)
{
    pthread_rwlock_wrlock(&rwlock);
    *(long *)word = 1; /* written */
    pthread_rwlock_unlock(&rwlock);
    return NULL;
}

/* 9.2, threads: readers of a read-write lock see what a writer has stored.
 * wrong: race: written load */
RULE(readers_and_writer)
{
    static long word;

    if (me != 0)
        return;
    pthread_t other = start(store_as_writer, &word);
    if (right)
        pthread_rwlock_rdlock(&rwlock);
    const long seen = word; /* load */
    if (right)
        pthread_rwlock_unlock(&rwlock);
    pthread_join(other, NULL);
    look(seen == 0 || seen == 1, 1);
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static long made_once;

static void make(void)
{
    made_once = 1; /* made */
}

static void *use(void *unused)
{
    (void)unused;
    pthread_once(&once, make);
    look(made_once, 1);
    return NULL;
}

/* 9.2, threads: what the function of pthread_once does is visible to all callers.
 * wrong: race: made load */
RULE(done_once)
{
    if (me != 0)
        return;
    pthread_t other = start(use, NULL);
    if (right)
        pthread_once(&once, make);
    look(made_once, 1); /* load */
    pthread_join(other, NULL);
}

static mtx_t plain;

static int add_with_mtx(void *word)
{
    mtx_lock(&plain);
    *(long *)word += 1; /* C11 */
    mtx_unlock(&plain);
    return 0;
}

/* 9.2, threads: threads and mutexes of C11 order accesses as those of POSIX do.
 * wrong: race: C11 add */
RULE(threads_of_c)
{
    static long word;
    thrd_t other;

    if (me != 0)
        return;
    mtx_init(&plain, mtx_plain);
    if (thrd_create(&other, add_with_mtx, &word) != thrd_success)
        shmem_global_exit(3);
    if (right)
        add_with_mtx(&word);
    else
        word += 1; /* add */
    thrd_join(other, NULL);
    look(word, 2);
    mtx_destroy(&plain);
}

static atomic_int fenced;

static void *store_and_fence(void *word)
{
    *(long *)word = 1; /* fenced */
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&fenced, 1, memory_order_relaxed);
    return NULL;
}

/* 9.2, threads: fences of C11, with relaxed atomics, order other accesses.
 * wrong: race: fenced load */
RULE(fences_of_c)
{
    static long word;

    if (me != 0)
        return;
    pthread_t other = start(store_and_fence, &word);
    while (right && !atomic_load_explicit(&fenced, memory_order_relaxed))
        ;
    atomic_thread_fence(memory_order_acquire);
    look(word, 1); /* load */
    pthread_join(other, NULL);
}

static void *wait_and_load(void *words)
{
    shmem_long_wait_until((long *)words + 1, SHMEM_CMP_EQ, 1);
    look(*(long *)words, 1); /* waited */
    return NULL;
}

/* 9.11.1, wait_until: a thread may wait for a flag that another thread of its PE puts after a fence.
 * wrong: race: waited put */
RULE(flag_between_threads)
{
    static long words[2];

    if (me != 0)
        return;
    pthread_t other = start(wait_and_load, words);
    shmem_long_p(&words[0], 1, 0); /* put */
    if (right)
        shmem_fence();
    shmem_long_p(&words[1], 1, 0);
    pthread_join(other, NULL);
}

enum { MANY = 300 };

static void *add_own(void *word)
{
    *(long *)word += 1; /* own */
    return NULL;
}

/* 9.2, threads: any number of threads may run, one after the other.
 * wrong: race: own get */
RULE(many_threads)
{
    static long word;
    pthread_t last = 0;

    for (int i = 0; me == 0 && i < MANY; i++) {
        last = start(add_own, &word);
        if (right || i < MANY - 1)
            pthread_join(last, NULL);
    }
    shmem_sync_all();
    if (me == 1)
        look(shmem_long_g(&word, 0), MANY); /* get */
    if (me == 0 && !right)
        pthread_join(last, NULL);
}

static void *end_at_once(void *unused)
{
    return unused;
}

static atomic_int detached;

static void *go_unjoined(void *unused)
{
    pthread_detach(pthread_self());
    atomic_store(&detached, 1);
    return unused;
}

/* 9.2, threads: a later thread, which is joined, may reuse the number of a detached thread.
 * wrong: race: own load */
RULE(detached_thread)
{
    static long word;

    if (me != 0)
        return;
    pthread_t two[] = {start(end_at_once, NULL), start(end_at_once, NULL)};
    pthread_join(two[0], NULL);
    pthread_join(two[1], NULL);
    start(go_unjoined, NULL);
    while (!atomic_load(&detached))
        ;
    usleep(20000); /* usually, the detached thread has ended by then */
    pthread_t other = start(add_own, &word);
    if (right)
        pthread_join(other, NULL);
    look(word, 1); /* load */
    if (!right)
        pthread_join(other, NULL);
}
