/* Large transfers across the boundaries between the regions in which the heap is registered, by every routine that
 * uses the provider; a region that is not needed is not registered. Requires SHMEM_NET_TUNE=reach=16777216 and a
 * heap of 1 GiB: regions then end 256 and 512 MiB after the segment's start, and the library uses the first 128 MiB. */
#include "check.h"

#include <shmem.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MIB = 1 << 20, BLOCK = 3 * MIB };
static const size_t ends[] = {(size_t)128 * MIB, (size_t)384 * MIB}; /* offsets of the boundaries in the user's heap */

static unsigned char *mine; /* this PE's data */

static unsigned char value(int pe, int round, size_t i)
{
    return (unsigned char)(pe * 37 + round * 101 + i * 7 + i / 4093);
}

static void fill(int pe, int round, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        mine[i] = value(pe, round, i);
}

static void check(const char *what, const unsigned char *got, int pe, int round, size_t bytes)
{
    size_t i = 0;
    while (i < bytes && got[i] == value(pe, round, i))
        i++;
    CHECK(i == bytes, "PE %d: %s from PE %d, round %d: byte %zu is %u, expected %u", shmem_my_pe(), what, pe, round, i,
          i < bytes ? got[i] : 0, value(pe, round, i));
}

/* Each PE has a block around a boundary; one routine after the other transfers its neighbour's data there. */
static void across(unsigned char *room, int first_round)
{
    static uint64_t signal;
    const int me = shmem_my_pe(), n = shmem_n_pes(), to = (me + 1) % n, from = (me + n - 1) % n;
    unsigned char *const copy = malloc(BLOCK);
    for (int way = 0; way < 6; way++) {
        const int round = first_round + way;
        fill(me, round, BLOCK);
        memset(room, 0xee, BLOCK);
        signal = 0;
        shmem_barrier_all();
        if (way == 0)
            shmem_putmem(room, mine, BLOCK, to);
        else if (way == 1)
            shmem_putmem_nbi(room, mine, BLOCK, to);
        else if (way == 2)
            shmem_putmem_signal(room, mine, BLOCK, &signal, 1, SHMEM_SIGNAL_SET, to);
        else if (way == 3)
            shmem_putmem_signal_nbi(room, mine, BLOCK, &signal, 1, SHMEM_SIGNAL_SET, to);
        else
            memcpy(room, mine, BLOCK);
        if (way == 2 || way == 3)
            shmem_signal_wait_until(&signal, SHMEM_CMP_EQ, 1);
        else
            shmem_barrier_all();
        if (way == 4)
            shmem_getmem(copy, room, BLOCK, from);
        if (way == 5)
            shmem_getmem_nbi(copy, room, BLOCK, from);
        shmem_barrier_all();
        check(way < 4 ? "put" : "get", way < 4 ? room : copy, from, round, BLOCK);
        shmem_barrier_all();
    }
    free(copy);
}

int main(void)
{
    shmem_init();
    mine = malloc(BLOCK);
    unsigned char *const heap = shmem_malloc((size_t)700 * MIB);
    CHECK(heap != NULL, "no heap of 700 MiB");
    for (size_t i = 0; heap && i < sizeof ends / sizeof ends[0]; i++) {
        across(heap + ends[i] - MIB, 10 * (int)i + 1);         /* across the boundary */
        across(heap + ends[i] - BLOCK, 10 * (int)i + 2);       /* up to the boundary */
        across(heap + ends[i], 10 * (int)i + 3);               /* from the boundary on */
    }
    shmem_free(heap);
    /* Memory does not grow with repeated transfers. */
    for (int i = 0; i < 1000; i++) {
        unsigned char *block = shmem_malloc(64 * 1024);
        shmem_putmem(block, mine, 64 * 1024, (shmem_my_pe() + 1) % shmem_n_pes());
        shmem_free(block);
    }
    free(mine);
    shmem_finalize();
    return check_result();
}
