/* Puts and gets (9.6), and puts with a signal (9.8). */
#include "tap/wrap.h"

/* Parameters in the definition, and arguments in the call of the pshmem_ name. */
#define MOVED(T) (T *dest, const T *source, size_t nelems, int pe)
#define MOVED_ON (dest, source, nelems, pe)
#define APART(T) (T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
#define APART_ON (dest, source, dst, sst, nelems, pe)
#define BLOCKED(T) (T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
#define BLOCKED_ON (dest, source, dst, sst, bsize, nblocks, pe)
#define SIGNALLED(T) (T *dest, const T *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
#define SIGNALLED_ON (dest, source, nelems, sig_addr, signal, sig_op, pe)

#define NBI .flags = TAP_NONBLOCKING
#define SENDS .signal = sig_addr, .value = signal, .operation = sig_op

/* The macros have the parameters N (the name), T (the type to which the pointers point) and the size of an element. */
#define PUT(N, T, SIZE) TAP_CTX(N, MOVED(T), MOVED_ON, .kind = TAP_PUT, MOVES(SIZE)) \
    TAP_CTX(N##_nbi, MOVED(T), MOVED_ON, .kind = TAP_PUT, NBI, MOVES(SIZE))
#define GET(N, T, SIZE) TAP_CTX(N, MOVED(T), MOVED_ON, .kind = TAP_GET, MOVES(SIZE)) \
    TAP_CTX(N##_nbi, MOVED(T), MOVED_ON, .kind = TAP_GET, NBI, MOVES(SIZE))
#define IPUT(N, T, SIZE) TAP_CTX(N, APART(T), APART_ON, .kind = TAP_PUT, STRIDES(SIZE))
#define IGET(N, T, SIZE) TAP_CTX(N, APART(T), APART_ON, .kind = TAP_GET, STRIDES(SIZE))
#define IBPUT(N, T, SIZE) TAP_CTX(N, BLOCKED(T), BLOCKED_ON, .kind = TAP_PUT, BLOCKS(SIZE))
#define IBGET(N, T, SIZE) TAP_CTX(N, BLOCKED(T), BLOCKED_ON, .kind = TAP_GET, BLOCKS(SIZE))
#define PUT_SIGNAL(N, T, SIZE) TAP_CTX(N, SIGNALLED(T), SIGNALLED_ON, .kind = TAP_PUT, SENDS, MOVES(SIZE)) \
    TAP_CTX(N##_nbi, SIGNALLED(T), SIGNALLED_ON, .kind = TAP_PUT, NBI, SENDS, MOVES(SIZE))

/* shmem_int_put, shmem_ctx_int_put, shmem_int_put_nbi, shmem_ctx_int_put_nbi, shmem_int_get, shmem_int_iput,
 * shmem_int_iget, shmem_int_ibput, shmem_int_ibget, shmem_int_put_signal, shmem_int_put_signal_nbi */
#define OF_TYPE(T, N) PUT(N##_put, T, sizeof(T)) GET(N##_get, T, sizeof(T)) IPUT(N##_iput, T, sizeof(T)) \
    IGET(N##_iget, T, sizeof(T)) IBPUT(N##_ibput, T, sizeof(T)) IBGET(N##_ibget, T, sizeof(T)) \
    PUT_SIGNAL(N##_put_signal, T, sizeof(T))
COPAL_TYPES_RMA(OF_TYPE)

/* shmem_put32 and so on, as above */
#define OF_SIZE(B) PUT(put##B, void, B / 8) GET(get##B, void, B / 8) IPUT(iput##B, void, B / 8) \
    IGET(iget##B, void, B / 8) IBPUT(ibput##B, void, B / 8) IBGET(ibget##B, void, B / 8) \
    PUT_SIGNAL(put##B##_signal, void, B / 8)
COPAL_SIZES(OF_SIZE)

/* shmem_putmem, shmem_getmem, shmem_putmem_signal and so on */
PUT(putmem, void, 1)
GET(getmem, void, 1)
PUT_SIGNAL(putmem_signal, void, 1)

/* shmem_int_p, shmem_int_g */
#define ONE(T) .bytes = sizeof(T), .count = 1, STEPS(1, 1, sizeof(T))
#define P(T, N) TAP_CTX(N##_p, (T *dest, T value, int pe), (dest, value, pe), \
    .kind = TAP_PUT, .dest = dest, .source = &value, ONE(T))
#define G(T, N) TAP_RETURN_CTX(T, N##_g, (const T *source, int pe), (source, pe), NOTHING, \
    .kind = TAP_GET, .source = source, ONE(T))
COPAL_TYPES_RMA(P)
COPAL_TYPES_RMA(G)

/* shmem_signal_add, shmem_signal_set */
#define SIGNAL(N, OPERATION) TAP_CTX(N, (uint64_t *sig_addr, uint64_t signal, int pe), (sig_addr, signal, pe), \
    .kind = TAP_SIGNAL, .signal = sig_addr, .value = signal, .operation = OPERATION)
SIGNAL(signal_add, SHMEM_SIGNAL_ADD)
SIGNAL(signal_set, SHMEM_SIGNAL_SET)
