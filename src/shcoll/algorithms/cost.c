/* The cost model's parameters, and decisions by the model that algorithms need while they run. */
#include "cost.h"

struct shcoll_parameters shcoll_parameters;

bool shcoll_is_direct(int members)
{
    const struct shcoll_parameters *p = &shcoll_parameters;
    /* Twice, because the messages also take time of processors and links. */
    const double each = p->net.gap + p->adapter + p->net_atomic;
    return 2 * (members - 2) * each <= (cost_rounds(members, 2) - 1) * p->net.alpha;
}

bool shcoll_is_direct_briefly(int members)
{
    return nodes_share() ? members - 1 <= cost_rounds(members, 2) : shcoll_is_direct(members);
}

bool shcoll_is_flat(int members, double bytes)
{
    const struct shcoll_parameters *p = &shcoll_parameters;
    const double rounds = cost_rounds(members, 2), read = cost_larger(bytes, LINE) * p->node.beta;
    return (members - 1 - rounds) * read <= (rounds - 1) * (p->node.alpha + p->atomic);
}
