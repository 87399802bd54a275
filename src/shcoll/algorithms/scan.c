/* Inclusive and exclusive scans. After a member has copied its source, another member puts the combination of all
 * earlier operands into its dest, so a scan needs no other symmetric memory. Operands are combined in the order of the
 * members. */
#include "reduce_blocks.h"
#include "reduce.h"
#include "../group/ring.h"

/* Whether others may put to this member's dest before this member has signalled: they may if dest is not also the
 * source. */
static bool dest_is_free(const struct shcoll_call *c)
{
    return c->dest != c->source;
}

/* --- linear ------------------------------------------------------------------------------------------------------- */

/* Each member receives the combination of the operands before its own, and puts it to the next member combined with its
 * own: a pipeline of blocks. */
void shcoll_scan_linear(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k)
{
    (void)k;
    const bool free = dest_is_free(c), last = g->me + 1 == g->size;
    _Alignas(64) char total[BLOCK_BYTES];
    struct block b;
    for (size_t i = 0; i < c->n; i += b.n) {
        b = block_at(c, i, block_of(c));
        memcpy(total, b.source, b.bytes);
        if (g->me > 0) {
            if (!free)
                notify(g, FLAG_READY, g->me - 1);
            expect(g, FLAG_DATA, g->me - 1, 1);
            fetch_lines(g, g->me - 1, c->dest, b.bytes);
            combine_before(c->op, total, b.dest, b.n);
        } else if (c->exclusive) {
            memset(b.dest, 0, b.bytes);
        }
        if (!c->exclusive)
            memcpy(b.dest, total, b.bytes);
        if (!last && !free)
            expect(g, FLAG_READY, g->me + 1, 1);
        if (!last)
            deliver(g, form, FLAG_DATA, g->me + 1, b.dest, total, b.bytes);
    }
    shcoll_leave(g);
}

/* The same for small vectors, which are next to the flags of the ring. No member waits for later members. */
void shcoll_scan_linear_in_slots(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k)
{
    (void)form, (void)k;
    const size_t bytes = call_bytes(c);
    const bool last = g->me + 1 == g->size;
    const uint64_t number = begin_in_ring(g, RING_SCAN, 0, 0, bytes);
    _Alignas(16) char before[BESIDE_FLAG], combined[BESIDE_FLAG];
    const void *total = c->source;
    if (g->me > 0) {
        hear_in_ring(g, g->me - 1, number);
        fetch_lines(g, g->me - 1, g->work, bytes);
        memcpy(before, ring_flag(g) + 1, bytes);
    }
    if (g->me > 0 && (!last || !c->exclusive)) {
        total = memcpy(combined, before, bytes);
        combine(c->op, combined, c->source, c->n);
    }
    if (!last) {
        add_children(g, 1);
        put_numbered(ring_flag(g) + 1, total, bytes, ring_flag(g), number, pe_of(g, g->me + 1));
    }
    if (bytes && c->exclusive && g->me == 0)
        memset(c->dest, 0, bytes);
    else if (bytes)
        memmove(c->dest, c->exclusive ? before : total, bytes);
    end_in_ring(g);
}

/* --- recursive doubling ------------------------------------------------------------------------------------------- */

/* Hillis and Steele: after round r a member has the combination of the 2^(r+1) members up to itself, and puts it to the
 * member 2^(r+1) further on, when that member's dest is free again. mine is the member's operand, and becomes the
 * combination up to it; before, unless it is NULL, becomes the combination of all operands before it. */
static void double_block(const struct shcoll_group *g, const struct shcoll_op *op, const struct block *b,
                         enum shcoll_form form, bool free, void *mine, struct run *before)
{
    for (int distance = 1, round = 0; distance < g->size; distance *= 2, round++) {
        const int from = g->me - distance, to = g->me + distance;
        const bool told = from >= 0, tells = to < g->size, agreed = free && round == 0;
        if (told && !agreed)
            notify(g, FLAG_READY + round, from);
        if (tells && !agreed)
            expect(g, FLAG_READY + round, to, 1);
        if (tells)
            deliver(g, form, FLAG_DONE + round, to, b->dest, mine, b->bytes);
        if (!told)
            continue;
        expect(g, FLAG_DONE + round, from, 1);
        fetch_lines(g, from, b->dest, b->bytes);
        if (before)
            run_prepend(before, op, b->dest, b->n);
        combine_before(op, mine, b->dest, b->n);
    }
}

