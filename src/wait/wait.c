#include "wait/wait.h"

#include "common/clock.h"
#include "common/futex.h"
#include "time/virtual.h"

#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <time.h>

#define SLEEP_LEAST 50000u    /* ns of the first sleep */
#define SLEEP_MOST 1000000u   /* ns of the longest sleep early in a wait, */
#define SLEEP_CROWDED 4000000u /* or this on a shared processor */
#define GROWTH 4              /* on a shared processor, a sleep takes up to the time waited times this */
#define IDLE_SHARE 100        /* later, a sleep takes up to the time waited divided by this, */
#define IDLE_LIMIT 10000000u  /* but at most this, in ns */
#define SLEEP_SHARE 16        /* if another thread makes progress, up to the time waited divided by this, */
#define SLEEP_LIMIT 20000000u /* but at most this, in ns */
#define CHECK_TIME 1000000000u /* ns between checks whether oshrun lives */
#define EVEN_TIME 1000000u   /* ns between calls of job_even_out */
#define POLL_TIME 50000u     /* ns of polling the network, if this PE does not share its processor */
#define YIELD_TIME 500000u   /* ns of yielding before sleeping, */
#define YIELD_LONG 4000000u  /* or, while each yield gives a time slice to a PE that computes, until this time, */
#define YIELD_BRIEFLY 50000u /* or this if processor time is rationed */
#define HAND_MOST 1000000u   /* ns of sleep while the PEs of a processor wake each other one after the other */
#define SWITCH 1000u         /* ns: a shorter yield has not passed the processor to another PE */
#define KEPT_MOST 6          /* turns of a wait that spin instead of yielding, for a microsecond altogether, */
#define KEPT_SPINS 300       /* each for at most so many looks at the awaited word */
#define REFUSED_YIELDS 8     /* after this many such yields, PEs of other scheduling groups may need the processor */
#define SLICE 1000000u       /* ns: a longer yield has given a time slice to another process */
#define SLICE_SHARE 16       /* such a yield is costly if the PE ran before for less than its length divided by this */
#define SLICES 4             /* after this many costly yields in succession, */
#define SLICE_TIMES 64       /* waits sleep instead of yielding, for the last yield's length times this */
#define SLICE_MOST 16000000u /* ns: a longer yield counts as this, because the job may have been stopped */

/* Turns of spinning: some 20 us with a processor for each PE. None if PEs share processors, since the PE waited for may
 * need this processor, if a network needs calls of wait_progress, and in emulated time. */
_Atomic unsigned wait_spins;

bool (*_Atomic wait_sleeps)(void);
void (*_Atomic wait_alerted)(void);
void wait_tune(bool crowded)
{
    const unsigned spins = wait_progress || virtual_on || crowded ? 0 : BARE_SPINS + 400;
    atomic_store_explicit(&wait_spins, spins, memory_order_relaxed);
}

/* If no launcher binds PEs, the kernel may put two of them on one processor, even if others are idle. The other PE
 * runs only after this PE has released the processor: spinning and polling delay it, and a yield may give a time slice
 * to any process. The other PE has been interrupted in a wait of its own, so its record names its processor. */
static bool has_neighbour_here(void)
{
    enum { MOST = 16 };
    const int here = sched_getcpu() + 1;
    atomic_store_explicit(&job_seat(self.pe)->waits_on, here, memory_order_relaxed);
    for (int pe = self.first; pe < self.first + self.n_near && self.n_near <= MOST; pe++)
        if (pe != self.pe && atomic_load_explicit(&job_seat(pe)->waits_on, memory_order_relaxed) == here)
            return true;
    return false;
}

/* Protects asleep_from and asleep_to of the PE's record; held for a few stores only. */
static pthread_mutex_t sleepers = PTHREAD_MUTEX_INITIALIZER;

