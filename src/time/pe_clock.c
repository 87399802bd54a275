#include "time/virtual.h"

#include "common/clock.h"
#include "common/futex.h"
#include "time/computing.h"
#include "time/lines.h"
#include "time/places.h"
#include "time/turns.h"
#include "wait/note.h"

#include <sched.h>
#include <string.h>
#include <time.h>

#define STORE_SHARE 8         /* a store to another PE's memory costs the writer a latency divided by this */
#define LAST_EVENTS 1000      /* events for which virtual_leave waits, at most */
#define POLL_TIME 100000u     /* ps of a poll, if accesses within a node cost nothing */

bool virtual_on;

static struct {
    struct node_costs costs;
    cpu_set_t processors; /* those on which the PE could run before virtual_enter */
    bool has_left;
    double left, left_real;   /* seconds at virtual_leave, emulated and real */
} own;
static _Atomic uint32_t inside; /* 1: a thread is blocked; two at a time are an error */

void virtual_begin(const struct node_costs *costs)
{
    own.costs = *costs;
    clock_by_kernel = true;
    if (turns.clock) /* in a second shmem_init, the clock continues */
        return;
    turns_map();
    if (costs->cores)
        lines_map(costs);
}

bool virtual_begun(void)
{
    return turns.clock != NULL;
}

void virtual_forget(void)
{
    turns.clock = NULL;
    virtual_on = virtual_threads = false;
}

/* Sleeps on the PE's doorbell, which alerts change, too. */
static void wait_for_turn(void)
{
    struct job_pe *const mine = job_seat(self.pe);
    bool noted = false;
    atomic_fetch_add(&mine->asleep, 1);
    for (;;) {
        const uint32_t bell = mine->doorbell;
        turns_look_around();
        if (turns_mine())
            break;
        if (futex_wait(&mine->doorbell, bell, TURNS_LOOK_TIME))
            continue;
        job_check_launcher();
        if (!noted && turns.waits) /* for reports */
            noted = wait_note(job_routine(turns.waits->routine), turns.waits->for_pe);
    }
    atomic_fetch_sub(&mine->asleep, 1);
    if (noted)
        wait_note_end();
}

/* Serves the events that are due, even while the program computes; the cost is added to the program's debt. */
static void serve(void)
{
    bool (*const progress)(void) = wait_progress;
    const uint64_t debt = places_mine()->debt;
    places_mine()->debt = 0;
    if (progress)
        progress();
    places_mine()->debt += debt;
}

/* Blocks until that time, or until an event of this PE; with several threads, events count only if listens is set. */
static void block(uint64_t until, bool listens)
{
    if (UNLIKELY(virtual_threads)) {
        if (places_block(until, listens))
            serve();
        return;
    }
    struct clock *const c = turns.clock;
    struct seat *const seat = turns_seat();
    if (UNLIKELY(atomic_exchange(&inside, 1) || !turns_mine()))
        job_fatal("the emulated job", "two threads are in the library at a time; allowed is one, because "
                  "shmem_init_thread has provided SHMEM_THREAD_SERIALIZED: protect the program's calls by a lock");
    const uint64_t before = c->now;
    uint64_t at = turns_least(until, turns_least(seat->event_at, seat->near_at));
    at = at < before ? before : at;
    turns_look_for_unseen();
    if (turns_is_first(at)) {
        turns_advance(at);
    } else {
        turns_set_time(turns_me(), at);
        seat->state = TURNS_BLOCKED;
        turns_pass_on();
        wait_for_turn();
        seat->state = TURNS_AWAY;
    }
    const uint64_t passed = c->now - before;
    places_mine()->debt -= turns_least(places_mine()->debt, passed);
    if (seat->near_at <= c->now)
        seat->near_at = VIRTUAL_NEVER;
    inside = 0;
    if (seat->event_at <= c->now) {
        seat->event_at = VIRTUAL_NEVER;
        serve();
    }
}

/* One PE runs at a time, so one processor is enough, and a wake on another processor takes many times as long. */
static void share_processor(void)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET((size_t)turns.clock->processor % CPU_SETSIZE, &one);
    if (sched_getaffinity(0, sizeof own.processors, &own.processors) != 0 ||
        sched_setaffinity(0, sizeof one, &one) != 0)
        CPU_ZERO(&own.processors); /* more processors than the set holds: not bound */
}

void virtual_enter(bool threads)
{
    struct seat *const seat = turns_seat();
    seat->event_at = seat->near_at = VIRTUAL_NEVER;
    places_only.debt = 0;
    computing_begin(own.costs.compute);
    turns.alerts = self.job->alerts;
    turns.at[turns_me()] = turns.clock->now;
    seat->state = TURNS_BLOCKED;
    turns_begin_if_all_are_there();
    wait_for_turn();
    share_processor();
    seat->state = TURNS_AWAY;
    virtual_on = true;
    own.has_left = false;
    if (threads)
        places_begin(&own.processors);
    virtual_resume();
}

