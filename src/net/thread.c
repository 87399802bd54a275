/* The thread that makes progress while none of the program's does.
 *
 * The thread sleeps until something comes (the provider's event descriptor).  While the program's threads make
 * progress themselves it keeps away: it looks now and then whether they still do, and only when they have stopped
 * does it arm the descriptor and sleep on it.  So a waiting PE is not slowed down by its own thread, and a computing
 * one is served.  To look takes the program 20 us, of which most are the timer's; so a program that goes on making
 * progress puts off the next look itself.
 *
 * A wait that has taken long goes to sleep, and leaves the progress to the thread alone.  Where messages come one
 * after the other to a PE that sleeps so, the thread watches for the next one a while before it sleeps too: waking up
 * costs more than serving.  It never does while the program computes: the processor is the program's.
 *
 * That something comes, the provider need not say: of a peer's puts and gets libfabric's tcp tells nothing here, and
 * UCX nothing of a part of a piece.  So what ends a sleep counts as something.  Only a descriptor that is readable
 * again and again before the sleep has begun, as while a connection is being made, is let alone for a while. */
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
#define NAP_MOST 1000000u  /* ns, unless its end is put off, */
#define NAP_LEFT 500000u   /* when no more than this is left: */
#define NAP_LONG 2000000u  /* by as long as it has lasted, between NAP_MOST and this */
#define DRIVEN_LEAST 3     /* turns of the program's threads during a nap that count as making progress */
#define WATCH_LEAST 50000u /* ns after the last message, where the program sleeps and a processor is to be had; */
#define WATCH_MOST 300000u /* where the last sleep was no longer than this: so long */
#define STACK ((size_t)8 << 20) /* bytes at least: it runs functions of the program's, which has so much as a rule */
#define FRUITLESS 4        /* times in succession that the descriptor was readable at once, for nothing */
#define PAUSE_LEAST 25000u /* ns of the first nap after those; each that follows takes twice as long, up to NAP_MOST */
#define KICK_TIME 1000000u /* ps of emulated time until somebody comes who has been kicked */

static pthread_t thread;
static bool running;
static _Atomic bool stopping;
static _Atomic bool asleep;  /* on the descriptors */
static _Atomic bool napping; /* since the program makes progress */
static _Atomic bool unlooked; /* does not look at other ports than net_port any more, until somebody rings */
/* net_port's; to ring; the end of a nap; an epoll instance of the other ports', once there are any. */
static int event_fd = -1, wake_fd = -1, timer_fd = -1, others_fd = -1;

/* --- its processor ------------------------------------------------------------------------------------------------ */

/* A record is served soonest where the thread is: on the processors of the PE, to which its launcher may have bound
 * it, perhaps one.  It interrupts the program there for a few microseconds.  To move something large takes long, and
 * is to go on beside the program: for that the thread goes to any other processor of the job. */
static _Atomic pid_t thread_number; /* 0: it stays at home */
static _Atomic int avoided = -1;    /* the processor that it keeps off */
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
    if (write(wake_fd, &one, sizeof one) < 0) { /* it is full: it rings already */
    }
}

/* Adding records counts as making progress, so that a burst is not sent record by record. Where time is emulated there
 * is no thread, but an event that does the same. */
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

/* Once for a burst of them: the others are found when the nap that they cause is over.  What has been posted and is
 * little goes into the sockets' buffers and on from there; to wake the thread for it costs more than it saves. */
void thread_urge(struct port *port, bool posted)
{
    if (posted && port->moving < net_tune.later)
        return;
    go_away(sched_getcpu());
    if (port->urged || !(napping || (asleep && !posted)))
        return;
    port->urged = true;
    asleep = false;
    ring();
}

bool thread_serves(void)
{
    return running && !self.crowded;
}

/* A thread of the program that has made progress stops doing so, and there may be more to come for it.  At a port of
 * its own it goes on looking itself. */
