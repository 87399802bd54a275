#include "job/virtual.h"

#include "job/computing.h"
#include "job/wait.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define LOOK_TIME 2000000000u /* ns of real time after which who is blocked looks whether its launcher lives */
#define STORE_SHARE 8         /* a store to another PE's memory takes its PE this part of a latency */
#define TELL_MS 2000          /* real time that others get to say what they wait for */
#define UNSEEN_TIME 1000000000u /* ps after which stores that the library does not see are found */
#define LAST_EVENTS 1000      /* that a PE stays for when it leaves */
#define POLL_TIME 100000u     /* ps, where nothing costs anything within a node */

bool virtual_on;

enum { AWAY, BLOCKED };

/* A PE's part.  It is written by the PE whose turn it is, but for `state` and `told`. */
struct seat {
    _Alignas(64) _Atomic uint32_t state;
    _Atomic uint32_t told; /* what it waits for is in its job_wait */
    uint64_t event_at;     /* the provider's next thing for it */
    uint64_t near_at;      /* a PE of its node has changed what it waits for */
};

/* The state, of all PEs.  Behind it: the seats; the time of each PE's next turn; and for each pair of PEs, of pairs and
 * so on, which one's is first, so that to find the next is a look and to change a time a few steps. */
struct clock {
    _Atomic uint64_t now;
    _Atomic int32_t turn; /* whose it is, plus 1; 0: nobody's; negative: of whoever passes it on for one that is dead */
    uint32_t alerts;      /* the last one for which all have been woken */
    bool looked;          /* all have looked since something happened last */
    bool unseen;          /* programs have pointers to store by */
    uint64_t looked_at;   /* when all have, who wait */
    _Atomic uint32_t stuck;
    uint64_t began;       /* ns, of CLOCK_MONOTONIC */
    int32_t processor;    /* on which all take their turns */
};

static struct {
    struct clock *clock;
    struct seat *seats;
    uint64_t *at;
    int32_t *first; /* [1] is the first of all; the leaves, one for each PE, from [leaves] on */
    int n, leaves;
    struct virtual_costs costs;
    uint64_t debt;
    uint32_t alerts;          /* the last that this PE has seen while it was blocked */
    const struct wait *waits; /* whose wait it is blocked in */
    cpu_set_t processors; /* that it might run on before it entered */
    bool has_left;
    double left, left_real;   /* seconds: when it left the clock, in both times */
} own;
static _Atomic uint32_t inside;                /* a thread is blocked */

/* --- where it is -------------------------------------------------------------------------------------------------- */

static int leaves_of(int n)
{
    int leaves = 1;
    while (leaves < n)
        leaves *= 2;
    return leaves;
}

static size_t round_up(size_t n, size_t unit)
{
    return (n + unit - 1) / unit * unit;
}

static size_t bytes_of(int n)
{
    const size_t leaves = (size_t)leaves_of(n);
    return round_up(sizeof(struct clock), 64) + (size_t)n * sizeof(struct seat) + leaves * sizeof *own.at +
           2 * leaves * sizeof *own.first;
}

void virtual_begin(const struct virtual_costs *costs)
{
    own.costs = *costs;
    if (own.clock)
        return; /* a second shmem_init: the clock goes on */
    own.n = self.job->n_pes;
    own.leaves = leaves_of(own.n);
    char *const state = job_share(bytes_of(own.n));
    if (!state)
        job_fatal("shmem_init", "no memory for the emulated clock: %s", strerror(errno));
    own.clock = (struct clock *)(void *)state;
    own.seats = (struct seat *)(void *)(state + round_up(sizeof(struct clock), 64));
    own.at = (uint64_t *)(void *)(own.seats + own.n);
    own.first = (int32_t *)(void *)(own.at + own.leaves);
}

bool virtual_begun(void)
{
    return own.clock != NULL;
}

void virtual_forget(void)
{
    own.clock = NULL;
    virtual_on = false;
}

/* --- whose turn is next ------------------------------------------------------------------------------------------- */