/* Publishes the addresses for which this thread sleeps; if another thread of the PE sleeps, too, all addresses. */
static void arm(struct wait *w)
{
    struct job_pe *mine = job_seat(self.pe);
    pthread_mutex_lock(&sleepers);
    bool only_one = atomic_fetch_add(&mine->asleep, 1) == 0 && w->to;
    mine->asleep_from = only_one ? w->from : 0;
    mine->asleep_to = only_one ? w->to : UINTPTR_MAX;
    pthread_mutex_unlock(&sleepers);
    w->bell = mine->doorbell;
    w->armed = true;
}

void wait_end_slowly(struct wait *w)
{
    if (UNLIKELY(virtual_on))
        virtual_wait_ended();
    struct job_pe *mine = job_seat(self.pe);
    if (!self.crowded)
        atomic_store_explicit(&mine->waits_on, 0, memory_order_relaxed);
    else
        atomic_store_explicit(&mine->awaits, 0, memory_order_relaxed);
    if (!w->armed)
        return;
    pthread_mutex_lock(&sleepers);
    if (atomic_fetch_sub(&mine->asleep, 1) == 1)
        mine->asleep_to = 0;
    pthread_mutex_unlock(&sleepers);
    if (w->noted)
        wait_note_end();
    w->armed = w->sleeps = w->noted = w->served = false;
}

/* The handler may leave the wait by longjmp, so the wait is removed from the PE's record first. */
static void look_at_alerts(struct wait *w)
{
    if (UNLIKELY(self.job->end)) {
        job_flush(); /* job_let_others_flush has caused the alert, not a death */
        return;
    }
    const uint32_t alerts = self.job->alerts;
    void (*const alerted)(void) = wait_alerted;
    if (LIKELY(alerts == w->alerts || !alerted || w->stays))
        return;
    w->alerts = alerts;
    wait_end_slowly(w);
    alerted();
}

static uint64_t between(uint64_t least, uint64_t n, uint64_t most)
{
    return n < least ? least : n < most ? n : most;
}

/* The time limit of a sleep. The first sleep is short, since a wake may be missed as the PE falls asleep. Later, the
 * limit matters for stores that the library does not see. If no other thread makes progress, all sleeps are short. The
 * end of a sleep takes some 20 us from the PE that computes on a shared processor: there the sleeps soon get long. */
static uint64_t sleep_time(const struct wait *w, uint64_t at)
{
    const bool is_first = w->slow_turns == 2; /* the turn before has called fall_asleep */
    if (w->alone || is_first)
        return SLEEP_LEAST;
    const uint64_t waited = at - w->since;
    const uint64_t most = w->for_pe == JOB_FOR_HOLDER ? SLEEP_MOST : SLEEP_CROWDED; /* a holder may miss a sleeper */
    /* MUTANT sleeps grow: waited => 0 */
    uint64_t least = self.crowded ? between(SLEEP_LEAST, waited * GROWTH, most) : SLEEP_LEAST;
    if (w->served)
        return between(least, waited / SLEEP_SHARE, SLEEP_LIMIT);
    if (!self.crowded)
        least = between(SLEEP_LEAST, SLEEP_LEAST * (uint64_t)(w->slow_turns / 8 + 1), SLEEP_MOST);
    return between(least, waited / IDLE_SHARE, IDLE_LIMIT);
}

/* A yield to another PE takes a microsecond. But a process that computes may get the processor instead, and keeps it
 * for milliseconds; since Linux 6.17 a yielding process even loses a time slice of its own share. A PE that hardly runs
 * between such yields sleeps immediately instead: a process that is woken runs before processes that compute. If only
 * PEs share the processor, sleeping is slower (two system calls), so the PE tries yields again after a while. Time
 * slices that a wait gives to a PE of its job do not count (yield, below). */
static _Atomic uint64_t runs_since, no_yield_until;

/* Returns the ns until the processor is back. */
static uint64_t give_away(uint64_t at)
{
    sched_yield();
    return between(0, clock_now() - at, SLICE_MOST);
}

/* After a yield that began at `at`. */
static void note_yield(uint64_t at, uint64_t took)
{
    static _Atomic unsigned slices;
    if (LIKELY(took < SLICE))
        return;
    const uint64_t back = at + took;
    slices = at - runs_since < took / SLICE_SHARE ? slices + 1 : 1;
    runs_since = back;
    if (slices >= SLICES)
        runs_since = no_yield_until = back + took * SLICE_TIMES;
}

