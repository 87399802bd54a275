/* Threads of this PE, and their ordering: wraps the functions of POSIX and C, which the C++ library uses too.
 *
 * A thread has a strand of its own if the program, the C++ library or gcc's OpenMP runtime (openmp.c) has started it.
 * The synchronization of other threads cannot be observed; they count as part of their creator. Atomics order threads
 * too (atomics.c). */
#include "races/access.h"
#include "races/copies.h"
#include "races/objects.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>

/* --- threads ------------------------------------------------------------------------------------------------------ */

/* A new thread reuses the strand and the actor of a joined thread. */
struct thread {
    struct strand strand;
    struct thread *next;
    pthread_t id;
    bool runs, is_being_joined;
    union {
        void *(*posix)(void *);
        int (*c)(void *);
    } body;
    void *argument;
};
static struct thread *threads;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void enter(void)
{
    tap_depth++; /* the lock is not recorded as the program's */
    pthread_mutex_lock(&lock);
}

static void leave(void)
{
    pthread_mutex_unlock(&lock);
    tap_depth--;
}

static bool is_the_programs(const void *caller)
{
    Dl_info info;
    if (!map.bytes || tap_depth)
        return false;
    return copies_are_looked_at(caller) || (dladdr(caller, &info) && info.dli_fname &&
           (strstr(info.dli_fname, "libstdc++.") || strstr(info.dli_fname, "libc++.")));
}

/* The record for a thread that this thread is about to start; NULL: the new thread counts as part of this one. */
static struct thread *begin(const void *caller, void *argument)
{
    if (!is_the_programs(caller))
        return NULL;
    enter();
    struct thread *t = threads;
    while (t && t->runs)
        t = t->next;
    if (!t && (t = calloc(1, sizeof *t))) {
        t->next = threads;
        threads = t;
    }
    if (t)
        t->runs = actor_split(&t->strand);
    leave();
    if (!t || !t->runs)
        return NULL;
    t->argument = argument;
    return t;
}

static void ends(struct thread *t)
{
    t->strand.lives = t->runs = t->is_being_joined = false;
    t->id = 0;
}

static void become(struct thread *t)
{
    enter(); /* waits until give_name has stored the thread's id */
    strand = &t->strand;
    access_forget_stack();
    leave();
}

static void *run(void *thread)
{
    struct thread *t = thread;
    become(t);
    return t->body.posix(t->argument);
}

static int run_c(void *thread)
{
    struct thread *t = thread;
    become(t);
    return t->body.c(t->argument);
}

/* Stores a thread's id. If another record has the same id, its thread has ended without a join. */
static void give_name(struct thread *t, pthread_t id)
{
    for (struct thread *other = threads; other; other = other->next)
        if (other->runs && !other->is_being_joined && pthread_equal(other->id, id))
            ends(other);
    t->id = id;
}

/* Called with the lock held, for which the new thread waits. */
static void begun(struct thread *t, bool really, pthread_t id)
{
    if (really)
        give_name(t, id);
    else
        ends(t);
    leave();
}

/* The thread with this id, or NULL if it is unknown. Called before the join, after which the id may be reused. */
static struct thread *to_be_joined(pthread_t id)
{
    if (!map.bytes) /* child of a fork: another thread may have held the lock */
        return NULL;
    enter();
    struct thread *t = threads;
    while (t && !(t->runs && !t->is_being_joined && pthread_equal(t->id, id)))
        t = t->next;
    if (t)
        t->is_being_joined = true;
    leave();
    return t;
}

/* Called after a join: if result is success, the thread's strand is joined. */
static void joined(struct thread *t, int result)
{
    if (!t)
        return;
    enter();
    t->is_being_joined = false;
    if (result == 0) {
        actor_join(&t->strand);
        ends(t);
        pending_settle();
    }
    leave();
}

/* A thread whose synchronization cannot be observed counts as part of its creator. */
struct unknown {
    void *(*body)(void *);
    void *argument;
    struct strand *strand;
};

static void *run_unknown(void *of)
{
    const struct unknown u = *(struct unknown *)of;
    free(of);
    strand = u.strand;
    return u.body(u.argument);
}

/* NULL: the thread counts as part of the PE itself. */
static struct unknown *begin_unknown(void *(*body)(void *), void *argument)
{
    struct unknown *u = map.bytes && strand != actor_of_pe() ? malloc(sizeof *u) : NULL;
    if (u)
        *u = (struct unknown){body, argument, strand};
    return u;
}

#pragma GCC visibility push(default)

int pthread_create(pthread_t *id, const pthread_attr_t *attributes, void *(*body)(void *), void *argument)
{
    REAL(pthread_create);
    struct thread *t = begin(HERE, argument);
    if (!t) {
        struct unknown *u = begin_unknown(body, argument);
        const int result = real.call(id, attributes, u ? run_unknown : body, u ? u : argument);
        if (result != 0)
            free(u);
        return result;
    }
    t->body.posix = body;
    enter();
    const int result = real.call(id, attributes, run, t);
    begun(t, result == 0, *id);
    return result;
}

int thrd_create(thrd_t *id, thrd_start_t body, void *argument)
{
    REAL(thrd_create);
    struct thread *t = begin(HERE, argument);
    if (!t)
        return real.call(id, body, argument);
    t->body.c = body;
    enter();
    const int result = real.call(id, run_c, t);
    begun(t, result == thrd_success, *id);
    return result;
}

#define JOINS(N, PARAMETERS, ARGUMENTS) int N PARAMETERS { REAL(N); struct thread *t = to_be_joined(id); \
    const int result = real.call ARGUMENTS; joined(t, result); return result; }
