/* sources: src/net/thread.c */
/* How often the progress thread sleeps, polls or naps. One network never signals that data has arrived, as libfabric's
 * TCP provider never signals puts; the descriptor of the other is readable without reason. The test controls the
 * clock. */
#include "../check.h"

#include "job/thread_affinity.h"
#include "job/settings.h"
#include "time/virtual.h"
#include "job/own_threads.h"
#include "wait/wait.h"
#include "net/failure.h"
#include "net/progress.h"
#include "net/thread.h"
#include "net/tune.h"

#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { PARTS = 50, NAPS = 12, TICK = 1000 };

/* --- the library's parts that the thread needs -------------------------------------------------------------------- */

struct self self;
struct port net_port = {.lock = PTHREAD_MUTEX_INITIALIZER};
struct net_tune net_tune;
_Atomic bool net_failure_known, net_failure_news;
bool (*_Atomic wait_sleeps)(void);
bool virtual_on, virtual_threads;

_Thread_local struct port *port_awaited;
void failure_tell(void) {}
void threads_own(int thread) { (void)thread; }
void wait_note_moves(void) {}
bool send_beside(pid_t number, int processor) { (void)number, (void)processor; return false; }
int setting_choice(enum setting s) { (void)s; return 0; }
uint64_t virtual_now(void) { return 0; }
void port_unlock_in_time(struct port *port) { (void)port; }
void virtual_wake(int pe, uint64_t at) { (void)pe, (void)at; }

void job_fatal(const char *routine, const char *text, ...)
{
    fprintf(stderr, "%s: %s\n", routine, text);
    abort();
}

static _Atomic uint64_t clock_ns = 1;
uint64_t clock_now(void)
{
    return TICK + atomic_fetch_add(&clock_ns, TICK);
}

/* --- the network, and what the thread does ------------------------------------------------------------------------ */

static int descriptor;
static bool leaves_it; /* progress does not read the descriptor, so it stays readable */
static _Atomic long looks, parts, sleeps, naps, longest_nap, nap_length, napping, timings;
static _Atomic bool asks;   /* each part requests a reply */
static _Atomic bool calls;  /* the program sends something during each nap */
static _Atomic bool requests, requested; /* a request arrives during each nap; in this one */
static _Atomic bool drives; /* the program makes progress; the test ends long naps */
static _Atomic bool adds;   /* the program adds records during each nap, and makes no progress */
static _Atomic bool endless; /* no timer ends a nap */
static _Atomic int timer;

bool progress_poll(struct port *port)
{
    uint64_t n;
    looks++;
    if (!leaves_it && read(descriptor, &n, sizeof n) > 0) {
        port->asked += asks || requested;
        requested = false;
        parts += (long)n;
    }
    return false;
}

static int event_fd(struct provider_port *port) { (void)port; return descriptor; }
static bool may_sleep(struct provider_port *port) { (void)port; return true; }
static const struct provider fake = {.event_fd = event_fd, .arm = may_sleep};
const struct provider *net_provider = &fake;

static void send(void)
{
    const uint64_t one = 1;
    CHECK(write(descriptor, &one, sizeof one) == sizeof one, "a part has not been sent");
}

int poll(struct pollfd *fds, nfds_t n, int milliseconds)
{
    struct timespec left = {.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000L};
    const bool is_nap = n < 4;
    if (is_nap && (drives || adds))
        net_port.driven += 10;
    if (is_nap && drives)
        net_port.turns += 10;
    if (is_nap && calls)
        net_port.posted++;
    if (is_nap && requests) {
        requested = true;
        send();
    }
    napping = is_nap ? nap_length : 0;
    naps += is_nap;
    sleeps += !is_nap && milliseconds != 0;
    return (int)syscall(SYS_ppoll, fds, n, milliseconds < 0 ? NULL : &left, NULL, (size_t)8);
}

static _Atomic bool races, stopping_timer, is_past;
static _Atomic int interrupted;

/* Waits up to 20 ms. */
static void await_flag(const _Atomic bool *flag)
{
    for (int rests = 0; !*flag && rests < 200; rests++)
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
}

