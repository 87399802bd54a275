/* Strided put and get of 32768 elements of four bytes: every 1st, 2nd, 4th ... 32nd of an array at the target, at the
 * origin or at both, as the PGAS microbenchmarks of the University of Houston do. The origin is the PE that calls, the
 * target the other PE, for both directions of the data. */
#pragma once

#include "../../timing/bench.h"

enum {
    ELEMENTS = 32768,
    PAYLOAD = ELEMENTS * 4,
    MAX_STRIDE = 32,
    EXTENT_BYTES = PAYLOAD * MAX_STRIDE,
    ROW_US = 8000, /* the time that the batches of a row get */
};

/* A method of moving data: each function moves it n times, on PE 0, between `local` and the target's `remote`. */
struct way {
    const char *name;    /* the end of the rows' names */
    bench_op *put, *get; /* complete when they return */
};

static int *local;  /* private */
static int *remote; /* the memory that the origin writes and reads */
static int target;
static ptrdiff_t target_stride, origin_stride; /* strides of the current row */

static size_t extent(ptrdiff_t stride)
{
    return (size_t)stride * ELEMENTS;
}

/* Element i of a row's data. */
static int element(uint64_t seed, size_t i)
{
    return (int)(uint32_t)bench_pattern(seed, i);
}

static void fill(int *array, ptrdiff_t stride, uint64_t seed)
{
    for (size_t i = 0; i < ELEMENTS; i++)
        array[i * (size_t)stride] = element(seed, i);
}

/* Checks that the elements have arrived, and that the gaps between them are unchanged. */
static void expect(const char *row, const int *array, ptrdiff_t stride, uint64_t seed)
{
    for (size_t i = 0; i < extent(stride); i++)
        bench_expect(row, i, (uint32_t)array[i],
                     i % (size_t)stride == 0 ? (uint32_t)element(seed, i / (size_t)stride) : UINT32_MAX);
}

static void put_row(const char *row, bench_op *put, uint64_t seed)
{
    fill(local, origin_stride, seed);
    memset(remote, 0xff, extent(target_stride) * sizeof *remote);
    measure(row, PAYLOAD, put);
    if (bench.pe == target)
        expect(row, remote, target_stride, seed);
    bench.agree(0, 0);
}

static void get_row(const char *row, bench_op *get, uint64_t seed)
{
    fill(remote, target_stride, seed + (uint64_t)bench.pe);
    memset(local, 0xff, extent(origin_stride) * sizeof *local);
    measure(row, PAYLOAD, get);
    if (bench.pe == 0)
        expect(row, local, origin_stride, seed + (uint64_t)target);
    bench.agree(0, 0);
}

static void rows_of_stride(const struct way *way, const char *where)
{
    static uint64_t seed; /* differs in each row, so that data of an earlier row fails the check */
    char row[64];
    snprintf(row, sizeof row, "put_%s%s", where, way->name);
    put_row(row, way->put, seed++);
    snprintf(row, sizeof row, "get_%s%s", where, way->name);
    get_row(row, way->get, seed);
    seed += (uint64_t)bench.pes;
}

/* Calls prepare, if it is not NULL, after each change of the strides. */
static void run_way(const struct way *way, void (*prepare)(void))
{
    static const char *const places[] = {"target", "origin", "both"};
    char fields[32];
    for (int stride = 1; stride <= MAX_STRIDE; stride *= 2)
        for (int place = 0; place < 3; place++) {
            target_stride = place == 1 ? 1 : stride;
            origin_stride = place == 0 ? 1 : stride;
            if (prepare)
                prepare();
            snprintf(fields, sizeof fields, "\"stride\": %d, ", stride);
            bench.fields = fields;
            rows_of_stride(way, places[place]);
        }
    bench.fields = NULL;
}