void wait_give_away(void)
{
    const uint64_t at = clock_now();
    if (UNLIKELY(at < no_yield_until))
        clock_nap(SLEEP_LEAST);
    else
        note_yield(at, give_away(at));
}

/* Wakes the next PE that sleeps on this PE's processor. */
static bool wake_neighbour(void)
{
    const int here = sched_getcpu() + 1;
    job_seat(self.pe)->waits_on = here;
    for (int i = 1; i < self.n_near; i++) {
        const int pe = self.first + (self.pe - self.first + i) % self.n_near;
        struct job_pe *other = job_seat(pe);
        if (other->asleep && other->waits_on == here) {
            wait_wake(pe);
            return true;
        }
    }
    return false;
}

/* If three or more PEs share a processor, most would only wake each other; they should sleep until they are woken. */
static bool is_pair(void)
{
    return self.n_near <= 2 * self.processors;
}

/* Whether all PEs that were last on this processor wait for words that have not changed. */
static bool others_wait(int here)
{
    for (int pe = self.first; pe < self.first + self.n_near; pe++) {
        struct job_pe *other = job_seat(pe);
        if (pe == self.pe || other->waits_on != here || other->asleep)
            continue;
        const _Atomic uint64_t *word = (const void *)other->awaits;
        if (!word || *word != other->awaits_not)
            return false;
    }
    return true;
}

/* If all PEs of this processor wait for PEs of other processors, a yield takes a microsecond in vain, and most likely
 * the wait ends meanwhile. True: do not yield in this turn. After the word's value is published, the caller checks its
 * condition again before any yield. Otherwise a peer could believe that this PE still waits, although its condition is
 * true already. */
static bool keeps_processor(struct wait *w)
{
    struct job_pe *mine = job_seat(self.pe);
    const int here = sched_getcpu() + 1;
    const uint64_t value = *w->word;
    if (w->kept++ >= KEPT_MOST)
        return false;
    if (mine->awaits != (uintptr_t)w->word || mine->awaits_not != value || mine->waits_on != here) {
        mine->waits_on = here;
        mine->awaits_not = value;
        mine->awaits = (uintptr_t)w->word;
        return true;
    }
    w->has_taker = !others_wait(here); /* MUTANT a yield has a taker: !others_wait(here) => !here */
    for (int i = 0; i < KEPT_SPINS && !w->has_taker && *w->word == value; i++) {
    }
    return !w->has_taker;
}

/* If a PE of this processor computes, a yield gives it a time slice. The slice counts as lost only if the awaited word
 * has changed and the other PE still computes. Otherwise yields go on: a sleep's timer would interrupt the other PE. */
static void yield(struct wait *w, uint64_t at, bool net)
{
    const bool knows = self.crowded && w->word && !net && is_pair();
    if (knows && keeps_processor(w))
        return;
    const uint64_t before = knows ? *w->word : 0, took = give_away(at);
    w->refused = took >= SWITCH ? 0 : w->refused + 1;
    if (LIKELY(took < SLICE))
        return;
    const bool had_taker = w->has_taker;
    w->has_taker = had_taker && !others_wait(sched_getcpu() + 1);
    /* MUTANT a PE that computes gets time slices: !had_taker => true */
    if (!had_taker || (*w->word != before && w->has_taker))
        note_yield(at, took);
    else if (at - w->since < YIELD_LONG && !self.rationed)
        w->yield_until = at + took + YIELD_TIME;
}

/* Whether a yield passes the processor to another scheduling group depends on the kernel and on what else runs, so each
 * wait measures it. */
static bool is_refused(const struct wait *w, uint64_t at)
{
    return self.apart && (w->refused >= REFUSED_YIELDS || at < no_yield_until);
}

/* Replaces a refused yield: the PEs that wait on a processor wake each other one after the other, and each checks its
 * condition. The next turn makes up for a missed wake. */