/* Stops the program, somewhere in thread_kick_later, until the thread stops the timer. */
static void interrupt(int signal)
{
    (void)signal;
    await_flag(&stopping_timer);
    interrupted++;
}

static int set_timer(int fd, long ns)
{
    const struct itimerspec end = {.it_value.tv_nsec = ns};
    return (int)syscall(SYS_timerfd_settime, fd, 0, &end, NULL);
}

int timerfd_settime(int fd, int flags, const struct itimerspec *end, struct itimerspec *old)
{
    (void)flags, (void)old;
    const long ns = end->it_value.tv_nsec;
    timer = fd;
    if (ns) { /* not at the end of a nap */
        nap_length = ns;
        longest_nap = ns > longest_nap ? ns : longest_nap;
        timings++;
    } else if (races) {
        stopping_timer = true;
        await_flag(&is_past);
    }
    return set_timer(fd, endless || (drives && ns >= 1000000) ? 0 : ns);
}

/* Thousands of polls that each yield the processor last minutes if many other processes compute. */
int sched_yield(void)
{
    return 0;
}

/* --- the test's side ---------------------------------------------------------------------------------------------- */

static void rest(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL); /* late on purpose */
}

static void await(const _Atomic long *count, long least)
{
    for (long rests = 0; *count < least; rests++) {
        if (rests == 100000) {
            CHECK(false, "the thread did something %ld times, and %ld were waited for", *count, least);
            exit(check_result());
        }
        rest();
    }
}

static void start(bool program_sleeps)
{
    descriptor = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    job_seat(0)->asleep = program_sleeps;
    looks = parts = sleeps = naps = longest_nap = timings = 0;
    thread_start();
}

static void stop(void)
{
    thread_stop();
    close(descriptor);
    leaves_it = false;
}

/* Each segment ends a sleep. The thread also handles the next segment, although the network signals nothing. */
static void parts_come(bool program_sleeps)
{
    start(program_sleeps);
    for (long i = 1; i <= PARTS; i++) {
        await(&sleeps, i);
        send();
        await(&parts, i);
    }
    CHECK(naps == 0, "the thread has napped %ld times while %d parts arrived without other progress", naps, PARTS);
    stop();
}

/* The thread has slept while the program computed, and the program has made progress again since. The thread then
 * handles the event that wakes it and naps, because the program itself will find what arrives next. A segment, or a
 * record that the program adds, ends each sleep. */
static void program_is_back(void)
{
    start(false);
    for (long i = 1; i <= PARTS; i++) {
        await(&sleeps, i);
        net_port.driven += 10;
        if (i % 2)
            send();
        else
            thread_kick(&net_port);
        await(&naps, i);
    }
    await(&sleeps, PARTS + 1);
    CHECK(naps == PARTS, "the thread has napped %ld times after %d sleeps of it", naps, PARTS);
    CHECK(parts == PARTS / 2, "of %d parts %ld have been received", PARTS / 2, parts);
    stop();
}

/* Naps while parts arrive, before each of which the program has sent something. */
static long naps_of_sender(bool wants_replies, bool program_sleeps)
{
    asks = wants_replies;
    start(program_sleeps);
    for (long i = 1; i <= PARTS; i++) {
        await(&sleeps, i);
        net_port.posted++;
        send();
        await(&parts, i);
    }
    await(&sleeps, PARTS + 1);
    const long napped = naps;
    stop();
    asks = false;
    return napped;
}

/* No PE waits for a reply, and the program, which continues to send, receives the parts itself. From the fourth part
 * on, the thread naps. The naps become longer while the program sends during them. */
static void woken_in_vain(void)
{
    enum { FIRST = 4 };
    long napped = naps_of_sender(false, false);
    CHECK(napped == PARTS - FIRST + 1, "the thread has napped %ld times after %d wakes in vain", napped, PARTS);
    CHECK(longest_nap == 100000, "the longest nap is %ld ns, although the program did nothing meanwhile", longest_nap);
    napped = naps_of_sender(true, false);
    CHECK(napped == 0, "the thread has napped %ld times while peers waited for replies", napped);
    napped = naps_of_sender(false, true);
    CHECK(napped == 0, "the thread has napped %ld times while the program slept in a wait", napped);
    requests = true;
    napped = naps_of_sender(false, false);
    CHECK(napped == PARTS / FIRST, "the thread has napped %ld times, though a request came in each nap", napped);
    requests = false;
    calls = true;
    naps_of_sender(false, false);
    CHECK(longest_nap == 1000000, "the longest nap is only %ld ns, although the program went on", longest_nap);
    calls = false;
}

