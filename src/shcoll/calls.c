/* The collectives that programs call: they choose an algorithm, check that it suits the call, and run it. */
#include "algorithms/pieces.h"
#include "choice/choose.h"

#include <stdio.h>

/* --- whether the algorithm suits the call ------------------------------------------------------------------------- */

/* The two scans share a table. */
static enum shcoll_collective collective_of_call(const struct shcoll_algorithm *row, const struct shcoll_call *c)
{
    const enum shcoll_collective what = shcoll_collective_of(row);
    return what == SHCOLL_INSCAN && c->exclusive ? SHCOLL_EXSCAN : what;
}

static struct shcoll_shape shape_of_call(struct shcoll_group *g, const struct shcoll_call *c)
{
    struct shcoll_shape shape = shape_of(g);
    shape.ordered = c->op && c->op->ordered;
    return shape;
}

const char *shcoll_refuses(struct shcoll_choice choice, struct shcoll_group *g, const struct shcoll_call *c, char *text)
{
    const struct shcoll_algorithm *row = choice.algorithm;
    const struct shcoll_shape shape = shape_of_call(g, c);
    const size_t bytes = call_bytes(c);
    if (shcoll_suits(choice, &shape, bytes))
        return NULL;
    const unsigned lacks = shcoll_lacks(row, &shape);
    char name[SHCOLL_NAME_BYTES], other[SHCOLL_NAME_BYTES] = "none";
    const enum shcoll_collective collective = collective_of_call(row, c);
    for (const struct shcoll_algorithm *at = shcoll_tables[collective]; at->name; at++)
        if (shcoll_suits((struct shcoll_choice){at, at->k}, &shape, bytes)) {
            shcoll_name((struct shcoll_choice){at, at->k}, other);
            break;
        }
    shcoll_name(choice, name);
    const char *what = shcoll_collective_names[collective];
    if (lacks)
        snprintf(text, SHCOLL_SENTENCE_BYTES,
                 "%s by %s needs %s, which this call of %d members does not have; %s can do it", what, name,
                 shcoll_need_text(lacks), shape.size, other);
    else
        snprintf(text, SHCOLL_SENTENCE_BYTES, "%s by %s can do at most %zu bytes, and this call has %zu; %s can do it",
                 what, name, row->most_bytes, bytes, other);
    return text;
}

/* --- running ------------------------------------------------------------------------------------------------------ */

static inline void run(struct shcoll_choice choice, struct shcoll_group *g, const struct shcoll_call *c)
{
    g->number++;
    choice.algorithm->run(g, c, choice.algorithm->form, choice.k);
}

/* An algorithm that the user requested, or that a plan chose without this call's operation, may not suit the call. */
static void check(struct shcoll_choice choice, struct shcoll_group *g, const struct shcoll_call *c)
{
    char text[SHCOLL_SENTENCE_BYTES];
    const struct shcoll_algorithm *row = choice.algorithm;
    if (c->op && (c->size == 0 || c->size > BLOCK_BYTES))
        shcoll_fatal(
            "an operation has elements of %zu bytes, allowed are 1 to %d; those of 0 are the operations that a type "
            "does not have",
            c->size, BLOCK_BYTES);
    if (c->op && !c->op->combine && !c->op->combine_with)
        shcoll_fatal("an operation has neither combine nor combine_with, allowed is one of them");
    if ((row->needs || row->most_bytes) && shcoll_refuses(choice, g, c, text))
        shcoll_fatal("%s", text);
}

static const struct shcoll_call nothing;

void shcoll_run(struct shcoll_choice choice, struct shcoll_group *g, const struct shcoll_call *c)
{
    const enum shcoll_collective collective = shcoll_collective_of(choice.algorithm);
    check(choice, g, c);
    if (collective == SHCOLL_COLLECT) {
        struct shcoll_call with_lengths = *c;
        shcoll_lengths(g, &with_lengths);
        run(choice, g, &with_lengths);
        shcoll_lengths_end(g, &with_lengths);
        return;
    }
    if (collective == SHCOLL_SYNC) {
        g->syncs++;
        c = &nothing; /* only syncs of shcoll_sync_telling carry a word */
    }
    run(choice, g, c);
}

