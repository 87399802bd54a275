#include "wait/wait.h"

#include "common/clock.h"
#include "common/futex.h"
#include "time/virtual.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define SLEEP_LEAST 50000u    /* ns of the first sleep */
#define SLEEP_MOST 1000000u   /* ns of the longest, while the wait is young */
#define IDLE_SHARE 100        /* of an old one the longest takes this part of the time waited, */
#define IDLE_LIMIT 10000000u  /* ns, but no longer */
#define SLEEP_SHARE 16        /* where a thread makes progress, a sleep may take this part of the time waited, */
#define SLEEP_LIMIT 20000000u /* ns, but no longer */
#define CHECK_TIME 1000000000u /* ns between looks whether oshrun lives */
#define EVEN_TIME 1000000u   /* ns between looks where the others are */
#define POLL_TIME 50000u     /* ns of watching the network with a processor to spare */
#define YIELD_TIME 500000u   /* ns of giving the processor away before sleeping; */
#define YIELD_BRIEFLY 50000u /* where that is time which others lack */
#define HAND_MOST 1000000u   /* ns of sleeping while the processor goes round */
#define SWITCH 1000u         /* ns: a yield that takes less has given the processor to no other PE; */
#define REFUSED_YIELDS 8     /* so often in succession: PEs of other scheduling groups wait for it, perhaps */
#define SLICE 1000000u       /* ns: a yield that takes so long has given somebody a time slice; */
#define SLICE_SHARE 16       /* where less than this part of that is what the PE has run before, */
#define SLICES 4             /* so often in succession, */
#define SLICE_TIMES 64       /* its waits do not yield for so many times as long, */
#define SLICE_MOST 16000000u /* ns, but no longer than after this: a job may have been stopped */

/* Turns of spinning: some 20 us with a processor each, next to nothing where PEs share processors, since the one waited
 * for may need this very processor. */
_Atomic unsigned wait_spins;

bool (*_Atomic wait_sleeps)(void);
void (*_Atomic wait_alerted)(void);
void wait_tune(bool crowded)
{
    const unsigned spins = wait_progress || virtual_on ? 0 : crowded ? 100 : BARE_SPINS + 400;
    atomic_store_explicit(&wait_spins, spins, memory_order_relaxed);
}

/* Where no launcher binds PEs two of them may be put on one processor, though there are enough.  Then the one that is
 * waited for does not run before this one gives the processor away: spinning, and watching the network, only delays
 * that, and who yields gives it to anybody for a time slice, such as another user's computation.  Such a neighbour has
 * been interrupted in a wait of its own, which says where it was. */
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

/* Of the PE's threads one at a time says what it sleeps for, or takes that back; it is held for a few stores only. */
static pthread_mutex_t sleepers = PTHREAD_MUTEX_INITIALIZER;

/* Says what this thread sleeps for. With a second sleeper in the PE the range becomes everything: rare, and simple. */
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

/* Whoever is told may leave the wait for good, by a longjmp; so nothing in the job's page may say that it waits. */
static void look_at_alerts(struct wait *w)
{
    if (UNLIKELY(self.job->end)) {
        job_flush(); /* which we were rung for; nobody has died */
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

/* A sleep's longest.  The first is short, for a wake may be missed as the PE falls asleep: however long it has waited
 * before, as it may have got no processor meanwhile.  Later on only stores that the library does not see depend on it.
 * With nobody else to make progress all are short. */
static uint64_t sleep_time(const struct wait *w, uint64_t at)
{
    const bool is_first = w->slow_turns == 2; /* fall_asleep was in the turn before */
    if (w->alone || is_first)
        return SLEEP_LEAST;
    const uint64_t waited = at - w->since;
    if (w->served)
        return between(SLEEP_LEAST, waited / SLEEP_SHARE, SLEEP_LIMIT);
    const uint64_t young = between(SLEEP_LEAST, SLEEP_LEAST * (uint64_t)(w->slow_turns / 8 + 1), SLEEP_MOST);
    return between(young, waited / IDLE_SHARE, IDLE_LIMIT);
}

/* To give the processor to another PE takes a microsecond.  But anybody may get it, and a process that computes, such
 * as another user's, keeps it for milliseconds; since Linux 6.17 who yields even loses a time slice of its own share.
 * A PE that hardly comes to run between such yields goes to sleep at once instead: who is woken runs before those who
 * compute.  Among PEs alone that is slower, as each takes a call to sleep and another one's to wake it; so the PE
 * yields again after a while, and if that takes as long it sleeps on. */
static _Atomic uint64_t runs_since, no_yield_until;

static bool give_away(uint64_t at)
{
    static _Atomic unsigned slices;
    sched_yield();
    const uint64_t back = clock_now(), took = between(0, back - at, SLICE_MOST);
    if (LIKELY(took < SLICE))
        return took >= SWITCH;
    slices = at - runs_since < took / SLICE_SHARE ? slices + 1 : 1;
    runs_since = back;
    if (slices >= SLICES)
        runs_since = no_yield_until = back + took * SLICE_TIMES;
    return true;
}

void wait_give_away(void)
{
    const uint64_t at = clock_now();
    if (UNLIKELY(at < no_yield_until))
        clock_nap(SLEEP_LEAST);
    else
        give_away(at);
}

/* The next PE that sleeps where this one is about to. */
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

/* Of three and more that take turns most are awake, and wake each other: there each should sleep until it is woken. */
static bool is_pair(void)
{
    return self.n_near <= 2 * self.processors;
}

/* Whether a kernel gives the processor to another scheduling group when a PE yields, or lets the PE's own group keep
 * its time slice, depends on its version and on what else runs: each wait finds out. */
static bool is_refused(const struct wait *w, uint64_t at)
{
    return self.apart && (w->refused >= REFUSED_YIELDS || at < no_yield_until);
}

/* Instead of a yield that is refused: the PEs that wait on a processor wake each other
 * in turn, and each looks at what it waits for.  A wake that was missed is made up for by the next turn. */
static void hand_over(struct wait *w, bool net)
{
    if (!w->armed) {
        arm(w);
        return;
    }
    const bool passed = wake_neighbour();
    struct job_pe *mine = job_seat(self.pe);
    const bool may_be_long = passed && !net && w->for_pe != JOB_FOR_HOLDER; /* which may not see that this sleeps */
    futex_wait(&mine->doorbell, w->bell, may_be_long ? HAND_MOST : SLEEP_LEAST);
    w->bell = mine->doorbell;
}

/* Says so, and lets the caller look once more before the first sleep. */
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

/* Alerts are news for the network too, which settles what the dead owe. */
static void pass_alerts(struct wait *w)
{
    bool (*const sleeps)(void) = wait_sleeps;
    if (w->told != self.job->alerts && sleeps) {
        w->told = self.job->alerts;
        sleeps();
    }
}

/* Time passes only here: first what this PE's processor is busy with, then until something happens.  Nobody else runs
 * between the look at what is waited for and the sleep. */
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
        w->slow_turns = 0; /* where something has come more may come soon: the time to sleep is counted from here */
        return;
    }
    if (moves && w->noted)
        wait_note_moves();
    if (!w->sleeps) {
        if (at < w->poll_until)
            wait_pause();
        else if (at < w->yield_until && !is_refused(w, at))
            w->refused = give_away(at) ? 0 : w->refused + 1;
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
        note_again(w); /* a lock has another holder by now, perhaps */
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
