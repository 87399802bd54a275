/* Macros that define a shmem_ name: a struct tap_call describes the call, and the pshmem_ name runs between tap_enter
 * and tap_leave. Each family is one line here, as in include/shmem/. */
#pragma once

#include "tap/tap.h"

#include <string.h>

#define LIST(...) __VA_ARGS__
#define CALLED .routine = __func__, .caller = __builtin_return_address(0)
#define NO_PE .pe = -1

/* Defines shmem_N with the arguments A, which calls pshmem_N with C; the rest are fields of the call. TAP_RETURN is for
 * functions with a result: KEEP stores the result in the call. */
#define TAP(N, A, C, ...) void shmem_##N A { struct tap_call call = {CALLED, __VA_ARGS__}; \
    tap_enter(&call); pshmem_##N C; tap_leave(&call); }
#define TAP_RETURN(R, N, A, C, KEEP, ...) R shmem_##N A { struct tap_call call = {CALLED, __VA_ARGS__}; \
    tap_enter(&call); R result = pshmem_##N C; KEEP; tap_leave(&call); return result; }

/* The same for shmem_N and shmem_ctx_N, which have an argument pe. */
#define TAP_CTX(N, A, C, ...) TAP(N, A, C, .ctx = SHMEM_CTX_DEFAULT, .pe = pe, __VA_ARGS__) \
    TAP(ctx_##N, (shmem_ctx_t ctx, LIST A), (ctx, LIST C), .ctx = ctx, .pe = tap_pe(ctx, pe), __VA_ARGS__)
#define TAP_RETURN_CTX(R, N, A, C, KEEP, ...) \
    TAP_RETURN(R, N, A, C, KEEP, .ctx = SHMEM_CTX_DEFAULT, .pe = pe, __VA_ARGS__) TAP_RETURN(R, ctx_##N, \
    (shmem_ctx_t ctx, LIST A), (ctx, LIST C), KEEP, .ctx = ctx, .pe = tap_pe(ctx, pe), __VA_ARGS__)

#define NOTHING (void)0
#define FOUND call.found = (size_t)result

/* Transfers of contiguous elements, of strided elements, and of strided blocks. */
#define MOVES(SIZE) .dest = dest, .source = source, .bytes = SIZE, .count = nelems, STEPS(1, 1, SIZE)
#define STRIDES(SIZE) .dest = dest, .source = source, .bytes = SIZE, .count = nelems, STEPS(dst, sst, SIZE)
#define BLOCKS(SIZE) .dest = dest, .source = source, .bytes = bsize * (SIZE), .count = nblocks, STEPS(dst, sst, SIZE)
#define STEPS(DST, SST, SIZE) .dest_step = (DST) * (ptrdiff_t)(SIZE), .source_step = (SST) * (ptrdiff_t)(SIZE)

/* The representation in memory of a value of up to 8 bytes. */
static inline uint64_t tap_bits(const void *value, size_t bytes)
{
    uint64_t bits = 0;
    memcpy(&bits, value, bytes);
    return bits;
}
#define VALUE .value = tap_bits(&value, sizeof value)
