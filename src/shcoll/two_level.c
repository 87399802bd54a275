/* Reduction in two levels: a binomial tree to the leader of each node, recursive doubling between leaders, and everybody
 * reads the leader's result (teams paper, section IV).  A large vector goes through block by block; members of a node
 * combine the next blocks while their leader is at those before.  Operands are combined in the order of the members. */
#include "block.h"
#include "cost.h"
#include "flags.h"
#include "reduce.h"

/* --- within the node -------------------------------------------------------------------------------------------------- */

/* The binomial tree: a member whose lowest bit is 2^r has children me + 2^i, i < r, and tells its parent in round r.  One
 * without children shows its source as it is, the others what they have combined, in their dest. */
static bool has_children(const struct shcoll_group *node, int position, int round)
{
    return round > 0 && position + 1 < node->size;
}

/* The combination of a member and its descendants: the leader's is in total, other members show it to their parents. */
static void gather(const struct shcoll_group *node, const struct shcoll_op *op, const struct block *b, void *total)
{
    _Alignas(64) char buffer[BLOCK_BYTES];
    bool begun = false;
    for (int distance = 1, round = 0; distance < node->size; distance *= 2, round++) {
        const int child = node->me + distance;
        if (node->me & distance) {
            if (begun)
                memcpy(b->dest, total, b->bytes);
            notify(node, FLAG_READY + round, node->me - distance);
            return;
        }
        if (child >= node->size)
            continue;
        if (!begun)
            memcpy(total, b->source, b->bytes);
        begun = true;
        expect(node, FLAG_READY + round, child, 1);
        const char *shown = has_children(node, child, round) ? b->dest : b->source;
        op->combine(total, view(node, shown, b->bytes, child, buffer), b->n);
    }
    if (!begun)
        memcpy(total, b->source, b->bytes);
}

/* --- between leaders -------------------------------------------------------------------------------------------------- */

/* Recursive doubling among p' = 2^k of p leaders.  Leader i has the rank floor(i p' / p) (SHCOLL, balanced renumbering); of
 * two leaders with the same rank, the first takes part for both.  The order of ranks is that of positions. */
static int first_of_rank(const struct shcoll_group *leaders, int parties, int rank)
{
    return (int)(((int64_t)rank * leaders->size + parties - 1) / parties);
}

/* Of total, among leaders, to dest, which until then is where leaders put what they have to the next they meet. */
static void exchange(const struct shcoll_group *leaders, const struct shcoll_op *op, const struct block *b, void *total)
{
    int parties = 1;
    while (parties * 2 <= leaders->size)
        parties *= 2;
    const int rank = (int)((int64_t)leaders->me * parties / leaders->size);
    const int first = first_of_rank(leaders, parties, rank), next = first_of_rank(leaders, parties, rank + 1);
    if (leaders->me != first) {
        expect(leaders, FLAG_ARRIVED, first, 1);
        deliver(leaders, FORM_SIGNAL, FLAG_DATA, first, b->dest, total, b->bytes);
        expect(leaders, FLAG_DATA, first, 1); /* the result */
        return;
    }
    const int second = next - first == 2 ? first + 1 : first;
    if (second != first) {
        notify(leaders, FLAG_ARRIVED, second);
        expect(leaders, FLAG_DATA, second, 1);
        op->combine(total, b->dest, b->n);
    }
    for (int distance = 1, round = 0; distance < parties; distance *= 2, round++) {
        const int partner = first_of_rank(leaders, parties, rank ^ distance);
        notify(leaders, FLAG_READY + round, partner);
        expect(leaders, FLAG_READY + round, partner, 1);
        deliver(leaders, FORM_SIGNAL, FLAG_DONE + round, partner, b->dest, total, b->bytes);
        expect(leaders, FLAG_DONE + round, partner, 1);
        if (partner > leaders->me)
            op->combine(total, b->dest, b->n);
        else
            combine_before(op, total, b->dest, b->n);
    }
    if (second != first)
        deliver(leaders, FORM_SIGNAL, FLAG_DATA, second, b->dest, total, b->bytes);
    memcpy(b->dest, total, b->bytes);
}

/* --- both ------------------------------------------------------------------------------------------------------------- */

/* An empty vector has one empty block: its signals keep calls apart as others' do, since the result depends on everybody. */
void shcoll_reduce_two_level(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k)
{
    (void)form, (void)k;
    const struct shcoll_group node = shcoll_part_node(g), leaders = shcoll_part_leaders(g);
    _Alignas(64) char total[BLOCK_BYTES];
    struct block b;
    size_t i = 0;
    do {
        b = block_at(c, i);
        gather(&node, c->op, &b, total);
        if (node.me == 0) {
            exchange(&leaders, c->op, &b, total);
            for (int member = 1; member < node.size; member++)
                notify(&node, FLAG_RELEASED, member);
        }
        i += b.n;
    } while (i < c->n);
    if (node.me == 0) {
        expect(&node, FLAG_ARRIVED, ANYBODY, (uint64_t)node.size - 1); /* all have read */
        return;
    }
    i = 0;
    do {
        b = block_at(c, i);
        expect(&node, FLAG_RELEASED, 0, 1);
        shmem_getmem(b.dest, b.dest, b.bytes, pe_of(&node, 0));
        i += b.n;
    } while (i < c->n);
    notify(&node, FLAG_ARRIVED, 0);
}

/* The blocks of a large vector are at the tree, at the leaders and at the members at the same time: the leaders' rounds
 * of two messages each, the first of which says that there is room, take longest. */
double shcoll_reduce_two_level_cost(const struct shcoll_cost *m)
{
    const double blocks = m->bytes > BLOCK_BYTES ? m->bytes / BLOCK_BYTES : 1, bytes = m->bytes / blocks;
    const double combine = bytes * m->gamma, rounds = cost_rounds(m->per_node, 2);
    const double near = m->node.alpha + bytes * m->node.beta + combine, far = 2 * m->net.alpha + bytes * m->net.beta + combine;
    const double leader = rounds * (bytes * m->node.beta + combine) + cost_rounds(m->nodes, 2) * far +
                          m->per_node * m->node.gap;
    return rounds * near + blocks * leader + 3 * m->node.alpha + bytes * m->node.beta + m->per_node * m->atomic;
}
