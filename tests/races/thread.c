/* Threads of one PE. */
/* pes: 2 */
#define _GNU_SOURCE /* mremap */
#include "start.h"

#include <sched.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 65536 }; /* the largest of any machine */

static void *put_own(void *word)
{
    shmem_long_p(word, 1, 1); /* theirs */
    return NULL;
}

/* 9.2, threads: two threads may not put to one object, as two PEs may not.
 * wrong: race: theirs put */
RULE(two_threads_put)
{
    static long words[2];

    if (me == 0) {
        pthread_t other = start(put_own, &words[0]);
        shmem_long_p(&words[right ? 1 : 0], 2, 1); /* put */
        pthread_join(other, NULL);
    }
    shmem_barrier_all();
    look(words[0], me == 1 ? 1 : 0);
}

static void *store_own(void *word)
{
    *(long *)word = 1; /* stored */
    return NULL;
}

static atomic_bool is_behind_barrier;

/* A thread that is not joined before the barrier stores after it. */
static void *store_late(void *word)
{
    while (!atomic_load(&is_behind_barrier))
        sched_yield();
    return store_own(word);
}

/* 9.2, threads: a thread's stores are visible to other PEs if it was joined before the barrier.
 * wrong: race: stored get */
RULE(join_and_barrier)
{
    static long word;
    pthread_t other = 0;

    if (me == 0)
        other = start(right ? store_own : store_late, &word);
    if (me == 0 && right)
        pthread_join(other, NULL);
    shmem_barrier_all();
    atomic_store(&is_behind_barrier, true);
    if (me == 1)
        look(shmem_long_g(&word, 0), 1); /* get */
    if (me == 0 && !right)
        pthread_join(other, NULL);
}

/* 9.2, threads: a thread's store to its PE's memory races with another thread's load, unless the two threads
 * synchronize.
 * wrong: race: stored load */
