/* Slots in a group's work area or pSync, for messages that contain both data and flag (reduce_slots.c). */
#pragma once

#include "flags.h"

struct slot {
    uint64_t number; /* of the operation; in a lasting work area at the start of a line */
    _Alignas(16) char data[];
};

/* The set of slots of one operation, which the group has counted (group->slots). */
struct slots {
    const struct shcoll_group *group;
    char *at;
    size_t bytes; /* of a slot */
    int count;
    uint64_t number;
};

/* Divides the available space into count slots. */
static inline struct slots slots_of(const struct shcoll_group *g, int count)
{
    if (g->is_pSync) {
        const uintptr_t from = ((uintptr_t)g->work + 15) / 16 * 16, to = (uintptr_t)(g->work + SHCOLL_SYNC_SIZE);
        return (struct slots){g, (char *)from, (unsigned)(to - from) / (unsigned)count / 16 * 16, count, 1};
    }
    /* MUTANT two sets of slots: g->slots % 2 => 0 */
    char *set = (char *)g->work + SLOTS_AT + g->slots % 2 * (SLOTS_BYTES / 2);
    return (struct slots){g, set, SLOTS_BYTES / 2 / (unsigned)count / LINE * LINE, count, g->slots};
}

static inline bool have_room(const struct slots *s, size_t bytes)
{
    return sizeof(struct slot) + bytes <= s->bytes;
}

static inline struct slot *slot_at(const struct slots *s, int i)
{
    return (struct slot *)(s->at + s->bytes * (size_t)i);
}

static inline void send_slot(const struct slots *s, int i, const void *data, size_t bytes, int position)
{
    struct slot *slot = slot_at(s, i);
    put_numbered(slot->data, data, bytes, &slot->number, s->number, pe_of(s->group, position));
}

/* Waits for the data of a slot. The slot's owner, the caller, may change the data. */
static inline void *receive_slot(const struct slots *s, int i, int from)
{
    struct slot *slot = slot_at(s, i);
    wait_for_member(s->group, from);
    shmem_uint64_wait_until(&slot->number, SHMEM_CMP_EQ, s->number); /* MUTANT slots are waited for */
    return slot->data;
}

/* Operations on the leaders of nodes divide the space into other sizes than operations on the whole group. A later one
 * may therefore wait for its number in a line where this operation has received data. Call this when the data is no
 * longer needed: zeroes the start of each line but a slot's first, which has the number of this operation. */
static inline void clear_numbers(const struct slots *s, size_t bytes)
{
    for (int i = 0; i < s->count; i++)
        for (size_t at = LINE; at < sizeof(struct slot) + bytes; at += LINE)
            /* MUTANT data is no number: (void)at; */
            *(uint64_t *)(void *)((char *)slot_at(s, i) + at) = 0;
}

/* If a member has a slot for each other member: the index of the owner's slot for a sender. */
static inline int slot_for(int owner, int sender)
{
    return sender < owner ? sender : sender - 1;
}
