/* The progress thread sleeps on the provider's event descriptor until a message arrives.  While the program's threads
 * make progress, it does not poll: it naps, and periodically checks whether they still make progress.  When they have
 * stopped, it arms the descriptor and sleeps on it.  A waiting PE is therefore not slowed down by its own thread, and a
 * computing PE is served.  A check takes 20 us of the program's time, mostly for the timer. Therefore, while the
 * program makes progress itself, it postpones the next check.
 *
 * A delayed put does not wake the thread, because the program usually sends it soon.  The first one during a sleep sets
 * a timer that ends the sleep, so that the put is sent although the program only computes.
 *
 * A thread of the program that has waited long sleeps, and leaves progress to the progress thread alone.  If messages
 * arrive one after the other while the program sleeps, the progress thread polls for the next message for a while
 * before it sleeps: to wake up takes longer than to serve a message.  It never polls while the program computes.
 *
 * Messages may wake the thread although no PE waits for a reply. If the program calls the library during each sleep of
 * the thread, the program itself receives such messages soon enough.  The thread then naps before it sleeps again: for
 * NAP_LEAST at first, and longer if the program calls during the nap.  The next nap has that length, unless requests of
 * peers have arrived since.  The thread does not nap while a thread of the program sleeps in a wait.  If the program
 * adds records and makes no progress itself, an arrival ends the nap, because it may be a request.
 *
 * If PEs share processors, a check or a message takes the processor from a PE for which others may wait.  Each usual
 * nap then lasts a time slice, which a request may have to wait anyway, until its target gets the processor.
 *
 * The provider may fail to report an arrival: libfabric's tcp does not report a peer's puts and gets, and UCX does not
 * report part of a message.  Any end of a sleep therefore counts as an arrival.  If the descriptor is repeatedly
 * readable before the sleep has begun, for example while UCX connects, the thread pauses. */
#include "net/thread.h"

#include "common/clock.h"
#include "job/thread_affinity.h"
#include "job/settings.h"
#include "job/own_threads.h"
#include "time/virtual.h"
#include "wait/wait.h"
#include "net/failure.h"
#include "net/message.h"
#include "net/progress.h"

#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define NAP_LEAST 100000u  /* ns */
#define NAP_MOST 1000000u  /* ns, unless the end is postponed */
#define NAP_CROWDED 4000000u /* ns of each usual nap, if PEs share processors */
#define NAP_SHRINKS 4      /* the next nap is shorter by this factor if the program has not called */
#define VAIN_LEAST 4       /* after this many wakes in vain, the thread naps; a wake for a request subtracts this */
#define VAIN_MOST 16       /* limit of the count of wakes in vain */
#define NAP_LEFT 500000u   /* ns: the end is postponed when no more than this is left */
#define NAP_LONG 2000000u  /* ns: the end is postponed by the nap's length so far, at least NAP_MOST, at most this */
#define TRIES 50           /* of the lock, which the program has for a microsecond if it adds a record */
#define DRIVEN_LEAST 3     /* turns of the program's threads during a nap that count as making progress */
#define WATCH_LEAST 50000u /* ns of polling after the last message, if the program sleeps and is not oversubscribed */
#define WATCH_MOST 300000u /* ns: the same if the thread's last sleep was no longer than this */
#define SOON 20000u        /* ns from a large operation to a wait: the program does not compute in between */
#define STACK ((size_t)8 << 20) /* least bytes: a program's usual stack, as its functions run here */
#define FRUITLESS 4        /* successive sleeps that a readable descriptor prevents although nothing has arrived */
#define PAUSE_LEAST 25000u /* ns of the first nap after those; the next are twice as long each, to NAP_MOST */
#define LATEST 500000u     /* ns after which a sleeping thread sends records that the program has not sent */
#define KICK_TIME 1000000u /* ps of emulated time from a kick to the progress that it causes */

