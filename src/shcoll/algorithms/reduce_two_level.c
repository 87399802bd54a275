/* Reductions and scans in two levels (teams paper, section IV): loads and stores on a node, as few messages as possible
 * between nodes. Operands are combined in the order of positions. */
#include "reduce_blocks.h"
#include "reduce.h"

#include <float.h>

/* --- by leaders --------------------------------------------------------------------------------------------------- */

/* A binomial tree to the leader of each node, recursive doubling between leaders, and all members of the node get the
 * leader's result. */
void shcoll_reduce_two_level(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k)
{
    (void)form;
    const struct shcoll_group node = shcoll_part_node(g);
    shcoll_gather(&node, c, FORM_PTR);
    if (node.me > 0) {
        expect(&node, FLAG_RELEASED, 0, 1);
        if (c->n)
            shmem_getmem(c->dest, c->dest, call_bytes(c), pe_of(&node, 0));
        notify(&node, FLAG_ARRIVED, 0);
        return;
    }
    struct shcoll_group leaders = shcoll_part_leaders(g);
    struct shcoll_call among_leaders = *c;
    among_leaders.source = c->dest;
    shcoll_reduce_doubling(&leaders, &among_leaders, FORM_GET, k);
    for (int i = 1; i < node.size; i++)
        notify(&node, FLAG_RELEASED, i);
    expect(&node, FLAG_ARRIVED, ANYBODY, (uint64_t)node.size - 1); /* all have read the result */
}

/* A leader stores a member's result in that member's dest, once for each member in a reduction or scan in slots. */
static void hand_result(const struct shcoll_group *node, const struct shcoll_call *c, const void *result, int position)
{
    put_numbered(c->dest, result, call_bytes(c), numbered_flag(node, FLAG_RESULT), node->slots, pe_of(node, position));
}

static void await_result(const struct shcoll_group *node)
{
    wait_for_member(node, 0);
    shmem_uint64_wait_until(numbered_flag(node, FLAG_RESULT), SHMEM_CMP_GE, node->slots);
}

/* The leader combines the operands of its node, one after the other. */
static void combine_node(const struct shcoll_group *node, const struct shcoll_call *c, struct run *total)
{
    _Alignas(LINE) char buffer[BLOCK_BYTES];
    total->any = false;
    expect(node, FLAG_ARRIVED, ANYBODY, (uint64_t)node->size - 1);
    for (int i = 0; i < node->size; i++)
        run_append(total, c->op, view(node, c->source, call_bytes(c), i, buffer), c->n);
}

/* The same for small vectors: between leaders, data and flag are one message in slots. If a node has few cache lines to
 * read, its leader reads them alone, because each round of a tree would wait for the previous round. */
void shcoll_reduce_two_level_in_slots(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k)
{
    g->slots++;
    const struct shcoll_group node = shcoll_part_node(g), leaders = shcoll_part_leaders(g);
    if (!shcoll_leaders_have_slots(&leaders, call_bytes(c))) {
        shcoll_reduce_two_level(g, c, form, k);
        return;
    }
    const bool flat = shcoll_is_flat(node.size, call_bytes(c));
    if (!flat)
        shcoll_gather(&node, c, FORM_PTR);
    else if (node.me > 0)
        notify(&node, FLAG_ARRIVED, 0);
    if (node.me > 0) {
        await_result(&node);
        return;
    }
    struct run total;
    if (flat)
        combine_node(&node, c, &total);
    struct shcoll_call among_leaders = *c;
    among_leaders.source = flat ? total.data : c->dest;
    shcoll_among_leaders(&leaders, &among_leaders);
    for (int i = 1; i < node.size; i++)
        hand_result(&node, c, c->dest, i);
}

/* Scans of small vectors: a leader combines the operands of its node, receives the combination of the nodes before, and
 * reads the operands once more for its members' results. */
void shcoll_scan_two_level_in_slots(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k)
{
    g->slots++;
    const size_t bytes = call_bytes(c);
    const struct shcoll_group node = shcoll_part_node(g), leaders = shcoll_part_leaders(g);
    if (!shcoll_leaders_have_slots(&leaders, bytes)) {
        shcoll_scan_two_level(g, c, form, k);
        return;
    }
    if (node.me > 0) {
        notify(&node, FLAG_ARRIVED, 0);
        await_result(&node);
        return;
    }
    _Alignas(LINE) char buffer[BLOCK_BYTES];
    struct run total, before;
    combine_node(&node, c, &total);
    struct shcoll_call among_leaders = *c;
    among_leaders.source = total.data;
    among_leaders.dest = before.data;
    among_leaders.exclusive = true;
    shcoll_among_leaders(&leaders, &among_leaders);
    before.any = leaders.me > 0;
    for (int i = 0; i < node.size; i++) {
        const void *operand = view(&node, c->source, bytes, i, buffer);
        if (operand != buffer && bytes) /* dest may be source */
            memcpy(buffer, operand, bytes);
        if (!c->exclusive)
            run_append(&before, c->op, buffer, c->n);
        run_copy(total.data, &before, bytes);
        if (i > 0)
            hand_result(&node, c, total.data, i);
        else if (bytes)
            memcpy(c->dest, total.data, bytes);
        if (c->exclusive)
            run_append(&before, c->op, buffer, c->n);
    }
}

