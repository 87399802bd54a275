/* Reductions and scans.
 *
 * Small ones: recursive doubling, each message and its signal in one slot of the receiver's work area (Namashivayam et
 * al. 2014, section 5.1.2).  All others: every member does one part of the vector for everybody, reading the others' parts
 * by load where shmem_ptr gives an address (section 5.2) and writing the results straight into every dest.
 * Operands are always combined in the order of the members, so every PE gets the same bits. */
#include "shcoll/flags.h"

#include <string.h>

/* --- by parts --------------------------------------------------------------------------------------------------------- */

#define BLOCK_BYTES 8192 /* worked on at a time: a few of them fit in the first-level cache */

/* bytes at sym on member position, without a copy if they can be loaded. */
static const void *view(const struct shcoll_group *g, const void *sym, size_t bytes, int position, void *buffer)
{
    const void *p = shmem_ptr(sym, pe_of(g, position));
    if (!p)
        shmem_getmem(buffer, sym, bytes, pe_of(g, position));
    return p ? p : buffer;
}

static void reduce_block(struct shcoll_group *g, char *dest, const char *source, size_t bytes, const struct shcoll_op *op)
{
    _Alignas(64) char total[BLOCK_BYTES], buffer[BLOCK_BYTES];
    memcpy(total, view(g, source, bytes, 0, buffer), bytes);
    for (int i = 1; i < g->size; i++)
        op->combine(total, view(g, source, bytes, i, buffer), bytes / op->size);
    for (int i = 0; i < g->size; i++)
        shmem_putmem(dest, total, bytes, pe_of(g, i));
}

/* Member i's result goes out only after member i's source has been read: dest may be source. */
static void scan_block(struct shcoll_group *g, char *dest, const char *source, size_t bytes, const struct shcoll_op *op,
                       enum shcoll_scan kind)
{
    _Alignas(64) char total[BLOCK_BYTES], before[BLOCK_BYTES], buffer[BLOCK_BYTES];
    memset(before, 0, bytes); /* what an exclusive sum is at the first member */
    for (int i = 0; i < g->size; i++) {
        const void *value = view(g, source, bytes, i, buffer);
        if (i == 0)
            memcpy(total, value, bytes);
        else
            op->combine(total, value, bytes / op->size);
        shmem_putmem(dest, kind == SHCOLL_INSCAN ? total : before, bytes, pe_of(g, i));
        memcpy(before, total, bytes);
    }
}

void shcoll_scan(struct shcoll_group *g, void *dest, const void *source, size_t n, const struct shcoll_op *op,
                 enum shcoll_scan kind)
{
    /* Parts end on cache lines, so that no two members write to one line. */
    const size_t line = op->size < 64 ? 64 / op->size : 1, size = (size_t)g->size;
    const size_t part = (n / size + (n % size != 0) + line - 1) / line * line;
    const size_t block = BLOCK_BYTES / op->size;
    const size_t from = part * (size_t)g->me < n ? part * (size_t)g->me : n, to = part < n - from ? from + part : n;

    shmem_quiet();
    shcoll_sync(g); /* every source is ready */
    for (size_t i = from; i < to; i += block) {
        size_t bytes = (to - i < block ? to - i : block) * op->size, at = i * op->size;
        if (kind == SHCOLL_REDUCE)
            reduce_block(g, (char *)dest + at, (const char *)source + at, bytes, op);
        else
            scan_block(g, (char *)dest + at, (const char *)source + at, bytes, op, kind);
    }
    shmem_quiet();
    shcoll_sync(g);
}

/* --- small reductions ------------------------------------------------------------------------------------------------- */

/* A slot's flag and the first 48 bytes of data share a cache line: one transfer.  There are two sets of slots, used in
 * turn.  A member writes to a slot of reduction k + 2 only after it has heard from that slot's owner in reduction k + 1,
 * and the owner has emptied the slot of reduction k before: two sets are enough. */
struct slot {
    uint64_t number;
    _Alignas(16) char data[496];
};
enum { ROUNDS = 20, SLOT_IN = ROUNDS, SLOT_OUT, SLOTS };
_Static_assert(FLAG_BYTES + 2 * SLOTS * sizeof(struct slot) + SHCOLL_SCRATCH_BYTES <= SHCOLL_WORK_BYTES, "work area");

void *shcoll_scratch(struct shcoll_group *g)
{
    return (char *)g->work + SHCOLL_WORK_BYTES - SHCOLL_SCRATCH_BYTES;
}

static struct slot *slot_of(const struct shcoll_group *g, int slot)
{
    struct slot *slots = (struct slot *)((char *)g->work + FLAG_BYTES);
    return &slots[(g->reductions % 2) * SLOTS + (unsigned)slot];
}

static void send_slot(const struct shcoll_group *g, int slot, const void *data, size_t bytes, int position)
{
    struct slot *s = slot_of(g, slot);
    shmem_putmem(s->data, data, bytes, pe_of(g, position));
    shmem_fence();
    shmem_uint64_p(&s->number, g->reductions, pe_of(g, position));
}

static const void *receive_slot(const struct shcoll_group *g, int slot, int from)
{
    struct slot *s = slot_of(g, slot);
    wait_for_member(g, from);
    shmem_uint64_wait_until(&s->number, SHMEM_CMP_EQ, g->reductions);
    return s->data;
}

/* With p = 2^k + r members the first 2r work in pairs: the even one hands its vector to the odd one, which takes part for
 * both and hands the result back. Ranks among the 2^k that take part keep the order of positions. */
static void reduce_small(struct shcoll_group *g, void *dest, const void *source, size_t n, const struct shcoll_op *op)
{
    const size_t bytes = n * op->size;
    int parties = 1;
    while (parties * 2 <= g->size)
        parties *= 2;
    const int pairs = g->size - parties;
    _Alignas(16) char mine[sizeof((struct slot *)0)->data], theirs[sizeof mine];
    g->reductions++;
    memcpy(mine, source, bytes);

    const bool paired = g->me < 2 * pairs;
    if (paired && g->me % 2 == 0) {
        send_slot(g, SLOT_IN, mine, bytes, g->me + 1);
        memcpy(dest, receive_slot(g, SLOT_OUT, g->me + 1), bytes);
        return;
    }
    if (paired) {
        memcpy(theirs, receive_slot(g, SLOT_IN, g->me - 1), bytes);
        op->combine(theirs, mine, n);
        memcpy(mine, theirs, bytes);
    }
    const int rank = paired ? g->me / 2 : g->me - pairs;
    for (int distance = 1, round = 0; distance < parties; distance *= 2, round++) {
        const int partner = rank ^ distance, position = partner < pairs ? 2 * partner + 1 : partner + pairs;
        send_slot(g, round, mine, bytes, position);
        if (partner > rank) {
            op->combine(mine, receive_slot(g, round, position), n);
        } else {
            memcpy(theirs, receive_slot(g, round, position), bytes);
            op->combine(theirs, mine, n);
            memcpy(mine, theirs, bytes);
        }
    }
    if (paired)
        send_slot(g, SLOT_OUT, mine, bytes, g->me - 1);
    memcpy(dest, mine, bytes);
}

void shcoll_reduce(struct shcoll_group *g, void *dest, const void *source, size_t n, const struct shcoll_op *op)
{
    if (!g->is_pSync && n <= sizeof((struct slot *)0)->data / op->size)
        reduce_small(g, dest, source, n, op);
    else
        shcoll_scan(g, dest, source, n, op, SHCOLL_REDUCE);
}
