/* The collectives that move data, on teams and on active sets: the entries of a test's table for each type, and the
 * expected results. */
#pragma once

#include <stdbool.h>
#include "coll.h"

enum { FCOLLECT, COLLECT, ALLTOALL, PIECES };

struct moves {
    struct type type;
    int (*broadcast)(ON, size_t n, int root);
    int (*pieces[PIECES])(ON, size_t n);
    int (*alltoalls)(ON, ptrdiff_t dst, ptrdiff_t sst, size_t n);
    bool is_odd;     /* gets odd addresses and lengths */
    bool root_keeps; /* a broadcast does not change the root's dest */
};

static inline void broadcast_once(const struct shape *s, const struct moves *m, void *dest, void *source, size_t n,
                                  int root, uint64_t serial)
{
    const struct type *t = &m->type;
    fill(t, source, n, serial, shmem_my_pe(), 0);
    int rc = m->broadcast(s, dest, source, n, root);
    CHECK(rc == 0, "%s broadcast on %s returned %d", t->name, s->name, rc);
    if (s->me == root && m->root_keeps)
        CHECK(is_poison(dest, n * t->size), "broadcast%s wrote dest on its root", t->name);
    else
        verify(t, dest, n, serial, shape_pe(s, root), 0, s->name);
    verify(t, source, n, serial, shmem_my_pe(), 0, "source");
    places_check(dest, n * t->size, s->name);
}

/* PE pe's number of elements in collect call `serial`, at most max; 0 in a quarter of the cases. */
static inline size_t length_of(uint64_t serial, int pe, size_t max)
{
    uint64_t h = value(serial, pe, 999999);
    return h % 4 == 0 ? 0 : (h >> 8) % (max + 1);
}

/* In an alltoall, element i for PE l is value number l * n + i of its sender. */
static inline void pieces_once(const struct shape *s, const struct moves *m, int which, unsigned char *dest,
                               void *source, size_t max, uint64_t serial)
{
    static const char *const names[PIECES] = {"fcollect", "collect", "alltoall"};
    const struct type *t = &m->type;
    const bool all = which == ALLTOALL;
    size_t mine = which == COLLECT ? length_of(serial, shmem_my_pe(), max) : max, at = 0;
    fill(t, source, mine * (all ? (size_t)s->size : 1), serial, shmem_my_pe(), 0);
    int rc = m->pieces[which](s, dest, source, mine);
    CHECK(rc == 0, "%s %s on %s returned %d", t->name, names[which], s->name, rc);
    for (int k = 0; k < s->size; k++) {
        size_t n = which == COLLECT ? length_of(serial, shape_pe(s, k), max) : max;
        verify(t, dest + at * t->size, n, serial, shape_pe(s, k), all ? (size_t)s->me * n : 0, names[which]);
        at += n;
    }
    places_check(dest, at * t->size, names[which]);
}

/* Checks that the memory between the strided elements is unchanged. */
static inline void alltoalls_once(const struct shape *s, const struct moves *m, void *dest, void *source, size_t n,
                                  uint64_t serial)
{
    const struct type *t = &m->type;
    size_t all = (size_t)s->size * n, dst = serial % 3 + 1, sst = serial / 3 % 3 + 1;
    memset(source, 0x11, all * sst * t->size);
    for (size_t i = 0; i < all; i++)
        t->set(source, i * sst, value(serial, shmem_my_pe(), i));
    int rc = m->alltoalls(s, dest, source, (ptrdiff_t)dst, (ptrdiff_t)sst, n);
    CHECK(rc == 0, "%s alltoalls on %s returned %d", t->name, s->name, rc);
    for (size_t i = 0; i < all; i++) {
        const unsigned char *at = (const unsigned char *)dest + i * dst * t->size;
        int from = shape_pe(s, (int)(i / n));
        CHECK(t->same(at, 0, value(serial, from, (size_t)s->me * n + i % n)),
              "%s alltoalls dst %zu sst %zu: element %zu from PE %d is wrong", t->name, dst, sst, i % n, from);
        CHECK(is_poison(at + t->size, (dst - 1) * t->size), "%s alltoalls dst %zu: wrote between elements", t->name,
              dst);
    }
    places_check(dest, all * dst * t->size, "alltoalls");
}

/* All collectives with each count, one after the other. */
static inline void move(const struct shape *s, const struct moves *m, const size_t *counts, int n_counts, int round)
{
    size_t block = (size_t)s->size * m->type.size, most = counts[n_counts - 1] * block, sum = 0, odd = m->is_odd;
    for (int c = 0; c < n_counts; c++)
        sum += 7 * counts[c] * block + 5 * odd;
    struct places *p = places_begin(round, sum + 3 * most + odd, 5 * (size_t)n_counts + 1);
    if (s->me < 0)
        return;
    unsigned char *source = (unsigned char *)places_take(p, 3 * most + odd) + odd;
    for (int c = 0; c < n_counts; c++) {
        size_t n = counts[c], bytes = n * block + odd;
        uint64_t serial = (uint64_t)(round * 100 + 5 * c);
        unsigned char *dest = places_take(p, bytes);
        broadcast_once(s, m, dest + odd, source, n, (int)(serial % (uint64_t)s->size), serial);
        for (int which = 0; which < PIECES; which++) {
            dest = places_take(p, bytes);
            pieces_once(s, m, which, dest + odd, source, n, serial + 1 + (uint64_t)which);
        }
        dest = places_take(p, 3 * n * block + odd);
        alltoalls_once(s, m, dest + odd, source, n, serial + 4);
    }
}