JOINS(pthread_join, (pthread_t id, void **value), (id, value))
JOINS(pthread_tryjoin_np, (pthread_t id, void **value), (id, value))
JOINS(pthread_timedjoin_np, (pthread_t id, void **value, const struct timespec *until), (id, value, until))
int pthread_clockjoin_np(pthread_t id, void **value, clockid_t clock, const struct timespec *until);
JOINS(pthread_clockjoin_np, (pthread_t id, void **value, clockid_t clock, const struct timespec *until),
      (id, value, clock, until))
JOINS(thrd_join, (thrd_t id, int *value), (id, value))

/* --- locks, semaphores, barriers ---------------------------------------------------------------------------------- */

static void acquire_if(bool taken, const volatile void *it)
{
    if (taken)
        object_acquire(it);
}

/* EOWNERDEAD also acquires the mutex, but its dead owner has not released it. */
#define TAKES(N, PARAMETERS, ARGUMENTS) int N PARAMETERS { REAL(N); \
    const int result = real.call ARGUMENTS; acquire_if(result == 0 || result == EOWNERDEAD, it); return result; }
#define GIVES(N, PARAMETERS) int N PARAMETERS { REAL(N); \
    object_release(it); return real.call(it); }

TAKES(pthread_mutex_lock, (pthread_mutex_t *it), (it))
TAKES(pthread_mutex_trylock, (pthread_mutex_t *it), (it))
TAKES(pthread_mutex_timedlock, (pthread_mutex_t *it, const struct timespec *until), (it, until))
TAKES(pthread_mutex_clocklock, (pthread_mutex_t *it, clockid_t c, const struct timespec *until), (it, c, until))
GIVES(pthread_mutex_unlock, (pthread_mutex_t *it))
TAKES(mtx_lock, (mtx_t *it), (it))
TAKES(mtx_trylock, (mtx_t *it), (it))
TAKES(mtx_timedlock, (mtx_t *restrict it, const struct timespec *restrict until), (it, until))
GIVES(mtx_unlock, (mtx_t *it))
TAKES(pthread_spin_lock, (pthread_spinlock_t *it), (it))
TAKES(pthread_spin_trylock, (pthread_spinlock_t *it), (it))
GIVES(pthread_spin_unlock, (pthread_spinlock_t *it))
TAKES(pthread_rwlock_rdlock, (pthread_rwlock_t *it), (it))
TAKES(pthread_rwlock_tryrdlock, (pthread_rwlock_t *it), (it))
TAKES(pthread_rwlock_timedrdlock, (pthread_rwlock_t *it, const struct timespec *until), (it, until))
TAKES(pthread_rwlock_clockrdlock, (pthread_rwlock_t *it, clockid_t c, const struct timespec *until), (it, c, until))
TAKES(pthread_rwlock_wrlock, (pthread_rwlock_t *it), (it))
TAKES(pthread_rwlock_trywrlock, (pthread_rwlock_t *it), (it))
TAKES(pthread_rwlock_timedwrlock, (pthread_rwlock_t *it, const struct timespec *until), (it, until))
TAKES(pthread_rwlock_clockwrlock, (pthread_rwlock_t *it, clockid_t c, const struct timespec *until), (it, c, until))
GIVES(pthread_rwlock_unlock, (pthread_rwlock_t *it))
TAKES(sem_wait, (sem_t *it), (it))
TAKES(sem_trywait, (sem_t *it), (it))
TAKES(sem_timedwait, (sem_t *it, const struct timespec *until), (it, until))
TAKES(sem_clockwait, (sem_t *it, clockid_t c, const struct timespec *until), (it, c, until))
GIVES(sem_post, (sem_t *it))

/* For a condition, `it` is the mutex, which orders; a barrier orders all entries before all exits. */
#define WAITS(N, PARAMETERS, ARGUMENTS) int N PARAMETERS { REAL(N); \
    object_release(it); const int result = real.call ARGUMENTS; object_acquire(it); return result; }
WAITS(pthread_cond_wait, (pthread_cond_t *c, pthread_mutex_t *it), (c, it))
WAITS(pthread_cond_timedwait, (pthread_cond_t *c, pthread_mutex_t *it, const struct timespec *until), (c, it, until))
WAITS(pthread_cond_clockwait, (pthread_cond_t *c, pthread_mutex_t *it, clockid_t clock, const struct timespec *until),
      (c, it, clock, until))
WAITS(cnd_wait, (cnd_t *c, mtx_t *it), (c, it))
WAITS(cnd_timedwait, (cnd_t *restrict c, mtx_t *restrict it, const struct timespec *restrict until), (c, it, until))
WAITS(pthread_barrier_wait, (pthread_barrier_t *it), (it))

/* --- what is done once -------------------------------------------------------------------------------------------- */

static _Thread_local void (*what)(void);
static _Thread_local void *which;

static void do_and_release(void)
{
    void *const object = which;
    what(); /* may call pthread_once again, for another object */
    object_release(object);
}

int pthread_once(pthread_once_t *once, void (*body)(void))
{
    REAL(pthread_once);
    what = body;
    which = once;
    const int result = real.call(once, do_and_release);
    object_acquire(once);
    return result;
}

void call_once(once_flag *once, void (*body)(void))
{
    REAL(call_once);
    what = body;
    which = once;
    real.call(once, do_and_release);
    object_acquire(once);
}

/* Statics of C++. */
int __cxa_guard_acquire(uint64_t *guard)
{
    REAL(__cxa_guard_acquire);
    const int result = real.call(guard);
    object_acquire(guard);
    return result;
}

void __cxa_guard_release(uint64_t *guard)
{
    REAL(__cxa_guard_release);
    object_release(guard);
    real.call(guard);
}
