/* From a call to an algorithm: the tables, the choice, and the public routines. */
#include "../algorithms/collect.h"
#include "../algorithms/cost.h"
#include "../group/flags.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

const char *const shcoll_collective_names[SHCOLL_COLLECTIVES] = {
    "sync", "broadcast", "fcollect", "collect", "alltoall", "alltoalls", "reduce", "inscan", "exscan",
};

static const struct shcoll_algorithm *const tables[SHCOLL_COLLECTIVES] = {
    shcoll_sync_rows, shcoll_broadcast_rows, shcoll_fcollect_rows, shcoll_collect_rows, shcoll_alltoall_rows,
    shcoll_alltoalls_rows, shcoll_reduce_rows, shcoll_scan_rows, shcoll_scan_rows,
};

static const char *const form_names[FORMS] = {"", "put", "signal", "get", "shmem_ptr", "barrier", "counter", "slots"};

/* --- names ------------------------------------------------------------------------------------------------------------ */

struct shcoll_choice shcoll_algorithm_number(enum shcoll_collective collective, int i)
{
    const struct shcoll_algorithm *row = tables[collective];
    while (row->name && i > 0)
        row++, i--;
    return row->name ? (struct shcoll_choice){row, row->k} : (struct shcoll_choice){NULL, 0};
}

/* Length of the part of a name that ends with a colon or the string. */
static size_t part_length(const char *part)
{
    return strcspn(part, ":");
}

static bool part_is(const char *part, const char *word)
{
    return strlen(word) == part_length(part) && strncmp(part, word, strlen(word)) == 0;
}

struct shcoll_choice shcoll_find(enum shcoll_collective collective, const char *name)
{
    const struct shcoll_choice none = {NULL, 0};
    const char *rest = name + part_length(name);
    const char *form = *rest && !strchr("0123456789", rest[1]) ? rest + 1 : NULL;
    const char *radix = form ? form + part_length(form) : rest;
    int k = 0;
    if (*radix) {
        char *end;
        const long value = strtol(radix + 1, &end, 10);
        if (*end || end == radix + 1 || value < 2 || value > UINT16_MAX)
            return none;
        k = (int)value;
    }
    for (const struct shcoll_algorithm *row = tables[collective]; row->name; row++)
        if (part_is(name, row->name) && (!form || part_is(form, form_names[row->form])) && (k == 0 || row->k))
            return (struct shcoll_choice){row, k ? k : row->k};
    return none;
}

const char *shcoll_name(struct shcoll_choice choice, char *text)
{
    const char *form = form_names[choice.algorithm->form];
    int used = snprintf(text, SHCOLL_NAME_BYTES, "%s%s%s", choice.algorithm->name, *form ? ":" : "", form);
    if (choice.algorithm->k)
        snprintf(text + used, SHCOLL_NAME_BYTES - (size_t)used, ":%d", choice.k);
    return text;
}

/* --- what an algorithm needs ------------------------------------------------------------------------------------------ */

static bool is_power_of_two(int n)
{
    return (n & (n - 1)) == 0;
}

/* The needs that a shape does not meet. */
static unsigned unmet_by(const struct shcoll_shape *shape)
{
    return (is_power_of_two(shape->size) ? 0u : NEEDS_POWER_OF_TWO) | (shape->size % 2 == 0 ? 0u : NEEDS_EVEN) |
           (shape->nodes == 1 ? 0u : NEEDS_PTR) | (shape->is_pSync ? NEEDS_LASTING : 0u) |
           (shape->ordered ? NEEDS_EXCHANGEABLE : 0u);
}

bool shcoll_suits(struct shcoll_choice choice, const struct shcoll_shape *shape, size_t bytes)
{
    const struct shcoll_algorithm *row = choice.algorithm;
    return !(row->needs & unmet_by(shape)) && (!row->most_bytes || bytes <= row->most_bytes);
}

static const char *need_text(unsigned needs)
{
    return needs & NEEDS_POWER_OF_TWO ? "a number of members that is a power of two"
         : needs & NEEDS_EVEN         ? "an even number of members"
         : needs & NEEDS_PTR          ? "all members on one node"
         : needs & NEEDS_LASTING      ? "a team, not an active set"
         : needs                      ? "an operation that does not care for the order of its operands"
                                      : NULL;
}

static enum shcoll_collective collective_of(const struct shcoll_algorithm *row)
{
    for (int i = 0; i < SHCOLL_COLLECTIVES; i++)
        for (const struct shcoll_algorithm *at = tables[i]; at->name; at++)
            if (at == row)
                return (enum shcoll_collective)i;
    return SHCOLL_COLLECTIVES;
}