static pthread_t thread;
static bool running;
static _Atomic bool stopping;
static _Atomic bool asleep;  /* on the descriptors */
static _Atomic bool napping; /* because the program makes progress */
static _Atomic bool reminded; /* the timer will end the sleep */
static _Atomic bool unlooked; /* the thread does not check ports other than net_port until ring() */
/* net_port's event descriptor; ring's eventfd; the timer of naps; an epoll instance of the other ports. */
static int event_fd = -1, wake_fd = -1, timer_fd = -1, others_fd = -1;

/* --- its processor ------------------------------------------------------------------------------------------------ */

/* The thread serves records soonest on its PE's processors, where it interrupts the program for some microseconds.  A
 * large transfer must overlap with the program, so during it the thread runs on another processor of the job. */
static _Atomic pid_t thread_number; /* 0: the thread does not change processors */
static _Atomic int avoided = -1;    /* the processor that the thread avoids */
static cpu_set_t home;

static void go_away(int cpu)
{
    if (cpu != avoided && send_beside(thread_number, cpu))
        avoided = cpu;
}

static bool any_moves(void)
{
    const struct port *port = &net_port;
    while (port && !port->moving)
        port = port->next;
    return port;
}

static void come_home(void)
{
    if (avoided < 0 || (any_moves() && !job_seat(self.pe)->asleep))
        return;
    avoided = -1;
    sched_setaffinity(0, sizeof home, &home);
}

/* --- the thread --------------------------------------------------------------------------------------------------- */

static void ring(void)
{
    const uint64_t one = 1;
    if (write(wake_fd, &one, sizeof one) < 0) { /* full: a ring is pending already */
    }
}

/* Adding records counts as making progress, so that a series of them is not sent record by record.  If time is
 * emulated, an event replaces the thread. */
void thread_kick(struct port *port)
{
    if (UNLIKELY(virtual_on)) {
        virtual_wake(self.pe, virtual_now() + KICK_TIME);
        return;
    }
    atomic_store_explicit(&port->driven, atomic_load_explicit(&port->driven, memory_order_relaxed) + 1,
                          memory_order_relaxed);
    _Atomic bool *const sleeps = port == &net_port ? &asleep : &unlooked;
    if (UNLIKELY(atomic_load_explicit(sleeps, memory_order_relaxed))) {
        *sleeps = false;
        ring();
    }
}

bool thread_sleeps(void)
{
    return asleep;
}

/* Rings once for a series of operations: the thread finds the later ones at the end of its next nap, or sleeps again
 * and is rung again.  If the program waited soon after the last series, it most likely waits again: its wait makes
 * progress, and the thread would only take a processor from a PE. */
void thread_urge(struct port *port, bool posted)
{
    if (posted && port->moving < net_tune.later)
        return;
    if (!port->waits_soon || !napping) {
        go_away(sched_getcpu());
        const bool sleeps = asleep && !posted; /* its sleep has no end, so an earlier ring is not enough */
        if (sleeps || (napping && !port->urged)) { /* MUTANT each queued put wakes a sleeper: sleeps => false */
            port->urged = true;
            asleep = false;
            ring();
        }
    }
    port->posted_at = clock_now(); /* after ring, because the thread may run first on this processor */
}

void thread_note_wait(struct port *port)
{
    const uint64_t posted = port->posted_at ? atomic_exchange(&port->posted_at, 0) : 0;
    if (posted)
        port->waits_soon = clock_now() - posted < SOON;
}

bool thread_serves(void)
{
    return running && !self.crowded;
}

/* Called when a waiting thread stops making progress.  A thread that waits at a port of its own keeps polling. */
static bool take_over(void)
{
    if (port_awaited && port_awaited != &net_port)
        return false;
    if (napping || (asleep && net_port.alerts != self.job->alerts))
        ring();
    return true;
}

static void end_rest_in(uint64_t ns)
{
    timerfd_settime(timer_fd, 0, &(struct itimerspec){.it_value.tv_nsec = (long)ns}, NULL);
}

/* In this order: a thread of the program may be in thread_kick_later since before the end of the sleep. Otherwise it
 * could set a timer that this call stops, and the next sleep would have none. */
