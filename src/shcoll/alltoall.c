/* alltoall and alltoalls (SHCOLL, 5.4): member i's piece for member j becomes piece i of member j's dest. */
#include "cost.h"
#include "flags.h"

/* Everybody gets from everybody, once all sources are ready: every PE writes memory that only it writes, and the lines of
 * dest stay in the cache of the PE that will use them. */
static void pull(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k)
{
    (void)form, (void)k;
    meet(g);
    for (int i = 1; i <= g->size; i++) {
        const int other = position_after(g, i % g->size);
        shmem_getmem_nbi((char *)c->dest + (size_t)other * c->n, (const char *)c->source + (size_t)g->me * c->n, c->n,
                         pe_of(g, other));
    }
    meet(g);
}

static double pull_cost(const struct shcoll_cost *m)
{
    return 2 * cost_sync(m) + cost_fan(m, m->size - 1, m->size - 1, m->bytes);
}

/* Shift: in round r each puts to the member r positions further on. Its own piece is last, when nobody else writes to that
 * cache line any more. */
static void shift(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k)
{
    (void)form, (void)k;
    for (int i = 1; i < g->size; i++) {
        const int other = position_after(g, i);
        shmem_putmem_nbi((char *)c->dest + (size_t)g->me * c->n, (const char *)c->source + (size_t)other * c->n, c->n,
                         pe_of(g, other));
    }
    meet(g);
    if (c->n)
        memcpy((char *)c->dest + (size_t)g->me * c->n, (const char *)c->source + (size_t)g->me * c->n, c->n);
}

static double shift_cost(const struct shcoll_cost *m)
{
    return cost_sync(m) + cost_fan(m, m->size - 1, m->size - 1, m->bytes);
}

const struct shcoll_algorithm shcoll_alltoall_rows[] = {
    {.name = "pull", .form = FORM_GET, .run = pull, .cost = pull_cost},
    {.name = "shift", .form = FORM_BARRIER, .run = shift, .cost = shift_cost},
    {.name = NULL},
};

static void put_strided(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t n, size_t size, int pe)
{
    switch (size) {
    case 1: shmem_iput8(dest, source, dst, sst, n, pe); break;
    case 2: shmem_iput16(dest, source, dst, sst, n, pe); break;
    case 4: shmem_iput32(dest, source, dst, sst, n, pe); break;
    case 8: shmem_iput64(dest, source, dst, sst, n, pe); break;
    default: shmem_iput128(dest, source, dst, sst, n, pe); break;
    }
}

static void shift_strided(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k)
{
    (void)form, (void)k;
    const ptrdiff_t to_block = (ptrdiff_t)call_bytes(c) * c->dst, from_block = (ptrdiff_t)call_bytes(c) * c->sst;
    char *to = (char *)c->dest + g->me * to_block;
    for (int i = 1; i <= g->size; i++) {
        const int position = (g->me + i) % g->size;
        put_strided(to, (const char *)c->source + position * from_block, c->dst, c->sst, c->n, c->size, pe_of(g, position));
    }
    meet(g);
}

const struct shcoll_algorithm shcoll_alltoalls_rows[] = {
    {.name = "shift", .form = FORM_BARRIER, .run = shift_strided, .cost = shift_cost},
    {.name = NULL},
};
