/* The cost model's predictions, for any number of members on any number of nodes. */
#include "shcoll/group/flags.h"
#include "job.h"

#include <float.h>

static void print_prediction(struct shcoll_choice choice, enum shcoll_collective collective,
                             const struct shcoll_shape *shape, size_t bytes)
{
    char name[SHCOLL_NAME_BYTES];
    const double seconds = shcoll_predicted(collective, choice, shape, bytes);
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

/* Prints how many bytes of a team's work area the flags of so many members take (flags.h): lines for numbered signals;
 * words for counted signals, and the counts so far, both for the whole group and for the leaders. */
void predict_memory(int members)
{
    const int rounds = (int)cost_rounds(members, 2);
    const int lines = rounds + LINES - ROUNDS, words = 3 * rounds + FLAGS - 3 * ROUNDS;
    const int bytes = lines * LINE + (2 * (2 * words + VALUES) + 2 * 2 * words) * 8;
    printf("memory %d %d %zu\n", members, bytes, SHCOLL_WORK_BYTES);
}