static inline void call(struct shcoll_group *g, enum shcoll_collective collective, const struct shcoll_call *c)
{
    struct shcoll_choice choice;
    if (c->op && c->op->ordered) {
        const struct shcoll_shape shape = shape_of_call(g, c);
        choice = shcoll_chosen_ordered(&shape, collective, call_bytes(c));
    } else {
        choice = shcoll_planned(g, collective, call_bytes(c));
    }
    check(choice, g, c);
    run(choice, g, c);
}

void shcoll_sync(struct shcoll_group *g)
{
    g->syncs++;
    call(g, SHCOLL_SYNC, &nothing);
}

bool shcoll_sync_is_paired(struct shcoll_group *g)
{
    return g->size == 2 && shcoll_sync_pairs(shcoll_planned(g, SHCOLL_SYNC, 0).algorithm->run);
}

uint64_t shcoll_sync_telling(struct shcoll_group *g, uint64_t word)
{
    return shcoll_sync_telling_by(shcoll_planned(g, SHCOLL_SYNC, 0).algorithm->run, g, word);
}

void shcoll_barrier(struct shcoll_group *g)
{
    meet(g);
}

void shcoll_broadcast(struct shcoll_group *g, void *dest, const void *source, size_t bytes, int root)
{
    call(g, SHCOLL_BROADCAST,
         &(struct shcoll_call){.dest = dest, .source = source, .n = bytes, .size = 1, .root = root});
}

void shcoll_fcollect(struct shcoll_group *g, void *dest, const void *source, size_t bytes)
{
    call(g, SHCOLL_FCOLLECT, &(struct shcoll_call){.dest = dest, .source = source, .n = bytes, .size = 1});
}

/* Members may contribute different numbers of bytes: the average determines the algorithm. */
void shcoll_collect(struct shcoll_group *g, void *dest, const void *source, size_t bytes)
{
    struct shcoll_call c = {.dest = dest, .source = source, .n = bytes, .size = 1};
    shcoll_lengths(g, &c);
    const struct shcoll_choice choice = shcoll_planned(g, SHCOLL_COLLECT, c.total / (size_t)g->size);
    check(choice, g, &c);
    run(choice, g, &c);
    shcoll_lengths_end(g, &c);
}

void shcoll_alltoall(struct shcoll_group *g, void *dest, const void *source, size_t bytes)
{
    call(g, SHCOLL_ALLTOALL, &(struct shcoll_call){.dest = dest, .source = source, .n = bytes, .size = 1});
}

void shcoll_alltoalls(struct shcoll_group *g, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t n,
                      size_t size)
{
    call(g, SHCOLL_ALLTOALLS,
         &(struct shcoll_call){.dest = dest, .source = source, .n = n, .size = size, .dst = dst, .sst = sst});
}

void shcoll_reduce(struct shcoll_group *g, void *dest, const void *source, size_t n, const struct shcoll_op *op)
{
    call(g, SHCOLL_REDUCE, &(struct shcoll_call){.dest = dest, .source = source, .n = n, .size = op->size, .op = op});
}

/* Algorithms that ignore to_root give the result to all. */
void shcoll_reduce_to(struct shcoll_group *g, void *dest, const void *source, size_t n, const struct shcoll_op *op,
                      int root)
{
    if (root < 0 || root >= g->size)
        shcoll_fatal("shcoll_reduce_to: argument root is %d, allowed are 0 to %d", root, g->size - 1);
    call(g, SHCOLL_REDUCE, &(struct shcoll_call){.dest = dest, .source = source, .n = n, .size = op->size, .op = op,
                                                 .root = root, .to_root = true});
}

void shcoll_inscan(struct shcoll_group *g, void *dest, const void *source, size_t n, const struct shcoll_op *op)
{
    call(g, SHCOLL_INSCAN, &(struct shcoll_call){.dest = dest, .source = source, .n = n, .size = op->size, .op = op});
}

void shcoll_exscan(struct shcoll_group *g, void *dest, const void *source, size_t n, const struct shcoll_op *op)
{
    call(g, SHCOLL_EXSCAN, &(struct shcoll_call){.dest = dest, .source = source, .n = n, .size = op->size, .op = op,
                                                 .exclusive = true});
}
