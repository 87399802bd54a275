/* Broadcast (SHCOLL, 5.3). dest is ready on every member before anybody calls, so a member that has the data stores it
 * where it belongs at once; source is ready at the root only when the root has called. */
#include "cost.h"
#include "flags.h"

/* With a pSync the root's dest is left alone (1.6, 9.10.7). */
static void copy_at_root(const struct shcoll_group *g, const struct shcoll_call *c)
{
    if (g->me == c->root && !g->is_pSync && c->dest != c->source)
        memmove(c->dest, c->source, c->n);
}

/* Linear: everybody gets from the root, between two synchronizations. */
static void linear(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k)
{
    (void)form, (void)k;
    meet(g);
    if (g->me != c->root)
        shmem_getmem(c->dest, c->source, c->n, pe_of(g, c->root));
    copy_at_root(g, c);
    meet(g);
}

static double linear_cost(const struct shcoll_cost *m)
{
    return 2 * cost_sync(m) + cost_fan(m, m->size - 1, m->size - 1, m->bytes);
}

/* A sender in a tree need not wait for its receivers, so it may be many broadcasts ahead of them.  Each broadcast of a
 * round of BROADCAST_RING has a flag of its own, and after the last of them all synchronize before the flags are used
 * again.  With a pSync the user keeps the calls apart. */
static uint64_t begin_in_ring(struct shcoll_group *g)
{
    g->number--; /* it is not a synchronizing operation */
    return ++g->broadcasts;
}

static void end_in_ring(struct shcoll_group *g)
{
    if (!g->is_pSync && g->broadcasts % BROADCAST_RING == BROADCAST_RING - 1)
        shcoll_sync(g);
}

/* Puts the data to a member, then posts the number of the broadcast. */
static void pass_on(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, const void *data,
                    int position, uint64_t number)
{
#if SHCOLL_HAVE_SIGNAL
    if (form == FORM_SIGNAL && has_numbers(g)) {
        shmem_putmem_signal(c->dest, data, c->n, numbered_flag(g, FLAG_BROADCAST), number, SHMEM_SIGNAL_SET,
                            pe_of(g, position));
        return;
    }
#endif
    if (!has_numbers(g)) {
        deliver(g, form, FLAG_BROADCAST, position, c->dest, data, c->n);
        return;
    }
    shmem_putmem(c->dest, data, c->n, pe_of(g, position));
    post(g, FLAG_BROADCAST, position, number);
}

/* k-ary tree, the root at rank 0: children of a rank are the k ranks from k * rank + 1. */
static void kary(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k)
{
    const uint64_t number = begin_in_ring(g);
    const int rank = (g->me - c->root + g->size) % g->size;
    if (rank != 0)
        await(g, FLAG_BROADCAST, (int)(((rank - 1) / k + (int64_t)c->root) % g->size), number);
    const void *data = rank == 0 ? c->source : c->dest;
    const int64_t first = (int64_t)rank * k + 1;
    for (int64_t child = first; child < first + k && child < g->size; child++)
        pass_on(g, c, form, data, (int)((child + c->root) % g->size), number);
    copy_at_root(g, c);
    end_in_ring(g);
}

static double kary_cost(const struct shcoll_cost *m)
{
    double total = cost_sync(m) / BROADCAST_RING;
    for (double reach = 1; reach < m->size; reach *= m->k)
        total += cost_fan(m, reach * m->k < m->size ? m->k : m->size - 1, reach * m->k, m->bytes);
    return total;
}

const struct shcoll_algorithm shcoll_broadcast_rows[] = {
    {.name = "linear", .form = FORM_GET, .run = linear, .cost = linear_cost},
    {.name = "kary", .form = FORM_PUT, .run = kary, .cost = kary_cost, .k = 8},
    {.name = "kary", .form = FORM_SIGNAL, .run = kary, .cost = kary_cost, .k = 8},
    {.name = NULL},
};
