/* sources: src/time/pe_clock.c src/time/lines.c src/time/turns.c src/time/places.c src/time/computing.c */
/* sources: src/wait/wait.c */
/* sources: src/wait/note.c src/common/clock.c src/common/futex.c */
/* sources: src/job/share.c src/job/alert.c src/job/flush.c */
/* What a PE's threads report about their sleep if they are woken immediately, the length of the first sleep, how
 * often an idle PE polls, how long it yields before that, that it does not yield while other processes compute or while
 * a yield would be in vain, that it yields to a PE that computes, and how often it wakes up if PEs share processors. */
#include "../check.h"
#include "common/clock.h"
#include "job/backtrace.h"
#include "wait/wait.h"

#include <dlfcn.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <time.h>

/* A job of one PE, as far as waits are concerned. */
struct self self;
_Thread_local const char *outer_routine;
void job_check_launcher(void) {}
void job_even_out(void) {}
void backtrace_place(char *text, size_t room) { (void)text, (void)room; }
const char *job_routine(const char *routine) { return routine; }
void job_fatal(const char *routine, const char *text, ...) { (void)routine, (void)text; abort(); }

static struct job_pe *seat;

/* A wait that has already spun and yielded: its first step is to fall asleep. */
static struct wait sleepy(const uintptr_t *word)
{
    return (struct wait){.routine = "test", .for_pe = -1, .from = (uintptr_t)word, .to = (uintptr_t)(word + 1),
                         .slow_turns = 1, .since = clock_now(), .checked = clock_now()};
}

/* Whether a store to the word would wake the waiter. */
static bool is_told(const uintptr_t *word)
{
    return seat->asleep_to > (uintptr_t)word && seat->asleep_from < (uintptr_t)(word + 1);
}

enum { TURNS = 200000 };
static uintptr_t words[2];
static long untold[2];

static void *sleep_and_wake(void *which)
{
    const uintptr_t *word = which;
    for (int i = 0; i < TURNS; i++) {
        struct wait w = sleepy(word);
        wait_slowly(&w);
        untold[word - words] += !is_told(word);
        wait_end(&w);
    }
    return NULL;
}

static void two_sleepers(void)
{
    pthread_t thread[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, sleep_and_wake, &words[i]);
    for (int i = 0; i < 2; i++) {
        pthread_join(thread[i], NULL);
        CHECK(untold[i] == 0, "thread %d fell asleep %ld times without a request to wake it", i, untold[i]);
    }
    CHECK(seat->asleep == 0 && seat->asleep_to == 0, "%u are said to sleep, to %p", seat->asleep,
          (void *)seat->asleep_to);
}

/* Replaces the C library's function and records the time limit of a sleep. Like the original, it takes six arguments
 * even if the caller passes fewer. */
static uint64_t sleep_limit; /* ns */

