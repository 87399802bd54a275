/* Small reductions and scans: recursive doubling, each message and its signal in one slot of the receiver's work area
 * or pSync (Namashivayam et al. 2014, section 5.1.2). Operands are combined in the order of the members.
 *
 * A slot is a number, followed by data: small data takes one cache line and one transfer. Each member has a slot for
 * each round, one for the vector of the member that shares its rank, and one for the result that it gets back. Groups
 * with fewer members therefore have larger slots.
 *
 * A scan sends the same messages as a reduction. A member receives from higher ranks too, although its result does not
 * need them, so a scan synchronizes like a reduction, and both may share the slots.
 *
 * A lasting work area has two sets of slots, used alternately. Two are enough: a member writes to a slot of reduction i
 * + 2 only after it has received from the slot's owner in reduction i + 1, which the owner enters after it has finished
 * with the slot in reduction i. A pSync serves one reduction, and is cleared at its end. */
#include "reduce_blocks.h"
#include "reduce.h"
#include "../group/slots.h"

#include <float.h>

void *shcoll_scratch(struct shcoll_group *g)
{
    return (char *)g->work + SHCOLL_WORK_BYTES - SHCOLL_SCRATCH_BYTES;
}

static int doubling_slots(const struct ranks *r)
{
    return __builtin_ctz((unsigned)r->count) + (r->count < r->size ? 2 : 0);
}

/* The data of a slot, for this member to load and change. */
static inline void *take_slot(const struct slots *s, int i, int from, size_t bytes)
{
    void *const data = receive_slot(s, i, from);
    fetch_lines(s->group, from, data, bytes);
    return data;
}

/* A reduction. The intermediate result is in dest, or in the slot where it was computed. */
static void reduce_in(const struct slots *s, const struct ranks *r, const struct shcoll_call *c)
{
    const int me = s->group->me, lower = position_of(r, r->me), in = s->count - 2, out = s->count - 1;
    const struct shcoll_op *op = c->op;
    const size_t n = c->n, bytes = call_bytes(c);
    char *dest = c->dest;
    const char *mine = c->source;
    if (me != lower) {
        send_slot(s, in, mine, bytes, lower);
        memcpy(dest, take_slot(s, out, lower, bytes), bytes);
        return;
    }
    const bool shared = is_shared(r, r->me);
    if (shared) {
        copy_source(c);
        combine(op, dest, take_slot(s, in, lower + 1, bytes), n);
        mine = dest;
    }
    for (int distance = 1, round = 0; distance < r->count; distance *= 2, round++) {
        const int partner = r->me ^ distance, position = position_of(r, partner);
        send_slot(s, round, mine, bytes, position);
        if (partner > r->me) {
            if (mine != dest)
                memcpy(dest, mine, bytes);
            combine(op, dest, take_slot(s, round, position, bytes), n);
            mine = dest;
        } else {
            char *theirs = take_slot(s, round, position, bytes);
            combine(op, theirs, mine, n);
            mine = theirs;
        }
    }
    if (shared)
        send_slot(s, out, mine, bytes, lower + 1);
    if (mine != dest)
        memcpy(dest, mine, bytes);
}

/* A scan. The operands before a member arrive from lower ranks, the nearest first. */
static void scan_in(const struct slots *s, const struct ranks *r, const struct shcoll_call *c)
{
    const size_t n = c->n, bytes = call_bytes(c);
    const int me = s->group->me, lower = position_of(r, r->me), in = s->count - 2, out = s->count - 1;
    if (me != lower) {
        send_slot(s, in, c->source, bytes, lower);
        memcpy(c->dest, take_slot(s, out, lower, bytes), bytes);
        return;
    }
    const bool shared = is_shared(r, r->me);
    _Alignas(LINE) char mine[BLOCK_BYTES];
    struct run before;
    before.any = false;
    memcpy(mine, c->source, bytes);
    const void *higher = shared ? take_slot(s, in, lower + 1, bytes) : NULL;
    if (shared)
        combine(c->op, mine, higher, n);
    for (int distance = 1, round = 0; distance < r->count; distance *= 2, round++) {
        const int partner = r->me ^ distance, position = position_of(r, partner);
        send_slot(s, round, mine, bytes, position);
        const void *theirs = take_slot(s, round, position, bytes);
        if (partner > r->me) {
            combine(c->op, mine, theirs, n);
        } else {
            combine_before(c->op, mine, theirs, n);
            run_prepend(&before, c->op, theirs, n);
        }
    }
    memcpy(mine, c->source, bytes);
    if (!c->exclusive)
        run_append(&before, c->op, mine, n);
    run_copy(c->dest, &before, bytes);
    if (shared) {
        run_append(&before, c->op, c->exclusive ? mine : higher, n);
        send_slot(s, out, before.data, bytes, lower + 1);
    }
}

