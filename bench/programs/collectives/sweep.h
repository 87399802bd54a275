/* Runs each collective at each size, and checks its data, for all contestants.
 *
 * Calls are in loops of windows and, as NAME_alone, one by one after a barrier.  Each call of a window has its own
 * destination, work and pSync array. After the window, a barrier makes these usable again, as OpenSHMEM requires. Every
 * contestant does the same; the barrier takes little of the time.  The next PE is the root of the next broadcast, so no
 * PE runs ahead of its data. */
#pragma once

#include "common.h"

enum { BARRIER, BROADCAST, SUM, FCOLLECT, COLLECT, ALLTOALL, ALLTOALLS, INSCAN, EXSCAN, COLLECTIVES };

enum {
    WINDOW = 8,
    WINDOW_BLOCK = 64 << 10, /* above this, a barrier after each call takes little of the time */
    STRIDE = 2,              /* alltoalls takes every second word, on both sides */
    MAX_ARRAY = 128 << 20,   /* a row that needs a larger source or destination is left out */
    LINE = 64,
};

static const char *const collective_names[COLLECTIVES] = {"barrier",  "broadcast", "sum",    "fcollect", "collect",
                                                          "alltoall", "alltoalls", "inscan", "exscan"};

/* One call.  bytes is a PE's data for each other PE, a multiple of 8; contributions to a collect differ (below). */
struct call {
    void *dest;
    const void *source;
    size_t bytes;
    int root;
    int slot; /* 0 to WINDOW - 1: the index of the work and pSync arrays */
};

typedef void call_fn(const struct call *call);
#define CALL(NAME, ...) static void NAME(const struct call *c) { (void)c; __VA_ARGS__; }

struct contestant {
    void *(*alloc)(size_t bytes); /* zeroed, touched, the same on all PEs */
    void (*barrier)(void);
    void (*prepare)(int collective, size_t bytes); /* called before a row; may be NULL */
    call_fn *calls[COLLECTIVES];                   /* a collective whose call is NULL is left out */
    bool fills_root;                               /* broadcast writes the root's destination too */
};

static struct {
    const struct contestant *by;
    const char *only; /* the collectives to run */
    int collective;
    uint64_t *words;   /* source of all collectives but the sums */
    double *addends;   /* source of the sums: PE p has (p + 1) * (i + 1); a double holds their sums exactly */
    char *dest;        /* destinations of all calls in a window */
    size_t slot_bytes; /* from one call's destination to the next call's */
    bool alone;        /* before each call comes a barrier, which is not timed */
    double us;         /* if alone: this PE's time of the calls */
} sweep;

static inline bool is_sum(int collective)
{
    return collective == SUM || collective == INSCAN || collective == EXSCAN;
}

/* PE pe's contribution to a collect: odd PEs contribute half, rounded to words. */
static inline size_t contribution(int pe, size_t bytes)
{
    return pe % 2 ? (bytes / 8 + 1) / 2 * 8 : bytes;
}

static inline size_t source_bytes(int collective, size_t bytes)
{
    size_t pes = (size_t)bench.pes;
    return collective == ALLTOALL ? pes * bytes : collective == ALLTOALLS ? pes * bytes * STRIDE : bytes;
}

static inline size_t dest_bytes(int collective, size_t bytes)
{
    size_t pes = (size_t)bench.pes;
    return collective == FCOLLECT || collective == COLLECT ? pes * bytes : source_bytes(collective, bytes);
}

static inline int window_calls(size_t bytes)
{
    return bytes <= WINDOW_BLOCK ? WINDOW : 1;
}

static inline void call_many(long n, size_t bytes)
{
    struct call call = {.source = is_sum(sweep.collective) ? (void *)sweep.addends : sweep.words, .bytes = bytes};
    call_fn *fn = sweep.by->calls[sweep.collective];
    int last = window_calls(bytes) - 1;
    for (long i = 0; i < n; i++) {
        call.dest = sweep.dest + (size_t)call.slot * sweep.slot_bytes;
        if (sweep.alone)
            sweep.by->barrier();
        const double start = sweep.alone ? bench_now_us() : 0;
        fn(&call);
        if (sweep.alone)
            sweep.us += bench_now_us() - start;
        else if (sweep.collective != BARRIER && (call.slot == last || i == n - 1))
            sweep.by->barrier();
        call.slot = call.slot == last ? 0 : call.slot + 1;
        call.root = call.root == bench.pes - 1 ? 0 : call.root + 1;
    }
}

/* The mean of the PEs' times (of a few PEs, if there are many emulated ones): the first PE of a scan waits for no other
 * PE. */
static inline double alone_us(double us)
{
    const int step = bench.emulated && bench.pes > FEW ? bench.pes / FEW : 1;
    int n = 0;
    us = 0;
    for (int pe = 0; pe < bench.pes; pe += step, n++)
        us += (double)bench.agree((long)(sweep.us * 1e3), pe) * 1e-3;
    sweep.us = 0;
    return us / n;
}

