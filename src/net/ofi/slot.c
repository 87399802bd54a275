#include "net/ofi/ofi.h"

#include <stdio.h>
#include <stdlib.h>

#define BLOCK_SLOTS 64
#define SLOT_BYTES ((sizeof(struct slot) + SLOT_DATA + 63) & ~(size_t)63)

struct slot_block {
    struct slot_block *next;
    _Alignas(64) unsigned char slots[];
};

static void more(struct provider_port *port)
{
    struct slot_block *block = aligned_alloc(64, sizeof *block + BLOCK_SLOTS * SLOT_BYTES);
    if (!block) {
        fputs("Copal: no memory for a message to another node; the job cannot go on\n", stderr);
        abort();
    }
    block->next = port->blocks;
    port->blocks = block;
    for (size_t i = 0; i < BLOCK_SLOTS; i++) {
        struct slot *slot = (struct slot *)(block->slots + i * SLOT_BYTES);
        slot->posted.is_slot = true;
        slot_give_back(port, slot);
    }
}

struct slot *slot_take(struct provider_port *port)
{
    if (!port->spare_slots)
        more(port);
    struct slot *slot = port->spare_slots;
    port->spare_slots = slot->next;
    return slot;
}

void slot_give_back(struct provider_port *port, struct slot *slot)
{
    slot->next = port->spare_slots;
    port->spare_slots = slot;
}

void slot_free_all(struct provider_port *port)
{
    for (struct slot_block *b = port->blocks, *next; b; b = next) {
        next = b->next;
        free(b);
    }
}
