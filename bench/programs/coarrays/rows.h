/* The rows of put and get between two PEs, and their checks, for programs that are compared with coarrays. */
#pragma once

#include "../../timing/bench.h"

enum { WORDS = 1 << 20, SECTION = 256, LINE = 1024 };

/* The data of a row: columns of words in the target's array, and in a local array (in the same form, or packed). */
struct shape {
    const char *put, *get;
    size_t first;
    size_t count, step;         /* words of a column, and the distance of its elements in words */
    size_t columns, column_step;
    bool packed;
};

static const struct shape shapes[] = {
    {"put_scalar", "get_scalar", 0, 1, 1, 1, 0, false},
    {"put_section", "get_section", 0, SECTION, 2, SECTION, 2 * 2 * SECTION, false},
    {"put_packed", "get_packed", 0, SECTION, 2, SECTION, 2 * 2 * SECTION, true},
    {"put_row", "get_row", 76, LINE, LINE, 1, 0, true},
    {"put_column", "get_column", 77 * LINE, LINE, 1, 1, 0, true},
};

struct contestant {
    uint64_t *local;              /* WORDS of private memory */
    uint64_t *remote;             /* WORDS of this PE's memory that other PEs can access */
    void (*prepare)(void);        /* called for each shape; or NULL */
    bench_op *put, *get;          /* move the shape between PE 0's local and PE 1's remote */
};

static const struct shape *shape; /* of the current row */

static size_t shape_bytes(void)
{
    return shape->count * shape->columns * 8;
}

/* The indices of element i of column c in the target's array and in the local array. */
static size_t there(size_t c, size_t i)
{
    return shape->first + c * shape->column_step + i * shape->step;
}

static size_t here(size_t c, size_t i)
{
    return shape->packed ? c * shape->count + i : there(c, i);
}

/* Checks after a put that the shape has arrived, and that all other words are unchanged. */
static void expect_put(const uint64_t *remote, uint64_t seed)
{
    static uint64_t want[WORDS];
    memset(want, 0xff, sizeof want);
    for (size_t c = 0; c < shape->columns; c++)
        for (size_t i = 0; i < shape->count; i++)
            want[there(c, i)] = bench_pattern(seed, here(c, i));
    for (size_t i = 0; i < WORDS; i++)
        bench_expect(shape->put, i, remote[i], want[i]);
}

static void expect_got(const uint64_t *local, uint64_t seed)
{
    for (size_t c = 0; c < shape->columns; c++)
        for (size_t i = 0; i < shape->count; i++)
            bench_expect(shape->get, here(c, i), local[here(c, i)], bench_pattern(seed, there(c, i)));
}

static void run_shapes(const struct contestant *self)
{
    uint64_t seed = 0;
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        shape = &shapes[i];
        if (self->prepare)
            self->prepare();
        bench_fill(self->local, WORDS * 8, ++seed);
        memset(self->remote, 0xff, WORDS * 8);
        measure(shape->put, shape_bytes(), self->put);
        if (bench.pe == 1)
            expect_put(self->remote, seed);
        bench_fill(self->remote, WORDS * 8, ++seed);
        memset(self->local, 0xff, WORDS * 8);
        measure(shape->get, shape_bytes(), self->get);
        if (bench.pe == 0)
            expect_got(self->local, seed);
        bench.agree(0, 0);
    }
}