/* The descriptor is readable, but nothing arrives, as during a connection's setup: the thread must not keep a processor
 * busy. */
static void nothing_comes(void)
{
    leaves_it = true;
    start(false);
    send();
    await(&naps, NAPS);
    CHECK(longest_nap == 1000000, "of %ld naps the longest is one of %ld ns", naps, longest_nap);
    const long looked = looks;
    CHECK(looked <= 2 * naps + 20, "the thread has looked %ld times, for nothing", looked);
    stop();
}

/* Checks whether the thread, after this many ns, has postponed the nap's end by `more` ns; 0: it has not. */
static void goes_on(uint64_t ns, long more)
{
    const long before = timings;
    clock_ns += ns;
    net_port.goes_on();
    CHECK(timings == before + (more != 0), "after %lu ns, the nap's end has been postponed %ld times",
          (unsigned long)ns, timings - before);
    CHECK(!more || (nap_length >= more && nap_length < more + 50 * TICK), "the nap ends %ld ns later, not %ld",
          nap_length, more);
}

/* The thread sleeps; the program makes progress again, for so long that the thread's naps become long. */
static void drive(void)
{
    net_port.driven += 10;
    net_port.turns += 10;
    thread_kick(&net_port);
    await(&napping, 1000000);
}

/* The program's progress postpones the nap's end. If the program has made none for long, the thread polls soon. */
static void program_goes_on(void)
{
    drives = true;
    start(false);
    await(&sleeps, 1);
    drive();
    const long napped = naps;
    goes_on(100000, 0);
    goes_on(500000, 1000000);
    goes_on(0, 0);
    goes_on(800000, 1400000);
    goes_on(1200000, 2000000);
    goes_on(1800000, 2000000);
    CHECK(naps == napped, "%ld naps instead of one", naps - napped + 1);
    drives = false;
    set_timer(timer, 1);
    await(&naps, napped + 1);
    await(&sleeps, 2);
    CHECK(nap_length == 100000, "the nap after a long one is one of %ld ns", nap_length);
    stop();
}

/* The program adds records without end, and never makes progress itself: the thread sends them, and serves peers. */
static void program_only_adds(void)
{
    start(false);
    await(&sleeps, 1);
    adds = true;
    net_port.driven += 10;
    thread_kick(&net_port);
    await(&naps, 1);
    const long napped = naps;
    for (long i = 1; i <= PARTS; i++) {
        send();
        await(&parts, i);
    }
    CHECK(naps <= napped + 3 * PARTS, "%ld naps until %d parts were received", naps - napped, PARTS);
    adds = false;
    stop();
}

/* The program adds records, and makes no progress: a request ends a nap. If the network reports only other messages,
 * they do not end naps any more. */
static void requests_end_naps(void)
{
    enum { FIRST = 4 };
    start(false);
    await(&sleeps, 1);
    adds = endless = asks = true;
    net_port.driven += 10;
    thread_kick(&net_port);
    for (long i = 1; i <= PARTS; i++) {
        await(&naps, i);
        send();
        await(&parts, i);
    }
    asks = false;
    for (long i = PARTS + 1; i < PARTS + FIRST; i++) {
        await(&naps, i);
        send();
        await(&parts, i);
    }
    await(&naps, PARTS + FIRST);
    const long before = naps;
    send();
    for (int i = 0; i < 100; i++)
        rest();
    CHECK(naps <= before + 1, "messages that request nothing have ended %ld naps", naps - before);
    adds = endless = false;
    stop();
}

