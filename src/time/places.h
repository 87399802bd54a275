/* The threads of a PE on the virtual clock, if several may be in the library at the same time (SHMEM_THREAD_MULTIPLE).
 *
 * Each thread that has called the library has a *place*: a time of its own, and a debt. One of a PE's threads runs in
 * the library at a time, the *runner*; other threads that call it wait for the runner, and then for their times. The
 * program's own code takes real time, in all threads.
 *
 * While a thread that has a place runs outside the library, the clock stands still, because the thread may call the
 * library. The kernel says whether the thread runs or sleeps; while it sleeps (in the program's own barrier or lock, a
 * join or a read), the clock advances without it. If another thread may have woken it, it is checked again before the
 * clock advances, so it continues at the waking thread's time. Threads therefore synchronize in emulated time by any
 * means for which they sleep. A thread that runs for SPIN_MOST of processor time while other threads of its PE wait for
 * it counts as spinning, and the clock advances without it.
 *
 * If the clock has advanced without a thread that sleeps or has never called, the thread's next call requests a turn
 * (turns_knock) at the clock's time. Times therefore vary from run to run if a thread starts, or returns from a wait
 * that no other thread ends (a read, a real sleep).
 *
 * The places are private to the process; other PEs see the PE's seat (turns.h), with the earliest time of the PE's
 * threads. */
#pragma once

#include "time/turns.h"
#include "time/virtual.h"

#include <sched.h>
#include <time.h>

struct place {
    struct place *next;
    uint64_t debt;   /* ps for which its processor is busy, beyond the clock */
    uint64_t at;     /* if it is blocked, the time when it continues; VIRTUAL_NEVER: at an event */
    uint64_t clock;  /* the clock when it ran last */
    uint64_t asleep; /* its processor time (ns) when it was found asleep outside the library; 0: it was not */
    uint64_t seen;   /* its processor time at the last check */
    const struct wait *waits;
    const struct wait *waited; /* `waits` when it was blocked last; NULL after that wait has ended */
    const void *wants; /* the resource that it waits for, which another thread releases (places_give) */
    unsigned life;   /* own.life when it was added to the list */
    unsigned steps;  /* own.steps when it was first seen to run, */
    uint64_t began;  /* and its processor time then */
    uint32_t bell;
    bool blocked;
    bool listens;    /* an event of the PE ends its wait */
    bool serves;     /* an event is due, which it must serve */
    bool spins;
    int stat;        /* descriptor of /proc/self/task/TID/stat */
    clockid_t processor_time;
};

extern struct place places_only; /* the place of all threads, if they call one at a time */
extern _Thread_local struct place places_own __attribute__((tls_model("initial-exec")));

INLINE struct place *places_mine(void)
{
    return LIKELY(!virtual_threads) ? &places_only : &places_own;
}

/* Called by the PE's first thread, which has the turn. processors: those on which the watching thread may run. */
void places_begin(const cpu_set_t *processors);
/* Called by the PE's last thread, which has the turn. */
void places_end(void);

/* If virtual_threads is set: this thread becomes the runner, at its time. True: it was not the runner before;
 * *due then says whether an event is due that it must serve. */
bool places_turn(bool *due);

/* The runner blocks until that time; listens: or until an event of the PE. True: an event is due, which it must
 * serve. */
bool places_block(uint64_t until, bool listens);

/* At that time: the condition of threads that listen may have changed; the threads that want `what` continue. */
void places_wake(uint64_t at);
void places_give(const void *what, uint64_t at);

/* These enclose changes of the clock's shared state. */
void places_lock(void);
void places_unlock(void);
