/* Strided and block-strided access (9.6.1.3, 9.6.1.4 and their gets). An element is a block of one element. */
#include "shmem/api.h"
#include "shmem/copy.h"
#include "time/virtual.h"

/* One side of a strided copy. Strides are in elements and may be negative or 0. */
struct side {
    const char *arg;
    const void *at;
    ptrdiff_t stride;
};

struct shape {
    size_t blocks, block; /* block: bytes in a block */
    size_t size;          /* bytes in an element, the unit of strides */
};

static _Noreturn void too_long(const char *arg, const struct shape *s, ptrdiff_t stride, const char *routine)
{
    job_fatal(routine, "argument %s spans %zu blocks of %zu bytes at a stride of %td elements, which is more "
              "than the address space", arg, s->blocks, s->block, stride);
}

/* The address of the first block on PE pe, or NULL if that is on another node; checks the whole range from the lowest
 * block to the highest. */
static char *reach_side(const struct side *side, const struct shape *s, int pe, const char *routine)
{
    ptrdiff_t extent, length; /* bytes from the first block to the last; sum of all blocks' bytes */
    if (__builtin_mul_overflow((ptrdiff_t)s->size, side->stride, &extent) ||
        __builtin_mul_overflow(extent, s->blocks - 1, &extent) || extent == PTRDIFF_MIN ||
        __builtin_add_overflow(extent < 0 ? -extent : extent, s->block, &length))
        too_long(side->arg, s, side->stride, routine);
    const ptrdiff_t below = extent < 0 ? -extent : 0;
    char *lowest = reach_arg(side->arg, (const char *)side->at - below, (size_t)length, pe, routine);
    return lowest ? lowest + below : NULL;
}

static struct net_strided far_shape(const struct shape *s, ptrdiff_t remote_stride, ptrdiff_t local_stride)
{
    const ptrdiff_t size = (ptrdiff_t)s->size;
    return (struct net_strided){s->blocks, s->block, remote_stride * size, local_stride * size};
}

/* One loop for each element size, in which the compiler copies an element by one load and one store. */
INLINE void copy_blocks(char *to, const char *from, ptrdiff_t to_step, ptrdiff_t from_step, size_t n, size_t block)
{
    for (; n >= 4; n -= 4) {
        memcpy(to, from, block);
        memcpy(to + to_step, from + from_step, block);
        memcpy(to + 2 * to_step, from + 2 * from_step, block);
        memcpy(to + 3 * to_step, from + 3 * from_step, block);
        to += 4 * to_step;
        from += 4 * from_step;
    }
    for (; n > 0; n--, to += to_step, from += from_step)
        memcpy(to, from, block);
}

static void copy_strided(char *to, const char *from, ptrdiff_t to_stride, ptrdiff_t from_stride, const struct shape *s)
{
    const ptrdiff_t to_step = to_stride * (ptrdiff_t)s->size, from_step = from_stride * (ptrdiff_t)s->size;
    /* One element is copied below, by one store: it may be a flag, and memcpy may tear it. */
    if (s->blocks > 1 && to_step == (ptrdiff_t)s->block && from_step == (ptrdiff_t)s->block) {
        memcpy(to, from, s->blocks * s->block);
        return;
    }
    switch (s->block) {
    case 1: copy_blocks(to, from, to_step, from_step, s->blocks, 1); break;
    case 2: copy_blocks(to, from, to_step, from_step, s->blocks, 2); break;
    case 4: copy_blocks(to, from, to_step, from_step, s->blocks, 4); break;
    case 8: copy_blocks(to, from, to_step, from_step, s->blocks, 8); break;
    case 16: copy_blocks(to, from, to_step, from_step, s->blocks, 16); break;
    default: copy_blocks(to, from, to_step, from_step, s->blocks, s->block); break;
    }
}

static bool nothing_to_do(const struct shape *s, int pe, const char *routine)
{
    if (s->blocks && s->block)
        return false;
    check_pe(pe, routine);
    return true;
}

