/* Small reductions and scans: recursive doubling, each message and its signal in one slot of the receiver's work area
 * (Namashivayam et al. 2014, section 5.1.2).  The operands are always combined in the order of the members. */
#include "block.h"
#include "cost.h"
#include "flags.h"
#include "reduce.h"

/* A slot's flag and the first 48 bytes of data share a cache line: one transfer.  There are two sets of slots, used in
 * turn.  A member writes to a slot of reduction k + 2 only after it has heard from that slot's owner in reduction k + 1,
 * and the owner has emptied the slot of reduction k before: two sets are enough. */
struct slot {
    uint64_t number;
    _Alignas(16) char data[SLOT_BYTES];
};
enum { SLOT_IN = ROUNDS, SLOT_OUT, SLOTS };
_Static_assert(SLOTS_AT + 2 * SLOTS * sizeof(struct slot) + SHCOLL_SCRATCH_BYTES <= SHCOLL_WORK_BYTES, "work area");

void *shcoll_scratch(struct shcoll_group *g)
{
    return (char *)g->work + SHCOLL_WORK_BYTES - SHCOLL_SCRATCH_BYTES;
}

static struct slot *slot_of(const struct shcoll_group *g, int slot)
{
    struct slot *slots = (struct slot *)((char *)g->work + SLOTS_AT);
    return &slots[(g->slots % 2) * SLOTS + (unsigned)slot];
}

static void send_slot(const struct shcoll_group *g, int slot, const void *data, size_t bytes, int position)
{
    struct slot *s = slot_of(g, slot);
    shmem_putmem(s->data, data, bytes, pe_of(g, position));
    shmem_fence();
    shmem_uint64_p(&s->number, g->slots, pe_of(g, position));
}

static const void *receive_slot(const struct shcoll_group *g, int slot, int from)
{
    struct slot *s = slot_of(g, slot);
    wait_for_member(g, from);
    shmem_uint64_wait_until(&s->number, SHMEM_CMP_EQ, g->slots);
    return s->data;
}

/* A member's result of a scan, from what comes before it and its own value. */
static void scan_to(void *result, struct run *before, const struct shcoll_call *c, const void *value)
{
    if (!c->exclusive)
        run_append(before, c->op, value, c->n);
    run_copy(result, before, call_bytes(c));
}

/* With p = 2^k + r members the first 2r work in pairs: the even one hands its vector to the odd one, which takes part for
 * both and hands the result back. Ranks among the 2^k that take part keep the order of positions.
 *
 * A scan sends what a reduction sends, and gathers what it hears from lower ranks, the nearest first. A member listens
 * to higher ranks too, though its result needs nothing of theirs: so a scan synchronizes as a reduction does, and what is
 * said above of the two sets holds for both, in any mixture. */
static inline void in_slots(struct shcoll_group *g, const struct shcoll_call *c, bool scan)
{
    const struct shcoll_op *op = c->op;
    const size_t bytes = call_bytes(c), n = c->n;
    int parties = 1;
    while (parties * 2 <= g->size)
        parties *= 2;
    const int pairs = g->size - parties;
    _Alignas(16) char mine[SLOT_BYTES];
    struct run before;
    before.any = false;
    g->slots++;
    memcpy(mine, c->source, bytes);

    const bool paired = g->me < 2 * pairs;
    if (paired && g->me % 2 == 0) {
        send_slot(g, SLOT_IN, mine, bytes, g->me + 1);
        memcpy(c->dest, receive_slot(g, SLOT_OUT, g->me + 1), bytes);
        return;
    }
    const void *even = paired ? receive_slot(g, SLOT_IN, g->me - 1) : NULL;
    if (paired)
        combine_before(op, mine, even, n);
    const int rank = paired ? g->me / 2 : g->me - pairs;
    for (int distance = 1, round = 0; distance < parties; distance *= 2, round++) {
        const int partner = rank ^ distance, position = partner < pairs ? 2 * partner + 1 : partner + pairs;
        send_slot(g, round, mine, bytes, position);
        const void *theirs = receive_slot(g, round, position);
        if (scan && partner < rank)
            run_prepend(&before, op, theirs, n);
        if (partner > rank)
            op->combine(mine, theirs, n);
        else
            combine_before(op, mine, theirs, n);
    }
    if (!scan) {
        if (paired)
            send_slot(g, SLOT_OUT, mine, bytes, g->me - 1);
        memcpy(c->dest, mine, bytes);
        return;
    }
    if (paired) {
        scan_to(mine, &before, c, even);
        send_slot(g, SLOT_OUT, mine, bytes, g->me - 1);
        if (c->exclusive)
            run_append(&before, op, even, n);
    }
    scan_to(c->dest, &before, c, c->source);
}

void shcoll_reduce_in_slots(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k)
{
    (void)form, (void)k;
    in_slots(g, c, false);
}

void shcoll_scan_in_slots(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k)
{
    (void)form, (void)k;
    in_slots(g, c, true);
}

double shcoll_in_slots_cost(const struct shcoll_cost *m)
{
    double total = 0;
    for (double distance = 1; distance < m->size; distance *= 2)
        total += cost_message(m, distance, m->bytes) + m->bytes * m->gamma;
    return total;
}