__attribute__((no_sanitize("address"))) long syscall(long number, ...)
{
    long a[6];
    va_list list;
    va_start(list, number);
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(list, long);
    va_end(list);
    if (number == SYS_futex && a[1] == FUTEX_WAIT && a[3]) {
        const struct timespec *const limit = (const struct timespec *)a[3];
        sleep_limit = (uint64_t)limit->tv_sec * 1000000000u + (uint64_t)limit->tv_nsec;
    }
    long (*real)(long, ...);
    *(void **)&real = dlsym(RTLD_NEXT, "syscall");
    return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* A wake can be missed while the PE falls asleep. Therefore the first sleep is short, also if the wait has had no
 * processor for ten seconds. Later sleeps are as long as such a wait allows. */
static void first_sleep(void)
{
    struct wait w = sleepy(&words[0]);
    w.since -= 10000000000u;
    for (int sleeps = 0; sleeps <= 2; sleeps++) { /* 0: the wait falls asleep, and its caller polls once more */
        sleep_limit = 0;
        wait_slowly(&w);
        const uint64_t expected[] = {0, 50000, 10000000};
        CHECK(sleep_limit == expected[sleeps], "after %d sleeps the next is %lu ns at most, not %lu", sleeps,
              (unsigned long)sleep_limit, (unsigned long)expected[sleeps]);
    }
    wait_end(&w);
}

/* Half a second of a wait that has lasted two seconds; on a busy machine the wait only polls less often. */
static void idle(void)
{
    struct wait w = sleepy(&words[0]);
    const uint64_t begin = clock_now();
    int looks = 0;
    w.since = begin - 2000000000u;
    while (clock_now() - begin < 500000000u) {
        wait_turn(&w);
        looks++;
    }
    wait_end(&w);
    CHECK(looks < 200, "%d looks in half a second", looks);
}

/* Binds the test to one processor; returns those on which it could run before. */
static cpu_set_t stay_here(void)
{
    cpu_set_t all, one;
    sched_getaffinity(0, sizeof all, &all);
    CPU_ZERO(&one);
    CPU_SET((size_t)sched_getcpu(), &one);
    sched_setaffinity(0, sizeof one, &one);
    return all;
}

/* A wait whose processor was taken from another PE's wait sleeps without yielding before. */
static void neighbour(void)
{
    const cpu_set_t all = stay_here();
    const int here = sched_getcpu() + 1;
    self.n_near = 2;
    for (int where = 0; where <= 2; where++) {
        const bool is_here = where == 1;
        job_seat(1)->waits_on = is_here ? here : where ? here + 1 : 0;
        struct wait w = {.routine = "test", .for_pe = -1};
        wait_slowly(&w);
        CHECK(w.armed == is_here, "another PE waits on processor %d, this PE on %d: this PE %s", job_seat(1)->waits_on,
              here, w.armed ? "sleeps" : "yields");
        CHECK(seat->waits_on == here, "the PE's record says that the PE waits on %d, not on %d", seat->waits_on, here);
        wait_end(&w);
        CHECK(seat->waits_on == 0, "the PE's record says that the PE waits on %d, after the wait", seat->waits_on);
    }
    self.n_near = 1;
    sched_setaffinity(0, sizeof all, &all);
}

/* If a yield does not let others run, a wait wakes another thread that sleeps on its processor before it sleeps. */
static void several_groups(void)
{
    const cpu_set_t all = stay_here();
    const int here = sched_getcpu() + 1;
    struct job_pe *other = job_seat(1);
    self.n_near = 2;
    self.crowded = self.apart = true;
    for (int where = 0; where <= 4; where++) {
        self.processors = where != 3; /* three waits are too many for one processor, here two for none */
        other->waits_on = where == 2 ? here + 1 : here;
        other->asleep = where != 0;
        const uint32_t rung = other->doorbell;
        uint64_t limit = 0;
        struct wait w = {.routine = "test", .for_pe = where == 4 ? JOB_FOR_HOLDER : -1};
        for (int turns = 0; !limit; turns++) {
            w.yield_until = UINT64_MAX; /* turns may take long on a busy machine */
            sleep_limit = 0;
            wait_slowly(&w);
            limit = sleep_limit;
            CHECK(!limit || turns, "the wait sleeps without checking its condition again");
        }
        const uint32_t expected = where == 1 || where == 4;
        CHECK(other->doorbell - rung == expected, "another PE %s on processor %d, this one on %d: %u wakes",
              other->asleep ? "sleeps" : "runs", other->waits_on, here, other->doorbell - rung);
        CHECK(limit == (where == 1 ? 1000000 : 50000), "the wait sleeps for %lu ns at most", (unsigned long)limit);
        CHECK(seat->waits_on == here, "the PE's record says that the PE waits on %d, not on %d", seat->waits_on, here);
        wait_end(&w);
        CHECK(!seat->asleep, "the PE's record says that the PE sleeps, after the wait");
    }
    other->asleep = 0;
    self.n_near = 1;
    self.crowded = self.apart = false;
    sched_setaffinity(0, sizeof all, &all);
}

/* If a control group has a quota, other processes lack the time that a wait spends. */
static void rationed(void)
{
    for (int i = 0; i < 2; i++) {
        struct wait w = {.routine = "test", .for_pe = -1};
        self.rationed = i;
        wait_slowly(&w);
        const uint64_t yields = w.yield_until - w.since, most = i ? 50000 : 500000;
        CHECK(yields == most, "the wait yields for %lu ns, not for %lu", (unsigned long)yields, (unsigned long)most);
        wait_end(&w);
    }
    self.rationed = false;
}

/* Replaces the C library's function with a clock that stands still between yields: a yield takes the time that
 * another process computes. */
static uint64_t clock_ns, yield_ns; /* 0: the clock runs */
static int yields;

int clock_gettime(clockid_t clock, struct timespec *t)
{
    int (*real)(clockid_t, struct timespec *);
    *(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
    if (!clock_ns)
        return real(clock, t);
    *t = (struct timespec){.tv_sec = (time_t)(clock_ns / 1000000000u), .tv_nsec = (long)(clock_ns % 1000000000u)};
    return 0;
}

static void (*in_yield)(void); /* what the process does that gets the processor */

int sched_yield(void)
{
    yields++;
    clock_ns += clock_ns ? yield_ns : 0;
    if (in_yield)
        in_yield();
    return 0;
}

/* How many of so many waits begin with a yield; the PE runs for so long before each. */
static int begin_yielding(int waits, uint64_t runs_ns)
{
    yields = 0;
    for (int i = 0; i < waits; i++) {
        struct wait w = {.routine = "test", .for_pe = -1};
        clock_ns += runs_ns;
        wait_slowly(&w);
        wait_end(&w);
    }
    return yields;
}

/* Waits whose yields give the processor to a computing process sleep immediately instead, but try a yield now and
 * then. This does not apply if the PE itself runs that long between the yields, or if only PEs take turns. */
static void loses_slices(void)
{
    enum { US = 1000, MS = 1000000 };
    clock_ns = clock_now();
    yield_ns = 20 * US;
    CHECK(begin_yielding(100, 10 * US) == 100, "%d waits of 100 yield among PEs", yields);
    yield_ns = 4 * MS;
    CHECK(begin_yielding(100, 4 * MS) == 100, "%d waits of 100 yield if the PE runs as long as others", yields);
    begin_yielding(60000, 10 * US);
    CHECK(yields >= 4 && yields <= 8, "%d waits in 600 ms yield if other processes compute", yields);
    yields = 0;
    for (int i = 0; i < 100; i++)
        wait_give_away();
    CHECK(yields == 0, "wait_give_away yields %d times of 100 if other processes compute", yields);
    yield_ns = 20 * US;
    begin_yielding(60000, 10 * US);
    CHECK(yields >= 30000, "%d waits of 60000 yield if other processes have computed before", yields);
    clock_ns = 0;
}

/* How many of so many turns of a wait for a word yield. The other PE of the processor has published *word == value. */
static int yields_beside(const uintptr_t *word, uint64_t value, int turns)
{
    job_seat(1)->awaits_not = value;
    job_seat(1)->awaits = (uintptr_t)word;
    struct wait w = {.routine = "test", .for_pe = -1, .word = (const void *)&words[0]};
    yields = 0;
    for (int i = 0; i < turns; i++) {
        w.yield_until = UINT64_MAX; /* turns may take long on a busy machine */
        wait_slowly(&w);
        CHECK(!self.processors || (seat->awaits == (uintptr_t)&words[0] && seat->awaits_not == words[0]),
              "it says that it waits for %#lx not to be %lu", (unsigned long)seat->awaits,
              (unsigned long)seat->awaits_not);
        CHECK(i || !yields || !self.processors, "it yields before its caller has checked the condition again");
    }
    wait_end(&w);
    CHECK(!seat->awaits, "it says that it waits after the wait");
    return yields;
}

/* From here on, PE 1 has last waited on this PE's processor, the only one. Returns the processors of before. */
static cpu_set_t share_processor(void)
{
    const cpu_set_t all = stay_here();
    self.n_near = 2;
    self.processors = 1;
    self.crowded = true;
    job_seat(1)->waits_on = sched_getcpu() + 1;
    return all;
}

static void end_sharing(cpu_set_t all)
{
    self.n_near = 1;
    self.processors = 0;
    self.crowded = false;
    sched_setaffinity(0, sizeof all, &all);
}

/* If two PEs share a processor and the other one waits, too, a wait spins for some turns before it yields: the other PE
 * could only yield. If the word of the other PE has changed, that PE goes on after a yield. */
static void others_wait(void)
{
    const cpu_set_t all = share_processor();
    words[1] = 7;
    CHECK(yields_beside(&words[1], 7, 6) == 0, "%d yields while the other PE waits", yields);
    CHECK(yields_beside(&words[1], 7, 16) == 10, "%d yields in ten turns after the spinning", yields);
    CHECK(yields_beside(&words[1], 6, 10) == 9, "%d yields in nine turns when the other PE can go on", yields);
    CHECK(yields_beside(NULL, 0, 10) == 9, "%d yields in nine turns while the other PE computes", yields);
    job_seat(1)->asleep = 1;
    CHECK(yields_beside(NULL, 0, 6) == 0, "%d yields while the other PE sleeps", yields);
    job_seat(1)->asleep = 0;
    self.processors = 0;
    CHECK(yields_beside(&words[1], 7, 10) == 10, "%d yields in ten turns with more than two PEs a processor", yields);
    end_sharing(all);
}

static void ends_wait(void)
{
    words[0]++;
}

static void waits_then(void)
{
    words[0]++;
    job_seat(1)->awaits_not = words[1];
    job_seat(1)->awaits = (uintptr_t)&words[1];
}

/* How many times a wait yields before it sleeps, each yield a time slice of 3 ms for the PE that computes. */
static int slices_given(void (*then)(void))
{
    enum { US = 1000, MS = 1000000 };
    job_seat(1)->awaits = 0;
    clock_ns += 10 * US;
    yields = 0;
    yield_ns = 3 * MS;
    in_yield = then;
    struct wait w = {.routine = "test", .for_pe = -1, .word = (const void *)&words[0]};
    while (!w.armed)
        wait_slowly(&w);
    wait_end(&w);
    in_yield = (void (*)(void))NULL;
    return yields;
}

/* A PE that computes on this PE's processor gets several time slices, unless the wait could have ended meanwhile. Such
 * slices do not count as lost to other processes. */
static void gives_slices(void)
{
    const cpu_set_t all = share_processor();
    clock_ns = clock_now() + 10000000000u; /* waits yield again */
    for (int i = 0; i < 10; i++)
        CHECK(slices_given(NULL) == 3, "wait %d gives %d slices to a PE that computes", i, yields);
    CHECK(slices_given(waits_then) == 2, "a wait yields %d times if the other PE waits after the first", yields);
    self.rationed = true;
    CHECK(slices_given(NULL) == 1, "with a quota, a wait gives %d slices to a PE that computes", yields);
    self.rationed = false;
    CHECK(slices_given(ends_wait) == 1, "a wait that could have ended gives %d slices", yields);
    for (int i = 0; i < 10; i++)
        slices_given(ends_wait);
    CHECK(slices_given(NULL) == 0, "after many waits that could have ended, a wait gives %d slices", yields);
    clock_ns = 0;
    end_sharing(all);
}

static bool yes(void)
{
    return true;
}

/* The end of a sleep interrupts a PE that computes on the same processor: the sleeps of 10 ms get longer soon. */
static void few_sleeps(bool another_thread_makes_progress)
{
    int turns = 0;
    self.crowded = true;
    wait_sleeps = another_thread_makes_progress ? yes : (bool (*)(void))NULL;
    clock_ns = clock_now();
    struct wait w = sleepy(&words[0]);
    for (const uint64_t end = clock_ns + 10000000; clock_ns < end; turns++) {
        sleep_limit = 0;
        wait_slowly(&w);
        clock_ns += sleep_limit;
    }
    wait_end(&w);
    clock_ns = 0;
    wait_sleeps = (bool (*)(void))NULL;
    self.crowded = false;
    CHECK(turns <= 20, "%d turns in 10 ms", turns);
}

int main(void)
{
    struct job *job = calloc(1, job_bytes(2) + 128);
    if (!job)
        return 1;
    job = (struct job *)(((uintptr_t)job + 127) / 128 * 128);
    job->n_pes = 2;
    self = (struct self){.job = job, .n_pes = 1, .n_near = 1};
    seat = job_seat(0);
    two_sleepers();
    first_sleep();
    idle();
    neighbour();
    several_groups();
    rationed();
    others_wait();
    loses_slices();
    gives_slices();
    few_sleeps(false);
    few_sleeps(true);
    return check_result();
}