static void stop_timer(void)
{
    end_rest_in(0); /* MUTANT a new timer stays: reminded = false; */
    reminded = false; /* MUTANT a new timer stays: end_rest_in(0); */
}

void thread_kick_later(struct port *port)
{
    if (LIKELY(!asleep)) {
        thread_kick(port);
    } else if (!reminded) {
        reminded = true;
        end_rest_in(LATEST); /* MUTANT a sleeper is reminded */
    }
}

/* --- naps --------------------------------------------------------------------------------------------------------- */

static _Atomic uint64_t nap_began, nap_ends; /* nap_ends 0: must not be postponed */

/* The program's threads call this repeatedly while they make progress. */
static void put_off(void)
{
    if (!port_awaited) /* else a quiet, which notes itself, or the short wait of a blocking operation */
        thread_note_wait(&net_port);
    uint64_t end = nap_ends;
    const uint64_t at = end ? clock_now() : 0, lasts = at - nap_began;
    const uint64_t by = lasts < NAP_MOST ? NAP_MOST : lasts < NAP_LONG ? lasts : NAP_LONG;
    if (end && at + NAP_LEFT > end && atomic_compare_exchange_strong(&nap_ends, &end, at + by))
        end_rest_in(by);
}

static bool nap_heard; /* an arrival has ended the last nap */
/* watches: the descriptor is armed, and ends the nap.  lasts, unless NULL: in, whether the end may be postponed; out,
 * whether it was.  True: ring ended the nap. */
static bool nap(uint64_t ns, bool watches, bool *lasts)
{
    struct pollfd any[] = {{.fd = wake_fd, .events = POLLIN}, {.fd = timer_fd, .events = POLLIN},
                           {.fd = event_fd, .events = POLLIN}};
    uint64_t rung;
    const uint64_t from = clock_now(), end = lasts && *lasts ? from + ns : 0;
    end_rest_in(ns);
    nap_began = from;
    nap_ends = end;
    napping = true;
    poll(any, watches ? 3 : 2, -1);
    nap_heard = any[2].revents;
    napping = false;
    const bool was_put_off = atomic_exchange(&nap_ends, 0) != end;
    if (lasts)
        *lasts = was_put_off;
    stop_timer();
    return read(wake_fd, &rung, sizeof rung) > 0;
}

static uint64_t nap_length; /* ns of the next nap */
static bool nap_lasted;     /* the last nap was postponed until the program stopped: the next one is short */
static bool nap_counts;     /* the last nap took nap_length */

/* A nap of nap_length, but at most of `most` ns (0: no limit).  True: ring ended it. */
static bool nap_as_usual(uint64_t most, bool watches)
{
    const uint64_t learned = nap_lasted ? NAP_LEAST : nap_length, usual = self.crowded ? NAP_CROWDED : learned;
    const uint64_t ns = most && most < usual ? most : usual;
    bool lasts = ns == NAP_MOST && !net_port.next;
    nap_counts = ns == nap_length;
    const bool rung = nap(ns, watches, &lasts);
    nap_counts &= !lasts && !rung;
    nap_lasted = lasts;
    return rung;
}

static void learn_length(bool has_called)
{
    const uint64_t next = has_called ? nap_length * 2 : nap_length / NAP_SHRINKS;
    if (nap_counts)
        nap_length = next < NAP_LEAST ? NAP_LEAST : next < NAP_MOST ? next : NAP_MOST;
    nap_counts = false;
}

/* --- other ports than net_port ------------------------------------------------------------------------------------ */

/* Call with the lock.  True: no work is left, and the descriptor will report the next arrival.  It will not report
 * later ones, which the port's own thread may serve sooner. */
static bool arm_once(struct port *port)
{
    struct epoll_event event = {.events = EPOLLIN | EPOLLONESHOT};
    if (message_may_send(port) || port->later || !net_provider->arm(port->provider))
        return false;
    if (others_fd < 0)
        others_fd = epoll_create1(EPOLL_CLOEXEC);
    const int how = port->is_watched ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
    port->is_watched = epoll_ctl(others_fd, how, net_provider->event_fd(port->provider), &event) == 0;
    return port->is_watched;
}

