#include "time/places.h"

#include "common/clock.h"
#include "time/computing.h"
#include "time/virtual.h"
#include "wait/note.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SPIN_MOST 1000000000u /* ns of processor time for which a PE's threads wait for a thread outside the library */
#define NAP_LEAST 50000u      /* ns of real time between checks whether the runner sleeps, if the PE has the turn; */
#define NAP_MOST 1000000u     /* otherwise up to this */

bool virtual_threads;
struct place places_only;
_Thread_local struct place places_own;

static struct {
    pthread_mutex_t lock; /* protects all members, and the clock's shared state while this PE has the turn */
    struct place *first, **last; /* in the order of the threads' first calls */
    struct place *runner;        /* NULL: none */
    unsigned life;               /* number of the list: a new one for each shmem_init */
    _Atomic unsigned steps;      /* how often the runner has changed */
    uint32_t bells;              /* number of bells assigned */
    pthread_t watcher;
    bool watched;
    _Atomic bool over;           /* the watcher is to end */
    cpu_set_t processors;
    pthread_key_t key;           /* runs end() when a thread ends */
    bool has_key;
} own = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* A thread must not sleep for the lock, because a thread that sleeps in the kernel counts as outside the library. */
void places_lock(void)
{
    while (pthread_mutex_trylock(&own.lock) != 0)
        syscall(SYS_sched_yield);
}

void places_unlock(void)
{
    pthread_mutex_unlock(&own.lock);
}

/* --- threads asleep ----------------------------------------------------------------------------------------------- */

