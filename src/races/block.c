#include "races/block.h"

#include <stdlib.h>

static struct block *blocks;
static size_t n_blocks, room;

void block_add(const void *at, size_t bytes, uint32_t site)
{
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
