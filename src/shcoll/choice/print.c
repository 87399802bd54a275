/* Prints the algorithm of each call. */
#include "choose.h"

#include <stdio.h>

struct stretch {
    struct shcoll_choice choice;
    enum shcoll_reason why;
    size_t least, most;
};

/* The sizes from least on with the same choice. They end at a limit of the table, the request or the algorithm, or at
 * the next power of two, where the model chooses again. */
static struct stretch stretch_from(size_t least, enum shcoll_collective collective, const struct shcoll_shape *shape)
{
    struct shcoll_bounds same = {0, SIZE_MAX};
    struct stretch s = {.least = least};
    s.choice = shcoll_choose(collective, shape, least, &same, &s.why);
    s.most = same.most;
    if (s.why == PREDICTED)
        for (size_t power = 1; power && power < s.most; power *= 2)
            if (power >= least)
                s.most = power;
    struct shcoll_choice at;
    for (int i = 0; (at = shcoll_algorithm_number(collective, i)).algorithm; i++)
        if (at.algorithm->most_bytes >= least && at.algorithm->most_bytes && at.algorithm->most_bytes < s.most)
            s.most = at.algorithm->most_bytes;
    return s;
}

static bool same_choice(const struct stretch *a, const struct stretch *b)
{
    return a->choice.algorithm == b->choice.algorithm && a->choice.k == b->choice.k && a->why == b->why;
}

static void print_stretch(const struct stretch *s, enum shcoll_collective collective)
{
    static const char *const reasons[] = {
        [REQUESTED] = "requested", [TUNED] = "tuning table", [PREDICTED] = "cost model",
    };
    char name[SHCOLL_NAME_BYTES], least[SHCOLL_SIZE_BYTES] = "", most[SHCOLL_SIZE_BYTES] = "", range[64] = "all";
    if (s->least > 0)
        shcoll_size_text(s->least, least);
    if (s->most < SIZE_MAX)
        shcoll_size_text(s->most, most);
    if (*least || *most)
        snprintf(range, sizeof range, "%s..%s", least, most);
    printf("  %-10s %-16s %-32s %s\n", s->least == 0 ? shcoll_collective_names[collective] : "", range,
           shcoll_name(s->choice, name), reasons[s->why]);
}

void shcoll_print_choices(struct shcoll_group *g)
{
    const struct shcoll_shape shape = shape_of(g);
    printf("Algorithms of collectives, for %d PEs on %d node%s%s:\n  %-10s %-16s %-32s %s\n", shape.size, shape.nodes,
           shape.nodes == 1 ? "" : "s", shape.crowded ? " with fewer processors than PEs" : "", "collective", "bytes",
           "algorithm", "because of");
    for (enum shcoll_collective c = 0; c < SHCOLL_COLLECTIVES; c++) {
        struct stretch now = stretch_from(0, c, &shape);
        if (c == SHCOLL_SYNC)
            now.most = SIZE_MAX; /* a sync moves no bytes */
        while (now.most < SIZE_MAX) {
            struct stretch next = stretch_from(now.most + 1, c, &shape);
            if (same_choice(&now, &next)) {
                next.least = now.least;
            } else {
                print_stretch(&now, c);
            }
            now = next;
        }
        print_stretch(&now, c);
    }
    fflush(stdout);
}
