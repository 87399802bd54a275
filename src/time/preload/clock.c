/* The program's clocks in emulated time: on an emulated network, oshrun preloads this library (docs/fabric.md).
 *
 * The C library's clocks return the emulated time, and so do the clocks that use them: Fortran's system_clock and
 * date_and_time, omp_get_wtime, C++'s. A sleep or a yield advances the emulated time. Clocks of processor time are
 * real. libshmem itself reads the kernel's clock. Sleeps are real where no time is emulated (before shmem_init, and in
 * other programs that the job starts), and in all threads but the main thread. */
#include <shmemx.h>

#include <dlfcn.h>
#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

extern int shmemx_time_is_emulated(void) __attribute__((weak));
extern double shmemx_clock(void) __attribute__((weak));
extern void shmemx_compute(double seconds) __attribute__((weak));

#define BILLION 1000000000
#define YIELD_SECONDS 100e-9

static double wall_offset; /* CLOCK_REALTIME - CLOCK_MONOTONIC, rounded to seconds, so the same in all processes */

static double seconds_of(const struct timespec *t)
{
    return (double)t->tv_sec + (double)t->tv_nsec / BILLION;
}

__attribute__((constructor)) static void find_offset(void)
{
    struct timespec wall, here;
    syscall(SYS_clock_gettime, CLOCK_REALTIME, &wall);
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &here);
    wall_offset = (double)(int64_t)(seconds_of(&wall) - seconds_of(&here) + 0.5);
}

static bool is_emulated(void)
{
    return shmemx_time_is_emulated && shmemx_time_is_emulated();
}

/* Whether this thread may advance emulated time. */
static bool may_wait(void)
{
    return is_emulated() && gettid() == getpid();
}

static struct timespec timespec_of(double seconds)
{
    struct timespec t = {.tv_sec = (time_t)seconds};
    t.tv_nsec = (long)((seconds - (double)t.tv_sec) * BILLION);
    return t;
}

static bool is_wall(clockid_t clock)
{
    return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI;
}

static bool is_time(clockid_t clock)
{
    return is_wall(clock) || clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_COARSE ||
           clock == CLOCK_MONOTONIC_RAW || clock == CLOCK_BOOTTIME;
}

static double emulated(clockid_t clock)
{
    return shmemx_clock() + (is_wall(clock) ? wall_offset : 0);
}

typedef int clock_call(clockid_t clock, struct timespec *t);

/* The C library's own clock_gettime, which needs no system call. */
static int real_clock(clockid_t clock, struct timespec *t)
{
    static _Atomic(clock_call *) real;
    union {
        void *symbol;
        clock_call *function;
    } found = {.function = real};
    if (!found.function) {
        found.symbol = dlsym(RTLD_NEXT, "clock_gettime");
        real = found.function;
    }
    return found.function(clock, t);
}

int clock_gettime(clockid_t clock, struct timespec *t)
{
    if (!is_time(clock) || !is_emulated())
        return real_clock(clock, t);
    *t = timespec_of(emulated(clock));
    return 0;
}

int gettimeofday(struct timeval *restrict t, void *restrict zone)
{
    struct timespec now;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &now);
    *t = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    return 0;
}

int timespec_get(struct timespec *t, int base)
{
    if (base != TIME_UTC)
        return 0;
    clock_gettime(CLOCK_REALTIME, t);
    return base;
}

time_t time(time_t *to)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (to)
        *to = now.tv_sec;
    return now.tv_sec;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *t, struct timespec *left)
{
    if (!is_time(clock) || !may_wait() || t->tv_sec < 0 || t->tv_nsec < 0 || t->tv_nsec >= BILLION)
        return syscall(SYS_clock_nanosleep, clock, flags, t, left) == 0 ? 0 : errno;
    const double until = seconds_of(t), now = emulated(clock);
    const double wait = flags & TIMER_ABSTIME ? until - now : until;
    if (wait > 0)
        shmemx_compute(wait);
    return 0;
}

int nanosleep(const struct timespec *t, struct timespec *left)
{
    const int error = clock_nanosleep(CLOCK_MONOTONIC, 0, t, left);
    if (!error)
        return 0;
    errno = error;
    return -1;
}

int usleep(useconds_t us)
{
    return nanosleep(&(struct timespec){us / 1000000, (long)(us % 1000000) * 1000}, NULL);
}

unsigned sleep(unsigned seconds)
{
    struct timespec left;
    return nanosleep(&(struct timespec){.tv_sec = seconds}, &left) == 0 ? 0 : (unsigned)left.tv_sec;
}

/* A program that yields while it waits must see time advance. */
int sched_yield(void)
{
    if (!may_wait())
        return (int)syscall(SYS_sched_yield);
    shmemx_compute(YIELD_SECONDS);
    return 0;
}