static bool take_over(void)
{
    if (port_awaited && port_awaited != &net_port)
        return false;
    if (napping || (asleep && net_port.alerts != self.job->alerts))
        ring();
    return true;
}

/* --- naps --------------------------------------------------------------------------------------------------------- */

static _Atomic uint64_t nap_began, nap_ends; /* ends: 0: that is not to be put off */

static void end_nap_in(uint64_t ns)
{
    timerfd_settime(timer_fd, 0, &(struct itimerspec){.it_value.tv_nsec = (long)ns}, NULL);
}

/* What the program's threads call now and then while they make progress. */
static void put_off(void)
{
    uint64_t end = nap_ends;
    const uint64_t at = end ? clock_now() : 0, lasts = at - nap_began;
    const uint64_t by = lasts < NAP_MOST ? NAP_MOST : lasts < NAP_LONG ? lasts : NAP_LONG;
    if (end && at + NAP_LEFT > end && atomic_compare_exchange_strong(&nap_ends, &end, at + by))
        end_nap_in(by);
}

/* lasts, unless it is NULL: the end may be put off, and was.  True: it was cut short. */
static bool nap(uint64_t ns, bool *lasts)
{
    struct pollfd any[] = {{.fd = wake_fd, .events = POLLIN}, {.fd = timer_fd, .events = POLLIN}};
    uint64_t rung;
    const uint64_t from = clock_now(), end = lasts && *lasts ? from + ns : 0;
    end_nap_in(ns);
    nap_began = from;
    nap_ends = end;
    napping = true;
    poll(any, 2, -1);
    napping = false;
    const bool was_put_off = atomic_exchange(&nap_ends, 0) != end;
    if (lasts)
        *lasts = was_put_off;
    return read(wake_fd, &rung, sizeof rung) > 0;
}

/* --- other ports than net_port ------------------------------------------------------------------------------------ */

/* With the lock: there is nothing to do now, and the descriptor will tell of more: once, for the thread whose port it
 * is may be quicker from then on. */
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

/* What has been begun there, as far as it goes.  The thread whose port it is looks after it while it waits.  True: it
 * is to be looked at again, by and by. */
static bool look_at(struct port *port, bool *came)
{
    const uint32_t driven = port->driven;
    bool any = driven == port->seen_driven || port->urged, again = true;
    port->seen_driven = driven;
    while (any && port->driven == driven && pthread_mutex_trylock(&port->lock) == 0) {
        any = progress_poll(port);
        again = any || !arm_once(port);
        *came |= any;
        port_unlock(port);
    }
    if (UNLIKELY(net_failure_news))
        failure_tell();
    return again;
}

/* For how long the thread may sleep until it looks at them again; 0: until somebody rings, or a descriptor tells.  What
 * is begun there with the port's lock is seen here, or who begins it sees `unlooked`. */
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

/* By poll, not by an epoll instance of all: the kernel would tell that of every message too, from within the sending,
 * while the program polls and nobody sleeps here.
 *
 * False: a descriptor was readable at once, and it is not that somebody has rung. */
static bool sleep_on_descriptors(uint64_t most)
{
    struct pollfd any[] = {{.fd = event_fd, .events = POLLIN},
                           {.fd = wake_fd, .events = POLLIN},
                           {.fd = others_fd, .events = POLLIN}};
    struct epoll_event event;
    uint64_t rung;
    const uint64_t from = clock_now();
    const bool at_once = poll(any, 3, 0) > 0;
    if (!at_once && !unlooked) /* others go on, or have rung since they were looked at, which a nap may have heard */
        ppoll(any, 3, &(struct timespec){.tv_nsec = (long)most}, NULL);
    else if (!at_once)
        poll(any, 3, net_failure_known ? 500 : -1);
    while (any[2].revents && epoll_wait(others_fd, &event, 1, 0) > 0) { /* each tells once */
    }
    asleep = false;
    watch_length = clock_now() - from < WATCH_MOST ? WATCH_MOST : WATCH_LEAST;
    return read(wake_fd, &rung, sizeof rung) > 0 || !at_once;
}