/* --- in lanes ----------------------------------------------------------------------------------------------------- */

/* The barrier of a node's members. Each of its flags is awaited before it is used again. */
static void node_meet(const struct shcoll_group *node)
{
    if (node->me > 0) {
        notify(node, FLAG_ARRIVED, 0);
        expect(node, FLAG_RELEASED, 0, 1);
        return;
    }
    expect(node, FLAG_ARRIVED, ANYBODY, (uint64_t)node->size - 1);
    for (int i = 1; i < node->size; i++)
        notify(node, FLAG_RELEASED, i);
}

/* Lane i works on part i of the vector: each member reduces the part on its node, then the lane's members reduce among
 * themselves. Each member finishes a share of the part. The others put their results for this share into that member's
 * dest, outside the part, where no results are yet. */
struct lane {
    const struct shcoll_call *c;
    struct range part;
    int nodes;
    size_t inputs, room; /* where the inputs start, and the elements of one input */
};

static struct lane lane_of(const struct shcoll_call *c, int lanes, int lane, int nodes)
{
    struct lane l = {.c = c, .part = part_of(whole_of(c), lanes, lane, c->size), .nodes = nodes};
    const struct range largest = part_of(l.part, nodes, 0, c->size);
    l.room = largest.to - largest.from;
    l.inputs = l.part.from > c->n - l.part.to ? 0 : l.part.to;
    return l;
}

/* The same on all members. */
static bool lanes_fit(const struct shcoll_call *c, int lanes, int nodes)
{
    for (int i = 0; i < lanes; i++) {
        const struct lane l = lane_of(c, lanes, i, nodes);
        const size_t beside = l.inputs ? c->n - l.part.to : l.part.from;
        if (nodes > 1 && beside / ((size_t)nodes - 1) < l.room)
            return false;
    }
    return lanes > 1 && nodes > 1;
}

/* The offset of a node's input for another node's share. */
static size_t input_at(const struct lane *l, int owner, int from)
{
    return l->inputs + (size_t)(from < owner ? from : from - 1) * l->room;
}

static char *at(const struct lane *l, size_t element)
{
    return (char *)l->c->dest + element * l->c->size;
}

static void put_range(const struct lane *l, const struct shcoll_group *g, int flag, int position, size_t to,
                      struct range r)
{
    deliver(g, FORM_SIGNAL, flag, position, at(l, to), at(l, r.from), (r.to - r.from) * l->c->size);
}

/* Combines this member's and the others' results for its share, in the order of nodes, into its dest. */
static void combine_share(const struct lane *l, const struct shcoll_group *g, struct range share)
{
    const struct shcoll_call *c = l->c;
    const size_t block = block_of(c);
    _Alignas(LINE) char total[BLOCK_BYTES];
    for (size_t i = share.from; i < share.to; i += block) {
        const size_t n = share.to - i < block ? share.to - i : block;
        for (int j = 0; j < g->size; j++) {
            const void *value = j == g->me ? at(l, i) : at(l, input_at(l, g->me, j) + (i - share.from));
            if (j == 0)
                memcpy(total, value, n * c->size);
            else
                combine(c->op, total, value, n);
        }
        memcpy(at(l, i), total, n * c->size);
    }
}

/* Reduces on the node, then between nodes: first the data for other nodes, so that it travels while the rest is
 * combined. */
static void reduce_lane(const struct lane *l, const struct shcoll_group *node, const struct shcoll_group *g)
{
    const bool in_place = l->c->dest == l->c->source;
    struct shcoll_call here = *l->c;
    here.to_root = true;
    here.root = node->me;
    if (in_place) {
        shcoll_reduce_range(node, &here, FORM_PTR, l->part);
        node_meet(node); /* no member reads this member's source after this */
    }
    /* This signal also means that no member still stores the previous reduction's result into this member's dest. */
    for (int i = 1; i < g->size; i++)
        notify(g, FLAG_READY, position_after(g, i));
    for (int i = 1; i <= g->size; i++) {
        const int to = position_after(g, i % g->size);
        const struct range share = part_of(l->part, g->size, to, l->c->size);
        if (!in_place)
            shcoll_reduce_range(node, &here, FORM_PTR, share);
        if (i == 1)
            expect(g, FLAG_READY, ANYBODY, (uint64_t)g->size - 1);
        if (to != g->me)
            put_range(l, g, FLAG_DATA, to, input_at(l, to, g->me), share);
    }
    const struct range mine = part_of(l->part, g->size, g->me, l->c->size);
    expect(g, FLAG_DATA, ANYBODY, (uint64_t)g->size - 1);
    combine_share(l, g, mine);
    for (int i = 1; i < g->size; i++)
        put_range(l, g, FLAG_DONE, position_after(g, i), mine.from, mine);
    expect(g, FLAG_DONE, ANYBODY, (uint64_t)g->size - 1);
}

