/* Puts and gets of the module shmem: one function each for data of all types. */
#include "descriptor.h"

/* The data to transfer: elements of a size for which C has a routine, or runs of bytes. */
struct move {
    void *dest, *source;
    int unit;       /* position in the tables below: elements of 2^unit bytes */
    size_t in_unit; /* units in an element: 1, or the element's bytes if C has no routine for its size */
    size_t n;       /* elements times in_unit */
};

static void choose_unit(struct move *m, const struct pair *p)
{
    m->dest = p->dest;
    m->source = p->source;
    switch (p->size) {
    case 1: case 2: case 4: case 8: case 16:
        m->unit = __builtin_ctzl(p->size);
        m->in_unit = 1;
        break;
    default:
        m->unit = 0;
        m->in_unit = p->size;
    }
}

static struct move move_of(const char *routine, ARRAY *dest, ARRAY *source, ARRAY *nelems, int symmetric)
{
    struct move m;
    m.n = count_of(nelems, "nelems", routine);
    const struct pair p = pair_of(dest, source, m.n, symmetric, routine);
    choose_unit(&m, &p);
    m.n = product(m.n, m.in_unit, "nelems", routine);
    return m;
}

#define SIZES(P, S) {shmem_##P##8##S, shmem_##P##16##S, shmem_##P##32##S, shmem_##P##64##S, shmem_##P##128##S}

typedef void plain(void *, const void *, size_t, int);
typedef void plain_ctx(shmem_ctx_t, void *, const void *, size_t, int);
static plain *const put[] = SIZES(put, ), *const get[] = SIZES(get, );
static plain *const put_nbi[] = SIZES(put, _nbi), *const get_nbi[] = SIZES(get, _nbi);
static plain_ctx *const ctx_put[] = SIZES(ctx_put, ), *const ctx_get[] = SIZES(ctx_get, );
static plain_ctx *const ctx_put_nbi[] = SIZES(ctx_put, _nbi), *const ctx_get_nbi[] = SIZES(ctx_get, _nbi);

/* C's names of these routines, which errors contain. */
#define OF_C(P, S) \
    "shmem_" #P "8" #S, "shmem_" #P "16" #S, "shmem_" #P "32" #S, "shmem_" #P "64" #S, "shmem_" #P "128" #S
#define NAMED_MOVE(P, S) NAMED("shmem_" #P #S, OF_C(P, S), OF_C(ctx_##P, S))