static uint64_t watch_time(void)
{
    return job_seat(self.pe)->asleep && !self.crowded && !self.rationed ? watch_length : 0;
}

/* With the lock. Who adds a record sees `asleep` before it lets go of the lock, who raises an alert sees it or is
 * seen. */
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

/* Everything that can be done until nothing more comes: then true, and the descriptor will tell of more.  False if
 * somebody else makes progress, or the descriptor cannot be armed though there is nothing to do. */
static bool serve_and_arm(struct port *port, bool *useful)
{
    const uint32_t seen = port->driven;
    uint64_t last = 0; /* when there was something, or the watch began */
    for (unsigned refused = 0; refused < FRUITLESS && !stopping && port->driven - seen < DRIVEN_LEAST;) {
        if (pthread_mutex_trylock(&port->lock) != 0)
            return false;
        port->stats.thread_turns++;
        const bool any = progress_poll(port);
        if (any)
            wait_note_moves();
        const uint64_t watch = any ? 0 : watch_time(), at = any || watch ? clock_now() : 0;
        if (any || !last)
            last = at;
        *useful |= any;
        const bool over = !any && at - last >= watch;
        const bool armed = over && arm(port);
        port_unlock(port);
        refused += over;
        if (UNLIKELY(net_failure_news))
            failure_tell();
        if (armed)
            return true;
        if (!any)
            sched_yield(); /* to another thread or PE that serves; without one it costs little */
    }
    return false;
}

static void *run(void *unused)
{
    (void)unused;
    avoided = -1;
    if (sched_getaffinity(0, sizeof home, &home) == 0)
        thread_number = gettid();
    threads_own(gettid());
    uint64_t length = NAP_LEAST;
    uint32_t seen = net_port.driven;
    watch_length = WATCH_LEAST;
    uint64_t pause = PAUSE_LEAST;
    unsigned fruitless = 0;
    bool woken = false;
    while (!stopping) {
        const uint32_t driven = net_port.driven;
        const bool is_driven = driven - seen >= DRIVEN_LEAST, was_woken = woken;
        bool useful = false;
        seen = driven;
        woken = false;
        come_home();
        const uint64_t others = look_at_others();
        bool lasts = length == NAP_MOST && !net_port.next;
        if (is_driven && !was_woken && !nap(others && others < length ? others : length, &lasts)) {
            length = lasts ? NAP_LEAST : length * 2 < NAP_MOST ? length * 2 : NAP_MOST;
        } else if (!serve_and_arm(&net_port, &useful)) {
            if (net_port.driven - seen < DRIVEN_LEAST)
                nap(NAP_LEAST, NULL);
        } else if (is_driven && was_woken && !net_port.moving) { /* for what the program would have done itself */
            asleep = false;
            if (nap(NAP_LEAST, NULL))
                seen = net_port.driven;
        } else if (!useful && ++fruitless > FRUITLESS) {
            fruitless = FRUITLESS - 1;
            asleep = false;
            nap(pause, NULL);
            pause = pause * 2 < NAP_MOST ? pause * 2 : NAP_MOST;
        } else {
            woken = sleep_on_descriptors(others);
            if (woken || useful) {
                fruitless = 0;
                pause = PAUSE_LEAST;
            }
            if (!woken)
                seen = net_port.driven;
            length = NAP_LEAST;
        }
    }
    return NULL;
}

/* Where the program's stack has no limit a thread gets two megabytes. */
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
    stopping = asleep = unlooked = net_port.urged = false;
    event_fd = net_provider->event_fd(net_port.provider);
    wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
    /* Signals are the program's, but for faults of its functions that run here: blocked, they pass by its handlers. */
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
    wait_sleeps = (bool (*)(void))NULL; /* clang takes no other */
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
