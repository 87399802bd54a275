/* The cost model's parameters, and the one question to it that algorithms ask as they run. */
#include "cost.h"

struct shcoll_parameters shcoll_parameters;

bool shcoll_is_direct(int members)
{
    const struct shcoll_link *net = &shcoll_parameters.net;
    const double gaps = 2 * members - 4; /* to send, and to receive */
    /* Twice: they take processors and wires too. */
    return 2 * gaps * net->gap <= (cost_rounds(members, 2) - 1) * net->alpha;
}