/* This PE's pending messages must still be sent and arrive, although PEs that have left serve no messages. */
void virtual_leave(void)
{
    virtual_turn();
    serve();
    virtual_settle();
    for (int i = 0; i < LAST_EVENTS && turns_seat()->event_at != VIRTUAL_NEVER; i++)
        block(VIRTUAL_NEVER, true);
    own.left = virtual_seconds();
    own.left_real = (double)clock_now() * 1e-9;
    own.has_left = true;
    turns.ahead = (uint64_t)(int64_t)((own.left - own.left_real) * 1e9);
    virtual_on = false;
    if (virtual_threads)
        places_end();
    computing_begin(0);
    turns_pass_on();
    if (CPU_COUNT(&own.processors))
        sched_setaffinity(0, sizeof own.processors, &own.processors);
}

/* --- time --------------------------------------------------------------------------------------------------------- */

uint64_t virtual_clock(void)
{
    return turns.clock->now;
}

uint64_t virtual_now(void)
{
    return turns.clock->now + places_mine()->debt;
}

/* In calls of the provider, this thread is the runner already. */
void virtual_turn(void)
{
    bool due = false;
    if (LIKELY(!virtual_threads) || !places_turn(&due))
        return;
    if (due)
        serve();
    virtual_resume();
}

void virtual_spend(uint64_t ps)
{
    virtual_turn();
    places_mine()->debt += ps;
}

static void lock(void)
{
    if (UNLIKELY(virtual_threads))
        places_lock();
}

static void unlock(void)
{
    if (UNLIKELY(virtual_threads))
        places_unlock();
}

void virtual_wake(int pe, uint64_t at)
{
    if (!virtual_on)
        return;
    struct seat *const seat = &turns.seats[pe - self.first_seat];
    lock();
    at = at < turns.clock->now ? turns.clock->now : at;
    seat->event_at = turns_least(seat->event_at, at);
    turns_announce(pe - self.first_seat, at);
    unlock();
}

void virtual_wake_near(int pe)
{
    if (pe == self.pe) {
        if (UNLIKELY(virtual_threads))
            places_wake(virtual_now());
        return;
    }
    struct seat *const seat = &turns.seats[pe - self.first_seat];
    const uint64_t at = own.costs.cores ? lines_seen(pe, virtual_now()) : virtual_now() + own.costs.node_latency;
    lock();
    seat->near_at = turns_least(seat->near_at, at);
    turns_announce(pe - self.first_seat, at);
    unlock();
}

void virtual_called(void)
{
    virtual_turn();
    places_mine()->debt += computing_take();
}

void virtual_expect_unseen(void)
{
    turns.clock->unseen = true;
}

void virtual_settle(void)
{
    virtual_called();
    while (places_mine()->debt)
        block(virtual_now(), false);
    virtual_resume();
}

void virtual_wait(const struct wait *w)
{
    const struct wait **const waits = virtual_threads ? &places_mine()->waits : &turns.waits;
    *waits = w;
    block(places_mine()->debt ? virtual_now() : VIRTUAL_NEVER, true);
    *waits = NULL;
}

void virtual_want(const void *what)
{
    places_own.wants = what;
    block(places_own.debt ? virtual_now() : VIRTUAL_NEVER, false);
    places_own.wants = NULL;
}

void virtual_give(const void *what)
{
    places_give(what, virtual_now());
}

bool virtual_in_debt(void)
{
    return places_mine()->debt != 0;
}

void virtual_wait_ended(void)
{
    places_mine()->waited = NULL;
    lock();
    turns.clock->looked = false;
    unlock();
    virtual_resume();
}

void virtual_reach(bool other)
{
    virtual_turn();
    places_mine()->debt += other && !own.costs.cores ? own.costs.node_latency / STORE_SHARE : 0;
    virtual_settle();
}

void virtual_access(enum virtual_access kind, int pe, uint64_t at, size_t bytes)
{
    if (own.costs.cores) {
        virtual_spend(own.costs.access_overhead);
        uint64_t took;
        int looks = 0;
        do {
            virtual_settle(); /* lines are used in the order of the PEs' times */
            const uint64_t now = turns.clock->now;
            took = lines_access(kind, pe, at, bytes, now) - now;
            virtual_spend(took);
            /* Other PEs may have changed the line meanwhile. Some may do so without end. */
        } while (kind == VIRTUAL_WAIT && took && ++looks < self.n_near);
        return;
    }
    if (kind == VIRTUAL_WAIT)
        return;
    uint64_t takes = kind == VIRTUAL_CHANGE ? 0 : (uint64_t)((double)bytes * own.costs.node_gap_byte);
    if (kind == VIRTUAL_LOAD || kind == VIRTUAL_CHANGE)
        takes += pe == self.pe ? own.costs.node_latency / STORE_SHARE : own.costs.node_latency;
    virtual_spend(takes);
}

void virtual_compute(uint64_t ps)
{
    virtual_turn();
    places_mine()->debt += ps;
    virtual_settle();
}

void virtual_poll(void)
{
    virtual_compute(own.costs.node_latency ? own.costs.node_latency : POLL_TIME);
}

bool virtual_ticks(void)
{
    return virtual_on || own.has_left;
}

double virtual_seconds(void)
{
    if (own.has_left)
        return own.left + (double)clock_now() * 1e-9 - own.left_real;
    virtual_called();
    virtual_resume();
    return (double)turns.clock->began * 1e-9 + (double)virtual_now() / (double)VIRTUAL_SECOND;
}
