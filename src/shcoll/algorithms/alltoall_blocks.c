/* The planner for strided blocks. The first possible plan is the cheapest:
 *
 * 1. the elements are adjacent on both sides: one put or get;
 * 2. the other PE's memory can be addressed: a loop of loads and stores;
 * 3. the elements are adjacent on the other PE: pack them here and put them, or get and unpack them;
 * 4. OpenSHMEM has a strided put or get of that size;
 * 5. a put or get of each element, as a run of bytes. */
#include "alltoall_blocks.h"

/* Elements above this size are transferred one by one: packing would save too few messages to pay for the copy. */
enum { MOST_PACKED = 256 };
_Static_assert(MOST_PACKED <= BLOCK_BYTES, "an element fits in the buffer");

/* --- copying ------------------------------------------------------------------------------------------------------ */

/* Called with a constant size for the usual elements: memcpy is then one load and one store. */
static inline __attribute__((always_inline)) void copy_elements(char *to, const char *from, ptrdiff_t to_step,
                                                                ptrdiff_t from_step, size_t n, size_t size)
{
#pragma GCC unroll 4
    for (; n > 0; n--, to += to_step, from += from_step)
        memcpy(to, from, size);
}

void shcoll_copy_block(const struct shcoll_block *b, void *dest, const void *source)
{
    const ptrdiff_t to_step = b->dst * (ptrdiff_t)b->size, from_step = b->sst * (ptrdiff_t)b->size;
    if (is_contiguous(b)) {
        if (b->n)
            memcpy(dest, source, b->n * b->size);
        return;
    }
    switch (b->size) {
    case 1: copy_elements(dest, source, to_step, from_step, b->n, 1); break;
    case 2: copy_elements(dest, source, to_step, from_step, b->n, 2); break;
    case 4: copy_elements(dest, source, to_step, from_step, b->n, 4); break;
    case 8: copy_elements(dest, source, to_step, from_step, b->n, 8); break;
    case 16: copy_elements(dest, source, to_step, from_step, b->n, 16); break;
    default: copy_elements(dest, source, to_step, from_step, b->n, b->size); break;
    }
}

/* --- the plans that need a message -------------------------------------------------------------------------------- */

static void put_packed(const struct shcoll_block *b, char *dest, const char *source, int pe)
{
    _Alignas(64) char buffer[BLOCK_BYTES];
    struct shcoll_block part = {.dst = 1, .sst = b->sst, .size = b->size};
    for (size_t left = b->n; left > 0; left -= part.n) {
        part.n = left < BLOCK_BYTES / b->size ? left : BLOCK_BYTES / b->size;
        const size_t bytes = part.n * b->size;
        shcoll_copy_block(&part, buffer, source);
        shmem_putmem(dest, buffer, bytes, pe);
        dest += bytes;
        source += (ptrdiff_t)bytes * b->sst;
    }
}

static void get_packed(const struct shcoll_block *b, char *dest, const char *source, int pe)
{
    _Alignas(64) char buffer[BLOCK_BYTES];
    struct shcoll_block part = {.dst = b->dst, .sst = 1, .size = b->size};
    for (size_t left = b->n; left > 0; left -= part.n) {
        part.n = left < BLOCK_BYTES / b->size ? left : BLOCK_BYTES / b->size;
        const size_t bytes = part.n * b->size;
        shmem_getmem(buffer, source, bytes, pe);
        shcoll_copy_block(&part, dest, buffer);
        dest += (ptrdiff_t)bytes * b->dst;
        source += bytes;
    }
}

static void put_strided(const struct shcoll_block *b, char *dest, const char *source, int pe)
{
    const ptrdiff_t size = (ptrdiff_t)b->size;
    switch (size) {
    case 1: shmem_iput8(dest, source, b->dst, b->sst, b->n, pe); break;
    case 2: shmem_iput16(dest, source, b->dst, b->sst, b->n, pe); break;
    case 4: shmem_iput32(dest, source, b->dst, b->sst, b->n, pe); break;
    case 8: shmem_iput64(dest, source, b->dst, b->sst, b->n, pe); break;
    case 16: shmem_iput128(dest, source, b->dst, b->sst, b->n, pe); break;
    default:
        for (size_t i = 0; i < b->n; i++)
            shmem_putmem_nbi(dest + (ptrdiff_t)i * b->dst * size, source + (ptrdiff_t)i * b->sst * size, b->size, pe);
    }
}

static void get_strided(const struct shcoll_block *b, char *dest, const char *source, int pe)
{
    const ptrdiff_t size = (ptrdiff_t)b->size;
    switch (size) {
    case 1: shmem_iget8(dest, source, b->dst, b->sst, b->n, pe); break;
    case 2: shmem_iget16(dest, source, b->dst, b->sst, b->n, pe); break;
    case 4: shmem_iget32(dest, source, b->dst, b->sst, b->n, pe); break;
    case 8: shmem_iget64(dest, source, b->dst, b->sst, b->n, pe); break;
    case 16: shmem_iget128(dest, source, b->dst, b->sst, b->n, pe); break;
    default:
        for (size_t i = 0; i < b->n; i++)
            shmem_getmem_nbi(dest + (ptrdiff_t)i * b->dst * size, source + (ptrdiff_t)i * b->sst * size, b->size, pe);
    }
}

/* --- the plan ----------------------------------------------------------------------------------------------------- */

void shcoll_put_block(const struct shcoll_block *b, void *dest, const void *source, int pe)
{
    char *to;
    if (is_contiguous(b)) {
        if (b->n)
            shmem_putmem_nbi(dest, source, b->n * b->size, pe);
    } else if ((to = shmem_ptr(dest, pe))) {
        shcoll_copy_block(b, to, source);
        charge_store(dest, b->n * b->size, pe);
    } else if (b->dst == 1 && b->size <= MOST_PACKED) {
        put_packed(b, dest, source, pe);
    } else {
        put_strided(b, dest, source, pe);
    }
}

void shcoll_get_block(const struct shcoll_block *b, void *dest, const void *source, int pe)
{
    const char *from;
    if (is_contiguous(b)) {
        if (b->n)
            shmem_getmem_nbi(dest, source, b->n * b->size, pe);
    } else if ((from = shmem_ptr(source, pe))) {
        shcoll_copy_block(b, dest, from);
        charge_load(source, b->n * b->size, pe);
    } else if (b->sst == 1 && b->size <= MOST_PACKED) {
        get_packed(b, dest, source, pe);
    } else {
        get_strided(b, dest, source, pe);
    }
}
