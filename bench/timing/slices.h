/* The distance of two cores, and which slices of a measurement count.
 *
 * A cache line takes .07 us or .5 us from one core to another and back, depending on L3 group and socket, and the host
 * of a virtual machine moves its cores within seconds. Therefore a row is measured in slices of a few milliseconds, and
 * the round trip of two bare flags before and after each slice shows the distance of the cores. If the distance changes
 * during a slice, the slice does not count. The flags are in the benchmark's own shared memory, so that jobs of several
 * nodes have them, too. */
#pragma once

#include <fcntl.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { SLICE_TRIPS = 16, SLICE_TRIES = 5, SLICE_SPINS = 2000, SLICE_MOST = 10 };
enum slice_phase { SLICE_NEAR, SLICE_FAR, SLICE_CHANGED, SLICE_UNKNOWN, SLICE_PHASES };

static const double slice_near_us = .2, slice_same = 1.5; /* more is far; within this factor: equal */
static const char *const slice_names[] = {"near", "far", "changed", ""};

struct slice_flags {
    struct slice_flag {
        _Alignas(128) atomic_uint turn;
        atomic_int cpu; /* the PE's core at its arrival */
    } of[2];
};

static inline double slice_clock_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

/* The round trips are unknown (0) for a job of one PE, in emulated time, and between machines. */
static inline enum slice_phase slice_phase(double before_us, double after_us)
{
    if (before_us <= 0 || after_us <= 0)
        return SLICE_UNKNOWN;
    const double less = before_us < after_us ? before_us : after_us, more = before_us + after_us - less;
    if (more > slice_same * less || (less < slice_near_us) != (more < slice_near_us))
        return SLICE_CHANGED;
    return more < slice_near_us ? SLICE_NEAR : SLICE_FAR;
}

static inline void slice_wait(atomic_uint *turn, unsigned until)
{
    for (int spins = 0; (int)(atomic_load_explicit(turn, memory_order_acquire) - until) < 0;)
        if (++spins > SLICE_SPINS) /* the other side may wait for this core */
            sched_yield();
}

/* If the PEs share a core, binds them to two cores meanwhile: side 0 to this core, side 1 to another allowed core. */
static inline bool slice_part(const struct slice_flags *flags, int side, cpu_set_t *allowed)
{
    cpu_set_t one;
    int cpu = atomic_load(&flags->of[0].cpu);
    if (cpu != atomic_load(&flags->of[1].cpu) || sched_getaffinity(0, sizeof *allowed, allowed) != 0)
        return false;
    for (int i = 0, shared = cpu; side == 1 && i < CPU_SETSIZE && cpu == shared; i++)
        if (CPU_ISSET(i, allowed))
            cpu = i;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    return sched_setaffinity(0, sizeof one, &one) == 0;
}

/* Sides 0 and 1 call it together; only side 0 gets the right round trip. */
static inline double slice_trip_us(struct slice_flags *flags, int side)
{
    struct slice_flag *mine = &flags->of[side], *other = &flags->of[!side];
    cpu_set_t allowed;
    unsigned turn = atomic_load(&mine->turn) + 1;
    double best = 1e9;
    atomic_store(&mine->cpu, sched_getcpu());
    atomic_store(&mine->turn, turn);
    slice_wait(&other->turn, turn);
    const bool parted = slice_part(flags, side, &allowed);
    for (int try = 0; try < SLICE_TRIES; try++) {
        const double start = slice_clock_us();
        for (int trip = 0; trip < SLICE_TRIPS; trip++) {
            turn++;
            if (side == 1)
                slice_wait(&other->turn, turn);
            atomic_store_explicit(&mine->turn, turn, memory_order_release);
            if (side == 0)
                slice_wait(&other->turn, turn);
        }
        const double us = (slice_clock_us() - start) / SLICE_TRIPS;
        best = us < best ? us : best;
    }
    if (parted)
        sched_setaffinity(0, sizeof allowed, &allowed);
    return best;
}

/* Memory that the two sides share: side 0 creates it before side 1 maps it. NULL: they share none (two machines). */
static inline struct slice_flags *slice_map(long name, int side)
{
    char path[32];
    snprintf(path, sizeof path, "/bench-flags-%ld", name);
    const int fd = shm_open(path, side == 0 ? O_RDWR | O_CREAT | O_TRUNC : O_RDWR, 0600);
    void *flags = MAP_FAILED;
    if (fd < 0)
        return NULL;
    if (side == 1)
        shm_unlink(path);
    if (side == 1 || ftruncate(fd, sizeof(struct slice_flags)) == 0)
        flags = mmap(NULL, sizeof(struct slice_flags), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (flags == MAP_FAILED)
        return NULL;
    atomic_store(&((struct slice_flags *)flags)->of[side].turn, 1);
    return flags;
}

/* The slices of a row so far, by phase. */
struct slices {
    int n[SLICE_PHASES];
    double us[SLICE_PHASES][SLICE_MOST], trip[SLICE_PHASES][SLICE_MOST];
};

static inline enum slice_phase slice_add(struct slices *s, double us, double before_us, double after_us)
{
    const enum slice_phase phase = slice_phase(before_us, after_us);
    s->us[phase][s->n[phase]] = us;
    s->trip[phase][s->n[phase]++] = (before_us + after_us) / 2;
    return phase;
}
