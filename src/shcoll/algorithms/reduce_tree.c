/* Reductions to one member, which sends the result to all. Operands are combined in the order of positions. */
#include "reduce.h"

/* --- flat tree ---------------------------------------------------------------------------------------------------- */

/* The first member reads one source after the other, and writes every dest (Namashivayam et al. 2014, 5.1.1): block by
 * block, so that the result is still in its cache when it is written. dest may be source, as each block is read before
 * it is written. */
void shcoll_reduce_flat(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k)
{
    (void)k;
    if (g->me > 0) {
        notify(g, FLAG_ARRIVED, 0);
        expect(g, FLAG_DATA, 0, 1);
        return;
    }
    expect(g, FLAG_ARRIVED, ANYBODY, (uint64_t)g->size - 1);
    shcoll_reduce_range(g, c, form, whole_of(c));
    for (int i = 1; i < g->size; i++)
        notify(g, FLAG_DATA, i);
}

/* p alpha + 2 n (p - 1) beta + n (p - 1) gamma; all arrive at the same time, so all flags take less than p alpha. */
double shcoll_reduce_flat_cost(const struct shcoll_cost *m)
{
    const double others = m->size - 1;
    const double blocks = m->bytes > BLOCK_BYTES ? m->bytes / BLOCK_BYTES : 1, block = m->bytes / blocks;
    const double distant = m->nodes > 1 ? others + 1 - m->per_node : 0, near = others - distant;
    const double read = near * (m->form == FORM_PTR ? block * m->node.beta : cost_get_near(m, block)) +
                        distant * cost_get_far(m, block, 1);
    const double written = near * cost_near(m, block, false).busy + distant * (m->net.gap + block * m->copy);
    return cost_funnel(m, others, others, 0, true) + blocks * (read + written) + others * m->bytes * m->gamma +
           cost_fan(m, others, others, 0, true);
}

/* --- binomial tree ------------------------------------------------------------------------------------------------ */

/* A member merges its children's results into its own, in the order of positions: the nearest child first. The vector
 * of a child without children is in that child's source. */
void shcoll_gather(const struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form)
{
    const int reach = binomial_reach(g);
    const void *mine = c->source;
    if (g->size == 1)
        copy_source(c);
    for (int d = 1, round = 0; d < reach && g->me + d < g->size; d *= 2, round++) {
        const int child = g->me + d;
        const bool is_leaf = d == 1 || child + 1 == g->size;
        expect(g, FLAG_READY + round, child, 1);
        shcoll_merge(g, c, form, (struct merge){.with = child, .mine = mine, .theirs = is_leaf ? c->source : c->dest,
                                                .range = whole_of(c)});
        mine = c->dest;
    }
    if (g->me > 0)
        notify(g, FLAG_READY + __builtin_ctz((unsigned)reach), g->me - reach);
}

/* The result passes down the tree that the reduction went up. */
void shcoll_reduce_binomial(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k)
{
    (void)k;
    shcoll_gather(g, c, form);
    shcoll_spread(g, c, form);
}

/* lg p (2 alpha + 2 n beta + n gamma) */
double shcoll_reduce_binomial_cost(const struct shcoll_cost *m)
{
    double total = 0;
    for (double distance = 1; distance < m->size; distance *= 2)
        total += cost_message(m, distance, 0, true) + cost_read(m, distance, m->bytes, 1) + m->bytes * m->gamma +
                 cost_whole(cost_to(m, distance, m->bytes, true));
    return total;
}

/* --- combining tree ----------------------------------------------------------------------------------------------- */

/* The word of a combining tree's node, at the first member below this node; zero between collectives. */
static unsigned long long *node_word(const struct shcoll_group *g, int level)
{
    return atomic_word(value_word(g, level));
}

/* Where two neighbouring subtrees join, the first member to arrive stores its position and waits for the result; the
 * second merges both vectors and continues upwards (Yew, Tzeng, Lawrie 1987). No member waits for a particular other
 * member. The last member to arrive finishes the work and distributes the result. If PEs are oversubscribed, each
 * member runs only twice, to bring its vector and to return; rounds would cost a context switch each. */
void shcoll_reduce_combining_tree(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k)
{
    (void)k;
    copy_source(c);
    for (int d = 1, level = 0; d < g->size; d *= 2, level++) {
        const int first = g->me & ~(2 * d - 1), node = pe_of(g, first);
        if (first + d >= g->size)
            continue; /* there is no second subtree */
        unsigned long long *word = node_word(g, level);
        fence(); /* MUTANT combining trees are fenced */
        const unsigned long long other = shmem_ulonglong_atomic_swap(word, (unsigned)g->me + 1, node);
        if (other == 0) {
            expect(g, FLAG_DATA, ANYBODY, 1);
            return;
        }
        shmem_ulonglong_atomic_swap(word, 0, node); /* complete on return, and so before the next collective */
        shcoll_merge(g, c, form, (struct merge){.with = (int)other - 1, .mine = c->dest, .theirs = c->dest,
                                                .range = whole_of(c)});
    }
    for (int i = 1; i < g->size; i++)
        shcoll_give(g, c, form, whole_of(c), FLAG_DATA, position_after(g, i));
}

/* The last member's path upwards, with two swaps on each level, and its messages to all. As with the counter of a sync,
 * members wait for no particular member, which saves half the context switches if PEs share processors. But a dest has
 * a different writer in each call, and its cache lines move between writers. */
double shcoll_reduce_combining_tree_cost(const struct shcoll_cost *m)
{
    const double distant = m->nodes > 1 ? m->size - m->per_node : 0, near = m->size - 1 - distant;
    const struct cost_message far = cost_far(m, m->bytes);
    double total = 1.5 * near * cost_near(m, m->nodes > 1 ? m->bytes : 4 * m->bytes, true).busy +
                   distant * far.busy + far.after;
    if (m->nodes <= 1)
        total += 1.5 * (m->node.alpha - m->node.gap) - far.after;
    for (double distance = 1; distance < m->size; distance *= 2)
        total += 2 * (cost_is_near(m, distance) ? m->node.gap + m->atomic : 2 * m->net.alpha) +
                 cost_read(m, distance, m->bytes, 1) + m->bytes * m->gamma;
    return total;
}