/* Makes progress at the port, unless the thread that uses it makes progress itself.  True: check the port again
 * soon. */
static bool look_at(struct port *port, bool *came)
{
    const uint32_t turns = port->turns;
    bool any = turns == port->seen_turns || port->urged, again = true;
    port->seen_turns = turns;
    while (any && port->turns == turns && pthread_mutex_trylock(&port->lock) == 0) {
        any = progress_poll(port);
        again = any || !arm_once(port);
        *came |= any;
        port_unlock(port);
    }
    if (UNLIKELY(net_failure_news))
        failure_tell();
    return again;
}

/* Returns how long (ns) the progress thread may sleep before it checks these ports again; 0: until a ring or an event.
 * If another thread starts an operation, with the port's lock, this check finds it, or that thread sees `unlooked`. */
static uint64_t look_at_others(void)
{
    static uint64_t time = NAP_LEAST;
    bool again = false, came = false;
    unlooked = true;
    for (struct port *port = net_port.next; port; port = port->next)
        again |= look_at(port, &came);
    if (again)
        unlooked = false;
    time = came ? NAP_LEAST : time * 2 < NAP_MOST ? time * 2 : NAP_MOST;
    return again ? time : 0;
}

/* --- sleeping ----------------------------------------------------------------------------------------------------- */

static uint64_t watch_length;

/* Uses poll, not an epoll instance of all descriptors: for each message the kernel would notify the instance, in the
 * sender's system call, even while the program polls and the thread does not sleep.
 * False: a descriptor was readable immediately, but not ring's. */
static bool sleep_on_descriptors(uint64_t most)
{
    struct pollfd any[] = {{.fd = event_fd, .events = POLLIN},
                           {.fd = wake_fd, .events = POLLIN},
                           {.fd = others_fd, .events = POLLIN},
                           {.fd = timer_fd, .events = POLLIN}};
    struct epoll_event event;
    uint64_t rung;
    const uint64_t from = clock_now();
    const bool at_once = poll(any, 4, 0) > 0;
    if (!at_once && !unlooked) /* other ports need checks, or a ring since the last check ended a nap */
        ppoll(any, 4, &(struct timespec){.tv_nsec = (long)most}, NULL);
    else if (!at_once)
        poll(any, 4, net_failure_known ? 500 : -1);
    while (any[2].revents && epoll_wait(others_fd, &event, 1, 0) > 0) { /* one event each */
    }
    asleep = false;
    if (reminded || any[3].revents)
        stop_timer();
    watch_length = clock_now() - from < WATCH_MOST ? WATCH_MOST : WATCH_LEAST;
    return read(wake_fd, &rung, sizeof rung) > 0 || !at_once;
}

static uint64_t watch_time(void)
{
    return job_seat(self.pe)->asleep && !self.crowded && !self.rationed ? watch_length : 0;
}

/* Call with the lock.  A thread that adds a record sees `asleep` before it releases the lock; a thread that raises an
 * alert sees `asleep`, or its alert is seen here. */
static bool arm(struct port *port)
{
    if (message_may_send(port) || port->later || port->waiting || !net_provider->arm(port->provider))
        return false;
    asleep = true;
    if (port->alerts == self.job->alerts)
        return true;
    asleep = false;
    return false;
}

/* Serves until nothing more arrives.  True: the descriptor is armed.  False: another thread makes progress (*locked: it
 * has the lock), or the descriptor cannot be armed though nothing is to do. */
