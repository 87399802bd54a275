/* alltoall and alltoalls (SHCOLL, 5.4): member i's block for member j becomes block i of member j's dest.  The blocks
 * of alltoalls are strided; otherwise the two collectives are the same. */
#include "cost.h"
#include "../group/slots.h"
#include "alltoall_blocks.h"

#include <float.h>

/* --- schedules ---------------------------------------------------------------------------------------------------- */

/* The partner of this member in a round. There are as many rounds as members, and each member is its own partner
 * once. */
typedef int partner_function(const struct shcoll_group *g, int round);

/* The member `round` positions further on: no two members put to the same target in one round. */
static int shifted(const struct shcoll_group *g, int round)
{
    return position_after(g, round);
}

/* Pairs that exchange blocks; the number of members must be a power of two. */
static int xored(const struct shcoll_group *g, int round)
{
    return g->me ^ round;
}

/* Pairs for any number of members: an edge colouring of the complete graph, as in a round-robin tournament. With an odd
 * number m of members, i and j are a pair in round r if i + j is r modulo m, and one member in each round is its own
 * partner. With m + 1 members, the additional member (position m) is the partner of that member. */
static int colored(const struct shcoll_group *g, int round)
{
    const int m = (g->size - 1) | 1;
    const bool one_more = m < g->size;
    if (one_more && round == 0)
        return g->me;
    const int r = round == m ? 0 : round;
    if (g->me == m)
        return r % 2 == 0 ? r / 2 : (r + m) / 2; /* the position i with 2 i = r modulo m */
    const int other = r - g->me + (r < g->me ? m : 0);
    return other == g->me && one_more ? m : other;
}

/* --- the exchange ------------------------------------------------------------------------------------------------- */

static struct shcoll_block block_of(const struct shcoll_call *c)
{
    return (struct shcoll_block){.dst = c->dst ? c->dst : 1, .sst = c->sst ? c->sst : 1, .n = c->n, .size = c->size};
}

static char *dest_block(const struct shcoll_call *c, const struct shcoll_block *b, int i)
{
    return (char *)c->dest + i * (ptrdiff_t)call_bytes(c) * b->dst;
}

static const char *source_block(const struct shcoll_call *c, const struct shcoll_block *b, int i)
{
    return (const char *)c->source + i * (ptrdiff_t)call_bytes(c) * b->sst;
}

static void send(const struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form,
                 const struct shcoll_block *b, int position)
{
    char *dest = dest_block(c, b, g->me);
    const char *source = source_block(c, b, position);
    if (form == FORM_SIGNAL && is_contiguous(b)) {
        deliver(g, form, FLAG_DATA, position, dest, source, call_bytes(c));
        return;
    }
    shcoll_put_block(b, dest, source, pe_of(g, position));
    if (form == FORM_SIGNAL)
        notify(g, FLAG_DATA, position);
}

static void exchange(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form,
                     partner_function *partner)
{
    const struct shcoll_block b = block_of(c);
    for (int round = 0, other; round < g->size; round++)
        if ((other = partner(g, round)) != g->me)
            send(g, c, form, &b, other);
    if (form == FORM_COUNTER)
        for (int round = 0, other; round < g->size; round++)
            if ((other = partner(g, round)) != g->me)
                notify(g, FLAG_DATA, other);
    /* This copy overlaps the transfers from the other members. */
    shcoll_copy_block(&b, dest_block(c, &b, g->me), source_block(c, &b, g->me));
    if (form == FORM_BARRIER) {
        meet(g);
    } else {
        if (form != FORM_SIGNAL || !is_contiguous(&b))
            /* MUTANT sources of an alltoall */
            shmem_quiet(); /* source may change when this member returns */
        expect(g, FLAG_DATA, ANYBODY, (uint64_t)g->size - 1);
    }
}

static void shift(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k)
{
    (void)k;
    exchange(g, c, form, shifted);
}

static void xor(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k)
{
    (void)k;
    exchange(g, c, form, xored);
}

static void color(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k)
{
    (void)k;
    exchange(g, c, form, colored);
}

/* Each member gets from each other member after all sources are ready. Each PE writes only its own memory, and the
 * lines of dest stay in the cache of the PE that will use them. */
static void pull(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k)
{
    (void)form, (void)k;
    const struct shcoll_block b = block_of(c);
    meet(g); /* MUTANT an alltoall's sources are ready */
    for (int round = 1; round < g->size; round++) {
        const int other = position_after(g, round);
        shcoll_get_block(&b, dest_block(c, &b, other), source_block(c, &b, g->me), pe_of(g, other));
    }
    shcoll_copy_block(&b, dest_block(c, &b, g->me), source_block(c, &b, g->me));
    meet(g); /* MUTANT an alltoall's gets are complete */
}

/* --- in two levels ------------------------------------------------------------------------------------------------ */

/* One message between leaders has all blocks that one node's members send to another node's members. The blocks are
 * sorted by receiver, then by sender. A slot must have space for a message between nodes of the largest size; otherwise
 * all members use shift. */
enum { MOST_SENT = SLOTS_BYTES / 2 };

