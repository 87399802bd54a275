#include "time/turns.h"

#include "common/clock.h"
#include "time/virtual.h"
#include "wait/note.h"

#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define TELL_MS 2000          /* real time for the other PEs to write what they wait for */
#define UNSEEN_TIME 1000000000u /* ps between checks for stores that the library does not see */
#define KNOCK_TIME 3000000000u /* ns of real time for threads asleep outside the library to call it */

#define IDLE INT32_MIN        /* no PE has the turn: only threads outside the library may still call it */

struct turns turns;

/* --- the shared memory -------------------------------------------------------------------------------------------- */

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
    return round_up(sizeof(struct clock), 64) + (size_t)n * sizeof(struct seat) + leaves * sizeof *turns.at +
           2 * leaves * sizeof *turns.first;
}

void turns_map(void)
{
    turns.n = self.job->n_pes;
    turns.leaves = leaves_of(turns.n);
    char *const state = job_share(bytes_of(turns.n));
    if (!state)
        job_fatal("shmem_init", "no memory for the emulated clock: %s", strerror(errno));
    turns.clock = (struct clock *)(void *)state;
    turns.seats = (struct seat *)(void *)(state + round_up(sizeof(struct clock), 64));
    turns.at = (uint64_t *)(void *)(turns.seats + turns.n);
    turns.first = (int32_t *)(void *)(turns.at + turns.leaves);
}

/* --- the next turn ------------------------------------------------------------------------------------------------ */

/* The seat with the earlier time; if the times are equal, a, the lower seat. */
static int32_t earlier(int32_t a, int32_t b)
{
    return turns.at[b] < turns.at[a] ? b : a;
}

void turns_set_time(int seat, uint64_t at)
{
    turns.at[seat] = at;
    for (int i = (turns.leaves + seat) / 2; i; i /= 2)
        turns.first[i] = earlier(turns.first[2 * i], turns.first[2 * i + 1]);
}

static void set_all(void)
{
    for (int i = turns.n; i < turns.leaves; i++)
        turns.at[i] = VIRTUAL_NEVER;
    for (int i = 0; i < turns.leaves; i++)
        turns.first[turns.leaves + i] = i;
    for (int i = turns.leaves - 1; i; i--)
        turns.first[i] = earlier(turns.first[2 * i], turns.first[2 * i + 1]);
}

/* Makes all waiting PEs check their conditions. */
static void wake_all(void)
{
    struct clock *const c = turns.clock;
    c->alerts = self.job->alerts;
    c->looked_at = c->now;
    for (int i = 0; i < turns.n; i++)
        if (turns.seats[i].state == TURNS_BLOCKED) {
            turns.seats[i].near_at = c->now;
            turns.at[i] = c->now;
        }
    set_all();
}

bool turns_look_for_unseen(void)
{
    struct clock *const c = turns.clock;
    const bool look = c->alerts != self.job->alerts || (c->unseen && c->now - c->looked_at > UNSEEN_TIME);
    if (UNLIKELY(look))
        wake_all();
    return look;
}

/* The tree has a PE's time only while the PE is blocked. */
void turns_announce(int seat, uint64_t at)
{
    turns.clock->looked = false;
    if (seat != turns_me() && turns.seats[seat].state == TURNS_BLOCKED && at < turns.at[seat])
        turns_set_time(seat, at);
}

static bool take_idle(void)
{
    int32_t idle = IDLE;
    return atomic_compare_exchange_strong(&turns.clock->turn, &idle, -1 - turns_me());
}

void turns_knock(uint64_t at)
{
    turns_seat()->knock = at + 1;
    atomic_fetch_add(&turns.clock->knocks, 1);
    if (take_idle())
        turns_pass_on();
}

static void hear_knocks(void)
{
    turns.clock->heard = turns.clock->knocks;
    for (int i = 0; i < turns.n; i++) {
        const uint64_t knock = atomic_exchange(&turns.seats[i].knock, 0), now = turns.clock->now;
        const uint64_t at = knock - 1 > now ? knock - 1 : now;
        turns.clock->looked &= !knock;
        if (knock && turns.seats[i].state == TURNS_BLOCKED && at < turns.at[i])
            turns_set_time(i, at);
    }
}

/* outside: with a thread outside the library. */
static bool anybody_is_blocked(bool outside)
{
    for (int i = 0; i < turns.n; i++)
        if (turns.seats[i].state == TURNS_BLOCKED && (!outside || turns.seats[i].outside))
            return true;
    return false;
}

void turns_ring(int seat, uint32_t bells)
{
    struct job_pe *target = &self.job->pe[seat];
    atomic_fetch_add(&target->doorbell, 1);
    syscall(SYS_futex, &target->doorbell, FUTEX_WAKE_BITSET, INT32_MAX, NULL, NULL,
            bells ? bells : FUTEX_BITSET_MATCH_ANY);
}

bool turns_is_first(uint64_t at)
{
    if (UNLIKELY(turns.clock->knocks != turns.clock->heard))
        hear_knocks();
    const int next = turns.first[1];
    return at < turns.at[next] || (at == turns.at[next] && at != VIRTUAL_NEVER && turns_me() < next);
}

