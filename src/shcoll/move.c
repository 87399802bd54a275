/* Collectives that move data: broadcast, collect, fcollect, alltoall, alltoalls.
 *
 * Small pieces are pushed: dest is ready everywhere before anybody calls, so a PE that has the data stores it where it
 * belongs at once.  Large ones are pulled, once all sources are ready: then every PE writes memory that only it writes,
 * and the lines of dest stay in the cache of the PE that will use them.  What goes to all alike is pushed in any size,
 * block by block, since that reads each block once. */
#include "shcoll/flags.h"

#include <string.h>

/* Where pulling won in measurement. It needs one synchronization more, which is dear when PEs share processors. */
static bool pulls(const struct shcoll_group *g, size_t bytes)
{
    return bytes >= (size_t)(g->crowded ? 256 : 16) << 10;
}

/* A tree of fan-out 8: flat for the PEs of a small node, three levels for 512. */
#define FAN_OUT 8

/* A sender need not wait for its receivers, so it may be many broadcasts ahead of them.  Each broadcast of a round of
 * BROADCAST_RING has a flag of its own, and after the last of them all synchronize before the flags are used again.
 * With a pSync the user keeps the calls apart. */
static void broadcast_tree(struct shcoll_group *g, void *dest, const void *source, size_t bytes, int root)
{
    const uint64_t number = ++g->broadcasts;
    const int flag = FLAG_BROADCAST + (g->is_pSync ? 0 : (int)(number % BROADCAST_RING));
    const int rank = (g->me - root + g->size) % g->size; /* position in the tree, the root at 0 */
    if (rank != 0)
        await(g, flag, (int)(((rank - 1) / FAN_OUT + (int64_t)root) % g->size), number);
    const void *data = rank == 0 ? source : dest;
    for (int64_t child = (int64_t)rank * FAN_OUT + 1; child <= (int64_t)rank * FAN_OUT + FAN_OUT && child < g->size; child++) {
        int position = (int)((child + root) % g->size);
        shmem_putmem(dest, data, bytes, pe_of(g, position));
        post(g, flag, position, number);
    }
    if (!g->is_pSync && number % BROADCAST_RING == BROADCAST_RING - 1)
        shcoll_sync(g);
}

/* Synchronizes, and completes what this PE has put before. */
static void meet(struct shcoll_group *g)
{
    shmem_quiet();
    shcoll_sync(g);
}

void shcoll_broadcast(struct shcoll_group *g, void *dest, const void *source, size_t bytes, int root)
{
    const bool pull = pulls(g, bytes);
    if (pull) {
        meet(g);
        if (g->me != root)
            shmem_getmem(dest, source, bytes, pe_of(g, root));
    } else {
        broadcast_tree(g, dest, source, bytes, root);
    }
    if (g->me == root && !g->is_pSync && dest != source) /* an active set's root keeps its dest (9.10.7) */
        memmove(dest, source, bytes);
    if (pull)
        meet(g);
}

/* Member i's piece for member j, which is bytes at source + j * step, becomes piece i of member j's dest.  Each begins
 * with its right neighbour, so that no two work on one member's memory at the same time, and copies its own piece last,
 * when nobody else writes to that cache line any more. */
static void exchange(struct shcoll_group *g, char *dest, const char *source, size_t bytes, size_t step)
{
    const bool pull = pulls(g, bytes);
    const size_t me = (size_t)g->me;
    if (pull)
        meet(g);
    for (int i = 1; i < g->size; i++) {
        const size_t other = (me + (size_t)i) % (size_t)g->size;
        if (pull)
            shmem_getmem_nbi(dest + other * bytes, source + me * step, bytes, pe_of(g, (int)other));
        else
            shmem_putmem_nbi(dest + me * bytes, source + other * step, bytes, pe_of(g, (int)other));
    }
    meet(g);
    if (bytes)
        memcpy(dest + me * bytes, source + me * step, bytes);
}

/* A large piece goes to all members block by block: the block is still in the cache for the next member. */
void shcoll_fcollect(struct shcoll_group *g, void *dest, const void *source, size_t bytes)
{
    const size_t block = 32 << 10;
    if (!pulls(g, bytes)) {
        exchange(g, dest, source, bytes, 0);
        return;
    }
    for (size_t at = 0; at < bytes; at += block)
        for (int i = 1; i <= g->size; i++)
            shmem_putmem_nbi((char *)dest + (size_t)g->me * bytes + at, (const char *)source + at,
                             bytes - at < block ? bytes - at : block, pe_of(g, (g->me + i) % g->size));
    meet(g);
}

void shcoll_alltoall(struct shcoll_group *g, void *dest, const void *source, size_t bytes)
{
    exchange(g, dest, source, bytes, bytes);
}

/* Each says how much it brings; then each fetches all of it, knowing from the lengths before where it goes. */
void shcoll_collect(struct shcoll_group *g, void *dest, const void *source, size_t bytes)
{
    uint64_t *length = flag_at(g, FLAG_LENGTH);
    shmem_uint64_p(length, bytes, pe_of(g, g->me));
    meet(g);
    size_t total = 0;
    for (int i = 0; i < g->size; i++)
        total += shmem_uint64_g(length, pe_of(g, i));
    if (total) /* a store to its last byte, which is overwritten below, lets the library check all of dest */
        shmem_uchar_p((unsigned char *)dest + total - 1, 0, pe_of(g, g->me));
    char *to = dest;
    for (int i = 0; i < g->size; i++) {
        const uint64_t theirs = shmem_uint64_g(length, pe_of(g, i));
        shmem_getmem_nbi(to, source, theirs, pe_of(g, i));
        to += theirs;
    }
    meet(g);
    shmem_uint64_p(length, 0, pe_of(g, g->me)); /* a pSync is given back as it was */
}

static void put_strided(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t n, size_t size, int pe)
{
    switch (size) {
    case 1: shmem_iput8(dest, source, dst, sst, n, pe); break;
    case 2: shmem_iput16(dest, source, dst, sst, n, pe); break;
    case 4: shmem_iput32(dest, source, dst, sst, n, pe); break;
    case 8: shmem_iput64(dest, source, dst, sst, n, pe); break;
    default: shmem_iput128(dest, source, dst, sst, n, pe); break;
    }
}

void shcoll_alltoalls(struct shcoll_group *g, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t n,
                      size_t size)
{
    const ptrdiff_t to_block = (ptrdiff_t)(n * size) * dst, from_block = (ptrdiff_t)(n * size) * sst;
    char *to = (char *)dest + g->me * to_block;
    for (int i = 1; i <= g->size; i++) {
        int position = (g->me + i) % g->size;
        put_strided(to, (const char *)source + position * from_block, dst, sst, n, size, pe_of(g, position));
    }
    meet(g);
}
