/* Every type and size of the put and get families as one table, on contexts. */
#ifndef COPAL_TESTS_RMA_ROWS_H
#define COPAL_TESTS_RMA_ROWS_H

#include "../api/fill.h"

typedef void copy_fn(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe);
typedef void strided_fn(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems,
                        int pe);
typedef void block_fn(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize,
                      size_t nblocks, int pe);
typedef void signal_fn(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr,
                       uint64_t signal, int sig_op, int pe);
typedef void single_fn(shmem_ctx_t ctx, void *dest, const void *source, int pe);

struct rma_row {
    const char *name;
    size_t size;
    copy_fn *put, *get, *put_nbi, *get_nbi;
    strided_fn *iput, *iget;
    block_fn *ibput, *ibget;
    signal_fn *put_signal, *put_signal_nbi;
    single_fn *p, *g; /* null for sizes */
};

#define COPY_ARGS shmem_ctx_t ctx, void *d, const void *s, size_t n, int pe
#define STRIDED_ARGS shmem_ctx_t ctx, void *d, const void *s, ptrdiff_t dst, ptrdiff_t sst, size_t n, int pe
#define BLOCK_ARGS shmem_ctx_t ctx, void *d, const void *s, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t n, int pe
#define SIGNAL_ARGS shmem_ctx_t ctx, void *d, const void *s, size_t n, uint64_t *sig, uint64_t v, int op, int pe
#define PUT(T, N) static void put_##N(COPY_ARGS) { shmem_ctx_##N##_put(ctx, d, s, n, pe); }
#define GET(T, N) static void get_##N(COPY_ARGS) { shmem_ctx_##N##_get(ctx, d, s, n, pe); }
#define PUT_NBI(T, N) static void put_nbi_##N(COPY_ARGS) { shmem_ctx_##N##_put_nbi(ctx, d, s, n, pe); }
#define GET_NBI(T, N) static void get_nbi_##N(COPY_ARGS) { shmem_ctx_##N##_get_nbi(ctx, d, s, n, pe); }
#define IPUT(T, N) static void iput_##N(STRIDED_ARGS) { shmem_ctx_##N##_iput(ctx, d, s, dst, sst, n, pe); }
#define IGET(T, N) static void iget_##N(STRIDED_ARGS) { shmem_ctx_##N##_iget(ctx, d, s, dst, sst, n, pe); }
#define IBPUT(T, N) static void ibput_##N(BLOCK_ARGS) { shmem_ctx_##N##_ibput(ctx, d, s, dst, sst, bsize, n, pe); }
#define IBGET(T, N) static void ibget_##N(BLOCK_ARGS) { shmem_ctx_##N##_ibget(ctx, d, s, dst, sst, bsize, n, pe); }
#define PUT_SIGNAL(T, N) static void put_signal_##N(SIGNAL_ARGS) \
    { shmem_ctx_##N##_put_signal(ctx, d, s, n, sig, v, op, pe); }
#define PUT_SIGNAL_NBI(T, N) static void put_signal_nbi_##N(SIGNAL_ARGS) \
    { shmem_ctx_##N##_put_signal_nbi(ctx, d, s, n, sig, v, op, pe); }
#define SINGLE_P(T, N) static void p_##N(shmem_ctx_t ctx, void *d, const void *s, int pe) \
    { shmem_ctx_##N##_p(ctx, d, *(const T *)s, pe); }
#define SINGLE_G(T, N) static void g_##N(shmem_ctx_t ctx, void *d, const void *s, int pe) \
    { *(T *)d = shmem_ctx_##N##_g(ctx, s, pe); }
COPAL_TYPES_RMA(PUT)
COPAL_TYPES_RMA(GET)
COPAL_TYPES_RMA(PUT_NBI)
COPAL_TYPES_RMA(GET_NBI)
COPAL_TYPES_RMA(IPUT)
COPAL_TYPES_RMA(IGET)
COPAL_TYPES_RMA(IBPUT)
COPAL_TYPES_RMA(IBGET)
COPAL_TYPES_RMA(PUT_SIGNAL)
COPAL_TYPES_RMA(PUT_SIGNAL_NBI)
COPAL_TYPES_RMA(SINGLE_P)
COPAL_TYPES_RMA(SINGLE_G)

#define RMA_COPIES(N) put_##N, get_##N, put_nbi_##N, get_nbi_##N, iput_##N, iget_##N, ibput_##N, ibget_##N
#define RMA_ROW(T, N) {#N, sizeof(T), RMA_COPIES(N), put_signal_##N, put_signal_nbi_##N, p_##N, g_##N},
#define SIZE_COPIES(B) shmem_ctx_put##B, shmem_ctx_get##B, shmem_ctx_put##B##_nbi, shmem_ctx_get##B##_nbi, \
    shmem_ctx_iput##B, shmem_ctx_iget##B, shmem_ctx_ibput##B, shmem_ctx_ibget##B
#define SIZE_ROW(B) {#B, B / 8, SIZE_COPIES(B), shmem_ctx_put##B##_signal, shmem_ctx_put##B##_signal_nbi, NULL, NULL},
static const struct rma_row rma_rows[] = {COPAL_TYPES_RMA(RMA_ROW) COPAL_SIZES(SIZE_ROW)};
enum { RMA_ROWS = sizeof rma_rows / sizeof rma_rows[0] };

#endif