void turns_advance(uint64_t to)
{
    struct clock *const c = turns.clock;
    if (to > c->now) {
        atomic_store_explicit(&c->now, to, memory_order_relaxed);
        c->looked = false;
    }
}

/* --- deadlocks ---------------------------------------------------------------------------------------------------- */

static void tell(void)
{
    const struct wait *const waits = turns.waits;
    if (waits)
        wait_note(job_routine(waits->routine), waits->for_pe);
    turns.seats[turns_me()].told = true;
}

/* Lists the first waiting PEs, and the PEs that they wait for. */
static void list_waits(char *text, size_t room)
{
    enum { LISTED = 8 };
    size_t used = 0;
    int listed = 0;
    for (int i = 0; i < turns.n; i++) {
        const struct job_wait *note = &self.job->pe[i].wait;
        char name[sizeof note->routine], peer[40] = "";
        if (turns.seats[i].state != TURNS_BLOCKED || listed++ >= LISTED)
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

/* First requests that all PEs write what they wait for. */
static _Noreturn void deadlock(void)
{
    char text[8 * 140];
    turns.clock->stuck = true;
    for (int i = 0; i < turns.n; i++)
        if (turns.seats[i].state == TURNS_BLOCKED && i != turns_me())
            turns_ring(i, 0);
    if (turns.seats[turns_me()].state == TURNS_BLOCKED)
        tell();
    int seat = 0;
    for (int ms = 0; ms < TELL_MS && seat < turns.n; ms++) {
        while (seat < turns.n && (turns.seats[seat].state != TURNS_BLOCKED || turns.seats[seat].told))
            seat++;
        if (seat < turns.n)
            clock_nap(1000000);
    }
    list_waits(text, sizeof text);
    job_fatal("the emulated job", "a deadlock at %.9f s: all PEs wait, and nothing is pending:%s",
              (double)turns.clock->now / (double)VIRTUAL_SECOND, text);
}

/* --- turns -------------------------------------------------------------------------------------------------------- */

void turns_pass_on(void)
{
    struct clock *const c = turns.clock;
    for (;;) {
        if (UNLIKELY(c->knocks != c->heard))
            hear_knocks();
        const int next = turns.first[1];
        if (turns.at[next] == VIRTUAL_NEVER) {
            if (!anybody_is_blocked(false)) {
                c->turn = 0;
                return;
            }
            if (c->looked && anybody_is_blocked(true) && !c->idle) {
                c->idle_since = clock_now();
                c->idle = true;
                c->turn = IDLE;
                if (c->knocks == c->heard || !take_idle())
                    return;
                continue;
            }
            if (c->looked)
                deadlock();
            wake_all(); /* a program may have made a store that the library has not seen */
            c->looked = true;
            c->idle = false;
            continue;
        }
        turns_advance(turns.at[next]);
        turns_set_time(next, VIRTUAL_NEVER);
        if (UNLIKELY(self.job->pe[next].state == JOB_PE_DEAD)) {
            turns.seats[next].state = TURNS_AWAY;
            continue;
        }
        atomic_store_explicit(&c->turn, next + 1, memory_order_release);
        if (next != turns_me())
            turns_ring(next, turns.seats[next].bells);
        return;
    }
}

void turns_begin_if_all_are_there(void)
{
    int32_t nobody = 0;
    for (int i = 0; i < turns.n; i++)
        if (turns.seats[i].state != TURNS_BLOCKED && self.job->pe[i].state != JOB_PE_DEAD)
            return;
    if (!atomic_compare_exchange_strong(&turns.clock->turn, &nobody, -1 - turns_me()))
        return;
    turns.clock->alerts = self.job->alerts;
    turns.clock->looked = false;
    turns.clock->processor = sched_getcpu();
    /* The program's clocks never go back, not even in another shmem_init. */
    turns.clock->began = clock_now() + turns.ahead - turns.clock->now / 1000;
    set_all();
    turns_pass_on();
}

static void look_again(void)
{
    wake_all();
    turns_pass_on();
}

/* Called after an alert: takes the turn over if the PE that has it is dead. */
static void take_over(void)
{
    int32_t turn = turns.clock->turn;
    const int dead = turn == IDLE ? 0 : turn < 0 ? -turn - 1 : turn - 1;
    if (turn == 0)
        turns_begin_if_all_are_there();
    else if (turn == IDLE && take_idle())
        look_again();
    else if (turn != IDLE && self.job->pe[dead].state == JOB_PE_DEAD &&
             atomic_compare_exchange_strong(&turns.clock->turn, &turn, -1 - turns_me())) {
        turns.seats[dead].state = TURNS_AWAY;
        turns.at[dead] = VIRTUAL_NEVER;
        look_again();
    }
}

void turns_look_around(void)
{
    if (UNLIKELY(turns.clock->stuck) && !turns.seats[turns_me()].told)
        tell();
    if (UNLIKELY(self.job->end))
        job_flush();
    if (UNLIKELY(turns.clock->turn == IDLE && clock_now() - turns.clock->idle_since > KNOCK_TIME) && take_idle())
        turns_pass_on();
    if (UNLIKELY(self.job->alerts != turns.alerts)) {
        turns.alerts = self.job->alerts;
        take_over();
    }
}