/* The two scans share a table. */
static enum shcoll_collective collective_of_call(const struct shcoll_algorithm *row, const struct shcoll_call *c)
{
    const enum shcoll_collective what = collective_of(row);
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
    const unsigned lacks = row->needs & unmet_by(&shape);
    char name[SHCOLL_NAME_BYTES], other[SHCOLL_NAME_BYTES] = "none";
    const enum shcoll_collective collective = collective_of_call(row, c);
    for (const struct shcoll_algorithm *at = tables[collective]; at->name; at++)
        if (shcoll_suits((struct shcoll_choice){at, at->k}, &shape, bytes)) {
            shcoll_name((struct shcoll_choice){at, at->k}, other);
            break;
        }
    shcoll_name(choice, name);
    const char *what = shcoll_collective_names[collective];
    if (lacks)
        snprintf(text, SHCOLL_SENTENCE_BYTES, "%s by %s needs %s, which this call of %d members does not have; %s can do it",
                 what, name, need_text(lacks), shape.size, other);
    else
        snprintf(text, SHCOLL_SENTENCE_BYTES, "%s by %s can do at most %zu bytes, and this call has %zu; %s can do it",
                 what, name, row->most_bytes, bytes, other);
    return text;
}

/* --- plans ------------------------------------------------------------------------------------------------------------ */

enum { PLAN_LISTS = 256 };
static _Atomic(struct shcoll_plan *) plans[PLAN_LISTS];

void shcoll_plans_forget(void)
{
    for (int i = 0; i < PLAN_LISTS; i++)
        while (plans[i]) {
            struct shcoll_plan *next = plans[i]->next;
            free(plans[i]);
            plans[i] = next;
        }
}

static bool same_shape(const struct shcoll_shape *a, const struct shcoll_shape *b)
{
    return a->size == b->size && a->nodes == b->nodes && a->is_pSync == b->is_pSync;
}

/* Threads may come here for different groups at a time: a plan is made whole, then put at the head of its list. */
struct shcoll_plan *shcoll_plan_of(struct shcoll_group *g)
{
    if (g->plan)
        return g->plan;
    const struct shcoll_shape shape = {.size = g->size, .nodes = shcoll_node_of(g, g->size - 1) + 1, .is_pSync = g->is_pSync,
                                       .crowded = shcoll_placement.crowded};
    _Atomic(struct shcoll_plan *) *list = &plans[((unsigned)g->size * 2 + g->is_pSync) % PLAN_LISTS];
    for (struct shcoll_plan *plan = *list; plan; plan = plan->next)
        if (same_shape(&plan->shape, &shape))
            return g->plan = plan;
    struct shcoll_plan *plan = calloc(1, sizeof *plan);
    if (!plan)
        shcoll_fatal("no memory for the choices of a group of %d members", g->size);
    plan->shape = shape;
    plan->next = *list;
    while (!atomic_compare_exchange_weak(list, &plan->next, plan))
        ;
    return g->plan = plan;
}

/* --- the choice ------------------------------------------------------------------------------------------------------- */

struct shcoll_choice shcoll_choose(enum shcoll_collective collective, const struct shcoll_shape *shape, size_t bytes,
                                   struct shcoll_bounds *same, enum shcoll_reason *why)
{
    struct shcoll_choice choice;
    *why = REQUESTED; /* suitable or not: what the user has asked for is done or refused */
    if (shcoll_requested(collective, shape, bytes, &choice, same))
        return choice;
    *why = TUNED;
    if (shcoll_tuned(collective, shape, bytes, &choice, same))
        return choice;
    *why = PREDICTED;
    return shcoll_cheapest(collective, shape, bytes);
}

/* Range i of a plan is the bytes b with 2^(i-1) < b <= 2^i, and 0 and 1 are range 0. */
static unsigned range_of(size_t bytes)
{
    return bytes <= 1 ? 0 : 64 - (unsigned)__builtin_clzll((unsigned long long)bytes - 1);
}

/* A cell is empty (0), or an algorithm's number in its table plus one and its radix, or says that the range has several. */
enum { CELL_SEVERAL = 0xffff, LATEST_BITS = 24 };

static struct shcoll_choice fill(struct shcoll_plan *plan, enum shcoll_collective collective, size_t bytes, unsigned range)
{
    const size_t from = range ? ((size_t)1 << (range - 1)) + 1 : 0, to = (size_t)1 << range;
    struct shcoll_bounds same = {0, SIZE_MAX};
    enum shcoll_reason why;
    const struct shcoll_choice choice = shcoll_choose(collective, &plan->shape, bytes, &same, &why);
    const uint32_t row = (uint32_t)(choice.algorithm - tables[collective]) + 1;
    for (const struct shcoll_algorithm *at = tables[collective]; at->name; at++)
        if (at->most_bytes >= from && at->most_bytes < to)
            same.most = from; /* not all of the range has the same algorithms to choose from */
    const bool whole = same.least <= from && same.most >= to;
    plan->cells[collective][range] = whole ? row | (uint32_t)choice.k << 16 : CELL_SEVERAL;
    if (!whole && bytes >> (64 - LATEST_BITS) == 0)
        plan->latest[collective] = (uint64_t)bytes << LATEST_BITS | (uint64_t)choice.k << 8 | row;
    return choice;
}