/* --- directly ----------------------------------------------------------------------------------------------------- */

/* Each member sends its operand to each other member, which has a slot for each sender. All combine in the same
 * order. */
static void send_to_all(const struct slots *s, const void *data, size_t bytes)
{
    const struct shcoll_group *g = s->group;
    for (int i = 1; i < g->size; i++) {
        const int position = position_after(g, i);
        send_slot(s, slot_for(position, g->me), data, bytes, position);
    }
}

static const void *receive_from(const struct slots *s, int position, const void *mine)
{
    const int me = s->group->me;
    return position == me ? mine : receive_slot(s, slot_for(me, position), position);
}

static void reduce_directly(const struct slots *s, const struct shcoll_call *c)
{
    const size_t bytes = call_bytes(c);
    struct run total;
    total.any = false;
    send_to_all(s, c->source, bytes);
    for (int i = 0; i < s->group->size; i++)
        run_append(&total, c->op, receive_from(s, i, c->source), c->n);
    memcpy(c->dest, total.data, bytes);
}

/* A member receives from later members too, so that it returns only after all have entered. */
static void scan_directly(const struct slots *s, const struct shcoll_call *c)
{
    const size_t bytes = call_bytes(c);
    struct run before;
    before.any = false;
    send_to_all(s, c->source, bytes);
    for (int i = 0; i < s->group->size; i++) {
        const void *theirs = receive_from(s, i, c->source);
        if (i < s->group->me)
            run_append(&before, c->op, theirs, c->n);
    }
    run_copy(c->dest, &before, bytes);
}

/* --- among the leaders of nodes ----------------------------------------------------------------------------------- */

/* The slots for the leaders' messages; none if there is only one leader. If data is too large for one slot per leader,
 * leaders exchange it in rounds, which need fewer slots. */
static struct slots leaders_slots(const struct shcoll_group *leaders, const struct ranks *r, size_t bytes, bool *direct)
{
    const struct slots each = slots_of(leaders, leaders->size > 1 ? leaders->size - 1 : 1);
    *direct = shcoll_is_direct_briefly(leaders->size) && have_room(&each, bytes);
    return *direct || leaders->size == 1 ? each : slots_of(leaders, doubling_slots(r));
}

bool shcoll_leaders_have_slots(const struct shcoll_group *leaders, size_t bytes)
{
    const struct ranks r = ranks_of(leaders);
    bool direct;
    const struct slots s = leaders_slots(leaders, &r, bytes, &direct);
    return bytes <= BLOCK_BYTES && have_room(&s, bytes);
}

void shcoll_among_leaders(const struct shcoll_group *leaders, const struct shcoll_call *c)
{
    const struct ranks r = ranks_of(leaders);
    bool direct;
    const struct slots s = leaders_slots(leaders, &r, call_bytes(c), &direct);
    if (direct)
        (c->exclusive ? scan_directly : reduce_directly)(&s, c);
    else
        (c->exclusive ? scan_in : reduce_in)(&s, &r, c);
    clear_numbers(&s, call_bytes(c));
}

/* --- the whole group ---------------------------------------------------------------------------------------------- */

typedef void slots_function(const struct slots *s, const struct ranks *r, const struct shcoll_call *c);