static int me(void)
{
    return self.pe - self.first_seat;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* The lower of two that have the same time, of which a is. */
static int32_t earlier(int32_t a, int32_t b)
{
    return own.at[b] < own.at[a] ? b : a;
}

static void set_time(int pe, uint64_t at)
{
    own.at[pe] = at;
    for (int i = (own.leaves + pe) / 2; i; i /= 2)
        own.first[i] = earlier(own.first[2 * i], own.first[2 * i + 1]);
}

static void set_all(void)
{
    for (int i = own.n; i < own.leaves; i++)
        own.at[i] = VIRTUAL_NEVER;
    for (int i = 0; i < own.leaves; i++)
        own.first[own.leaves + i] = i;
    for (int i = own.leaves - 1; i; i--)
        own.first[i] = earlier(own.first[2 * i], own.first[2 * i + 1]);
}

/* Everybody who waits is to look. */
static void wake_all(void)
{
    struct clock *const c = own.clock;
    c->alerts = self.job->alerts;
    c->looked_at = c->now;
    for (int i = 0; i < own.n; i++)
        if (own.seats[i].state == BLOCKED) {
            own.seats[i].near_at = c->now;
            own.at[i] = c->now;
        }
    set_all();
}

static bool anybody_is_blocked(void)
{
    for (int i = 0; i < own.n; i++)
        if (own.seats[i].state == BLOCKED)
            return true;
    return false;
}

static void ring(int seat)
{
    struct job_pe *target = &self.job->pe[seat];
    atomic_fetch_add(&target->doorbell, 1);
    futex_wake(&target->doorbell);
}

static void advance(uint64_t to)
{
    struct clock *const c = own.clock;
    if (to > c->now) {
        atomic_store_explicit(&c->now, to, memory_order_relaxed);
        c->looked = false;
    }
}

/* --- deadlocks ---------------------------------------------------------------------------------------------------- */

static void tell(void)
{
    if (own.waits)
        wait_note(job_routine(own.waits->routine), own.waits->for_pe);
    own.seats[me()].told = true;
}

/* Who the first ones of those that wait are, and for whom. */
static void list_waits(char *text, size_t room)
{
    enum { LISTED = 8 };
    size_t used = 0;
    int listed = 0;
    for (int i = 0; i < own.n; i++) {
        const struct job_wait *note = &self.job->pe[i].wait;
        char name[sizeof note->routine], peer[40] = "";
        if (own.seats[i].state != BLOCKED || listed++ >= LISTED)
            continue;
        snprintf(name, sizeof name, "%s", note->taken ? note->routine : "the network");
        if (note->taken && note->for_pe >= 0)
            snprintf(peer, sizeof peer, " for PE %d", note->for_pe);
        used += (size_t)snprintf(text + used, room - used, "%s PE %d in %s%s", used ? "," : "", self.first_seat + i,
                                 name, peer);
    }
    if (listed > LISTED)
        snprintf(text + used, room - used, ", and %d more", listed - LISTED);
}

/* All of them say first what they wait for: nobody notes that before it is of interest. */
static _Noreturn void deadlock(void)
{
    char text[8 * 140];
    own.clock->stuck = true;
    for (int i = 0; i < own.n; i++)
        if (own.seats[i].state == BLOCKED && i != me())
            ring(i);
    if (own.seats[me()].state == BLOCKED)
        tell();
    int seat = 0;
    for (int ms = 0; ms < TELL_MS && seat < own.n; ms++) {
        while (seat < own.n && (own.seats[seat].state != BLOCKED || own.seats[seat].told))
            seat++;
        if (seat < own.n)
            wait_nap(1000000);
    }
    list_waits(text, sizeof text);
    job_fatal("the emulated job", "a deadlock at %.9f s: everybody waits, and nothing is on its way:%s",
              (double)own.clock->now / (double)VIRTUAL_SECOND, text);
}

/* --- turns -------------------------------------------------------------------------------------------------------- */

/* To the next one; this PE has said when it wants its own. */
static void pass_on(void)
{
    struct clock *const c = own.clock;
    for (;;) {
        const int next = own.first[1];
        if (own.at[next] == VIRTUAL_NEVER) {
            if (!anybody_is_blocked()) {
                c->turn = 0;
                return;
            }
            if (c->looked)
                deadlock();
            wake_all(); /* something may have been stored that the library has not seen */
            c->looked = true;
            continue;
        }
        advance(own.at[next]);
        set_time(next, VIRTUAL_NEVER);
        if (UNLIKELY(self.job->pe[next].state == JOB_PE_DEAD)) {
            own.seats[next].state = AWAY;
            continue;
        }
        atomic_store_explicit(&c->turn, next + 1, memory_order_release);
        if (next != me())
            ring(next);
        return;
    }
}

/* The first turn is for whoever sees that all are there. */
static void begin_if_all_are_there(void)
{
    int32_t nobody = 0;
    for (int i = 0; i < own.n; i++)
        if (own.seats[i].state != BLOCKED && self.job->pe[i].state != JOB_PE_DEAD)
            return;
    if (!atomic_compare_exchange_strong(&own.clock->turn, &nobody, -1 - me()))
        return;
    own.clock->alerts = self.job->alerts;
    own.clock->looked = false;
    own.clock->processor = sched_getcpu();
    /* The program's clocks are not set back, by another shmem_init neither. */
    own.clock->began = own.has_left ? (uint64_t)(virtual_seconds() * 1e9) - own.clock->now / 1000 : wait_now();
    set_all();
    pass_on();
}

/* There has been an alert: who has the turn may be dead, in the midst of anything. */
static void take_over(void)
{
    int32_t turn = own.clock->turn;
    const int dead = turn < 0 ? -turn - 1 : turn - 1;
    if (turn == 0)
        begin_if_all_are_there();
    else if (self.job->pe[dead].state == JOB_PE_DEAD &&
             atomic_compare_exchange_strong(&own.clock->turn, &turn, -1 - me())) {
        own.seats[dead].state = AWAY;
        own.at[dead] = VIRTUAL_NEVER;
        wake_all();
        pass_on();
    }
}

static void look_around(void)
{
    if (UNLIKELY(own.clock->stuck) && !own.seats[me()].told)
        tell();
    if (UNLIKELY(self.job->end))
        job_flush();
    if (UNLIKELY(self.job->alerts != own.alerts)) {
        own.alerts = self.job->alerts;
        take_over();
    }
}

/* Sleeps on the PE's doorbell, which alerts ring too. */
static void wait_for_turn(void)
{
    struct job_pe *const mine = job_seat(self.pe);
    bool noted = false;
    atomic_fetch_add(&mine->asleep, 1);
    for (;;) {
        const uint32_t bell = mine->doorbell;
        look_around();
        if (atomic_load_explicit(&own.clock->turn, memory_order_acquire) == me() + 1)
            break;
        if (futex_wait(&mine->doorbell, bell, LOOK_TIME))
            continue;
        job_check_launcher();
        if (!noted && own.waits) /* for people */
            noted = wait_note(job_routine(own.waits->routine), own.waits->for_pe);
    }
    atomic_fetch_sub(&mine->asleep, 1);
    if (noted)
        wait_note_end();
}

/* What is due happens now, whatever the program is busy with; its processor is taken from that for what it costs. */
static void serve(void)
{
    bool (*const progress)(void) = wait_progress;
    const uint64_t debt = own.debt;
    own.debt = 0;
    if (progress)
        progress();
    own.debt += debt;
}

/* Blocks until then, or until something happens for this PE. */
static void block(uint64_t until)
{
    struct clock *const c = own.clock;
    struct seat *const seat = &own.seats[me()];
    if (UNLIKELY(atomic_exchange(&inside, 1) || c->turn != me() + 1))
        job_fatal("the emulated job", "two threads are in the library at once; allowed is one, for shmem_init_thread "
                  "has provided SHMEM_THREAD_SERIALIZED: let a lock of the program's go around its calls");
    const uint64_t before = c->now;
    uint64_t at = least(until, least(seat->event_at, seat->near_at));
    at = at < before ? before : at;
    /* While some ask again and again, others may wait for a store that is not seen. */
    if (UNLIKELY(c->alerts != self.job->alerts || (c->unseen && before - c->looked_at > UNSEEN_TIME)))
        wake_all();
    const int next = own.first[1];
    if (at < own.at[next] || (at == own.at[next] && at != VIRTUAL_NEVER && me() < next)) {
        advance(at);
    } else {
        set_time(me(), at);
        seat->state = BLOCKED;
        pass_on();
        wait_for_turn();
        seat->state = AWAY;
    }
    const uint64_t passed = c->now - before;
    own.debt -= least(own.debt, passed);
    if (seat->near_at <= c->now)
        seat->near_at = VIRTUAL_NEVER;
    inside = 0;
    if (seat->event_at <= c->now) {
        seat->event_at = VIRTUAL_NEVER;
        serve();
    }
}

/* One runs at a time, so one processor is enough, and to wake another one takes twenty times as long: 50 us against 2,
 * measured on a virtual machine with two. */
static void share_processor(void)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET((size_t)own.clock->processor % CPU_SETSIZE, &one);
    if (sched_getaffinity(0, sizeof own.processors, &own.processors) != 0 ||
        sched_setaffinity(0, sizeof one, &one) != 0)
        CPU_ZERO(&own.processors); /* more processors than there is room for: it goes without */
}

