/* An algorithm: a function, and a row in its collective's table with its requirements and its cost. */
#ifndef SHCOLL_ALGORITHM_H
#define SHCOLL_ALGORITHM_H

#include "../group/flags.h"

/* The requirements of an algorithm. */
enum shcoll_need {
    NEEDS_POWER_OF_TWO = 1, /* the number of members is a power of two */
    NEEDS_EVEN = 2,         /* the number of members is even */
    NEEDS_PTR = 4,          /* all members on one node */
    NEEDS_LASTING = 8,      /* a lasting work area: a team's, not a pSync */
    NEEDS_EXCHANGEABLE = 16, /* a commutative operation */
};

typedef void shcoll_function(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k);

struct shcoll_cost; /* cost.h */
typedef double shcoll_cost_function(const struct shcoll_cost *m);

/* A row of a collective's table, which ends with a row without a name. */
struct shcoll_algorithm {
    const char *name;
    enum shcoll_form form;
    shcoll_function *run;
    shcoll_cost_function *cost; /* seconds; NULL: never chosen by the model */
    unsigned needs;             /* enum shcoll_need, or-ed */
    size_t most_bytes;          /* a power of two; 0: any number */
    int k;                      /* the usual radix of a tree; 0: no radix */
};

extern const struct shcoll_algorithm shcoll_sync_rows[], shcoll_broadcast_rows[], shcoll_fcollect_rows[],
    shcoll_collect_rows[], shcoll_alltoall_rows[], shcoll_alltoalls_rows[], shcoll_reduce_rows[], shcoll_scan_rows[];

/* The same as shcoll_sync_is_paired and shcoll_sync_telling (shcoll.h), for a group whose sync algorithm is `run`. */
bool shcoll_sync_pairs(shcoll_function *run);
uint64_t shcoll_sync_telling_by(shcoll_function *run, struct shcoll_group *g, uint64_t word);

static inline size_t call_bytes(const struct shcoll_call *c)
{
    return c->n * c->size;
}

static inline void combine(const struct shcoll_op *op, void *into, const void *from, size_t n)
{
    if (SHCOLL_LIKELY(op->combine))
        op->combine(into, from, n);
    else
        op->combine_with(op->context, into, from, n);
}

#endif