void shcoll_reduce_in_lanes(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k)
{
    const int lanes = shcoll_lanes(g), nodes = shcoll_node_of(g, g->size - 1) + 1;
    if (!lanes_fit(c, lanes, nodes)) {
        shcoll_reduce_two_level(g, c, form, k);
        return;
    }
    const struct shcoll_group node = shcoll_part_node(g);
    node_meet(&node); /* all sources are ready */
    if (node.me < lanes) {
        const struct shcoll_group lane = shcoll_part_lane(g, node.me);
        const struct lane l = lane_of(c, lanes, node.me, nodes);
        reduce_lane(&l, &node, &lane);
    } else if (c->dest == c->source) {
        node_meet(&node);
    }
    node_meet(&node);
    for (int i = 1; i <= lanes; i++) { /* each member begins with another lane, whose memory it then has for itself */
        const int lane = (node.me + i) % lanes;
        const struct range part = part_of(whole_of(c), lanes, lane, c->size);
        char *const from = (char *)c->dest + part.from * c->size;
        if (lane != node.me && part.to > part.from)
            shmem_getmem(from, from, (part.to - part.from) * c->size, pe_of(&node, lane));
    }
    node_meet(&node); /* all have read the part in this member's dest */
}

/* --- costs -------------------------------------------------------------------------------------------------------- */

/* The path up a tree on the node; members load each other's data. */
static double gather_cost(const struct shcoll_cost *m)
{
    return cost_rounds(m->per_node, 2) *
           (cost_whole(cost_near(m, 0, true)) + m->bytes * (m->node.beta + m->gamma));
}

/* The rounds on the node, the rounds among leaders, and the reads of the result by all members of the node. */
double shcoll_reduce_two_level_cost(const struct shcoll_cost *m)
{
    struct shcoll_cost leaders = *m;
    leaders.size = m->nodes;
    leaders.per_node = 1;
    leaders.form = FORM_GET;
    const double among = gather_cost(m) + shcoll_reduce_doubling_cost(&leaders);
    if (m->per_node <= 1)
        return among;
    return among + cost_release(m, 0, true) + cost_get_near(m, m->bytes) + cost_whole(cost_near(m, 0, true));
}

double shcoll_reduce_two_level_in_slots_cost(const struct shcoll_cost *m)
{
    const double among = shcoll_among_leaders_cost(m), lines = cost_larger(m->bytes, LINE);
    const double flat = cost_arrive(m) + (m->per_node - 1) * (lines * m->node.beta + m->bytes * m->gamma);
    const double gather = shcoll_is_flat((int)m->per_node, m->bytes) ? flat : gather_cost(m);
    return among == DBL_MAX ? DBL_MAX : gather + among + cost_release(m, m->bytes, false);
}

/* The leader reads all operands twice. */
double shcoll_scan_two_level_in_slots_cost(const struct shcoll_cost *m)
{
    const double among = shcoll_among_leaders_cost(m), lines = cost_larger(m->bytes, LINE);
    return among == DBL_MAX ? DBL_MAX
                            : among + cost_arrive(m) + cost_release(m, m->bytes, false) +
                                  m->per_node * 2 * (lines * m->node.beta + m->bytes * m->gamma);
}

/* Each lane has its part of the vector, of which each node finishes a share; the lanes of a node share its NIC. The
 * other nodes' ready signals arrive while the first share is reduced on the node. The other shares are loaded while the
 * first share is in transit, except where stores send them. */
double shcoll_reduce_in_lanes_cost(const struct shcoll_cost *m)
{
    if (m->nodes <= 1 || m->per_node < 2)
        return DBL_MAX;
    const double part = cost_larger(m->bytes / m->per_node, LINE), share = cost_larger(part / m->nodes, LINE);
    struct shcoll_cost lane = *m;
    lane.form = FORM_SIGNAL;
    const struct cost_message far = cost_far(&lane, share);
    const double others = m->nodes - 1, each = cost_larger(far.busy, m->per_node * far.wire);
    const double read = (m->per_node - 1) * cost_get_near(m, part), loaded = m->net_atomic > 0 ? part : share;
    const double first = (m->per_node - 1) * loaded * m->node.beta + cost_shared_read(m, m->per_node - 1, loaded);
    const double meet = cost_arrive(m) + cost_release(m, 0, true);
    return 3 * meet + m->net.alpha + (others - 1) * m->net.gap + 2 * (others * each + far.after) +
           first + m->bytes * m->gamma + others * share * m->gamma + read;
}
