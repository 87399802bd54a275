/* Common parts of the tests of collectives: values that identify their writer, typed access to them, guarded memory
 * for results, and (in coll_team.h) teams of every shape.
 *
 * A test uses new memory for every result and refills one source buffer as soon as a call has returned. Calls follow
 * each other without further synchronization. The test therefore detects a library that reads a source after its
 * return, or writes outside the result. */
#pragma once

#include <shmem.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include "../check.h"
#include "../values.h"

/* Copies are compared as values of the type, not as bytes: a long double has padding bytes. */
#define COLL_SET(T, N) \
    static inline void set_##N(void *a, size_t i, uint64_t v) { ((T *)a)[i] = (T)v; }
#define COLL_SAME(T, N) \
    static inline int same_##N(const void *a, size_t i, uint64_t v) { return ((const T *)a)[i] == (T)v; }
COPAL_TYPES_RMA(COLL_SET)
COPAL_TYPES_RMA(COLL_SAME)

struct type {
    const char *name;
    size_t size;
    void (*set)(void *a, size_t i, uint64_t v);
    int (*same)(const void *a, size_t i, uint64_t v);
};

/* The RMA types in the table's order, then bytes for the mem routines. */
#define COLL_ROW(T, N) {#N, sizeof(T), set_##N, same_##N},
static const struct type types[] = {COPAL_TYPES_RMA(COLL_ROW){"mem", 1, set_uchar, same_uchar}};
enum { N_TYPES = sizeof types / sizeof types[0], MEM = N_TYPES - 1 };

static inline void fill(const struct type *t, void *a, size_t n, uint64_t serial, int pe, size_t first)
{
    for (size_t i = 0; i < n; i++)
        t->set(a, i, value(serial, pe, first + i));
}

static inline void verify(const struct type *t, const void *a, size_t n, uint64_t serial, int pe, size_t first,
                          const char *what)
{
    for (size_t i = 0; i < n; i++)
        if (!t->same(a, i, value(serial, pe, first + i))) {
            CHECK(0, "%s of %s on PE %d: element %zu of %zu from PE %d is wrong", what, t->name, shmem_my_pe(), i, n,
                  pe);
            return;
        }
}

/* A team or an active set: the PEs start, start + stride, ... */
struct shape {
    const char *name;
    shmem_team_t team;
    int start, stride, size;
    int me; /* this PE's number in the team or set, or -1 */
};

/* The first parameters of the functions in the tables of tests. */
#define ON const struct shape *s, void *d, const void *f

static inline int shape_pe(const struct shape *s, int k)
{
    return s->start + k * s->stride;
}

/* ---- places: a symmetric block, handed out piece by piece with poison between the pieces ---- */

enum { POISON = 0xa5, GUARD = 32, STATIC_PLACES = 1 << 20 };

struct places {
    unsigned char *base;
    size_t size, used, dirty; /* dirty: bytes that may differ from poison */
};

static _Alignas(64) unsigned char coll_static_block[STATIC_PLACES];
static struct places static_places = {coll_static_block, STATIC_PLACES, 0, STATIC_PLACES};
static struct places heap_places;

/* Collective over all PEs: begins a round that uses up to `need` bytes in `pieces` blocks; odd rounds get static memory
 * if it is large enough. On return, all memory of the round contains poison on every PE. */
static inline struct places *places_begin(int round, size_t need, size_t pieces)
{
    need += (pieces + 1) * (GUARD + 16);
    struct places *p = round % 2 && need <= STATIC_PLACES ? &static_places : &heap_places;
    shmem_barrier_all();
    if (p->size < need) {
        shmem_free(p->base);
        *p = (struct places){shmem_malloc(need), need, 0, need};
        if (!p->base) {
            fprintf(stderr, "PE %d: no %zu bytes of symmetric memory\n", shmem_my_pe(), need);
            exit(1);
        }
    }
    memset(p->base, POISON, p->dirty);
    p->used = p->dirty = 0;
    shmem_barrier_all();
    return p;
}

static inline void *places_take(struct places *p, size_t bytes)
{
    unsigned char *place = p->base + p->used + GUARD;
    p->used += (bytes + 15) / 16 * 16 + GUARD;
    p->dirty = p->used + GUARD;
    if (p->dirty > p->size) {
        fprintf(stderr, "test error: places_begin was called with too small a number\n");
        exit(1);
    }
    return place;
}

static inline int is_poison(const void *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (((const unsigned char *)p)[i] != POISON)
            return 0;
    return 1;
}

/* Checks that no bytes outside the block were written. */
static inline void places_check(const void *place, size_t bytes, const char *what)
{
    const unsigned char *p = place;
    CHECK(is_poison(p - 16, 16), "%s on PE %d: written before a place of %zu bytes", what, shmem_my_pe(), bytes);
    CHECK(is_poison(p + bytes, 16), "%s on PE %d: written after a place of %zu bytes", what, shmem_my_pe(), bytes);
}

/* Sometimes this PE is late, so that the others run ahead of it. */
static inline void dawdle(uint64_t h, unsigned one_in, unsigned max_us)
{
    if (h % one_in == 0)
        nanosleep(&(struct timespec){0, 1000L * (long)(h / one_in % max_us)}, NULL); /* late on purpose */
}