static bool serve_and_arm(struct port *port, bool *useful, bool *asked, bool *locked)
{
    const uint32_t seen = port->turns;
    uint64_t last = 0; /* time of the last arrival, or of the start of polling */
    for (unsigned refused = 0; refused < FRUITLESS && !stopping && port->turns - seen < DRIVEN_LEAST;) {
        for (int tries = 0; (*locked = pthread_mutex_trylock(&port->lock) != 0) && tries < TRIES; tries++)
            wait_pause(); /* a yield would delay the next time that this thread wakes up */
        if (*locked)
            return false;
        port->stats.thread_turns++;
        const uint32_t before = port->asked;
        const bool any = progress_poll(port);
        if (any)
            wait_note_moves();
        const uint64_t watch = any ? 0 : watch_time(), at = any || watch ? clock_now() : 0;
        if (any || !last)
            last = at;
        *useful |= any;
        *asked |= port->asked != before;
        const bool over = !any && at - last >= watch;
        const bool armed = over && arm(port);
        port_unlock(port);
        refused += over;
        if (UNLIKELY(net_failure_news))
            failure_tell();
        if (armed)
            return true;
        if (!any)
            sched_yield(); /* to another thread or PE that serves; if there is none, this costs little */
    }
    return false;
}

/* A number that changes when the program calls the library: it makes progress, or sends. */
static uint32_t calls(void)
{
    return net_port.driven + net_port.posted;
}

static int vain; /* wakes in vain */

static bool is_often_in_vain(bool asked)
{
    vain += asked ? -VAIN_LEAST : 1;
    vain = vain < 0 ? 0 : vain < VAIN_MOST ? vain : VAIN_MOST;
    return vain >= VAIN_LEAST;
}

/* --- rounds ------------------------------------------------------------------------------------------------------- */

/* What the thread remembers from one round to the next.  driven and turns are those of net_port. */
static struct memory {
    uint32_t driven, turns, calls;
    bool locked, was_locked; /* another thread had the lock in the last round, and in the one before */
    bool woken, has_called;  /* how the last sleep ended; whether the program called during it */
    unsigned fruitless;      /* successive sleeps that a readable descriptor prevented */
    uint64_t pause;          /* ns of the nap after those */
} last;

struct round {
    bool is_driven;  /* the program's threads make progress */
    bool adds;       /* they make no progress, but may add records: the thread serves before each nap */
    bool was_woken;
    bool useful, asked; /* something arrived; a request arrived */
};

static void begin_rounds(void)
{
    last = (struct memory){
        .driven = net_port.driven, .turns = net_port.turns, .calls = calls(), .pause = PAUSE_LEAST};
    watch_length = WATCH_LEAST;
    nap_length = NAP_LEAST;
    nap_lasted = nap_counts = false;
    vain = 0;
}

static struct round begin_round(void)
{
    const uint32_t driven = net_port.driven, turns = net_port.turns;
    const struct round round = {
        /* A turn of the program that moves much data holds the lock for long.  A nap ended early has too few turns. */
        .is_driven = driven - last.driven >= DRIVEN_LEAST || last.locked || nap_heard,
        .adds = turns - last.turns < DRIVEN_LEAST,
        .was_woken = last.woken,
    };
    learn_length(last.was_locked || calls() != last.calls);
    last.was_locked = last.locked;
    last.calls = calls();
    last.driven = driven;
    last.turns = turns;
    last.woken = last.locked = nap_heard = false;
    return round;
}

/* Whether the last sleep ended for a message that the program would have received, and sleeps often end so. */
static bool woke_in_vain(const struct round *round)
{
    const bool is_news = round->was_woken && last.has_called;
    /* A request that has arrived during a nap counts, too. */
    const bool often = (round->asked || is_news) && is_often_in_vain(round->asked);
    return is_news && often && !last.locked;
}

/* Naps instead of sleeping: the descriptor stays readable, for example while UCX connects. */
static void pause_after_fruitless(void)
{
    last.fruitless = FRUITLESS - 1;
    asleep = false;
    nap(last.pause, false, NULL);
    last.pause = last.pause * 2 < NAP_MOST ? last.pause * 2 : NAP_MOST;
}

static void sleep_until_woken(bool useful, uint64_t most)
{
    const uint32_t before = calls();
    last.woken = sleep_on_descriptors(most);
    last.has_called = calls() != before;
    if (last.woken || useful) {
        last.fruitless = 0;
        last.pause = PAUSE_LEAST;
    }
    if (!last.woken)
        last.driven = net_port.driven;
    if (vain < VAIN_LEAST) /* peers wait for replies: they must not wait for a long nap */
        nap_length = NAP_LEAST;
}