static int most_on_node(const struct shcoll_group *g, int nodes)
{
    int most = 0;
    for (int i = 0; i < nodes; i++) {
        const int on_node = (i + 1 < nodes ? shcoll_leader_of(g, i + 1) : g->size) - shcoll_leader_of(g, i);
        most = on_node > most ? on_node : most;
    }
    return most;
}

/* Copies between members of the same node, mostly by loads and stores. */
static void copy_from(const struct shcoll_block *b, void *dest, const void *source, int pe)
{
    const void *p = pe == shmem_my_pe() ? source : shmem_ptr(source, pe);
    if (p) {
        shcoll_copy_block(b, dest, p);
        if (pe != shmem_my_pe())
            charge_load(source, b->n * b->size, pe);
    } else {
        shcoll_get_block(b, dest, source, pe);
        shmem_quiet(); /* MUTANT gets within a node */
    }
}

static void copy_to(const struct shcoll_block *b, void *dest, const void *source, int pe)
{
    void *p = pe == shmem_my_pe() ? dest : shmem_ptr(dest, pe);
    if (p) {
        shcoll_copy_block(b, p, source);
        if (pe != shmem_my_pe())
            charge_store(dest, b->n * b->size, pe);
    } else {
        shcoll_put_block(b, dest, source, pe);
        shmem_quiet(); /* MUTANT puts within a node */
    }
}

static void send_to_node(const struct shcoll_group *g, const struct shcoll_group *node, const struct slots *s,
                         const struct shcoll_call *c, int other)
{
    const struct shcoll_block b = block_of(c);
    const struct shcoll_block packed = {.dst = 1, .sst = b.sst, .n = b.n, .size = b.size};
    const int first = shcoll_leader_of(g, other),
              end = other + 1 < s->group->size ? shcoll_leader_of(g, other + 1) : g->size;
    _Alignas(LINE) char data[MOST_SENT];
    size_t at = 0;
    for (int to = first; to < end; to++)
        for (int from = 0; from < node->size; from++, at += call_bytes(c))
            copy_from(&packed, data + at, source_block(c, &b, to), pe_of(node, from));
    send_slot(s, slot_for(other, s->group->me), data, at, other);
}

static void receive_from_node(const struct shcoll_group *g, const struct shcoll_group *node, const struct slots *s,
                              const struct shcoll_call *c, int other)
{
    const struct shcoll_block b = block_of(c);
    const struct shcoll_block packed = {.dst = b.dst, .sst = 1, .n = b.n, .size = b.size};
    const int first = shcoll_leader_of(g, other),
              end = other + 1 < s->group->size ? shcoll_leader_of(g, other + 1) : g->size;
    const char *data = receive_slot(s, slot_for(s->group->me, other), other);
    for (int to = 0; to < node->size; to++)
        for (int from = first; from < end; from++, data += call_bytes(c))
            copy_to(&packed, dest_block(c, &b, from), data, pe_of(node, to));
}

/* Leaders exchange the blocks between nodes; each member copies the blocks from members of its own node itself. */
static void two_level(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k)
{
    g->slots++;
    const struct shcoll_block b = block_of(c);
    const struct shcoll_group node = shcoll_part_node(g), leaders = shcoll_part_leaders(g);
    const struct slots s = slots_of(&leaders, leaders.size > 1 ? leaders.size - 1 : 1);
    const size_t most = (size_t)most_on_node(g, leaders.size);
    if (!have_room(&s, most * most * call_bytes(c))) {
        exchange(g, c, FORM_SIGNAL, shifted);
        return;
    }
    (void)form, (void)k;
    if (node.me > 0)
        notify(&node, FLAG_ARRIVED, 0); /* source is ready */
    else
        expect(&node, FLAG_ARRIVED, ANYBODY, (uint64_t)node.size - 1); /* MUTANT sources on the node are ready */
    for (int i = 1; node.me == 0 && i < leaders.size; i++)
        send_to_node(g, &node, &s, c, position_after(&leaders, i));
    const int first = g->me - node.me;
    for (int i = 0; i < node.size; i++)
        copy_to(&b, dest_block(c, &b, g->me), source_block(c, &b, first + i), pe_of(&node, i));
    if (node.me > 0) {
        notify(&node, FLAG_DONE, 0);
        expect(&node, FLAG_RELEASED, 0, 1);
        return;
    }
    for (int i = 1; i < leaders.size; i++)
        receive_from_node(g, &node, &s, c, position_before(&leaders, i));
    clear_numbers(&s, most * most * call_bytes(c));
    expect(&node, FLAG_DONE, ANYBODY, (uint64_t)node.size - 1);
    for (int i = 1; i < node.size; i++)
        notify(&node, FLAG_RELEASED, i);
}

/* --- costs -------------------------------------------------------------------------------------------------------- */

/* With FORM_SIGNAL, data and flag are one message. Nonblocking puts are sent together with their flags, or when the
 * quiet requests their completion. */