void shcoll_scan_doubling(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k)
{
    (void)k;
    _Alignas(64) char mine[BLOCK_BYTES];
    struct run before;
    struct block b;
    for (size_t i = 0; i < c->n; i += b.n) {
        b = block_at(c, i, block_of(c));
        before.any = false;
        memcpy(mine, b.source, b.bytes);
        double_block(g, c->op, &b, form, dest_is_free(c), mine, c->exclusive ? &before : NULL);
        if (c->exclusive)
            run_copy(b.dest, &before, b.bytes);
        else
            memcpy(b.dest, mine, b.bytes);
    }
    shcoll_leave(g);
}

/* --- two levels --------------------------------------------------------------------------------------------------- */

/* A member's result is its leader's result, combined with the operands between. In an exclusive scan, these are the
 * leader's operand up to the one before this member's; in an inclusive scan, the one after the leader's up to this
 * member's. The node's members scan these operands, then the leaders scan the nodes' totals. Returns the members that
 * scan within the node. */
static struct shcoll_group between(const struct shcoll_group *node, bool exclusive)
{
    const int first = exclusive ? 0 : 1;
    return members_from(node, first, node->size - first);
}

/* The leader's part of a block: its result is in dest when it signals the members of its node. */
static void lead_block(const struct shcoll_group *node, const struct shcoll_group *leaders, const struct shcoll_call *c,
                       const struct block *b)
{
    _Alignas(64) char own[BLOCK_BYTES];
    struct run total, before;
    total.any = before.any = false;
    memcpy(own, b->source, b->bytes);
    if (c->exclusive)
        double_block(node, c->op, b, FORM_SIGNAL, dest_is_free(c), own, NULL);
    if (!c->exclusive || node->size == 1)
        run_append(&total, c->op, own, b->n);
    if (node->size > 1) {
        if (!dest_is_free(c))
            notify(node, FLAG_ARRIVED, node->size - 1);
        expect(node, FLAG_DATA, node->size - 1, 1);
        run_append(&total, c->op, b->dest, b->n);
    }
    double_block(leaders, c->op, b, FORM_SIGNAL, false, total.data, &before);
    if (!c->exclusive)
        run_append(&before, c->op, own, b->n);
    run_copy(b->dest, &before, b->bytes);
    for (int i = 1; i < node->size; i++)
        notify(node, FLAG_RELEASED, i);
}

/* Stores the combination of the operands between leader and member in dest; the last member sends the node's total to
 * the leader. */
static void follow_block(const struct shcoll_group *node, const struct shcoll_call *c, const struct block *b)
{
    const struct shcoll_group part = between(node, c->exclusive);
    _Alignas(64) char mine[BLOCK_BYTES];
    struct run before;
    before.any = false;
    memcpy(mine, b->source, b->bytes);
    double_block(&part, c->op, b, FORM_SIGNAL, dest_is_free(c), mine, c->exclusive ? &before : NULL);
    if (node->me == node->size - 1) {
        if (!dest_is_free(c))
            expect(node, FLAG_ARRIVED, 0, 1);
        deliver(node, FORM_SIGNAL, FLAG_DATA, 0, b->dest, mine, b->bytes);
    }
    memcpy(b->dest, c->exclusive ? before.data : mine, b->bytes);
}

void shcoll_scan_two_level(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k)
{
    (void)form, (void)k;
    const struct shcoll_group node = shcoll_part_node(g), leaders = shcoll_part_leaders(g);
    _Alignas(64) char buffer[BLOCK_BYTES];
    struct block b;
    for (size_t i = 0; i < c->n; i += b.n) {
        b = block_at(c, i, block_of(c));
        if (node.me == 0)
            lead_block(&node, &leaders, c, &b);
        else
            follow_block(&node, c, &b);
    }
    /* This loop comes last, because members scan the next blocks while their leader waits for other nodes. */
    for (size_t i = 0; i < c->n && node.me > 0; i += b.n) {
        b = block_at(c, i, block_of(c));
        expect(&node, FLAG_RELEASED, 0, 1);
        if (leaders.me > 0 || !c->exclusive) /* otherwise no operand precedes those of this node */
            combine_before(c->op, b.dest, view(&node, b.dest, b.bytes, 0, buffer), b.n);
    }
    shcoll_sync(g); /* with a pSync too: members read their leader's dest */
}