static void put_blocks(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks,
                       size_t size, int pe, via how, const char *routine)
{
    const struct shape s = {nblocks, bytes_of(bsize, size, routine), size};
    if (nothing_to_do(&s, pe, routine))
        return;
    if (UNLIKELY(virtual_on) && node_is_near(pe))
        virtual_access(VIRTUAL_STORE, pe, place_of(dest), s.blocks * s.block);
    const struct side remote = {"dest", dest, dst};
    char *to = reach_side(&remote, &s, pe, routine);
    if (!source)
        check_copy(dest, source, s.blocks * s.block, routine);
    if (!to) {
        const struct net_strided far = far_shape(&s, dst, sst);
        net_put_strided(net_of(how), pe, place_of(dest), source, &far, mode_of(how), routine);
    } else {
        copy_strided(to, source, dst, sst, &s);
        const ptrdiff_t extent = (ptrdiff_t)(s.blocks - 1) * dst * (ptrdiff_t)size; /* reach_side has checked it */
        wake(pe, extent < 0 ? to + extent : to, (size_t)(extent < 0 ? -extent : extent) + s.block);
    }
    if (UNLIKELY(virtual_on))
        virtual_resume();
}

static void get_blocks(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks,
                       size_t size, int pe, via how, const char *routine)
{
    const struct shape s = {nblocks, bytes_of(bsize, size, routine), size};
    if (nothing_to_do(&s, pe, routine))
        return;
    if (UNLIKELY(virtual_on) && node_is_near(pe))
        virtual_access(VIRTUAL_LOAD, pe, place_of(source), s.blocks * s.block);
    const struct side remote = {"source", source, sst};
    const char *from = reach_side(&remote, &s, pe, routine);
    if (!dest)
        check_copy(dest, source, s.blocks * s.block, routine);
    if (!from) {
        const struct net_strided far = far_shape(&s, sst, dst);
        net_get_strided(net_of(how), pe, dest, place_of(source), &far, mode_of(how), routine);
    } else {
        copy_strided(dest, from, dst, sst, &s);
    }
    order_loads();
    if (UNLIKELY(virtual_on))
        virtual_resume();
}

#define STRIDED(T) T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe
#define BLOCKED(T) T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe

/* shmem_int_iput, shmem_ctx_int_iput, shmem_iput64, shmem_ctx_iput64, shmem_int_iget, shmem_ctx_int_iget, shmem_iget64,
 * shmem_ctx_iget64, shmem_int_ibput, shmem_ctx_int_ibput, shmem_ibput64, shmem_ctx_ibput64, shmem_int_ibget,
 * shmem_ctx_int_ibget, shmem_ibget64, shmem_ctx_ibget64 ... */
#define IPUT(T, SIZE, NAME) API_CTX(void, NAME, (STRIDED(T)), \
    put_blocks(dest, source, dst, sst, 1, nelems, SIZE, pe, how, ROUTINE))
#define IGET(T, SIZE, NAME) API_CTX(void, NAME, (STRIDED(T)), \
    get_blocks(dest, source, dst, sst, 1, nelems, SIZE, pe, how, ROUTINE))
#define IBPUT(T, SIZE, NAME) API_CTX(void, NAME, (BLOCKED(T)), \
    put_blocks(dest, source, dst, sst, bsize, nblocks, SIZE, pe, how, ROUTINE))
#define IBGET(T, SIZE, NAME) API_CTX(void, NAME, (BLOCKED(T)), \
    get_blocks(dest, source, dst, sst, bsize, nblocks, SIZE, pe, how, ROUTINE))
#define TYPED(T, N) IPUT(T, sizeof(T), N##_iput) IGET(T, sizeof(T), N##_iget) \
    IBPUT(T, sizeof(T), N##_ibput) IBGET(T, sizeof(T), N##_ibget)
#define SIZED(BITS) IPUT(void, BITS / 8, iput##BITS) IGET(void, BITS / 8, iget##BITS) \
    IBPUT(void, BITS / 8, ibput##BITS) IBGET(void, BITS / 8, ibget##BITS)
COPAL_TYPES_RMA(TYPED)
COPAL_SIZES(SIZED)

/* Steps are in bytes, so an element has one byte. */
void shmemx_put_blocks(void *dest, const void *source, ptrdiff_t dest_step, ptrdiff_t source_step, size_t bytes,
                       size_t n, int pe)
{
    put_blocks(dest, source, dest_step, source_step, bytes, n, 1, pe, VIA_DEFAULT | VIA_DELAYED, ROUTINE);
}

void shmemx_get_blocks_nbi(void *dest, const void *source, ptrdiff_t dest_step, ptrdiff_t source_step, size_t bytes,
                           size_t n, int pe)
{
    get_blocks(dest, source, dest_step, source_step, bytes, n, 1, pe, VIA_DEFAULT | VIA_NBI, ROUTINE);
}

size_t shmemx_in_order(void)
{
    check_initialized(ROUTINE);
    return net.active ? net_in_order() : SIZE_MAX;
}