/* 0: the thread has ended. */
static uint64_t processor_time(const struct place *p)
{
    struct timespec t;
    if (clock_gettime(p->processor_time, &t) != 0)
        return 0;
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static bool is_asleep(const struct place *p)
{
    char text[512];
    const ssize_t n = pread(p->stat, text, sizeof text - 1, 0);
    text[n > 0 ? n : 0] = '\0';
    const char *const name_ends = strrchr(text, ')'); /* "123 (name) S ..." */
    return n <= 0 || (name_ends && name_ends[1] && !strchr("RD", name_ends[2]));
}

/* Whether all threads that are not blocked here are asleep. Checks twice: if none has run in between, all were asleep
 * at one moment. again: also checks threads that were found asleep before, since another thread may have woken them. */
static bool all_are_asleep(bool again)
{
    for (int look = 0; look < 2; look++)
        for (struct place *p = own.first; p; p = p->next) {
            if (p->blocked || p->spins || (p->asleep && !again))
                continue;
            const uint64_t time = processor_time(p);
            if (!is_asleep(p) || (look && time != p->seen)) {
                p->asleep = 0;
                return false;
            }
            p->seen = time;
        }
    for (struct place *p = own.first; p; p = p->next)
        if (!p->blocked && !p->asleep)
            p->asleep = p->seen;
    return true;
}

/* --- the runner --------------------------------------------------------------------------------------------------- */

/* The blocked thread with the earliest time, or NULL. */
static struct place *first_to_go(void)
{
    struct place *first = NULL;
    for (struct place *p = own.first; p; p = p->next)
        if (p->blocked && (!first || p->at < first->at))
            first = p;
    return first;
}

/* The thread that will serve the PE's events: a blocked one, if possible one that waits for events. */
static struct place *server(void)
{
    struct place *any = NULL;
    for (struct place *p = own.first; p; p = p->next) {
        if (p->blocked && p->listens)
            return p;
        if (p->blocked && !any)
            any = p;
    }
    return any;
}

static void wake_listeners(uint64_t at)
{
    for (struct place *p = own.first; p; p = p->next)
        if (p->blocked && p->listens && at < p->at)
            p->at = at;
}

/* The clock has reached the PE's time: makes a thread the runner. False: no thread is due yet. */
static bool go(void)
{
    const uint64_t now = turns.clock->now;
    struct seat *const seat = turns_seat();
    struct place *p = first_to_go();
    if (seat->near_at <= now) {
        seat->near_at = VIRTUAL_NEVER;
        wake_listeners(now);
        p = first_to_go();
    }
    if (seat->event_at <= now) {
        seat->event_at = VIRTUAL_NEVER;
        p = server();
        p->serves = true;
        wake_listeners(now);
    }
    if (!p->serves && p->at > now)
        return false;
    p->blocked = false;
    own.runner = p;
    own.steps++;
    if (p != &places_own)
        turns_ring(turns_me(), p->bell);
    return true;
}

static void leave_turn(uint64_t at)
{
    struct seat *const seat = turns_seat();
    uint32_t outside = 0;
    for (const struct place *p = own.first; p; p = p->next)
        outside += !p->blocked;
    seat->outside = outside;
    seat->bells = first_to_go()->bell;
    turns_set_time(turns_me(), at);
    seat->state = TURNS_BLOCKED;
    turns_pass_on();
}

/* If the PE has the turn and none of its threads runs: lets the next thread run, or passes the turn on. again: a thread
 * has been in the program since the last call. */
static void schedule(bool again)
{
    struct seat *const seat = turns_seat();
    while (turns_mine() && first_to_go()) {
        if (seat->state == TURNS_BLOCKED) { /* the PE has just got the turn */
            seat->state = TURNS_AWAY;
        } else {
            if (!all_are_asleep(again))
                return;
            again = false;
            own.runner = NULL;
            const uint64_t now = turns.clock->now;
            if (turns_look_for_unseen())
                seat->near_at = now;
            uint64_t at = turns_least(first_to_go()->at, turns_least(seat->event_at, seat->near_at));
            at = at < now ? now : at;
            if (!turns_is_first(at)) {
                leave_turn(at);
                continue;
            }
            turns_advance(at);
        }
        if (go())
            return;
    }
}

/* --- blocking ----------------------------------------------------------------------------------------------------- */

/* False: the time limit has passed. */
static bool sleep_on(_Atomic uint32_t *word, uint32_t value, uint32_t bell)
{
    const uint64_t until = clock_now() + TURNS_LOOK_TIME;
    const struct timespec limit = {(time_t)(until / 1000000000u), (long)(until % 1000000000u)};
    return syscall(SYS_futex, word, FUTEX_WAIT_BITSET, value, &limit, NULL, bell) == 0 || errno != ETIMEDOUT;
}

/* The caller holds the lock, which is released during the sleep. */
static void sleep_until_running(struct place *p)
{
    struct job_pe *const mine = job_seat(self.pe);
    bool noted = false;
    atomic_fetch_add(&mine->asleep, 1);
    for (;;) {
        const uint32_t bell = mine->doorbell;
        turns_look_around();
        if (turns_mine() && turns_seat()->state == TURNS_BLOCKED)
            schedule(false);
        if (own.runner == p)
            break;
        places_unlock();
        if (!sleep_on(&mine->doorbell, bell, p->bell)) {
            job_check_launcher();
            if (!noted && p->waits) /* for reports */
                noted = wait_note(job_routine(p->waits->routine), p->waits->for_pe);
        }
        places_lock();
    }
    atomic_fetch_sub(&mine->asleep, 1);
    if (noted)
        wait_note_end();
}

/* Records, for reports, the wait of the first blocked thread that is in one. */
static void note_a_wait(void)
{
    turns.waits = NULL;
    for (struct place *p = own.first; p && !turns.waits; p = p->next)
        turns.waits = p->blocked ? p->waits : NULL;
}

/* The caller holds the lock. */
static bool block(struct place *p, uint64_t until, bool listens)
{
    const uint64_t before = turns.clock->now;
    p->at = until < before ? before : until;
    p->listens = listens;
    p->blocked = true;
    p->asleep = 0;
    p->spins = false;
    if (own.runner == p)
        own.runner = NULL;
    note_a_wait();
    const bool inside = p->waits && p->waits == p->waited;
    p->waited = p->waits;
    if (turns_mine())
        schedule(!inside);
    else
        turns_knock(p->at);
    sleep_until_running(p);
    note_a_wait();
    p->debt -= turns_least(p->debt, turns.clock->now - before);
    p->clock = turns.clock->now;
    const bool serves = p->serves;
    p->serves = false;
    return serves;
}

bool places_block(uint64_t until, bool listens)
{
    places_lock();
    const bool serves = block(&places_own, until, listens);
    places_unlock();
    return serves;
}

void places_wake(uint64_t at)
{
    places_lock();
    wake_listeners(at);
    places_unlock();
}

void places_give(const void *what, uint64_t at)
{
    places_lock();
    for (struct place *p = own.first; p; p = p->next)
        if (p->blocked && p->wants == what && at < p->at)
            p->at = at;
    places_unlock();
}

/* --- threads ------------------------------------------------------------------------------------------------------ */

static void end(void *place)
{
    struct place *const p = place;
    if (!virtual_threads || p->life != own.life)
        return;
    places_lock();
    struct place **at = &own.first;
    while (*at != p)
        at = &(*at)->next;
    *at = p->next;
    if (own.last == &p->next)
        own.last = at;
    if (own.runner == p)
        own.runner = NULL;
    schedule(true);
    places_unlock();
    close(p->stat);
}

/* Called by the watching thread: while a thread of the PE runs, the other threads wait, and cannot detect that it falls
 * asleep or spins. */
static void look_for_spinners(void)
{
    for (struct place *p = own.first; p; p = p->next) {
        const uint64_t time = p->blocked || p->spins ? 0 : processor_time(p);
        if (!time)
            continue;
        if (p->steps != own.steps) {
            p->steps = own.steps;
            p->began = time;
        } else if (time - p->began > SPIN_MOST) {
            p->spins = true;
            p->asleep = time;
        }
    }
}

static void *watch(void *unused)
{
    unsigned seen = own.steps;
    sched_setaffinity(0, sizeof own.processors, &own.processors);
    for (uint64_t nap = NAP_LEAST; !own.over;) {
        clock_nap(nap);
        const bool mine = turns_mine(), moves = own.steps != seen;
        nap = mine || moves ? NAP_LEAST : nap * 2 < NAP_MOST ? nap * 2 : NAP_MOST;
        seen = own.steps;
        if (!mine || moves)
            continue;
        places_lock();
        if (first_to_go()) {
            look_for_spinners();
            schedule(true);
        }
        places_unlock();
    }
    return unused;
}

static void start_watcher(void)
{
    sigset_t all, before;
    sigfillset(&all);
    own.over = false;
    pthread_sigmask(SIG_SETMASK, &all, &before);
    own.watched = pthread_create(&own.watcher, NULL, watch, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!own.watched)
        job_fatal("the emulated job", "cannot start the thread that checks whether other threads sleep");
}

/* A thread's first call. */
static void take_place(struct place *p)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", gettid());
    *p = (struct place){.stat = open(path, O_RDONLY | O_CLOEXEC), .life = own.life, .clock = turns.clock->now};
    if (p->stat < 0)
        job_fatal("the emulated job", "cannot open %s, which shows whether a thread sleeps: %s", path, strerror(errno));
    pthread_getcpuclockid(pthread_self(), &p->processor_time);
    p->bell = (uint32_t)1 << own.bells++ % 32;
    pthread_setspecific(own.key, p);
    *own.last = p;
    own.last = &p->next;
    if (p == own.first || own.watched)
        return;
    start_watcher();
    turns.clock->unseen = true; /* a thread may wait for a store of another thread of this PE */
}

