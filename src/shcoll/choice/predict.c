/* The cost model's choice. */
#include "predict.h"
#include "../algorithms/cost.h"

#include <float.h>

enum { MOST_RADIX = 64 };

static struct shcoll_cost cost_of(const struct shcoll_shape *shape, size_t bytes)
{
    const struct shcoll_parameters *p = &shcoll_parameters;
    struct shcoll_cost m = {.size = shape->size, .nodes = shape->nodes, .per_node = (double)shape->size / shape->nodes,
                            .bytes = (double)bytes, .node = p->node, .net = p->net, .copy = p->copy,
                            .adapter = p->adapter, .reply = p->reply, .across = p->across, .gamma = p->gamma,
                            .atomic = p->atomic, .turn = p->turn, .line = p->line, .memory = p->memory, .slot = p->slot,
                            .net_atomic = p->net_atomic};
    const int per_node = shape->size / shape->nodes;
    m.aligned = per_node * shape->nodes == shape->size && (per_node & (per_node - 1)) == 0 &&
                shcoll_placement.node_size % per_node == 0;
    if (shape->crowded) { /* a PE may wait until another PE has got a time slice */
        m.node.alpha = p->crowded_alpha * m.per_node;
        m.net.alpha += m.node.alpha;
        m.net.gap *= m.per_node; /* each message costs processor time */
        m.adapter *= m.per_node;
        m.processors = nodes_share() ? shcoll_placement.processors * cost_larger(1, m.size / shcoll_placement.sharing)
                                     : 0;
    }
    return m;
}

/* If nodes are L3 groups of one node, an algorithm of one level sees one node. Each of its rounds waits for members of
 * different groups, unless all its messages stay within groups (cost_to). */
static void use_one_level(struct shcoll_cost *m)
{
    m->inner = m->node;
    m->inner_atomic = m->atomic;
    m->inner_size = m->per_node;
    m->node = m->net;
    m->atomic = m->turn = m->net_atomic;
    m->net_atomic = 0;
    m->per_node = m->size;
    m->nodes = 1;
}

static bool has_two_level_name(const struct shcoll_algorithm *row)
{
    return strncmp(row->name, "two_level", strlen("two_level")) == 0 || strcmp(row->name, "lanes") == 0;
}

double shcoll_predicted(enum shcoll_collective collective, struct shcoll_choice choice,
                        const struct shcoll_shape *shape, size_t bytes)
{
    struct shcoll_cost m = cost_of(shape, bytes);
    m.collective = collective;
    m.form = choice.algorithm->form;
    m.k = choice.k;
    const bool two_level = has_two_level_name(choice.algorithm);
    if (two_level && m.nodes <= 1)
        return DBL_MAX;
    if (m.net_atomic > 0 && m.nodes > 1 && !two_level)
        use_one_level(&m);
    if (m.processors > 0 && m.collective == SHCOLL_SYNC) /* a message costs only time of both sides */
        m.net.gap = cost_larger(m.net.gap, m.net.alpha / 2);
    return choice.algorithm->cost ? choice.algorithm->cost(&m) : DBL_MAX;
}

struct cheapest {
    struct shcoll_choice choice;
    double seconds;
};

/* Algorithms that do the same for these members differ only by rounding; then the first row is chosen. */
static void consider(struct cheapest *best, enum shcoll_collective collective, struct shcoll_choice choice,
                     const struct shcoll_shape *shape, size_t bytes)
{
    const double seconds = shcoll_predicted(collective, choice, shape, bytes);
    if (seconds < best->seconds * (1 - 1e-9))
        *best = (struct cheapest){choice, seconds};
}

/* Plans keep one choice for all sizes between two powers of two (choose.h): the cheapest for the largest size. */
struct shcoll_choice shcoll_cheapest(enum shcoll_collective collective, const struct shcoll_shape *shape, size_t bytes)
{
    size_t rounded = 1;
    while (rounded < bytes && rounded <= SIZE_MAX / 2)
        rounded *= 2;
    struct cheapest best = {shcoll_algorithm_number(collective, 0), DBL_MAX};
    struct shcoll_choice at;
    for (int i = 0; (at = shcoll_algorithm_number(collective, i)).algorithm; i++) {
        if (!shcoll_suits(at, shape, bytes))
            continue;
        consider(&best, collective, at, shape, rounded);
        for (int k = 2; at.k && k <= MOST_RADIX && k < shape->size; k *= 2)
            consider(&best, collective, (struct shcoll_choice){at.algorithm, k}, shape, rounded);
    }
    return best.choice;
}
