/* What the cost model says, for any number of members on any number of nodes. */
#include "flags.h"
#include "job.h"

#include <float.h>

static void print_prediction(struct shcoll_choice choice, enum shcoll_collective collective,
                             const struct shcoll_shape *shape, size_t bytes)
{
    char name[SHCOLL_NAME_BYTES];
    const double seconds = shcoll_predicted(choice, shape, bytes);
    if (shcoll_suits(choice, shape, bytes) && seconds < DBL_MAX)
        printf("predicted %s %d %zu %s %.4g\n", shcoll_collective_names[collective], shape->size, bytes,
               shcoll_name(choice, name), seconds);
}

void predict(enum shcoll_collective collective, const struct shcoll_shape *shape, size_t bytes)
{
    struct shcoll_choice at;
    for (int i = 0; (at = shcoll_algorithm_number(collective, i)).algorithm; i++) {
        print_prediction(at, collective, shape, bytes);
        for (int k = 2; at.k && k <= MOST_RADIX && k < shape->size; k *= 2)
            if (k != at.k)
                print_prediction((struct shcoll_choice){at.algorithm, k}, collective, shape, bytes);
    }
}

/* Of a team's work area, what members so many touch: flags.h and slots.c say what is in it. */
void predict_memory(int members)
{
    enum { SLOT = 512, SLOTS_BESIDES = 2, SETS = 2, KINDS = 2 };
    const int rounds = (int)cost_rounds(members, 2);
    const int lines = rounds + 1 + BROADCAST_RING, flags = 3 * rounds + FLAGS - 3 * ROUNDS;
    const int bytes = lines * LINE + SETS * (KINDS * flags * KINDS + VALUES) * 8 + SETS * (rounds + SLOTS_BESIDES) * SLOT;
    printf("memory %d %d %zu\n", members, bytes, SHCOLL_WORK_BYTES);
}
