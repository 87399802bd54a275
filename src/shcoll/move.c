/* Collectives that move data: broadcast, collect, fcollect, alltoall, alltoalls.
 *
 * All of them push: dest is ready everywhere before anybody calls, so a PE that has the data stores it where it belongs
 * at once, and one synchronization at the end tells everybody that all has arrived. */
#include "shcoll/flags.h"

#include <string.h>

/* A tree of fan-out 8: flat for the PEs of a small node, three levels for 512. */
#define FAN_OUT 8

/* A sender need not wait for its receivers, so it may be many broadcasts ahead of them.  Each broadcast of a round of
 * BROADCAST_RING has a flag of its own, and after the last of them all synchronize before the flags are used again.
 * With a pSync the user keeps the calls apart. */
void shcoll_broadcast(struct shcoll_group *g, void *dest, const void *source, size_t bytes, int root)
{
    const uint64_t number = ++g->broadcasts;
    const int flag = FLAG_BROADCAST + (g->is_pSync ? 0 : (int)(number % BROADCAST_RING));
    const int rank = (g->me - root + g->size) % g->size; /* position in the tree, the root at 0 */
    if (rank != 0)
        await(g, flag, number);
    const void *data = rank == 0 ? source : dest;
    for (int64_t child = (int64_t)rank * FAN_OUT + 1; child <= (int64_t)rank * FAN_OUT + FAN_OUT && child < g->size; child++) {
        int position = (int)((child + root) % g->size);
        shmem_putmem(dest, data, bytes, pe_of(g, position));
        post(g, flag, position, number);
    }
    if (rank == 0 && !g->is_pSync && dest != source) /* an active set's root keeps its dest (9.11.4) */
        memmove(dest, source, bytes);
    if (!g->is_pSync && number % BROADCAST_RING == BROADCAST_RING - 1)
        shcoll_sync(g);
}

/* Ends a collective in which everybody has put to everybody. */
static void all_arrived(struct shcoll_group *g)
{
    shmem_quiet();
    shcoll_sync(g);
}

/* Puts the same bytes at the same place of every member's dest. Each begins with its right neighbour, so that no two
 * write to one member at the same time. */
static void put_to_all(struct shcoll_group *g, void *dest, const void *source, size_t bytes)
{
    for (int i = 1; i <= g->size; i++)
        shmem_putmem_nbi(dest, source, bytes, pe_of(g, (g->me + i) % g->size));
}

void shcoll_fcollect(struct shcoll_group *g, void *dest, const void *source, size_t bytes)
{
    put_to_all(g, (char *)dest + (size_t)g->me * bytes, source, bytes);
    all_arrived(g);
}

/* Each says how much it brings; those before it decide where it goes. */
void shcoll_collect(struct shcoll_group *g, void *dest, const void *source, size_t bytes)
{
    uint64_t *length = flag_at(g, FLAG_LENGTH);
    shmem_uint64_p(length, bytes, pe_of(g, g->me));
    all_arrived(g);
    size_t offset = 0;
    for (int i = 0; i < g->me; i++)
        offset += shmem_uint64_g(length, pe_of(g, i));
    put_to_all(g, (char *)dest + offset, source, bytes);
    all_arrived(g);
    shmem_uint64_p(length, 0, pe_of(g, g->me));
}

void shcoll_alltoall(struct shcoll_group *g, void *dest, const void *source, size_t bytes)
{
    char *to = (char *)dest + (size_t)g->me * bytes;
    for (int i = 1; i <= g->size; i++) {
        int position = (g->me + i) % g->size;
        shmem_putmem_nbi(to, (const char *)source + (size_t)position * bytes, bytes, pe_of(g, position));
    }
    all_arrived(g);
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
    all_arrived(g);
}
