/* Waiting and waking.
 *
 * A wait spins while that pays, then gives the processor away, then sleeps: 16 PEs on 2 processors must not spend their
 * time watching each other.  A sleeper says which addresses it sleeps for; whoever changes memory of that PE through
 * the library looks at one word (asleep_to) and rings the doorbell if its store falls there.
 *
 * A writer makes no fence between its store and that look, so it can miss a PE that is falling asleep in the same tenth
 * of a microsecond.  So the first sleep is SLEEP_LEAST: a missed wake costs that and nothing else.  Stores that the
 * library does not see (through shmem_ptr) are found after a millisecond, or after a hundredth of the time waited, or
 * in a job that spans nodes after a sixteenth of it.
 *
 * In figures: some 20 us of spinning with a processor for each PE, next to nothing where PEs share processors; half a
 * millisecond of yielding, none where a PE that is not bound to a processor finds another on its own, or where to yield
 * has given the processor to processes that compute, time and again. A store through shmem_ptr is found 10 ms late at
 * most, in a job that spans nodes 20 ms; so a PE that waits for long uses hardly any time. Any put that hits what is
 * waited for wakes, not only those of the library's own writers.
 *
 * A kernel may refuse a yield where the others are in another scheduling group, such as a session or a container: it
 * does so as soon as anything else computes.  Then PEs of several groups that share processors sleep, and where they
 * are at most two for a processor they wake each other in turn (hand_over).  A barrier of 4 PEs on 2 idle processors,
 * each PE in a session of its own, takes 3 to 4 us, as in one session, and 20 where each PE sleeps at once; beside 3
 * processes that compute it takes 80 us, and 1,200 where PEs only yield.  Sleeps of 5 ms instead of 1 take two thirds
 * of that, but a wake that is missed while the neighbour goes on costs as much: locks took ten times as long now and
 * then.
 *
 * Where others compute a barrier of 4 PEs on 2 processors takes 80 us, and 5 alone: three PEs fall asleep and are
 * woken, for 8 us each on one processor (2 without the timer of the first sleep, in a virtual machine) and 20 on
 * another, and now and then all wait for slices of who computes.  A first sleep of 5 ms takes two thirds of the time
 * with 4 PEs and more with 2 and 8; one of 0.3 ms changes nothing, nor do slices of 0.1 ms (sched_setattr), and
 * SCHED_BATCH is slower. */
#ifndef COPAL_WAIT_H
#define COPAL_WAIT_H

#include "job/self.h"
#include "wait/note.h"

#define BARE_SPINS 1000
extern _Atomic unsigned wait_spins; /* bare and with pauses together */
void wait_tune(bool crowded);

/* for (struct wait w = {...}; !condition; wait_turn(&w)) ; wait_end(&w); */
void wait_slowly(struct wait *w);
void wait_end_slowly(struct wait *w);

/* Called in a wait that is past its spinning, when there have been alerts since the wait began or last called it; also
 * once for those before. It need not return. */
extern void (*_Atomic wait_alerted)(void);

INLINE void wait_pause(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb" ::: "memory");
#else
    __asm__ volatile("" ::: "memory");
#endif
}

INLINE void wait_turn(struct wait *w)
{
    if (LIKELY(w->turns < atomic_load_explicit(&wait_spins, memory_order_relaxed))) {
        /* Bare loads first: one pause costs as much as a cache line takes to arrive. */
        if (++w->turns > BARE_SPINS)
            wait_pause();
    } else {
        wait_slowly(w);
    }
}

INLINE void wait_end(struct wait *w)
{
    if (UNLIKELY(w->slow_turns))
        wait_end_slowly(w);
}

/* Between two looks of who waits in a loop of its own: gives the processor away, or sleeps briefly, as waits do. */
void wait_give_away(void);

/* There: a wait goes to sleep, or there have been alerts while it does. True: another thread makes progress from now
 * on, and the wait need not. */
extern bool (*_Atomic wait_sleeps)(void);

void wait_wake(int pe);

/* After a store of len bytes at p, in PE pe's memory: wakes the PE if it sleeps for it. */
INLINE void wake(int pe, const void *p, size_t len)
{
    struct job_pe *target = job_seat(pe);
    if (UNLIKELY(atomic_load_explicit(&target->asleep_to, memory_order_relaxed) > (uintptr_t)p) &&
        atomic_load_explicit(&target->asleep_from, memory_order_relaxed) < (uintptr_t)p + len)
        wait_wake(pe);
}

#endif