void virtual_enter(void)
{
    struct seat *const seat = &own.seats[me()];
    seat->event_at = seat->near_at = VIRTUAL_NEVER;
    own.debt = 0;
    computing_begin(own.costs.compute);
    own.alerts = self.job->alerts;
    own.at[me()] = own.clock->now;
    seat->state = BLOCKED;
    begin_if_all_are_there();
    wait_for_turn();
    share_processor();
    seat->state = AWAY;
    virtual_on = true;
    own.has_left = false;
    wait_tune(self.crowded);
    computing_resume();
}

/* What it is to send is still to leave, and to land; but nobody who has left makes room for it any more. */
void virtual_leave(void)
{
    serve();
    virtual_settle();
    for (int i = 0; i < LAST_EVENTS && own.seats[me()].event_at != VIRTUAL_NEVER; i++)
        block(VIRTUAL_NEVER);
    own.left = virtual_seconds();
    own.left_real = (double)wait_now() * 1e-9;
    own.has_left = true;
    virtual_on = false;
    computing_begin(0);
    wait_tune(self.crowded);
    pass_on();
    if (CPU_COUNT(&own.processors))
        sched_setaffinity(0, sizeof own.processors, &own.processors);
}

/* --- time --------------------------------------------------------------------------------------------------------- */

