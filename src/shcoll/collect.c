/* fcollect and collect (SHCOLL, 5.2): the members' pieces one behind the other. */
#include "collect.h"
#include "cost.h"

/* A large piece goes to all members block by block: the block is still in the cache for the next member. */
#define PUSHED_BLOCK ((size_t)32 << 10)

/* All-linear: everybody puts to everybody. */
static void all_linear(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k)
{
    (void)form, (void)k;
    char *const to = (char *)c->dest + shcoll_piece(g, c, g->me).offset;
    for (size_t at = 0; at < c->n; at += PUSHED_BLOCK)
        for (int i = 1; i <= g->size; i++)
            shmem_putmem_nbi(to + at, (const char *)c->source + at, c->n - at < PUSHED_BLOCK ? c->n - at : PUSHED_BLOCK,
                             pe_of(g, position_after(g, i % g->size)));
    meet(g);
}

static double all_linear_cost(const struct shcoll_cost *m)
{
    return cost_sync(m) + cost_fan(m, m->size - 1, m->size - 1, m->bytes);
}

const struct shcoll_algorithm shcoll_fcollect_rows[] = {
    {.name = "all_linear", .form = FORM_BARRIER, .run = all_linear, .cost = all_linear_cost},
    {.name = NULL},
};

const struct shcoll_algorithm shcoll_collect_rows[] = {
    {.name = "all_linear", .form = FORM_BARRIER, .run = all_linear, .cost = all_linear_cost},
    {.name = NULL},
};