/* The choice for a size in a range that has several: programs call with the same size again and again. */
static struct shcoll_choice one_of_several(struct shcoll_plan *plan, enum shcoll_collective collective, size_t bytes,
                                           unsigned range)
{
    const uint64_t latest = plan->latest[collective];
    if (latest >> LATEST_BITS == bytes && (latest & 0xff))
        return (struct shcoll_choice){tables[collective] + (latest & 0xff) - 1, (int)(latest >> 8 & 0xffff)};
    return fill(plan, collective, bytes, range);
}

static inline struct shcoll_choice chosen(struct shcoll_group *g, enum shcoll_collective collective, size_t bytes)
{
    struct shcoll_plan *plan = shcoll_plan_of(g);
    const unsigned range = range_of(bytes) < RANGES ? range_of(bytes) : RANGES - 1;
    const uint32_t cell = atomic_load_explicit(&plan->cells[collective][range], memory_order_relaxed);
    if (SHCOLL_LIKELY(cell && (cell & 0xffff) != CELL_SEVERAL))
        return (struct shcoll_choice){tables[collective] + (cell & 0xffff) - 1, (int)(cell >> 16)};
    return one_of_several(plan, collective, bytes, range);
}

struct shcoll_choice shcoll_chosen(struct shcoll_group *g, enum shcoll_collective collective, size_t bytes)
{
    return chosen(g, collective, bytes);
}

/* --- running ---------------------------------------------------------------------------------------------------------- */

static inline void run(struct shcoll_choice choice, struct shcoll_group *g, const struct shcoll_call *c)
{
    g->number++;
    choice.algorithm->run(g, c, choice.algorithm->form, choice.k);
}

/* What has been asked for, or has been chosen without a look at this call's operation, may not suit the call. */
static void check(struct shcoll_choice choice, struct shcoll_group *g, const struct shcoll_call *c)
{
    char text[SHCOLL_SENTENCE_BYTES];
    const struct shcoll_algorithm *row = choice.algorithm;
    if (c->op && (c->size == 0 || c->size > BLOCK_BYTES))
        shcoll_fatal("an operation has elements of %zu bytes, allowed are 1 to %d; those of 0 are the operations that a type "
                     "does not have", c->size, BLOCK_BYTES);
    if (c->op && !c->op->combine && !c->op->combine_with)
        shcoll_fatal("an operation has neither combine nor combine_with, allowed is one of them");
    if ((row->needs || row->most_bytes) && shcoll_refuses(choice, g, c, text))
        shcoll_fatal("%s", text);
}

static const struct shcoll_call nothing;

void shcoll_run(struct shcoll_choice choice, struct shcoll_group *g, const struct shcoll_call *c)
{
    const enum shcoll_collective collective = collective_of(choice.algorithm);
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
        c = &nothing; /* whatever the caller has filled in: only shcoll_sync_telling's syncs have a word with them */
    }
    run(choice, g, c);
}

static inline void call(struct shcoll_group *g, enum shcoll_collective collective, const struct shcoll_call *c)
{
    struct shcoll_choice choice = chosen(g, collective, call_bytes(c));
    if (c->op && c->op->ordered) {
        const struct shcoll_shape shape = shape_of_call(g, c);
        struct shcoll_bounds same = {0, SIZE_MAX};
        enum shcoll_reason why;
        choice = shcoll_choose(collective, &shape, call_bytes(c), &same, &why);
    }
    check(choice, g, c);
    run(choice, g, c);
}

void shcoll_sync(struct shcoll_group *g)
{
    g->syncs++;
    call(g, SHCOLL_SYNC, &nothing);
}

void shcoll_barrier(struct shcoll_group *g)
{
    meet(g);
}

void shcoll_broadcast(struct shcoll_group *g, void *dest, const void *source, size_t bytes, int root)
{
    call(g, SHCOLL_BROADCAST, &(struct shcoll_call){.dest = dest, .source = source, .n = bytes, .size = 1, .root = root});
}

void shcoll_fcollect(struct shcoll_group *g, void *dest, const void *source, size_t bytes)
{
    call(g, SHCOLL_FCOLLECT, &(struct shcoll_call){.dest = dest, .source = source, .n = bytes, .size = 1});
}

/* Members bring different numbers of bytes: what they bring on average decides. */
void shcoll_collect(struct shcoll_group *g, void *dest, const void *source, size_t bytes)
{
    struct shcoll_call c = {.dest = dest, .source = source, .n = bytes, .size = 1};
    shcoll_lengths(g, &c);
    const struct shcoll_choice choice = chosen(g, SHCOLL_COLLECT, c.total / (size_t)g->size);
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

/* Algorithms that do not look at to_root give the result to all. */
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
