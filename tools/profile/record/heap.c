/* The allocated part of the heap over time, in SAMPLES samples. When these are full, of each two successive samples
 * the smaller one is removed. */
#include "profile/record/record.h"

#include <string.h>

struct sample memory_samples[SAMPLES];
uint32_t memory_n;
char *memory_first;

/* The allocated blocks and their lengths. If the table is full, further blocks are not recorded. */
enum { BLOCKS = 1 << 15 };
static struct block {
    void *at; /* NULL: free and never used; GONE: used, and free again */
    size_t bytes;
} blocks[BLOCKS];
static char gone;
#define GONE ((void *)&gone)
static uint32_t blocks_n; /* including freed ones */
static uint64_t allocated;

static struct block *place_of(void *at, void *other)
{
    const uint64_t hash = (uintptr_t)at * UINT64_C(0x9e3779b97f4a7c15);
    for (uint64_t i = hash >> 32, n = 0; n < BLOCKS; i++, n++) {
        struct block *b = &blocks[i % BLOCKS];
        if (b->at == at || b->at == other || !b->at)
            return b;
    }
    return NULL;
}

static void sample(uint64_t now)
{
    if (memory_n == SAMPLES) {
        for (uint32_t i = 0; i < SAMPLES / 2; i++) {
            const struct sample *two = &memory_samples[2 * i];
            memory_samples[i] = two[two[1].bytes > two[0].bytes];
        }
        memory_n = SAMPLES / 2;
    }
    memory_samples[memory_n++] = (struct sample){now, allocated};
}

static void forget(void *at)
{
    struct block *b = place_of(at, at);
    if (!b || !b->at)
        return;
    allocated -= b->bytes;
    b->at = GONE;
}

/* Removes earlier entries in that memory: coarrays that end with a team are freed without a call. */
static void keep(void *at, size_t bytes)
{
    if (!memory_first)
        memory_first = at;
    forget(at);
    struct block *b = place_of(at, GONE);
    if (!b || (!b->at && blocks_n == BLOCKS * 3 / 4))
        return;
    blocks_n += !b->at;
    *b = (struct block){at, bytes};
    allocated += bytes;
}

void memory_note(const struct tap_call *call, uint64_t now)
{
    if (call->kind == TAP_REALLOC && !call->result && call->bytes)
        return; /* the allocation has failed */
    if (call->kind != TAP_ALLOC && call->dest)
        forget(call->dest);
    if (call->kind != TAP_FREE && call->result)
        keep(call->result, call->bytes * call->count);
    sample(now);
}
