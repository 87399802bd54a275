/* Put and get between pairs of PEs: every contestant's operations, and the check of the data.
 *
 * PE k of the first half works with PE k of the second half.  In one direction the first half puts and gets; in two
 * directions all PEs put and get.  For a latency, each operation is complete before the next one begins: a put has its
 * quiet, and a get's result is the next get's address.  A bandwidth is that of windows over consecutive memory; the
 * time is divided by the number of messages of all pairs, so bytes / us is the sum of the pairs' bandwidths.  A batch
 * ends with a barrier of all PEs, so it contains each pair's work. */
#pragma once

#include "../../timing/bench.h"

enum {
    WINDOW = 64, /* messages, or as many as fit into the buffers */
    CHAIN = 8,   /* words between the addresses of successive gets */
    BUFFER_BYTES = BENCH_MAX_BYTES + 4096,
    MEETINGS = 60, LEAST_US = 1000, MOST_US = 10000, /* a batch takes as long as 60 barriers, within limits */
};

/* A method of moving data.  Its operations move data n times between `local` and the partner's `remote`, on a PE that
 * `works`. */
struct way {
    const char *name;                  /* the end of the rows' names */
    bench_op *put, *get;               /* each operation is complete before the next */
    bench_op *put_window, *get_window; /* complete at the end of each window */
};

typedef void mover(size_t to, size_t from, size_t bytes); /* offsets in the buffers */
typedef void completer(void);

static char *local;  /* private */
static char *remote; /* the target of the partner's puts and the source of its gets */
static int pairs, directions;
static int partner; /* -1: none */
static bool works;  /* this PE puts and gets in the current row */
static uint64_t row; /* counts rows, so that data of an earlier row fails the check */

/* The parts that each contestant defines. */
#define MOVER(NAME, ...) static void NAME(size_t to, size_t from, size_t bytes) { __VA_ARGS__; }
#define WAY(NAME, LOOP, MOVER, COMPLETER) static void NAME(long n, size_t bytes) { LOOP(n, bytes, MOVER, COMPLETER); }

static void meet(void); /* a barrier of all PEs */

/* --- the loops of operations, each inlined around a mover and its completion ------------------ */

static size_t window_bytes(size_t bytes)
{
    return bytes * WINDOW <= BENCH_MAX_BYTES ? bytes * WINDOW : BENCH_MAX_BYTES;
}

__attribute__((always_inline)) static inline void put_each(long n, size_t bytes, mover *put, completer *complete)
{
    if (works)
        for (long i = 0; i < n; i++) {
            put(0, 0, bytes);
            complete();
        }
    meet();
}

__attribute__((always_inline)) static inline void get_each(long n, size_t bytes, mover *get, completer *complete)
{
    volatile uint64_t *next = (uint64_t *)local;
    if (works) {
        *next = 0;
        for (long i = 0; i < n; i++) {
            get(0, *next * 8, bytes);
            complete();
        }
    }
    meet();
}

__attribute__((always_inline)) static inline void put_windows(long n, size_t bytes, mover *put, completer *complete)
{
    if (works)
        for (long i = 0; i < n; i++) {
            for (size_t at = 0; at < window_bytes(bytes); at += bytes)
                put(at, at, bytes);
            complete();
        }
    meet();
}

__attribute__((always_inline)) static inline void get_windows(long n, size_t bytes, mover *get, completer *complete)
{
    if (works)
        for (long i = 0; i < n; i++) {
            for (size_t at = 0; at < window_bytes(bytes); at += bytes)
                get(at, at, bytes);
            complete();
        }
    meet();
}

/* --- rows --------------------------------------------------------------------------------------------------------- */

static void measure_row(const char *name, size_t bytes, int messages, bench_op *op)
{
    char fields[64];
    snprintf(fields, sizeof fields, "\"pairs\": %d, \"directions\": %d, ", pairs, directions);
    bench.fields = fields;
    bench.messages = messages;
    measure(name, bytes, op);
    bench.fields = NULL;
}

