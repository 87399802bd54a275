/* Waiting and waking.
 *
 * A wait first spins, then yields the processor, then sleeps. A sleeping PE publishes in its record the addresses for
 * which it sleeps. Each store of the library to that PE's memory, also a user's put, reads one word (asleep_to), and
 * wakes the PE if the store falls in the range.
 *
 * A writer makes no fence between its store and that load, so it can miss a PE that is just falling asleep. The first
 * sleep therefore takes SLEEP_LEAST: a missed wake costs that time. The library sees neither stores through shmem_ptr
 * nor those of NICs and libfabric, so every sleep ends after at most 10 ms (20 ms if the job spans nodes), and the PE
 * checks its condition.
 *
 * A PE with a processor of its own spins for some 20 us; PEs that share processors do not. A wait yields for half a
 * millisecond. It does not yield in two cases: the PE is not bound and another PE is on its processor, or yields have
 * repeatedly given the processor to other processes that compute. With at most two PEs for each processor, a PE that
 * waits for one word publishes the word. If the other PE of its processor has published a word that has not changed, it
 * could only yield, too: a PE spins for a microsecond before it yields. If it has published none, it most likely
 * computes: a PE yields for some milliseconds, and each yield gives the other PE a time slice.
 *
 * If another process computes, a yield may not pass the processor to a PE of another scheduling group, for example of
 * another session or container. PEs of several groups that share processors then sleep; with at most two PEs for each
 * processor, they wake each other alternately (hand_over), which is several times as fast as sleeping immediately. They
 * sleep for at most HAND_MOST, because a missed wake costs that time. */
#pragma once

#include "job/self.h"
#include "wait/note.h"

#define BARE_SPINS 1000
extern _Atomic unsigned wait_spins; /* spinning turns, with and without pauses */
void wait_tune(bool crowded);

/* for (struct wait w = {...}; !condition; wait_turn(&w)) ; wait_end(&w); */
void wait_slowly(struct wait *w);
void wait_end_slowly(struct wait *w);

/* A wait that has finished spinning calls it after new alerts, and once for the alerts before the wait. It may longjmp
 * instead of returning. */
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
        /* First without pauses: a pause takes as long as the arrival of a cache line. */
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

/* A caller with a waiting loop of its own calls it between checks: yields the processor, or sleeps briefly. */
void wait_give_away(void);

/* A wait calls it before it sleeps, and after alerts during the sleep. True: another thread makes progress from now on,
 * and the wait need not. */
extern bool (*_Atomic wait_sleeps)(void);

void wait_wake(int pe);

/* After a store of len bytes at p, in PE pe's memory: wakes the PE if it sleeps for that address. */
INLINE void wake(int pe, const void *p, size_t len)
{
    struct job_pe *target = job_seat(pe);
    if (UNLIKELY(atomic_load_explicit(&target->asleep_to, memory_order_relaxed) > (uintptr_t)p) &&
        atomic_load_explicit(&target->asleep_from, memory_order_relaxed) < (uintptr_t)p + len)
        wait_wake(pe);
}