/* PEs share processors: a check takes the processor from one of them, so it comes once in a time slice. */
static void processors_are_shared(void)
{
    drives = self.crowded = true;
    start(false);
    await(&sleeps, 1);
    drive();
    CHECK(nap_length == 4000000, "the nap beside other PEs is one of %ld ns", nap_length);
    drives = false;
    set_timer(timer, 1);
    await(&sleeps, 2);
    stop();
    self.crowded = false;
}

/* The program moves much data in one turn, with the lock: the thread has nothing to do, and must not take a processor
 * from a PE again and again. */
static void program_has_the_lock(void)
{
    start(false);
    await(&sleeps, 1);
    pthread_mutex_lock(&net_port.lock);
    send();
    await(&naps, NAPS);
    CHECK(longest_nap == 1000000, "of %ld naps the longest is one of %ld ns", naps, longest_nap);
    pthread_mutex_unlock(&net_port.lock);
    stop();
}

/* Posts a large operation, and makes progress after so many ns, in a wait; returns whether it has woken the thread. */
static bool rung_for(uint64_t ns)
{
    const long slept = sleeps;
    net_port.urged = false;
    thread_urge(&net_port, false);
    const bool rung = net_port.urged;
    clock_ns += ns;
    net_port.goes_on();
    if (rung) {
        await(&sleeps, slept + 1);
        drive();
    }
    return rung;
}

/* A program that has waited as soon as it had posted large operations is expected to do so again. */
static void program_waits(void)
{
    drives = true;
    start(false);
    await(&sleeps, 1);
    drive();
    CHECK(rung_for(0), "the first large operation does not wake the thread");
    CHECK(!rung_for(0), "an operation wakes the thread, though the program waited at once for the last one");
    CHECK(!rung_for(100000), "an operation wakes the thread, though the program waited at once for the last two");
    CHECK(rung_for(100000), "an operation does not wake the thread, though the program computed before the last wait");
    drives = false;
    set_timer(timer, 1);
    stop();
}

/* The number of polls between a sleep of so many ns and the next sleep. */
static long looks_after(uint64_t ns)
{
    const long slept = sleeps, looked = looks;
    clock_ns += ns;
    send();
    await(&sleeps, slept + 1);
    return looks - looked;
}

/* While the program sleeps, the thread polls for the next arrival, for longer if the last one was early; otherwise
 * it never polls. */
static void watches(void)
{
    start(true);
    await(&sleeps, 1);
    const long soon = looks_after(0), late = looks_after(10000000), soon_again = looks_after(0);
    CHECK(late * TICK < 100000, "%ld looks after a long sleep", late);
    CHECK(soon * TICK > 200000 && soon * TICK < 400000, "%ld looks after a short sleep", soon);
    CHECK(soon_again * TICK > 200000, "%ld looks after another short one", soon_again);
    stop();
    start(false);
    await(&sleeps, 1);
    const long computing = looks_after(0);
    CHECK(computing <= 4, "%ld looks while the program computes", computing);
    stop();
}

/* The program delays a put while the timer of an earlier one ends the thread's sleep. Then it delays a put in the next
 * sleep, which must end, too. */
static void sleep_ends_meanwhile(void)
{
    signal(SIGALRM, interrupt);
    start(false);
    for (int i = 1; i <= 2 * PARTS && !check_failures; i++) {
        const int before = interrupted;
        await(&sleeps, 2 * i - 1);
        stopping_timer = is_past = false;
        races = true;
        setitimer(ITIMER_REAL, &(struct itimerval){.it_value.tv_usec = 200}, NULL);
        while (interrupted == before)
            thread_kick_later(&net_port);
        is_past = true;
        await(&sleeps, 2 * i);
        races = false;
        thread_kick_later(&net_port);
    }
    stop();
}

int main(void)
{
    struct job *job = calloc(1, sizeof *job + sizeof job->pe[0]);
    job->n_pes = 1;
    self = (struct self){.job = job, .n_pes = 1, .n_near = 1};
    parts_come(false);
    parts_come(true);
    program_is_back();
    woken_in_vain();
    nothing_comes();
    watches();
    program_goes_on();
    program_only_adds();
    requests_end_naps();
    processors_are_shared();
    program_has_the_lock();
    program_waits();
    sleep_ends_meanwhile();
    return check_result();
}