/* --- costs -------------------------------------------------------------------------------------------------------- */

static double blocks_of(const struct shcoll_cost *m)
{
    return m->bytes > BLOCK_BYTES ? m->bytes / BLOCK_BYTES : 1;
}

/* A member's work on a block that was put into its dest: it fetches the lines from the cache of a sender on its node,
 * and makes copies to keep operands in order. These copies take as long as the combination. */
static double combine_cost(const struct shcoll_cost *m, double bytes, bool near)
{
    return (near ? bytes * m->node.beta : 0) + 2 * bytes * m->gamma;
}

/* The first block reaches the last member after size - 1 hops; the others follow at the rate of one hop's work. */
double shcoll_scan_linear_cost(const struct shcoll_cost *m)
{
    const double blocks = blocks_of(m), bytes = m->bytes / blocks;
    const struct cost_message to_near = cost_near(m, bytes, true), to_far = cost_far(m, bytes);
    const double near = cost_whole(to_near) + combine_cost(m, bytes, true);
    const double far = cost_whole(to_far) + combine_cost(m, bytes, false);
    const double pace = m->nodes > 1 ? cost_larger(to_far.busy, to_far.take) : to_near.busy;
    return cost_sync(m) + (m->size - m->nodes) * near + (m->nodes - 1) * far +
           (blocks - 1) * (pace + combine_cost(m, bytes, m->per_node > 1));
}

/* The path through all members. As for broadcasts, the acknowledgement of each half of a ring is not counted. */
double shcoll_scan_linear_in_slots_cost(const struct shcoll_cost *m)
{
    const double near = cost_whole(cost_near(m, m->bytes, false)) + combine_cost(m, m->bytes, true);
    const double far = cost_whole(cost_far(m, m->bytes)) + combine_cost(m, m->bytes, false);
    return (m->size - m->nodes) * near + (m->nodes - 1) * far;
}

/* A message to a member of the same L3 group if groups have links of their own, otherwise of the same node. */
static double hop_within(const struct shcoll_cost *m, double bytes)
{
    return cost_whole(m->inner_size > 0 ? cost_shared(&m->inner, bytes, m->inner_atomic, m->inner_atomic)
                                        : cost_near(m, bytes, true));
}

/* A round is a message with the address, and one with the data. The distances below the size of a group add up to less
 * than this size: in at most one of these rounds, the data on the longest path cross to another group. */
double shcoll_scan_doubling_cost(const struct shcoll_cost *m)
{
    const double blocks = blocks_of(m), bytes = m->bytes / blocks;
    const double within = hop_within(m, 0) + hop_within(m, bytes);
    const double group = m->inner_size > 0 ? m->inner_size : m->per_node;
    double rounds = 0, crossing = 0;
    for (double distance = 1; distance < m->size; distance *= 2) {
        const double round = cost_shift(m, distance, 0, true) + cost_shift(m, distance, bytes, true);
        const bool is_within = distance < group;
        if (is_within)
            crossing = cost_larger(crossing, round - within);
        rounds += (is_within ? within : round) + combine_cost(m, bytes, m->nodes <= 1 || is_within);
    }
    return cost_sync(m) + blocks * (rounds + crossing);
}

/* Rounds on the node and among leaders; the total sent to the leader; the leader's result read by its node. In an
 * inclusive scan, the other members scan the next blocks meanwhile. */
double shcoll_scan_two_level_cost(const struct shcoll_cost *m)
{
    const double blocks = blocks_of(m), bytes = m->bytes / blocks;
    const double told = cost_whole(cost_near(m, 0, true));
    const double near = cost_whole(cost_near(m, bytes, true)) + combine_cost(m, bytes, true);
    const double far = cost_whole(cost_far(m, bytes)) + combine_cost(m, bytes, false);
    const double on_node = m->per_node <= 1 ? 0 : cost_rounds(m->per_node, 2) * (told + near) + near;
    const double among = cost_rounds(m->nodes, 2) * (m->net.alpha + far);
    const double read = m->per_node <= 1 ? 0 : cost_get_near(m, bytes) + bytes * m->gamma +
                        cost_shared_read(m, m->per_node - 1, bytes);
    return cost_sync(m) + (m->collective == SHCOLL_INSCAN ? 1 : blocks) * on_node +
           blocks * (among + cost_release(m, 0, true)) + read;
}
