/* alltoall and alltoalls (SHCOLL, 5.4): member i's block for member j becomes block i of member j's dest.  The blocks of
 * alltoalls are strided; otherwise the two are one. */
#include "cost.h"
#include "flags.h"
#include "strided.h"

/* --- schedules -------------------------------------------------------------------------------------------------------- */

/* Whom this member puts to in a round, of as many rounds as there are members; itself in one of them. */
typedef int partner_function(const struct shcoll_group *g, int round);

/* The member so many positions further on: no two put to one at the same time. */
static int shifted(const struct shcoll_group *g, int round)
{
    return position_after(g, round);
}

/* Pairs, which put to each other and to nobody else; for a number of members that is a power of two. */
static int xored(const struct shcoll_group *g, int round)
{
    return g->me ^ round;
}

/* Pairs for any number of members: an edge colouring of the complete graph, known from tournaments.  Among an odd number m
 * of members, i and j meet in round r if i + j is r modulo m, and one meets itself.  If there is one member more, with
 * position m, it meets that one. */
static int colored(const struct shcoll_group *g, int round)
{
    const int m = (g->size - 1) | 1;
    const bool one_more = m < g->size;
    if (one_more && round == 0)
        return g->me;
    const int r = round == m ? 0 : round;
    if (g->me == m)
        return r % 2 == 0 ? r / 2 : (r + m) / 2; /* whose double is r modulo m */
    const int other = r - g->me + (r < g->me ? m : 0);
    return other == g->me && one_more ? m : other;
}

/* --- the exchange ----------------------------------------------------------------------------------------------------- */

static struct shcoll_block block_of(const struct shcoll_call *c)
{
    return (struct shcoll_block){.dst = c->dst ? c->dst : 1, .sst = c->sst ? c->sst : 1, .n = c->n, .size = c->size};
}

/* Block i of dest, and of source. */
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

static void exchange(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, partner_function *partner)
{
    const struct shcoll_block b = block_of(c);
    for (int round = 0, other; round < g->size; round++)
        if ((other = partner(g, round)) != g->me)
            send(g, c, form, &b, other);
    if (form == FORM_COUNTER)
        for (int round = 0, other; round < g->size; round++)
            if ((other = partner(g, round)) != g->me)
                notify(g, FLAG_DATA, other);
    shcoll_copy_block(&b, dest_block(c, &b, g->me), source_block(c, &b, g->me)); /* while the others' blocks are on the way */
    if (form == FORM_BARRIER) {
        meet(g);
    } else {
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

/* Everybody gets from everybody, once all sources are ready: every PE writes memory that only it writes, and the lines of
 * dest stay in the cache of the PE that will use them. */
static void pull(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k)
{
    (void)form, (void)k;
    const struct shcoll_block b = block_of(c);
    meet(g);
    for (int round = 1; round < g->size; round++) {
        const int other = position_after(g, round);
        shcoll_get_block(&b, dest_block(c, &b, other), source_block(c, &b, g->me), pe_of(g, other));
    }
    shcoll_copy_block(&b, dest_block(c, &b, g->me), source_block(c, &b, g->me));
    meet(g);
}

/* --- costs ------------------------------------------------------------------------------------------------------------ */

/* The quiet goes there and back. */
static double barrier_cost(const struct shcoll_cost *m)
{
    return cost_exchange(m, m->bytes) + (m->nodes > 1 ? 2 * m->net.alpha : 0) + cost_sync(m);
}

static double signal_cost(const struct shcoll_cost *m)
{
    return cost_exchange(m, m->bytes) + (m->size - 1) * m->atomic;
}

/* The counts are messages of their own, in a row with the others; and the quiet goes there and back. */
static double counter_cost(const struct shcoll_cost *m)
{
    return signal_cost(m) + (m->per_node - 1) * m->node.gap + (m->nodes > 1 ? 2 * m->net.alpha : 0);
}

static double pull_cost(const struct shcoll_cost *m)
{
    return cost_exchange(m, m->bytes) + (m->nodes > 1 ? m->net.alpha : 0) + 2 * cost_sync(m);
}

#define ROW(NAME, FORM, COST, NEEDS) {.name = #NAME, .form = FORM_##FORM, .run = NAME, .cost = COST, .needs = NEEDS}
#define ROWS(NAME, NEEDS) ROW(NAME, SIGNAL, signal_cost, NEEDS), ROW(NAME, COUNTER, counter_cost, NEEDS), \
    ROW(NAME, BARRIER, barrier_cost, NEEDS)

const struct shcoll_algorithm shcoll_alltoall_rows[] = {
    ROWS(shift, 0),
    ROWS(xor, NEEDS_POWER_OF_TWO),
    ROWS(color, 0),
    ROW(pull, GET, pull_cost, 0),
    {.name = NULL},
};

const struct shcoll_algorithm shcoll_alltoalls_rows[] = {
    ROWS(shift, 0),
    ROWS(xor, NEEDS_POWER_OF_TWO),
    ROWS(color, 0),
    ROW(pull, GET, pull_cost, 0),
    {.name = NULL},
};