static int messages_of_windows(size_t bytes)
{
    return (int)(window_bytes(bytes) / bytes) * pairs * directions;
}

static uint64_t seed_of(int pe)
{
    return row * (uint64_t)bench.pes + (uint64_t)pe;
}

/* Whether the partner puts to and gets from this PE's `remote`. */
static bool is_target(void)
{
    return partner >= 0 && (directions == 2 || bench.pe >= pairs || bench.pes == 1);
}

static void put_row(const char *kind, const struct way *way, size_t bytes, bool windows)
{
    char name[64];
    size_t written = windows ? window_bytes(bytes) : bytes;
    snprintf(name, sizeof name, "put_%s%s", kind, way->name);
    row++;
    bench_fill((uint64_t *)local, written, seed_of(bench.pe));
    measure_row(name, bytes, windows ? messages_of_windows(bytes) : 1, windows ? way->put_window : way->put);
    if (is_target())
        bench_expect_filled(name, (uint64_t *)remote, written, seed_of(partner));
    bench.agree(0, 0);
}

static void get_windows_row(const char *kind, const struct way *way, size_t bytes)
{
    char name[64];
    snprintf(name, sizeof name, "get_%s%s", kind, way->name);
    row++;
    bench_fill((uint64_t *)remote, window_bytes(bytes), seed_of(bench.pe));
    measure_row(name, bytes, messages_of_windows(bytes), way->get_window);
    if (works)
        bench_expect_filled(name, (uint64_t *)local, window_bytes(bytes), seed_of(partner));
    bench.agree(0, 0);
}

/* Word 0 contains the index CHAIN of the next get's first word, which contains 0. */
static uint64_t chain_word(uint64_t seed, size_t i)
{
    return i == 0 ? CHAIN : i == CHAIN ? 0 : bench_pattern(seed, i);
}

static void get_chain_row(const char *kind, const struct way *way, size_t bytes)
{
    char name[64];
    snprintf(name, sizeof name, "get_%s%s", kind, way->name);
    row++;
    for (size_t i = 0; i <= bytes / 8 + CHAIN; i++)
        ((uint64_t *)remote)[i] = chain_word(seed_of(bench.pe), i);
    measure_row(name, bytes, 1, way->get);
    const uint64_t *got = (uint64_t *)local;
    for (size_t i = 0, start = got[0] == CHAIN ? 0 : CHAIN; works && i < bytes / 8; i++)
        bench_expect(name, i, got[i], chain_word(seed_of(partner), start + i));
    bench.agree(0, 0);
}

/* Several pairs get only the sizes of a quick run, because some machines have too few cores for them. */
static size_t next_size(size_t bytes)
{
    return pairs > 1 && bytes > 8 ? bytes * 8 : bench_next_size(bytes);
}

static void run_way(const struct way *way)
{
    for (directions = 1; directions <= (bench.pes > 1 ? 2 : 1); directions++) {
        works = partner >= 0 && (directions == 2 || bench.pe < pairs);
        for (size_t bytes = 8; bytes <= BENCH_MAX_BYTES; bytes = next_size(bytes)) {
            if (directions == 1) {
                put_row("latency", way, bytes, false);
                get_chain_row("latency", way, bytes);
            }
            put_row("bandwidth", way, bytes, true);
            get_windows_row("bandwidth", way, bytes);
        }
    }
}

BENCH_LOOP(meetings, true, meet())

/* Chooses partners, and the length of batches: barriers around them, slow if PEs share cores, must have no effect. */
static void pair_up(void)
{
    pairs = bench.pes > 1 ? bench.pes / 2 : 1;
    partner = bench.pe < pairs ? (bench.pe + pairs) % bench.pes : bench.pe < 2 * pairs ? bench.pe - pairs : -1;
    double enough_us = bench.emulated ? 0 : bench_batch_us(MEETINGS, 0, meetings);
    bench.batch_us = enough_us < LEAST_US ? LEAST_US : enough_us > MOST_US ? MOST_US : enough_us;
}
