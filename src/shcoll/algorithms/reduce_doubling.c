/* Reductions of whole vectors in lg p rounds. */
#include "reduce.h"

/* --- recursive doubling ------------------------------------------------------------------------------------------- */

/* In round r the ranks that differ in bit r exchange their results (SHCOLL, 5.5; Namashivayam et al. 2014, 5.1.2). */
static void double_on_ranks(const struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form,
                            const struct ranks *r)
{
    const void *mine = first_vector(c, r, r->me);
    for (int distance = 1, round = 0; distance < r->count; distance *= 2, round++) {
        const int partner = r->me ^ distance;
        const void *theirs = round == 0 ? first_vector(c, r, partner) : c->dest;
        shcoll_exchange(g, c, form, round, (struct merge){.with = position_of(r, partner), .mine = mine,
                                                          .theirs = theirs, .range = whole_of(c)});
        mine = c->dest;
    }
}

void shcoll_reduce_doubling(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k)
{
    (void)k;
    shcoll_reduce_on_ranks(g, c, form, double_on_ranks);
}

/* lg p (alpha + n beta + n gamma). If one of two members computes, add a message back; if each computes half, half of
 * the bytes travel each way. */
double shcoll_reduce_doubling_cost(const struct shcoll_cost *m)
{
    const double bytes = m->form == FORM_PTR ? m->bytes : m->bytes / 2;
    double total = shcoll_sharing_cost(m);
    for (double distance = 1; distance * 2 <= m->size; distance *= 2)
        total += cost_message(m, distance, 0, true) + cost_read(m, distance, bytes, m->per_node) + bytes * m->gamma +
                 cost_message(m, distance, bytes, true);
    return total;
}

/* --- Bruck -------------------------------------------------------------------------------------------------------- */

/* One block in all rounds. A member keeps its result of a round in `total` until the reader of its previous result has
 * finished. */
static void bruck_block(const struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form,
                        const struct ranks *r, struct range range)
{
    _Alignas(LINE) char total[BLOCK_BYTES], buffer[BLOCK_BYTES];
    const size_t at = range.from * c->size, n = range.to - range.from, bytes = n * c->size;
    const char *mine = (const char *)first_vector(c, r, r->me) + at;
    for (int distance = 1, round = 0; distance < r->count; distance *= 2, round++) {
        const int next = (r->me + distance) % r->count;
        const int reader = position_of(r, (r->me - distance + r->count) % r->count), from = position_of(r, next);
        const char *theirs = (const char *)(round == 0 ? first_vector(c, r, next) : c->dest) + at;
        notify(g, FLAG_READY + round, reader);
        memcpy(total, mine, bytes);
        expect(g, FLAG_READY + round, from, 1);
        combine(c->op, total, shcoll_look(g, form, theirs, bytes, from, buffer), n);
        notify(g, FLAG_DONE + round, from);
        expect(g, FLAG_DONE + round, reader, 1);
        mine = memcpy((char *)c->dest + at, total, bytes);
    }
}

/* In round r a member merges the result of the member 2^r ranks further on into its own (Namashivayam et al. 2014,
 * 5.1.3). After lg p' rounds all have everything. */
static void bruck_on_ranks(const struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form,
                           const struct ranks *r)
{
    const size_t block = block_of(c);
    size_t i = 0;
    do { /* also for zero elements: no member returns before all have entered */
        const size_t n = c->n - i < block ? c->n - i : block;
        bruck_block(g, c, form, r, (struct range){i, i + n});
        i += n;
    } while (i < c->n);
}

/* Each rank starts with its own operand, so the ranks group the operands differently. If that can change the result,
 * all members use the first member's result. */
void shcoll_reduce_bruck(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k)
{
    (void)k;
    shcoll_reduce_on_ranks(g, c, form, bruck_on_ranks);
    if (!c->op->exact) {
        meet(g);
        shcoll_spread(g, c, form);
    }
}

/* lg p (alpha + n beta + n gamma), and two flags for each block; sums of floating-point numbers, the most common
 * operation, end with a broadcast. */
double shcoll_reduce_bruck_cost(const struct shcoll_cost *m)
{
    const double blocks = m->bytes <= BLOCK_BYTES ? 1 : m->bytes / BLOCK_BYTES;
    double total = shcoll_sharing_cost(m) + cost_meet(m, m->nodes - 1);
    for (double distance = 1; distance * 2 <= m->size; distance *= 2)
        total += 2 * blocks * cost_message(m, distance, 0, true) +
                 blocks * cost_read(m, distance, m->bytes / blocks, m->per_node) + m->bytes * m->gamma +
                 cost_whole(cost_to(m, distance, m->bytes, true));
    return total;
}
