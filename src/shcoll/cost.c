/* The cost model's parameters, and its choice. */
#include "cost.h"

#include <float.h>

struct shcoll_parameters shcoll_parameters = {
    .node = {.alpha = 90e-9, .gap = 20e-9, .beta = 0.05e-9},
    .net = {.alpha = 1.5e-6, .gap = 0.2e-6, .beta = 0.1e-9},
    .crowded_alpha = 1.2e-6,
    .gamma = 0.03e-9,
    .atomic = 20e-9,
};

static struct shcoll_cost cost_of(const struct shcoll_shape *shape, size_t bytes)
{
    const struct shcoll_parameters *p = &shcoll_parameters;
    struct shcoll_cost m = {.size = shape->size, .nodes = shape->nodes, .per_node = (double)shape->size / shape->nodes,
                            .bytes = (double)bytes, .node = p->node, .net = p->net, .gamma = p->gamma, .atomic = p->atomic};
    if (shape->crowded)
        m.node.alpha = p->crowded_alpha;
    return m;
}

struct shcoll_choice shcoll_cheapest(enum shcoll_collective collective, const struct shcoll_shape *shape, size_t bytes)
{
    struct shcoll_cost m = cost_of(shape, bytes);
    struct shcoll_choice best = {NULL, 0}, at;
    double least = DBL_MAX;
    for (int i = 0; (at = shcoll_algorithm_number(collective, i)).algorithm; i++) {
        if (!at.algorithm->cost || !shcoll_suits(at, shape, bytes))
            continue;
        m.form = at.algorithm->form;
        m.k = at.k;
        const double seconds = at.algorithm->cost(&m);
        if (seconds < least) {
            least = seconds;
            best = at;
        }
    }
    return best;
}