uint64_t virtual_clock(void)
{
    return own.clock->now;
}

uint64_t virtual_now(void)
{
    return own.clock->now + own.debt;
}

void virtual_spend(uint64_t ps)
{
    own.debt += ps;
}

/* What it is made to run for: others' times are in the tree only while they are blocked. */
static void announce(int pe, uint64_t at)
{
    own.clock->looked = false;
    if (pe != me() && own.seats[pe].state == BLOCKED && at < own.at[pe])
        set_time(pe, at);
}

void virtual_wake(int pe, uint64_t at)
{
    if (!virtual_on)
        return;
    struct seat *const seat = &own.seats[pe - self.first_seat];
    at = at < own.clock->now ? own.clock->now : at;
    seat->event_at = least(seat->event_at, at);
    announce(pe - self.first_seat, at);
}

void virtual_wake_near(int pe)
{
    if (pe == self.pe)
        return;
    struct seat *const seat = &own.seats[pe - self.first_seat];
    const uint64_t at = virtual_now() + own.costs.node_latency;
    seat->near_at = least(seat->near_at, at);
    announce(pe - self.first_seat, at);
}

void virtual_called(void)
{
    own.debt += computing_take();
}

void virtual_expect_unseen(void)
{
    own.clock->unseen = true;
}

void virtual_settle(void)
{
    virtual_called();
    while (own.debt)
        block(virtual_now());
    computing_resume();
}

void virtual_wait(const struct wait *w)
{
    own.waits = w;
    block(own.debt ? virtual_now() : VIRTUAL_NEVER);
    own.waits = NULL;
}

bool virtual_in_debt(void)
{
    return own.debt != 0;
}

void virtual_wait_ended(void)
{
    own.clock->looked = false;
    computing_resume();
}

void virtual_reach(bool other)
{
    own.debt += other ? own.costs.node_latency / STORE_SHARE : 0;
    virtual_settle();
}

uint64_t virtual_load_time(bool other)
{
    return other ? own.costs.node_latency : own.costs.node_latency / STORE_SHARE;
}

uint64_t virtual_copy_time(size_t bytes)
{
    return (uint64_t)((double)bytes * own.costs.node_gap_byte);
}

void virtual_compute(uint64_t ps)
{
    own.debt += ps;
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
        return own.left + (double)wait_now() * 1e-9 - own.left_real;
    virtual_called();
    computing_resume();
    return (double)own.clock->began * 1e-9 + (double)virtual_now() / (double)VIRTUAL_SECOND;
}