static void hand_over(struct wait *w, bool net)
{
    if (!w->armed) {
        arm(w);
        return;
    }
    const bool passed = wake_neighbour();
    struct job_pe *mine = job_seat(self.pe);
    const bool may_be_long = passed && !net && w->for_pe != JOB_FOR_HOLDER; /* a lock's holder may miss the sleeper */
    futex_wait(&mine->doorbell, w->bell, may_be_long ? HAND_MOST : SLEEP_LEAST);
    w->bell = mine->doorbell;
}

/* Publishes that this PE sleeps; the caller checks its condition once more before the sleep. */
static void fall_asleep(struct wait *w, bool net)
{
    job_flush_some();
    w->noted = note_begin(w);
    if (!w->armed)
        arm(w);
    w->sleeps = true;
    w->slow_turns = 1;
    w->told = self.job->alerts;
    bool (*const sleeps)(void) = wait_sleeps;
    w->served = sleeps && sleeps();
    w->alone = net && !w->served;
}

/* Passes alerts to the network, which then completes the operations of dead PEs. */
static void pass_alerts(struct wait *w)
{
    bool (*const sleeps)(void) = wait_sleeps;
    if (w->told != self.job->alerts && sleeps) {
        w->told = self.job->alerts;
        sleeps();
    }
}

/* In a wait, emulated time passes only here: first this PE's debt, then until an event. No other PE runs between the
 * check of the condition and the sleep. */
static void wait_virtually(struct wait *w)
{
    bool (*const progress)(void) = wait_progress;
    look_at_alerts(w);
    if (w->slow_turns++ == 0 || virtual_in_debt())
        virtual_settle();
    else if (progress && progress())
        return;
    else if (!w->armed)
        arm(w);
    else
        virtual_wait(w);
}

void wait_slowly(struct wait *w)
{
    if (UNLIKELY(virtual_on)) {
        wait_virtually(w);
        return;
    }
    bool (*const progress)(void) = wait_progress;
    const uint64_t at = clock_now();
    if (w->slow_turns++ == 0) {
        const bool shares = !self.crowded && has_neighbour_here(), loses = at < no_yield_until;
        static _Atomic uint64_t evened;
        if (!self.crowded)
            wait_tune(shares);
        else if (at - evened > EVEN_TIME && !loses) {
            evened = at;
            job_even_out();
        }
        w->poll_until = progress && !self.crowded && !shares ? at + POLL_TIME : 0;
        w->yield_until = shares || (loses && !self.apart) ? at : at + (self.rationed ? YIELD_BRIEFLY : YIELD_TIME);
        if (!w->since)
            w->since = w->checked = at;
    }
    look_at_alerts(w);
    const bool moves = progress && !w->served && progress();
    if (moves && !w->armed) {
        w->slow_turns = 0; /* more messages may follow soon: the time until the sleep starts anew */
        return;
    }
    if (moves && w->noted)
        wait_note_moves();
    if (!w->sleeps) {
        if (at < w->poll_until)
            wait_pause();
        else if (at < w->yield_until && !is_refused(w, at))
            yield(w, at, progress != NULL);
        else if (at < w->yield_until && is_pair())
            hand_over(w, progress != NULL);
        else
            fall_asleep(w, progress != NULL);
        return;
    }
    if (w->served)
        pass_alerts(w);
    if (at - w->checked > CHECK_TIME) {
        w->checked = at;
        job_check_launcher();
    }
    struct job_pe *mine = job_seat(self.pe);
    futex_wait(&mine->doorbell, w->bell, sleep_time(w, at));
    w->bell = mine->doorbell;
    if (w->noted) {
        note_again(w); /* a lock may have a new holder */
        wait_tell_place();
    }
}

void wait_wake(int pe)
{
    if (UNLIKELY(virtual_on)) {
        virtual_wake_near(pe);
        return;
    }
    struct job_pe *target = job_seat(pe);
    atomic_fetch_add(&target->doorbell, 1);
    futex_wake(&target->doorbell);
}
