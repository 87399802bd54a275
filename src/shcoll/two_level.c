/* Reduction in two levels (teams paper, section IV): a binomial tree to the leader of each node, recursive doubling
 * between leaders, and everybody on the node gets the leader's result.  Operands are combined in the order of
 * positions. */
#include "reduce.h"

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
    expect(&node, FLAG_ARRIVED, ANYBODY, (uint64_t)node.size - 1); /* all have read */
}

/* The rounds on the node, those among leaders, and the result read by all on the node. */
double shcoll_reduce_two_level_cost(const struct shcoll_cost *m)
{
    struct shcoll_cost leaders = *m;
    leaders.size = m->nodes;
    leaders.per_node = 1;
    leaders.form = FORM_GET;
    const double read = m->node.alpha + m->bytes * m->node.beta;
    return cost_rounds(m->per_node, 2) * (read + m->bytes * m->gamma) + shcoll_reduce_doubling_cost(&leaders) +
           (m->per_node - 1) * m->node.gap + read + m->node.alpha + (m->per_node - 1) * m->atomic;
}
