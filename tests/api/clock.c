/* shmemx_clock, shmemx_compute and shmemx_message_time. If time is emulated, also the C library's clocks, which must
 * agree, and time must pass in sleeps and yields. */
#include <shmem.h>
#include <shmemx.h>
#include "../check.h"

#include <sched.h>
#include <stdbool.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long flag;
static double sent;

static double clock_of(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Real time may be longer; emulated time advances a little with the program's own steps. A double with seconds
 * resolves a tenth of a nanosecond. */
static void check_passed(const char *what, double seconds, double least)
{
    CHECK(seconds >= least * 0.999999 - 1e-9, "%s of %g s takes %g s", what, least, seconds);
    CHECK(!shmemx_time_is_emulated() || seconds < least * 1.2 + 1e-4, "%s of %g s takes %g s", what, least, seconds);
}

static void compute(double seconds)
{
    const double before = shmemx_clock();
    shmemx_compute(seconds);
    check_passed("shmemx_compute", shmemx_clock() - before, seconds);
}

static void check_library(void)
{
    static const clockid_t clocks[] = {CLOCK_MONOTONIC, CLOCK_REALTIME, CLOCK_MONOTONIC_RAW};
    for (size_t i = 0; i < sizeof clocks / sizeof *clocks; i++) {
        const double before = clock_of(clocks[i]);
        shmemx_compute(0.002);
        const double passed = clock_of(clocks[i]) - before;
        /* CLOCK_REALTIME may be set back. */
        CHECK(clocks[i] == CLOCK_REALTIME || passed > 0.0019, "clock %zu: %g s", i, passed);
        CHECK(!shmemx_time_is_emulated() || (passed > 0.0019 && passed < 0.0025), "clock %zu: %g s", i, passed);
    }
    const double before = shmemx_clock(), there = clock_of(CLOCK_MONOTONIC), after = shmemx_clock();
    CHECK(there > before - 1e-6 && there < after + 1e-6, "%.9f between %.9f and %.9f", there, before, after);
}

/* They are known if time is emulated and there are several nodes. */
static void check_messages(void)
{
    bool known = false;
    for (int pe = 0; pe < shmem_n_pes(); pe++)
        known |= shmemx_time_is_emulated() && !shmem_ptr(&flag, pe);
    for (int which = SHMEMX_MESSAGE; which <= SHMEMX_NEAR_BYTE; which++)
        CHECK((shmemx_message_time(which) > 0) == known || which == SHMEMX_ACROSS, "%d takes %g s", which,
              shmemx_message_time(which));
    for (int which = SHMEMX_GROUPS; which <= SHMEMX_GROUP_PES; which++)
        CHECK(shmemx_message_time(which) == 0, "%d takes %g s, and no node has a shape", which,
              shmemx_message_time(which));
    shmemx_access(&flag, sizeof flag, shmem_my_pe(), 1);
    CHECK(shmemx_message_time(SHMEMX_MESSAGE) >= 2 * shmemx_message_time(SHMEMX_GAP) || !known,
          "an empty message takes %g s, and both processors %g s each", shmemx_message_time(SHMEMX_MESSAGE),
          shmemx_message_time(SHMEMX_GAP));
}

static void check_sleeps(void)
{
    const struct timespec t = {.tv_nsec = 3000000};
    double before = shmemx_clock();
    nanosleep(&t, NULL); /* its time is measured */
    check_passed("nanosleep", shmemx_clock() - before, 0.003);
    before = shmemx_clock();
    usleep(1500); /* its time is measured */
    check_passed("usleep", shmemx_clock() - before, 0.0015);
    const double until = clock_of(CLOCK_MONOTONIC) + 0.002;
    const struct timespec at = {.tv_sec = (time_t)until, .tv_nsec = (long)((until - (double)(time_t)until) * 1e9)};
    before = shmemx_clock();
    CHECK(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) == 0, "clock_nanosleep");
    check_passed("clock_nanosleep", shmemx_clock() - before, 0.0019);
    const unsigned whole = shmemx_time_is_emulated() ? 1 : 0; /* a real second is too long */
    before = shmemx_clock();
    CHECK(sleep(whole) == 0, "sleep"); /* its time is measured */
    check_passed("sleep", shmemx_clock() - before, whole);
    struct timespec utc;
    const double earlier = clock_of(CLOCK_REALTIME);
    CHECK(timespec_get(&utc, TIME_UTC) == TIME_UTC, "timespec_get");
    const double later = (double)utc.tv_sec + (double)utc.tv_nsec * 1e-9 - earlier;
    CHECK(!shmemx_time_is_emulated() || (later > -1e-6 && later < 0.001), "timespec_get: %g s later", later);
    struct timeval first, second;
    gettimeofday(&first, NULL);
    shmemx_compute(0.01);
    gettimeofday(&second, NULL);
    const double passed = (double)(second.tv_sec - first.tv_sec) + (double)(second.tv_usec - first.tv_usec) * 1e-6;
    CHECK(!shmemx_time_is_emulated() || (passed > 0.0099 && passed < 0.012), "gettimeofday: %g s", passed);
}

/* PE 0 is late; time advances during a loop of yields, in steps, and no PE is notified before PE 0 arrives. */
static void check_waiting(void)
{
    if (shmem_my_pe() == 0) {
        shmemx_compute(0.005);
        const double now = shmemx_clock();
        for (int pe = 0; pe < shmem_n_pes(); pe++) {
            shmem_double_p(&sent, now, pe);
            shmem_fence();
            shmem_long_p(&flag, 1, pe);
        }
        shmem_quiet();
    }
    if (shmem_my_pe() % 2)
        while (!__atomic_load_n(&flag, __ATOMIC_ACQUIRE))
            sched_yield();
    else
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
    const double now = shmemx_clock();
    CHECK(!shmemx_time_is_emulated() || (now >= sent && now < sent + 0.1), "sent at %.9f, seen at %.9f", sent, now);
}

int main(void)
{
    const double before = shmemx_clock();
    CHECK(shmemx_time_is_emulated() == 0, "emulated before shmem_init");
    shmem_init();
    CHECK(shmemx_clock() >= before, "%.9f before, %.9f after", before, shmemx_clock());
    compute(0);
    compute(1e-6);
    compute(0.004);
    check_library();
    check_messages();
    check_sleeps();
    check_waiting();
    const double last = shmemx_clock();
    shmem_finalize();
    CHECK(shmemx_clock() >= last, "%.9f, after shmem_finalize %.9f", last, shmemx_clock());
    shmem_init();
    CHECK(shmemx_clock() >= last - 0.001, "%.9f, after shmem_init again %.9f", last, shmemx_clock());
    compute(0.001);
    shmem_finalize();
    return check_result();
}
