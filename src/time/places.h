/* The threads of a PE on the virtual clock, if several may be in the library at a time (SHMEM_THREAD_MULTIPLE).
 *
 * Each thread that has called the library has a *place*: a time of its own, and a debt. One of a PE's threads runs in
 * the library at a time, the *runner*; other threads that call wait for the runner, and then for their times. The
 * program's own code takes real time, in all threads.
 *
 * While a thread that has a place runs outside the library, the clock stands still, because the thread may call. The
 * kernel says whether the thread runs or sleeps; while it sleeps (in a barrier or lock of the program's own, in a join
 * or a read), the clock advances without it. Another thread wakes it, at the waking thread's time, and its state is
 * checked again before the clock advances. Threads therefore synchronize in emulated time by any means for which they
 * sleep. A thread that runs for SPIN_MOST of processor time while the other threads of its PE wait for it counts as
 * spinning, and the clock advances without it.
 *
 * If the clock has advanced without a thread, because the thread sleeps or has never called, it knocks when it calls:
 * its time is then the clock's. If a thread starts, or returns from a wait that no other thread ends (a read, a real
 * sleep), times therefore vary from run to run.
 *
 * The places are private to the process; other PEs see one seat, whose time is that of the PE's first thread. */
#ifndef COPAL_PLACES_H
#define COPAL_PLACES_H

#include "time/turns.h"
#include "time/virtual.h"

#include <sched.h>
#include <time.h>

struct place {
    struct place *next;
    uint64_t debt;   /* ps that its processor is busy for, beyond the clock */
    uint64_t at;     /* if it is blocked, the time when it continues; VIRTUAL_NEVER: at an event */
    uint64_t clock;  /* the clock when it ran last */
    uint64_t asleep; /* ns of its processor time when it was found asleep outside; 0: it has not been */
    uint64_t seen;   /* the same, at the check before */
    const struct wait *waits;
    const struct wait *waited; /* `waits` when it was blocked last, if it has been in the library since */
    const void *wants; /* the resource that it waits for, which another thread releases (places_give) */
    unsigned life;   /* of the list that it is in */
    unsigned steps;  /* own.steps when it was first seen to run, */
    uint64_t began;  /* with this processor time */
    uint32_t bell;
    bool blocked;
    bool listens;    /* an event of the PE ends its wait */
    bool serves;     /* an event is due, which it must serve */
    bool spins;
    int stat;        /* descriptor of the kernel's file of its state */
    clockid_t processor_time;
};

extern struct place places_only; /* the place of all threads, if they call one at a time */
extern _Thread_local struct place places_own __attribute__((tls_model("initial-exec")));

INLINE struct place *places_mine(void)
{
    return LIKELY(!virtual_threads) ? &places_only : &places_own;
}

/* This thread is the first, and has the PE's turn. processors: those on which its threads may be watched. */
void places_begin(const cpu_set_t *processors);
/* The last thread has the turn. */
void places_end(void);

/* If virtual_threads is set. This thread becomes the runner, at its time. True: it was not before, and *due says
 * whether an event is due, which it must serve. */
bool places_turn(bool *due);

/* The runner blocks until that time; listens: or until an event of the PE. True: an event is due, which it must
 * serve. */
bool places_block(uint64_t until, bool listens);

/* At that time the condition of the threads that listen may have changed; or the threads that want this continue. */
void places_wake(uint64_t at);
void places_give(const void *what, uint64_t at);

/* Around changes of the clock's shared state. */
void places_lock(void);
void places_unlock(void);

#endif
