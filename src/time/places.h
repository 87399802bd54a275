/* The threads of a PE on the virtual clock, where several may be in the library at a time (SHMEM_THREAD_MULTIPLE).
 *
 * Each thread that has called the library has a *place*: a time of its own, and its debt.  Of a PE's threads one at a
 * time runs in the library: the *runner*; others that call wait for it, and then for their times.  What the runner
 * does in the program, and what threads do that have not called, is beside that and takes real time as it comes.
 *
 * The clock does not go on while a thread that has a place is outside the library and runs, for it may call.  Whether
 * it runs the kernel knows: one that sleeps there, in a barrier or lock of the program's own, in a join or a read,
 * holds nobody up.  Who wakes it is another thread, at that one's time, and is looked at again before the clock goes
 * on.  So whatever threads synchronize themselves by, they meet in emulated time, as long as they sleep for it.  What
 * runs for SPIN_MOST of processor time while the others of its PE wait for it is taken to spin, and is not waited for.
 *
 * A thread that nobody has waited for, since it sleeps or has never called, knocks when it calls: it goes on where the
 * clock is then.  So where threads begin, or come back from what is no other thread's doing (a read, a real sleep),
 * times vary from run to run.
 *
 * All of this is the process's own; for the other PEs it is one seat, whose time is that of its first thread. */
#ifndef COPAL_PLACES_H
#define COPAL_PLACES_H

#include "time/turns.h"
#include "time/virtual.h"

#include <sched.h>
#include <time.h>

struct place {
    struct place *next;
    uint64_t debt;   /* ps that its processor is busy for, beyond the clock */
    uint64_t at;     /* when it goes on, if it is blocked; VIRTUAL_NEVER: when something happens */
    uint64_t clock;  /* what that was when it ran last */
    uint64_t asleep; /* ns of its processor time when it was found asleep outside; 0: it has not been */
    uint64_t seen;   /* the same, at the look before */
    const struct wait *waits;
    const struct wait *waited; /* the same, when it was blocked last, if it has been in the library since */
    const void *wants; /* what another thread has, and gives back (places_give) */
    unsigned life;   /* of the list that it is in */
    unsigned steps;  /* as many had been taken when it was first seen to run, */
    uint64_t began;  /* with this processor time */
    uint32_t bell;
    bool blocked;
    bool listens;    /* what happens for the PE ends its wait */
    bool serves;     /* something is due, which it is to see to */
    bool spins;
    int stat;        /* the kernel's file of it, open */
    clockid_t processor_time;
};

extern struct place places_only; /* where there is one for all threads, which call one at a time */
extern _Thread_local struct place places_own __attribute__((tls_model("initial-exec")));

INLINE struct place *places_mine(void)
{
    return LIKELY(!virtual_threads) ? &places_only : &places_own;
}

/* This thread is the first, and has the PE's turn. processors: those on which its threads may be watched. */
void places_begin(const cpu_set_t *processors);
/* The last one has it. */
void places_end(void);

/* Where virtual_threads is set.  This thread becomes the runner, at its time.  True: it was not, and *due is whether
 * something is due, which it is to see to. */
bool places_turn(bool *due);

/* The runner blocks until then; listens: or until something happens for the PE.  True: something is due, which it is to
 * see to. */
bool places_block(uint64_t until, bool listens);

/* At that time what those wait for that listen may have changed; or those may go on that want this. */
void places_wake(uint64_t at);
void places_give(const void *what, uint64_t at);

/* Around what is done to the clock's shared state. */
void places_lock(void);
void places_unlock(void);

#endif