/* False, on all members alike, if there is only one member or the vector does not fit in a slot. */
static inline bool in_slots(struct shcoll_group *g, const struct shcoll_call *c, slots_function *function)
{
    const struct ranks r = ranks_of(g);
    const size_t bytes = call_bytes(c);
    if (g->size == 1 || bytes > BLOCK_BYTES)
        return false;
    g->slots++;
    const struct slots s = slots_of(g, doubling_slots(&r));
    if (!have_room(&s, bytes))
        return false;
    function(&s, &r, c);
    for (int i = 0; g->is_pSync && i < s.count; i++)
        memset(slot_at(&s, i), 0, sizeof(struct slot) + bytes);
    if (!g->is_pSync && shcoll_node_of(g, g->size - 1) > 0)
        clear_numbers(&s, bytes);
    return true;
}

void shcoll_reduce_in_slots(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k)
{
    (void)form;
    if (!in_slots(g, c, reduce_in))
        shcoll_reduce_doubling(g, c, FORM_PTR, k);
}

void shcoll_scan_in_slots(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k)
{
    (void)form;
    if (!in_slots(g, c, scan_in))
        shcoll_scan_doubling(g, c, FORM_PUT, k);
}

/* A message in a slot. On a single node each byte takes `share` of the time of a byte in a slot, but at least the
 * time of a byte in other messages. */
static double cost_in_slot(const struct shcoll_cost *m, double distance, double share)
{
    const double bytes = m->nodes <= 1 && m->node.beta > 0 ? cost_larger(1, share * m->slot / m->node.beta) : 1;
    const double fetch = m->turn > 0 ? m->node.gap + cost_larger(m->bytes, LINE) * m->node.beta : 0; /* take_slot */
    return cost_message(m, distance, bytes * m->bytes, false) + (cost_is_near(m, distance) ? fetch : 0);
}

static bool fit(const struct shcoll_cost *m, double slots)
{
    return m->bytes <= BLOCK_BYTES &&
           m->bytes + sizeof(struct slot) <= cost_floor(SLOTS_BYTES / 2 / (slots > 1 ? slots : 1) / LINE) * LINE;
}

/* Whether members have enough space in their slots (doubling_slots). */
static bool fits(const struct shcoll_cost *m, double members)
{
    double power = 1;
    while (power < members)
        power *= 2;
    return fit(m, cost_rounds(members, 2) + (power > members));
}

/* Vectors that do not fit use another algorithm, which has a row of its own. */
static bool has_no_slots(const struct shcoll_cost *m)
{
    return !fits(m, m->size);
}

/* lg p (alpha + n beta + n gamma). A slot alternates between its owner's and its sender's cache, and its cache lines
 * move one by one. */
double shcoll_reduce_in_slots_cost(const struct shcoll_cost *m)
{
    double total = 0;
    if (has_no_slots(m))
        return DBL_MAX;
    for (double distance = 1; distance < m->size; distance *= 2)
        total += cost_in_slot(m, distance, 1) + m->bytes * m->gamma;
    return total;
}

/* Like all costs of reductions and scans, does not consider that nodes may share processors, where each message costs
 * processor time. */
double shcoll_among_leaders_cost(const struct shcoll_cost *m)
{
    if (m->nodes <= 1)
        return 0;
    struct shcoll_cost leaders = cost_leaders(m);
    leaders.form = FORM_SIGNAL;
    if (shcoll_is_direct((int)m->nodes) && fit(m, m->nodes - 1))
        return cost_exchange(&leaders, (struct cost_all){.bytes = m->bytes}) + (m->nodes - 1) * m->bytes * m->gamma;
    if (!fits(m, m->nodes))
        return DBL_MAX;
    return shcoll_sharing_cost(&leaders) +
           cost_rounds(m->nodes, 2) * (cost_whole(cost_far(&leaders, m->bytes)) + m->bytes * m->gamma);
}

/* As a reduction. In addition, a member keeps the combination before it and the combination of all operands so far in
 * order; these copies double the time of combining. */
double shcoll_scan_in_slots_cost(const struct shcoll_cost *m)
{
    double total = 0;
    if (has_no_slots(m))
        return DBL_MAX;
    for (double distance = 1; distance < m->size; distance *= 2)
        total += cost_in_slot(m, distance, 0.5) + 4 * m->bytes * m->gamma;
    return total;
}
