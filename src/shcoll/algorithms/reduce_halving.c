/* Reductions of large vectors: each member reduces a part of the vector, then all collect the parts. */
#include "reduce.h"

/* --- Rabenseifner ------------------------------------------------------------------------------------------------- */

/* Reduce-scatter by distance doubling and vector halving, then the same steps in reverse (SHCOLL, 5.5; Namashivayam et
 * al. 2014, 5.1.4). In round r the ranks that differ in bit r divide their common range: the lower rank keeps the
 * first half, and each merges into the half that it keeps. The last of these rounds and the first of the reverse steps
 * are one exchange ("merged middle step"). The other half stays unchanged until the other rank, after it has read that
 * half, writes the result there. */
static void halve_on_ranks(const struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form,
                           const struct ranks *r)
{
    struct range ranges[ROUNDS], range = whole_of(c);
    const void *mine = first_vector(c, r, r->me);
    for (int distance = 1, round = 0; distance < r->count; distance *= 2, round++) {
        const int partner = r->me ^ distance, position = position_of(r, partner);
        struct merge m = {.with = position, .mine = mine, .range = range,
                          .theirs = round == 0 ? first_vector(c, r, partner) : c->dest};
        if (distance == r->count / 2) {
            shcoll_exchange(g, c, form, round, m);
            break;
        }
        ranges[round] = range;
        m.range = part_of(range, 2, r->me > partner, c->size);
        shcoll_swap(g, c, form, round, m, part_of(range, 2, r->me < partner, c->size));
        range = m.range;
        mine = c->dest;
    }
    int round = __builtin_ctz((unsigned)r->count) - 2;
    for (int distance = r->count / 4; distance >= 1; distance /= 2, round--) {
        const int position = position_of(r, r->me ^ distance);
        shcoll_give(g, c, form, range, FLAG_DONE + round, position);
        expect(g, FLAG_DONE + round, position, 1);
        range = ranges[round];
    }
}

void shcoll_reduce_rabenseifner(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k)
{
    (void)k;
    shcoll_reduce_on_ranks(g, c, form, halve_on_ranks);
}

/* 2 lg p alpha + 2 n (p - 1) / p beta + n (p - 1) / p gamma; in the middle step, one rank computes, or each rank
 * computes half. */
double shcoll_reduce_rabenseifner_cost(const struct shcoll_cost *m)
{
    double total = shcoll_sharing_cost(m), bytes = m->bytes;
    for (double distance = 1; distance * 2 <= m->size; distance *= 2) {
        if (distance * 4 <= m->size || m->form != FORM_PTR)
            bytes /= 2;
        total += cost_message(m, distance, 0, true) + cost_read(m, distance, bytes, m->per_node) + bytes * m->gamma +
                 cost_message(m, distance, bytes, true);
    }
    return total;
}

/* --- ring --------------------------------------------------------------------------------------------------------- */

/* The vector is cut into p parts. Part i starts at member i, and each member in turn merges its own operand into it;
 * after the last, member i - 1, the part is complete and circulates once more. The next member reads a member's merged
 * part before that part can be complete, so the result may overwrite it without a request. */
void shcoll_reduce_ring(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k)
{
    (void)k;
    if (g->size == 1) {
        copy_source(c);
        return;
    }
    const int before = position_before(g, 1), after = position_after(g, 1);
    int part = g->me;
    notify(g, FLAG_READY, after);
    for (int step = 1; step < g->size; step++) {
        part = part > 0 ? part - 1 : g->size - 1;
        expect(g, FLAG_READY, before, 1);
        shcoll_merge(g, c, form, (struct merge){.with = before, .mine = c->source,
                                                .theirs = step == 1 ? c->source : c->dest,
                                                .range = part_of(whole_of(c), g->size, part, c->size)});
        if (step < g->size - 1)
            notify(g, FLAG_READY, after);
    }
    for (int step = 1; step < g->size; step++) {
        shcoll_give(g, c, form, part_of(whole_of(c), g->size, part, c->size), FLAG_DATA, after);
        part = part > 0 ? part - 1 : g->size - 1;
        expect(g, FLAG_DATA, before, 1);
    }
}

/* 2 (p - 1) alpha + 2 n (p - 1) / p beta + n (p - 1) / p gamma, and a complete part is read again when it circulates. A
 * part has at least a cache line. Between nodes, the longest path is the path of one part through all members, or the
 * path of all parts between two nodes. */
double shcoll_reduce_ring_cost(const struct shcoll_cost *m)
{
    const double part = m->bytes < LINE ? m->bytes : cost_larger(m->bytes / m->size, LINE);
    const double parts = part > 0 ? m->bytes / part : 0, combine = part * m->gamma;
    const double near = cost_whole(cost_near(m, 0, true)) + cost_read(m, 1, part, 1) + combine +
                        cost_whole(cost_near(m, part, true)) + part * m->node.beta;
    if (m->nodes <= 1)
        return (m->size - 1) * near;
    const double get = cost_get_far(m, part, 1) + combine, told = cost_whole(cost_far(m, 0));
    const double way = (m->nodes - 1) * (told + get + cost_whole(cost_far(m, part))) + (m->size - m->nodes) * near;
    return m->per_node > 1 ? cost_larger(way, told + parts * get + way / 2) : way;
}
