#include "races/block.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* protects blocks: the report of any thread reads them */

/* Sorted by address, without overlaps. */
static struct block *blocks;
static size_t n_blocks, room;

/* The first block that ends after the address, or n_blocks. */
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

/* Replaces the blocks from `first` up to `end` by space for `made` blocks. */
static void replace(size_t first, size_t end, size_t made)
{
    memmove(&blocks[first + made], &blocks[end], (n_blocks - end) * sizeof *blocks);
    n_blocks = n_blocks - (end - first) + made;
}

/* If memory is freed without a call, like coarrays at END TEAM, its block is removed when it is allocated again. */
static void add(const void *at, size_t bytes, uint32_t site)
{
    const uintptr_t from = (uintptr_t)at;
    if (n_blocks == room) {
        struct block *more = realloc(blocks, (2 * room + 64) * sizeof *more);
        if (!more)
            return; /* reports will not name the block */
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

void block_add(const void *at, size_t bytes, uint32_t site)
{
    if (bytes == 0)
        return;
    pthread_mutex_lock(&lock);
    add(at, bytes, site);
    pthread_mutex_unlock(&lock);
}

struct block block_remove(const void *at)
{
    struct block found = {0};
    pthread_mutex_lock(&lock);
    const size_t i = find((uintptr_t)at);
    if (i < n_blocks && blocks[i].at == (uintptr_t)at) {
        found = blocks[i];
        replace(i, i + 1, 0);
    }
    pthread_mutex_unlock(&lock);
    return found;
}

struct block block_around(const void *address)
{
    struct block found = {0};
    pthread_mutex_lock(&lock);
    const size_t i = find((uintptr_t)address);
    if (i < n_blocks && blocks[i].at <= (uintptr_t)address)
        found = blocks[i];
    pthread_mutex_unlock(&lock);
    return found;
}
