#include "races/block.h"

#include <stdlib.h>

static struct block *blocks;
static size_t n_blocks, room;

/* What is freed without a call, as coarrays are at END TEAM, is known to be gone when its memory is allocated anew. */
static void drop_overlapped(uintptr_t at, size_t bytes)
{
    size_t kept = 0;
    for (size_t i = 0; i < n_blocks; i++)
        if (blocks[i].at >= at + bytes || at >= blocks[i].at + blocks[i].bytes)
            blocks[kept++] = blocks[i];
    n_blocks = kept;
}

void block_add(const void *at, size_t bytes, uint32_t site)
{
    if (bytes == 0)
        return;
    drop_overlapped((uintptr_t)at, bytes);
    if (n_blocks == room) {
        struct block *more = realloc(blocks, (2 * room + 64) * sizeof *more);
        if (!more)
            return; /* a report will not name it */
        blocks = more;
        room = 2 * room + 64;
    }
    blocks[n_blocks++] = (struct block){(uintptr_t)at, bytes, site};
}

struct block block_remove(const void *at)
{
    for (size_t i = n_blocks; i-- > 0;)
        if (blocks[i].at == (uintptr_t)at) {
            const struct block found = blocks[i];
            blocks[i] = blocks[--n_blocks];
            return found;
        }
    return (struct block){0};
}

struct block block_around(const void *address)
{
    for (size_t i = 0; i < n_blocks; i++)
        if ((uintptr_t)address - blocks[i].at < blocks[i].bytes)
            return blocks[i];
    return (struct block){0};
}
