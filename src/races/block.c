#include "races/block.h"

#include <stdlib.h>
#include <string.h>

/* By address; none overlaps another. */
static struct block *blocks;
static size_t n_blocks, room;

/* The first block that ends behind the address, or n_blocks. */
static size_t find(uintptr_t at)
{
    size_t low = 0, high = n_blocks;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (blocks[middle].at + blocks[middle].bytes <= at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Leaves room for `made` blocks in the place of those from `first` up to `end`. */
static void replace(size_t first, size_t end, size_t made)
{
    memmove(&blocks[first + made], &blocks[end], (n_blocks - end) * sizeof *blocks);
    n_blocks = n_blocks - (end - first) + made;
}

/* What is freed without a call, as coarrays are at END TEAM, is known to be gone when its memory is allocated anew. */
void block_add(const void *at, size_t bytes, uint32_t site)
{
    const uintptr_t from = (uintptr_t)at;
    if (bytes == 0)
        return;
    if (n_blocks == room) {
        struct block *more = realloc(blocks, (2 * room + 64) * sizeof *more);
        if (!more)
            return; /* a report will not name it */
        blocks = more;
        room = 2 * room + 64;
    }
    const size_t first = find(from);
    size_t end = first;
    while (end < n_blocks && blocks[end].at < from + bytes)
        end++;
    replace(first, end, 1);
    blocks[first] = (struct block){from, bytes, site};
}

struct block block_remove(const void *at)
{
    const size_t i = find((uintptr_t)at);
    if (i == n_blocks || blocks[i].at != (uintptr_t)at)
        return (struct block){0};
    const struct block found = blocks[i];
    replace(i, i + 1, 0);
    return found;
}

struct block block_around(const void *address)
{
    const size_t i = find((uintptr_t)address);
    return i < n_blocks && blocks[i].at <= (uintptr_t)address ? blocks[i] : (struct block){0};
}
