/* A vector is reduced or scanned block by block: intermediate results stay in the first-level cache. */
#ifndef SHCOLL_BLOCK_H
#define SHCOLL_BLOCK_H

#include "reduce.h"

struct block {
    char *dest;
    const char *source;
    size_t n, bytes;
};

/* The block that begins at element i, of up to `most` elements; empty at the end. */
static inline struct block block_at(const struct shcoll_call *c, size_t i, size_t most)
{
    const size_t n = c->n - i < most ? c->n - i : most;
    return (struct block){(char *)c->dest + i * c->size, (const char *)c->source + i * c->size, n, n * c->size};
}

/* into = from OP into, for up to a block. */
static inline void combine_before(const struct shcoll_op *op, void *into, const void *from, size_t n)
{
    _Alignas(64) char result[BLOCK_BYTES];
    memcpy(result, from, n * op->size);
    combine(op, result, into, n);
    memcpy(into, result, n * op->size);
}

/* Charges the emulated time to fetch lines that a member of the same node has just stored, from that member's cache. */
static inline void fetch_lines(const struct shcoll_group *g, int from, const void *sym, size_t bytes)
{
    if (!SHCOLL_LIKELY(!shcoll_placement.emulated) && shcoll_node_of(g, from) == shcoll_node_of(g, g->me))
        charge_load(sym, bytes, pe_of(g, g->me));
}

/* The operands of consecutive members, combined in their order; may be empty. */
struct run {
    bool any;
    _Alignas(64) char data[BLOCK_BYTES];
};

static inline void run_append(struct run *run, const struct shcoll_op *op, const void *value, size_t n)
{
    if (run->any)
        combine(op, run->data, value, n);
    else
        memcpy(run->data, value, n * op->size);
    run->any = true;
}

static inline void run_prepend(struct run *run, const struct shcoll_op *op, const void *value, size_t n)
{
    if (run->any)
        combine_before(op, run->data, value, n);
    else
        memcpy(run->data, value, n * op->size);
    run->any = true;
}

/* An empty run is copied as zeros, like the result of the first member of an exclusive scan. */
static inline void run_copy(void *to, const struct run *run, size_t bytes)
{
    if (run->any)
        memcpy(to, run->data, bytes);
    else
        memset(to, 0, bytes);
}

#endif