/* If the clock has advanced without this thread, its earlier debt has passed meanwhile. */
bool places_turn(bool *due)
{
    struct place *const p = &places_own;
    places_lock();
    const bool is_new = p->life != own.life, entered = own.runner != p || is_new;
    if (is_new)
        take_place(p);
    if (entered) {
        if (p->asleep)
            p->debt += computing_take_until(p->asleep);
        p->debt -= turns_least(p->debt, turns.clock->now - p->clock);
        p->debt += computing_take();
        *due = block(p, turns.clock->now + p->debt, false);
    }
    places_unlock();
    return entered;
}

void places_begin(const cpu_set_t *processors)
{
    own.processors = *processors;
    own.first = NULL;
    own.last = &own.first;
    own.watched = false;
    own.bells = 0;
    own.life++;
    if (!own.has_key)
        own.has_key = pthread_key_create(&own.key, end) == 0;
    take_place(&places_own);
    own.runner = &places_own;
    virtual_threads = true;
}

void places_end(void)
{
    own.over = true;
    if (own.watched)
        pthread_join(own.watcher, NULL);
    virtual_threads = false;
    for (const struct place *p = own.first; p; p = p->next)
        close(p->stat);
    own.life++; /* the threads' places are invalid */
    turns_seat()->bells = turns_seat()->outside = 0;
}