static double exchange_cost(const struct shcoll_cost *m, enum cost_order order)
{
    const bool meets = m->form == FORM_BARRIER, counts = m->form == FORM_COUNTER;
    const int pieces = counts && m->bytes <= COST_PUT; /* with the flag */
    return cost_exchange(m, (struct cost_all){.bytes = m->bytes, .pieces = pieces, .others = counts, .counted = !meets,
                                              .order = order, .asks = m->form != FORM_SIGNAL}) +
           (meets ? cost_sync(m) : 0);
}

/* Members whose positions differ only in the lowest bits are on one node; these pairs exchange first. */
static enum cost_order xor_order(const struct shcoll_cost *m)
{
    return m->aligned ? COST_NEAR_FIRST : COST_SHIFTED;
}

static enum cost_order color_order(const struct shcoll_cost *m)
{
    return m->nodes > 2 ? COST_IN_PAIRS : m->per_node < 8 ? COST_NEAR_FIRST : COST_MIXED;
}

static double shift_cost(const struct shcoll_cost *m)
{
    return exchange_cost(m, COST_SHIFTED);
}

static double xor_cost(const struct shcoll_cost *m)
{
    return exchange_cost(m, xor_order(m));
}

static double color_cost(const struct shcoll_cost *m)
{
    return exchange_cost(m, color_order(m));
}

static double pull_cost(const struct shcoll_cost *m)
{
    return 2 * cost_sync(m) + cost_pull(m);
}

/* Strided blocks are packed into chunks of half a message; flags and completion requests are messages of their own. A
 * block of one element costs as much as a contiguous one. */
static double strided_cost(const struct shcoll_cost *m, enum cost_order order)
{
    if (m->bytes <= sizeof(uint64_t))
        return exchange_cost(m, order);
    const bool meets = m->form == FORM_BARRIER;
    const int pieces = m->bytes > COST_PUT ? (int)cost_floor((m->bytes + COST_PUT - 1) / COST_PUT) : 1;
    return cost_exchange(m, (struct cost_all){.bytes = m->bytes, .pieces = pieces, .counted = !meets,
                                              .others = meets ? 1 : 2, .order = order, .asks = true}) +
           (meets ? cost_sync(m) : 0);
}

static double strided_shift_cost(const struct shcoll_cost *m)
{
    return strided_cost(m, COST_SHIFTED);
}

static double strided_xor_cost(const struct shcoll_cost *m)
{
    return strided_cost(m, xor_order(m));
}

static double strided_color_cost(const struct shcoll_cost *m)
{
    return strided_cost(m, color_order(m));
}

static double strided_pull_cost(const struct shcoll_cost *m)
{
    if (m->nodes <= 1 || m->bytes <= sizeof(uint64_t))
        return pull_cost(m);
    const double pieces = m->bytes > COST_PUT ? m->bytes / COST_PUT : 1, distant = m->size - m->per_node;
    const double get = 2 * m->net.alpha + pieces * m->net.gap + m->bytes * (m->copy + m->net.beta);
    return 2 * cost_sync(m) + (m->per_node - 1) * cost_get_near(m, m->bytes) +
           cost_larger(distant * get, distant * m->per_node * cost_wire(m, pieces, m->bytes));
}

/* Leaders copy what their node sends to other nodes and receives from them. */
static double two_level_cost(const struct shcoll_cost *m)
{
    const double sent = m->per_node * m->per_node * m->bytes;
    if (m->nodes <= 1 || sent + 2 * LINE > MOST_SENT / (m->nodes - 1))
        return DBL_MAX;
    const double copied = (m->nodes - 1) * m->per_node * m->per_node * 2 * cost_larger(m->bytes, LINE) * m->node.beta;
    return cost_arrive(m) + cost_release(m, 0, true) + cost_among_directly(m) + copied +
           (m->nodes - 1) * sent * (m->copy + m->net.beta);
}

#define ROW(NAME, FORM, COST, NEEDS) {.name = #NAME, .form = FORM_##FORM, .run = NAME, .cost = COST, .needs = NEEDS}
#define ROWS(NAME, COST, NEEDS) ROW(NAME, SIGNAL, COST, NEEDS), ROW(NAME, COUNTER, COST, NEEDS), \
    ROW(NAME, BARRIER, COST, NEEDS)

const struct shcoll_algorithm shcoll_alltoall_rows[] = {
    ROWS(shift, shift_cost, 0),
    ROW(xor, SIGNAL, xor_cost, NEEDS_POWER_OF_TWO),
    ROW(color, SIGNAL, color_cost, 0),
    ROW(pull, GET, pull_cost, 0),
    ROW(two_level, SLOTS, two_level_cost, NEEDS_LASTING),
    {.name = NULL},
};

const struct shcoll_algorithm shcoll_alltoalls_rows[] = {
    ROWS(shift, strided_shift_cost, 0),
    ROWS(xor, strided_xor_cost, NEEDS_POWER_OF_TWO),
    ROWS(color, strided_color_cost, 0),
    ROW(pull, GET, strided_pull_cost, 0),
    ROW(two_level, SLOTS, two_level_cost, NEEDS_LASTING),
    {.name = NULL},
};