#define MOVED ARRAY *dest, ARRAY *source, ARRAY *nelems, int pe
#define MOVE(N, SYMMETRIC) const struct move m = move_of("shmem_" #N, dest, source, nelems, SYMMETRIC)
#define PLAIN(P, S, SYMMETRIC) void shmemf_##P##S(MOVED) \
    { NAMED_MOVE(P, S); MOVE(P##S, SYMMETRIC); P##S[m.unit](m.dest, m.source, m.n, pe); }
#define PLAIN_CTX(P, S, SYMMETRIC) void shmemf_ctx_##P##S(shmem_ctx_t ctx, MOVED) \
    { NAMED_MOVE(P, S); MOVE(P##S, SYMMETRIC); ctx_##P##S[m.unit](ctx, m.dest, m.source, m.n, pe); }
PLAIN(put, , DEST) PLAIN(get, , SOURCE) PLAIN(put, _nbi, DEST) PLAIN(get, _nbi, SOURCE)
PLAIN_CTX(put, , DEST) PLAIN_CTX(get, , SOURCE) PLAIN_CTX(put, _nbi, DEST) PLAIN_CTX(get, _nbi, SOURCE)

/* --- with a signal ------------------------------------------------------------------------------------------------ */

typedef void signaled(void *, const void *, size_t, uint64_t *, uint64_t, int, int);
typedef void signaled_ctx(shmem_ctx_t, void *, const void *, size_t, uint64_t *, uint64_t, int, int);
static signaled *const put_signal[] = SIZES(put, _signal), *const put_signal_nbi[] = SIZES(put, _signal_nbi);
static signaled_ctx *const ctx_put_signal[] = SIZES(ctx_put, _signal);
static signaled_ctx *const ctx_put_signal_nbi[] = SIZES(ctx_put, _signal_nbi);

#define SIGNALED ARRAY *dest, ARRAY *source, ARRAY *nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe
#define SIGNAL sig_addr, signal, sig_op
/* shmemf_put_signal, shmemf_put_signal_nbi, shmemf_ctx_put_signal, shmemf_ctx_put_signal_nbi */
#define PUT_SIGNAL(S) void shmemf_put##S(SIGNALED) \
    { NAMED_MOVE(put, S); MOVE(put##S, DEST); put##S[m.unit](m.dest, m.source, m.n, SIGNAL, pe); }
#define PUT_SIGNAL_CTX(S) void shmemf_ctx_put##S(shmem_ctx_t ctx, SIGNALED) \
    { NAMED_MOVE(put, S); MOVE(put##S, DEST); ctx_put##S[m.unit](ctx, m.dest, m.source, m.n, SIGNAL, pe); }
PUT_SIGNAL(_signal) PUT_SIGNAL(_signal_nbi) PUT_SIGNAL_CTX(_signal) PUT_SIGNAL_CTX(_signal_nbi)

/* --- with strides ------------------------------------------------------------------------------------------------- */

struct strided {
    struct move m;      /* n is the number of blocks */
    ptrdiff_t dst, sst; /* from block to block, in units */
    size_t bsize;       /* size of a block, in units */
};

static ptrdiff_t stride_of(ARRAY *argument, size_t in_unit, const char *name, const char *routine)
{
    ptrdiff_t units;
    const int64_t elements = integer_of(argument, name, routine);
    if (__builtin_mul_overflow(elements, (ptrdiff_t)in_unit, &units))
        fortran_fatal(routine, "argument %s is %lld, which is too large for elements of %zu bytes", name,
                      (long long)elements, in_unit);
    return units;
}

/* bsize is null for single elements. */
static struct strided strided_of(const char *routine, ARRAY *dest, ARRAY *source, ARRAY *dst, ARRAY *sst, ARRAY *bsize,
                                 ARRAY *n, int symmetric)
{
    struct strided s;
    const struct pair p = pair_of(dest, source, 0, symmetric, routine);
    choose_unit(&s.m, &p);
    s.m.n = count_of(n, bsize ? "nblocks" : "nelems", routine);
    s.dst = stride_of(dst, s.m.in_unit, "dst", routine);
    s.sst = stride_of(sst, s.m.in_unit, "sst", routine);
    s.bsize = product(bsize ? count_of(bsize, "bsize", routine) : 1, s.m.in_unit, "bsize", routine);
    return s;
}

typedef void elements(void *, const void *, ptrdiff_t, ptrdiff_t, size_t, int);
typedef void elements_ctx(shmem_ctx_t, void *, const void *, ptrdiff_t, ptrdiff_t, size_t, int);
typedef void blocks(void *, const void *, ptrdiff_t, ptrdiff_t, size_t, size_t, int);
typedef void blocks_ctx(shmem_ctx_t, void *, const void *, ptrdiff_t, ptrdiff_t, size_t, size_t, int);
static elements *const iput[] = SIZES(iput, ), *const iget[] = SIZES(iget, );
static elements_ctx *const ctx_iput[] = SIZES(ctx_iput, ), *const ctx_iget[] = SIZES(ctx_iget, );
static blocks *const ibput[] = SIZES(ibput, ), *const ibget[] = SIZES(ibget, );
static blocks_ctx *const ctx_ibput[] = SIZES(ctx_ibput, ), *const ctx_ibget[] = SIZES(ctx_ibget, );

/* If C has no routine for the size of an element, the element is a block of bytes. */
static void move_strided(const struct strided *s, elements *const one[], blocks *const many[], bool single, int pe)
{
    const struct move *m = &s->m;
    if (single && m->in_unit == 1)
        one[m->unit](m->dest, m->source, s->dst, s->sst, m->n, pe);
    else
        many[m->unit](m->dest, m->source, s->dst, s->sst, s->bsize, m->n, pe);
}

static void move_strided_ctx(shmem_ctx_t ctx, const struct strided *s, elements_ctx *const one[],
                             blocks_ctx *const many[], bool single, int pe)
{
    const struct move *m = &s->m;
    if (single && m->in_unit == 1)
        one[m->unit](ctx, m->dest, m->source, s->dst, s->sst, m->n, pe);
    else
        many[m->unit](ctx, m->dest, m->source, s->dst, s->sst, s->bsize, m->n, pe);
}

#define ELEMENTS ARRAY *dest, ARRAY *source, ARRAY *dst, ARRAY *sst, ARRAY *nelems, int pe
#define BLOCKS ARRAY *dest, ARRAY *source, ARRAY *dst, ARRAY *sst, ARRAY *bsize, ARRAY *nblocks, int pe
#define STRIDES(OWN, ONE, MANY, BSIZE, N, SIDE) NAMED("shmem_" #OWN, OF_C(ONE, ), OF_C(MANY, )); \
    const struct strided s = strided_of("shmem_" #OWN, dest, source, dst, sst, BSIZE, N, SIDE)
#define SINGLE(I, IB, SIDE) void shmemf_##I(ELEMENTS) \
    { STRIDES(I, I, IB, NULL, nelems, SIDE); move_strided(&s, I, IB, true, pe); }
#define SINGLE_CTX(I, IB, SIDE) void shmemf_ctx_##I(shmem_ctx_t ctx, ELEMENTS) { \
    STRIDES(I, ctx_##I, ctx_##IB, NULL, nelems, SIDE); move_strided_ctx(ctx, &s, ctx_##I, ctx_##IB, true, pe); }
#define OF_BLOCKS(I, IB, SIDE) void shmemf_##IB(BLOCKS) \
    { STRIDES(IB, I, IB, bsize, nblocks, SIDE); move_strided(&s, I, IB, false, pe); }
#define OF_BLOCKS_CTX(I, IB, SIDE) void shmemf_ctx_##IB(shmem_ctx_t ctx, BLOCKS) { \
    STRIDES(IB, ctx_##I, ctx_##IB, bsize, nblocks, SIDE); move_strided_ctx(ctx, &s, ctx_##I, ctx_##IB, false, pe); }

/* shmemf_iput, shmemf_ctx_iput, shmemf_ibput, shmemf_ctx_ibput, shmemf_iget, shmemf_ctx_iget, shmemf_ibget,
 * shmemf_ctx_ibget */
#define STRIDED(I, IB, SIDE) SINGLE(I, IB, SIDE) SINGLE_CTX(I, IB, SIDE) \
    OF_BLOCKS(I, IB, SIDE) OF_BLOCKS_CTX(I, IB, SIDE)
STRIDED(iput, ibput, DEST) STRIDED(iget, ibget, SOURCE)
