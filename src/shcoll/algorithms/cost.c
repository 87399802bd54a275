/* The cost model's parameters, and decisions by the model that algorithms need while they run. */
#include "cost.h"

#include <fenv.h>

struct shcoll_parameters shcoll_parameters;

/* Algorithms decide in each call. The decisions use integers: they raise no floating-point exceptions, and do not
 * depend on the program's rounding mode, which may differ between PEs. */
enum { UNITS = 1024 };
static int64_t direct_units; /* latency of a message divided by twice the time of each further one, in 1 / UNITS */
static int64_t flat_bytes;   /* bytes that are read in the time of a round of a tree */

static int64_t ratio(double time, double by)
{
    const double most = 1 << 30;
    return (int64_t)((time < most * by ? time / by : most) + 0.5);
}

void shcoll_parameters_take(const struct shcoll_parameters *p)
{
    fenv_t programs;
    fegetenv(&programs);
    fesetenv(FE_DFL_ENV);
    shcoll_parameters = *p;
    /* Twice, because the messages also take time of processors and links. */
    direct_units = ratio(p->net.alpha * UNITS, 2 * (p->net.gap + p->adapter + p->net_atomic));
    flat_bytes = ratio(p->node.alpha + p->atomic, p->node.beta);
    fesetenv(&programs);
}

static int64_t rounds_of(int members)
{
    return (int64_t)cost_rounds(members, 2);
}

bool shcoll_is_direct(int members)
{
    return (int64_t)(members - 2) * UNITS <= (rounds_of(members) - 1) * direct_units;
}

bool shcoll_is_direct_briefly(int members)
{
    return nodes_share() ? members - 1 <= rounds_of(members) : shcoll_is_direct(members);
}

bool shcoll_is_flat(int members, double bytes)
{
    const int64_t rounds = rounds_of(members);
    const double read = bytes < LINE ? LINE : bytes < BLOCK_BYTES ? bytes : BLOCK_BYTES;
    return (members - 1 - rounds) * (int64_t)read <= (rounds - 1) * flat_bytes;
}