/* others: ns until the other ports need a check; 0: no limit. */
static void serve_and_rest(struct round *round, uint64_t others)
{
    const bool armed = serve_and_arm(&net_port, &round->useful, &round->asked, &last.locked);
    const bool in_vain = woke_in_vain(round);
    /* A thread of the program that sleeps in a wait leaves progress to this one. */
    const bool may_nap = !net_port.moving && !job_seat(self.pe)->asleep;
    const bool adds = round->adds && round->is_driven;
    if (may_nap && (in_vain || (armed && round->is_driven && (round->was_woken || adds)))) {
        asleep = false; /* woken for what the program was about to do */
        const bool watches = adds && armed && !in_vain; /* MUTANT requests end a nap: adds && armed => false && armed */
        if (in_vain || adds ? nap_as_usual(others, watches) : nap(NAP_LEAST, false, NULL))
            last.driven = net_port.driven;
        last.woken = last.has_called = nap_heard;
    } else if (!armed) {
        if (adds)
            nap_as_usual(others, false);
        else if (net_port.driven - last.driven < DRIVEN_LEAST && !last.locked)
            nap(NAP_LEAST, false, NULL);
    } else if (!round->useful && ++last.fruitless > FRUITLESS) {
        pause_after_fruitless();
    } else {
        sleep_until_woken(round->useful, others);
    }
}

static void *run(void *unused)
{
    (void)unused;
    avoided = -1;
    if (sched_getaffinity(0, sizeof home, &home) == 0)
        thread_number = gettid();
    threads_own(gettid());
    begin_rounds();
    while (!stopping) {
        struct round round = begin_round();
        come_home();
        const uint64_t others = look_at_others();
        if (!round.is_driven || round.was_woken || round.adds || nap_as_usual(others, false))
            serve_and_rest(&round, others);
    }
    return NULL;
}

/* If the program's stack is unlimited, a thread's default stack has 2 MiB. */
static bool start(void)
{
    pthread_attr_t attributes;
    size_t stack;
    if (pthread_attr_init(&attributes) != 0)
        return false;
    if (pthread_attr_getstacksize(&attributes, &stack) == 0 && stack < STACK)
        pthread_attr_setstacksize(&attributes, STACK);
    const bool started = pthread_create(&thread, &attributes, run, NULL) == 0;
    pthread_attr_destroy(&attributes);
    return started;
}

void thread_start_anyway(void)
{
    if (running)
        return;
    stopping = asleep = reminded = unlooked = net_port.urged = false;
    event_fd = net_provider->event_fd(net_port.provider);
    wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
    /* Signals are for the program's threads, except faults in its functions here, whose handlers must run. */
    static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE};
    sigset_t all, before;
    sigfillset(&all);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        sigdelset(&all, faults[i]);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    running = event_fd >= 0 && wake_fd >= 0 && timer_fd >= 0 && start();
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    wait_sleeps = take_over;
    net_port.ring = running ? ring : NULL;
    net_port.goes_on = running ? put_off : NULL;
    if (!running)
        job_fatal("shmem_init", "cannot start the thread that makes progress; SHMEM_PROGRESS=none does without it");
}

bool thread_start(void)
{
    enum { AUTO, THREAD, NONE };
    const bool wanted = setting_choice(SETTING_SHMEM_PROGRESS) != NONE;
    if (wanted)
        thread_start_anyway();
    return wanted;
}

void thread_stop(void)
{
    wait_sleeps = (bool (*)(void))NULL; /* clang requires the cast */
    if (running) {
        stopping = true;
        ring();
        pthread_join(thread, NULL);
    }
    running = false;
    net_port.ring = net_port.goes_on = NULL;
    thread_number = 0;
    if (wake_fd >= 0)
        close(wake_fd);
    if (timer_fd >= 0)
        close(timer_fd);
    if (others_fd >= 0)
        close(others_fd);
    event_fd = wake_fd = timer_fd = others_fd = -1;
}