RULE(store_of_a_thread)
{
    static long word;

    if (me != 0)
        return;
    pthread_t other = start(store_own, &word);
    if (right)
        pthread_join(other, NULL);
    look(word, 1); /* load */
    if (!right)
        pthread_join(other, NULL);
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static bool careful;

static void *add_one(void *word)
{
    if (careful)
        pthread_mutex_lock(&mutex);
    shmem_long_p(word, shmem_long_g(word, 1) + 1, 1); /* add */
    if (careful) {
        shmem_quiet();
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

static void *put_one(void *word)
{
    if (careful)
        pthread_mutex_lock(&mutex);
    shmem_long_p(word, 1, 1); /* locked */
    if (careful) {
        shmem_quiet();
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

/* 9.2, threads: under a mutex, threads may put to one object in turn, if each calls quiet before it unlocks the mutex.
 * wrong: race: locked locked */
RULE(mutex_and_put)
{
    static long word, sum;

    if (me == 0) {
        careful = right;
        pthread_t other = start(put_one, &word);
        put_one(&word);
        pthread_join(other, NULL);
        careful = true;
        other = start(add_one, &sum);
        add_one(&sum);
        pthread_join(other, NULL);
    }
    shmem_barrier_all();
    look(sum, me == 1 ? 2 : 0);
}

static atomic_int ready;

static void *store_and_say(void *word)
{
    *(long *)word = 1; /* said */
    atomic_store_explicit(&ready, 1, careful ? memory_order_release : memory_order_relaxed);
    return NULL;
}

/* 9.2, threads: an atomic variable of C orders threads if its store releases and its load acquires.
 * wrong: race: said load */
RULE(release_and_acquire)
{
    static long word;

    if (me != 0)
        return;
    careful = right;
    pthread_t other = start(store_and_say, &word);
    while (atomic_load_explicit(&ready, memory_order_acquire) == 0)
        ;
    look(word, 1); /* load */
    pthread_join(other, NULL);
}

static void *put_nonblocking(void *source)
{
    static long word;

    shmem_long_put_nbi(&word, source, 1, 1); /* nbi */
    return NULL;
}

/* 9.12.2, quiet: it completes earlier puts of all threads on the context.
 * wrong: race: nbi store */
RULE(quiet_for_a_thread)
{
    long source = 1;

    if (me != 0)
        return;
    pthread_join(start(put_nonblocking, &source), NULL);
    if (right)
        shmem_quiet();
    source = 2; /* store */
    look(source, 2);
    shmem_quiet();
}

/* 9.2, threads: a new thread sees earlier stores of the thread that starts it.
 * wrong: race: stored store */
RULE(store_before_start)
{
    static long word;

    if (me != 0)
        return;
    if (right)
        word = 2;
    pthread_t other = start(store_own, &word);
    if (!right)
        word = 2; /* store */
    pthread_join(other, NULL);
    look(word, 1);
}

/* A thread that starts later than the other, but without synchronization: time orders nothing. */
static void *set_flag(void *flag)
{
    if (!careful)
        usleep(50000); /* it is late */
    shmem_long_atomic_set(flag, 1, 1);
    return NULL;
}

/* 9.12.1, fence: it orders puts before a later put of another thread, if that thread has synchronized with the
 * fence. */
RULE(fence_of_a_thread)
{
    static long word, flag;

    careful = right;
    if (me == 0) {
        pthread_t other = 0;
        if (!right)
            other = start(set_flag, &flag);
        shmem_long_p(&word, 1, 1); /* fenced */
        shmem_fence();
        if (right)
            other = start(set_flag, &flag);
        pthread_join(other, NULL);
        shmem_quiet();
    } else {
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
        look(word, 1); /* load */
    }
}

static void *put_and_fence(void *word)
{
    shmem_long_p(word, 1, 1); /* first */
    shmem_fence();
    return NULL;
}

/* 9.12.1, fence: if two threads put to one object, the second thread must synchronize with the fence that follows the
 * first put.
 * wrong: race: first second */
RULE(fence_between_threads)
{
    static long word;

    if (me == 0) {
        pthread_t other = start(put_and_fence, &word);
        if (right)
            pthread_join(other, NULL);
        else
            usleep(50000); /* it is late */
        shmem_long_p(&word, 2, 1); /* second */
        if (!right)
            pthread_join(other, NULL);
    }
    shmem_barrier_all();
    look(word, me == 1 ? 2 : 0);
}

static void *get_and_quiet(void *buffer)
{
    static long word;

    shmem_long_get_nbi(buffer, &word, 1, 1); /* got */
    shmem_quiet();
    return NULL;
}

/* After a completed get the thread frees the buffer. Another thread may get the same block from malloc. */
static void *get_to_own(void *unused)
{
    long *words = malloc((size_t)1 << 26), here = 1; /* free unmaps so large a block */

    (void)unused;
    words[0] = 1;
    get_and_quiet(words);
    get_and_quiet(&here);
    if (words[0] + here != 0)
        shmem_global_exit(4);
    free(words);
    return NULL;
}

/* 9.12.2, quiet: a thread that reads the local buffer of another thread's get must have synchronized with the quiet.
 * wrong: race: got seen */
RULE(quiet_of_a_thread_and_load)
{
    long buffer = 1;

    if (me != 0)
        return;
    pthread_t other = start(get_and_quiet, &buffer);
    if (right)
        pthread_join(other, NULL);
    else
        usleep(50000); /* it is late */
    look(buffer, 0); /* seen */
    if (!right)
        pthread_join(other, NULL);
    for (int i = 0; i < 2 && right; i++) { /* none of them knows of another's quiet */
        pthread_detach(start(get_to_own, NULL));
        usleep(50000); /* it is late */
    }
}

static void *elsewhere;

static void *get_and_move(void *page)
{
    get_and_quiet(page);
    if (mremap(page, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, elsewhere) != elsewhere)
        shmem_global_exit(5);
    return NULL;
}

static void *map(void *at)
{
    const int fixed = at ? MAP_FIXED : 0;
    void *page = mmap(at, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | fixed, -1, 0);
    if (page == MAP_FAILED)
        shmem_global_exit(6);
    return page;
}

/* 9.12.2, quiet: if a thread moves the local buffer of its get, other memory at the old address is not the buffer.
 * wrong: race: got seen */
RULE(buffer_that_has_moved)
{
    if (me != 0)
        return;
    long *page = map(NULL);
    elsewhere = map(NULL);
    pthread_t other = start(right ? get_and_move : get_and_quiet, page);
    usleep(50000); /* it is late */
    if (right)
        map(page);
    look(*page, 0); /* seen */
    pthread_join(other, NULL);
}

static void *put_and_quiet(void *buffer)
{
    static long word;

    shmem_long_put_nbi(&word, buffer, 1, 1); /* sent */
    shmem_quiet();
    return NULL;
}

/* 9.12.2, quiet: a thread that changes the source of another thread's put must have synchronized with the quiet.
 * wrong: race: sent changed */
RULE(quiet_of_a_thread_and_store)
{
    long *buffer = malloc(sizeof *buffer);

    *buffer = 1;
    if (me == 0) {
        pthread_t other = start(put_and_quiet, buffer);
        look(*buffer, 1); /* is allowed */
        if (right)
            pthread_join(other, NULL);
        else
            usleep(50000); /* it is late */
        *buffer = 2; /* changed */
        if (!right)
            pthread_join(other, NULL);
    }
    free(buffer);
}

static void *load_from(void *word)
{
    look(*(long *)word, 1); /* loaded */
    return NULL;
}

/* 9.6.2.2, get_nbi: if another thread has read its dest before, however long ago, the two threads must have
 * synchronized since.
 * wrong: race: loaded fetched */
RULE(load_and_get_of_a_thread)
{
    static long word = 1;
    long buffer = 1;

    if (me != 0)
        return;
    pthread_t other = start(load_from, &buffer);
    if (right)
        pthread_join(other, NULL);
    else
        usleep(50000); /* it is late */
    shmem_long_get_nbi(&buffer, &word, 1, 1); /* fetched */
    shmem_quiet();
    if (!right)
        pthread_join(other, NULL);
}

/* 9.6.2.1, put_nbi: if another thread has changed its source before, however long ago, the two threads must have
 * synchronized since.
 * wrong: race: stored passed */
RULE(store_and_put_of_a_thread)
{
    static long word;
    long *buffer = malloc(sizeof *buffer);

    if (me == 0) {
        pthread_t other = start(store_own, buffer);
        if (right)
            pthread_join(other, NULL);
        else
            usleep(50000); /* it is late */
        shmem_long_put_nbi(&word, buffer, 1, 1); /* passed */
        shmem_quiet();
        if (!right)
            pthread_join(other, NULL);
    }
    free(buffer);
}

struct exchange {
    shmem_team_t team; /* of this thread only; invalid: none */
    long *word;
    bool is_late; /* the teams' synchronizations begin in another order on the other PE */
};

static void *exchange(void *of)
{
    const struct exchange *e = of;

    if (e->is_late)
        usleep(50000); /* it is late */
    if (me == 0) {
        shmem_long_p(e->word, 1, 1); /* given */
        shmem_quiet();
    }
    if (e->team != SHMEM_TEAM_INVALID)
        shmem_team_sync(e->team);
    if (me == 1)
        look(*e->word, 1); /* taken */
    return NULL;
}

/* 9.10.3, team_sync: threads may synchronize at the same time, each by a team of its own, also if the teams have the
 * same PEs.
 * wrong: race: given taken */
RULE(teams_of_threads)
{
    static long words[2];
    shmem_team_t teams[2];
    pthread_t threads[2];
    struct exchange of[2];

    for (int i = 0; i < 2; i++)
        shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, pes, NULL, 0, &teams[i]);
    for (int i = 0; i < 2; i++) {
        of[i] = (struct exchange){right ? teams[i] : SHMEM_TEAM_INVALID, &words[i], i != me};
        threads[i] = start(exchange, &of[i]);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    shmem_barrier_all();
    for (int i = 0; i < 2; i++)
        shmem_team_destroy(teams[i]);
}
