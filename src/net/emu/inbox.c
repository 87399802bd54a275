#include "inbox.h"

#include <string.h>

/* A slot's word: its round, its state, and its claimant.  All zero: free, in the first round. */
enum { FREE, CLAIMED, FILLED };

static uint64_t word_of(uint64_t round, unsigned state, int pe)
{
    return round << 22 | (uint64_t)state << 20 | (uint64_t)(unsigned)pe;
}
static unsigned state_of(uint64_t word)
{
    return (unsigned)(word >> 20) & 3;
}
static int claimant_of(uint64_t word)
{
    return (int)(word & 0xfffff);
}

struct slot {
    _Atomic uint64_t word;
    struct inbox_message m;
    _Alignas(16) unsigned char data[];
};

size_t inbox_slot_bytes(size_t message_most)
{
    return (sizeof(struct slot) + message_most + 63) & ~(size_t)63;
}

static struct slot *slot_of(struct inbox *in, size_t message_most, uint64_t at)
{
    return (struct slot *)((char *)(in + 1) + at % INBOX_SLOTS * inbox_slot_bytes(message_most));
}

size_t inbox_bytes(size_t message_most)
{
    return sizeof(struct inbox) + INBOX_SLOTS * inbox_slot_bytes(message_most);
}

/* Claims a slot.  If the tail is not after it yet, the next sender or the receiver advances the tail.  NULL: full. */
static struct slot *claim(struct inbox *in, size_t message_most, unsigned capacity, int pe, uint64_t *round)
{
    for (;;) {
        uint64_t at = atomic_load(&in->tail);
        if ((int64_t)(at - atomic_load(&in->head)) >= (int64_t)capacity)
            return NULL;
        struct slot *slot = slot_of(in, message_most, at);
        *round = at / INBOX_SLOTS;
        uint64_t word = atomic_load(&slot->word);
        const bool claimed = word == word_of(*round, FREE, 0) &&
            atomic_compare_exchange_strong(&slot->word, &word, word_of(*round, CLAIMED, pe));
        if (word >> 22 < *round)
            return NULL; /* the slot has not been emptied */
        atomic_compare_exchange_strong(&in->tail, &at, at + 1);
        if (claimed)
            return slot;
    }
}

bool inbox_put(struct inbox *in, size_t message_most, unsigned capacity, const struct inbox_message *m)
{
    uint64_t round;
    struct slot *slot = claim(in, message_most, capacity, m->from, &round);
    if (!slot)
        return false;
    slot->m = *m;
    memcpy(slot->data, m->data, m->bytes);
    atomic_store(&slot->word, word_of(round, FILLED, m->from));
    return true;
}

enum inbox_state inbox_first(struct inbox *in, size_t message_most, struct inbox_message *m, int *claimant)
{
    const uint64_t at = atomic_load_explicit(&in->head, memory_order_relaxed);
    struct slot *slot = slot_of(in, message_most, at);
    const uint64_t word = atomic_load(&slot->word);
    if (word >> 22 != at / INBOX_SLOTS || state_of(word) == FREE)
        return INBOX_EMPTY;
    *claimant = claimant_of(word);
    if (state_of(word) == CLAIMED)
        return INBOX_BUSY;
    *m = slot->m;
    m->data = slot->data;
    return INBOX_FULL;
}

/* Advances the tail first, as the claimant may not have done so: no free slot may be before the tail. */
void inbox_drop(struct inbox *in, size_t message_most)
{
    const uint64_t at = atomic_load_explicit(&in->head, memory_order_relaxed);
    uint64_t tail = at;
    atomic_compare_exchange_strong(&in->tail, &tail, at + 1);
    atomic_store(&slot_of(in, message_most, at)->word, word_of(at / INBOX_SLOTS + 1, FREE, 0));
    atomic_store(&in->head, at + 1);
}