static inline void measure_alone(const char *collective, size_t bytes)
{
    char row[32];
    snprintf(row, sizeof row, "%s_alone", collective);
    sweep.alone = true;
    bench.figure = alone_us;
    measure(row, bytes, call_many);
    bench.figure = NULL;
    sweep.alone = false;
}

/* Checks that each block of a destination has the data of its PE. */
static inline void check_blocks(const char *row, const uint64_t *dest, size_t bytes)
{
    for (int pe = 0; pe < bench.pes; pe++) {
        size_t length = sweep.collective == COLLECT ? contribution(pe, bytes) : bytes;
        bench_expect_filled(row, dest, length, (uint64_t)pe);
        dest += length / 8;
    }
}

/* Checks that the words between the strided words are still 0. */
static inline void check_exchange(const char *row, const uint64_t *dest, size_t bytes)
{
    size_t words = bytes / 8, stride = sweep.collective == ALLTOALLS ? STRIDE : 1, me = (size_t)bench.pe;
    for (size_t pe = 0; pe < (size_t)bench.pes; pe++)
        for (size_t i = 0; i < words * stride; i++) {
            uint64_t want = i % stride ? 0 : bench_pattern(pe, me * words * stride + i);
            bench_expect(row, i, dest[pe * words * stride + i], want);
        }
}

static inline void check_sums(const char *row, const double *dest, size_t bytes)
{
    int pes = sweep.collective == SUM ? bench.pes : sweep.collective == INSCAN ? bench.pe + 1 : bench.pe;
    double factor = 0.5 * pes * (pes + 1);
    for (size_t i = 0; i < bytes / 8; i++)
        bench_expect(row, i, (uint64_t)dest[i], (uint64_t)(factor * (double)(i + 1)));
}

static inline void check_dest(const char *row, const void *dest, size_t bytes, int root)
{
    switch (sweep.collective) {
    case BROADCAST:
        if (bench.pe != root || sweep.by->fills_root)
            bench_expect_filled(row, dest, bytes, (uint64_t)root);
        break;
    case FCOLLECT:
    case COLLECT:
        check_blocks(row, dest, bytes);
        break;
    case ALLTOALL:
    case ALLTOALLS:
        check_exchange(row, dest, bytes);
        break;
    case EXSCAN: /* in MPI, the first PE's result is undefined */
        if (bench.pe == 0)
            break;
        /* fall through */
    case SUM:
    case INSCAN:
        check_sums(row, dest, bytes);
        break;
    default:
        break;
    }
}

/* Executes one more window of calls with cleared destinations, and checks each destination. */
static inline void check(const char *row, size_t bytes)
{
    int calls = window_calls(bytes);
    memset(sweep.dest, 0, (size_t)calls * sweep.slot_bytes);
    sweep.by->barrier();
    call_many(calls, bytes);
    for (int slot = 0; slot < calls; slot++)
        check_dest(row, sweep.dest + (size_t)slot * sweep.slot_bytes, bytes, slot % bench.pes);
}

static inline void run_row(int collective, size_t bytes)
{
    if (!sweep.by->calls[collective] || dest_bytes(collective, bytes) > MAX_ARRAY ||
        !wanted(sweep.only, collective_names[collective]))
        return;
    sweep.collective = collective;
    sweep.slot_bytes = (dest_bytes(collective, bytes) + LINE - 1) / LINE * LINE;
    if (sweep.by->prepare)
        sweep.by->prepare(collective, bytes);
    measure(collective_names[collective], bytes, call_many);
    if (collective == BARRIER) {
        check_barrier(call_many);
        return;
    }
    check(collective_names[collective], bytes);
    measure_alone(collective_names[collective], bytes);
}

/* The command line has `quick` or `full`, then the collectives to run.
 * Sizes ascend, so that a contestant that exceeds its time limit loses only its largest rows. */
static inline void run_sweep(const struct contestant *by, int argc, char **argv)
{
    static const size_t all[] = {8, 64, 512, 4 << 10, 32 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20, 16 << 20};
    static const size_t few[] = {8, 4 << 10, 64 << 10, 1 << 20};
    const size_t *sizes = bench.quick ? few : all;
    int n = bench.quick ? 4 : 10;

    size_t largest = sizes[n - 1], most = WINDOW * WINDOW_BLOCK * STRIDE * (size_t)bench.pes;
    for (int collective = 0; collective < COLLECTIVES; collective++)
        for (int i = 0; i < n; i++) {
            size_t bytes = dest_bytes(collective, sizes[i]);
            if (bytes <= MAX_ARRAY && bytes > most)
                most = bytes;
        }
    sweep.by = by;
    sweep.only = argc > 2 ? argv[2] : "all";
    sweep.words = by->alloc(most);
    sweep.dest = by->alloc(most);
    sweep.addends = by->alloc(largest);
    bench_fill(sweep.words, most, (uint64_t)bench.pe);
    for (size_t i = 0; i < largest / 8; i++)
        sweep.addends[i] = (double)(bench.pe + 1) * (double)(i + 1);

    bench.agree(0, 0);
    run_row(BARRIER, 0);
    for (int i = 0; i < n; i++)
        for (int collective = BROADCAST; collective < COLLECTIVES; collective++)
            run_row(collective, sizes[i]);
}
