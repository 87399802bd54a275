/* A table of calls: the put and get families with each type and size, without a context or on a context. */
#pragma once

#include "fill.h"

/* Only the random programs (../stress/model.h) use the kinds from AMO_OWN on: atomics (amo.h), and no operation. */
enum kind {
    PUT, PUT_NBI, IPUT, IBPUT, P, PUT_SIGNAL, PUT_SIGNAL_NBI, GET, GET_NBI, IGET, IBGET, G, RMA_KINDS,
    AMO_OWN = RMA_KINDS, AMO_SHARED, KINDS, NOTHING
};
static const char *const kind_names[] = {
    "put", "put_nbi", "iput", "ibput", "p", "put_signal", "put_signal_nbi", "get", "get_nbi", "iget", "ibget", "g",
    "atomic", "atomic", "", "nothing"};

/* The arguments of a call, with the specification's names. A call ignores arguments that its kind does not have. */
struct rma {
    void *dest;
    const void *source;
    ptrdiff_t dst, sst;
    size_t bsize, nblocks; /* put and get: nelems is the product */
    uint64_t *sig_addr, signal;
    int sig_op, pe;
};

struct rma_row {
    struct elem elem;
    void (*call[RMA_KINDS])(const struct place *p, const struct rma *a); /* NULL: the type has no such call */
};

#define RMA(NAME, CALL, CTX_CALL, ...) static void NAME(const struct place *p, const struct rma *a) \
    { if (p->plain) CALL(__VA_ARGS__, a->pe); else CTX_CALL(p->ctx, __VA_ARGS__, pe_in(p, a->pe)); }
#define COPY a->dest, a->source, a->bsize * a->nblocks
#define COPY_SIGNAL COPY, a->sig_addr, a->signal, a->sig_op
#define STEPS a->dest, a->source, a->dst, a->sst, a->bsize * a->nblocks
#define BLOCKS a->dest, a->source, a->dst, a->sst, a->bsize, a->nblocks
#define TYPED(OP, N, ...) RMA(OP##_##N, shmem_##N##_##OP, shmem_ctx_##N##_##OP, __VA_ARGS__)
#define SIZED(OP, END, B, ...) RMA(OP##END##_##B, shmem_##OP##B##END, shmem_ctx_##OP##B##END, __VA_ARGS__)

#define TYPED_COPIES(T, N) TYPED(put, N, COPY) TYPED(put_nbi, N, COPY) TYPED(get, N, COPY) TYPED(get_nbi, N, COPY) \
    TYPED(put_signal, N, COPY_SIGNAL) TYPED(put_signal_nbi, N, COPY_SIGNAL)
#define TYPED_STEPS(T, N) TYPED(iput, N, STEPS) TYPED(iget, N, STEPS) TYPED(ibput, N, BLOCKS) TYPED(ibget, N, BLOCKS)
#define SIZED_COPIES(B) SIZED(put, , B, COPY) SIZED(put, _nbi, B, COPY) SIZED(get, , B, COPY) \
    SIZED(get, _nbi, B, COPY) SIZED(put, _signal, B, COPY_SIGNAL) SIZED(put, _signal_nbi, B, COPY_SIGNAL)
#define SIZED_STEPS(B) SIZED(iput, , B, STEPS) SIZED(iget, , B, STEPS) \
    SIZED(ibput, , B, BLOCKS) SIZED(ibget, , B, BLOCKS)
#define SINGLE(NAME) static void NAME(const struct place *p, const struct rma *a)
#define SINGLE_P(T, N) SINGLE(p_##N) { const T v = *(const T *)a->source; \
    if (p->plain) shmem_##N##_p(a->dest, v, a->pe); else shmem_ctx_##N##_p(p->ctx, a->dest, v, pe_in(p, a->pe)); }
#define SINGLE_G(T, N) SINGLE(g_##N) { *(T *)a->dest = p->plain ? shmem_##N##_g(a->source, a->pe) : \
    shmem_ctx_##N##_g(p->ctx, a->source, pe_in(p, a->pe)); }
COPAL_TYPES_RMA(TYPED_COPIES)
COPAL_TYPES_RMA(TYPED_STEPS)
COPAL_TYPES_RMA(SINGLE_P)
COPAL_TYPES_RMA(SINGLE_G)
COPAL_SIZES(SIZED_COPIES)
COPAL_SIZES(SIZED_STEPS)
SIZED_COPIES(mem)

#define COPIES_OF(N) [PUT] = put_##N, [PUT_NBI] = put_nbi_##N, [GET] = get_##N, [GET_NBI] = get_nbi_##N, \
    [PUT_SIGNAL] = put_signal_##N, [PUT_SIGNAL_NBI] = put_signal_nbi_##N
#define STEPS_OF(N) [IPUT] = iput_##N, [IGET] = iget_##N, [IBPUT] = ibput_##N, [IBGET] = ibget_##N
#define TYPED_ROW(T, N) {ELEM(T, N), {COPIES_OF(N), STEPS_OF(N), [P] = p_##N, [G] = g_##N}},
#define SIZED_ROW(B) {SIZE_ELEM(B), {COPIES_OF(B), STEPS_OF(B)}},
static const struct rma_row rma_rows[] = {
    COPAL_TYPES_RMA(TYPED_ROW)
    COPAL_SIZES(SIZED_ROW)
    {MEM_ELEM, {COPIES_OF(mem)}},
};
enum { RMA_ROWS = sizeof rma_rows / sizeof rma_rows[0] };
