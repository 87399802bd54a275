/* The walk from a coarray through components to the data of a coindexed access. */
#pragma once

#include "direct.h"

/* The walk's kind of address: loadable here; this image's corresponding one; the other image's own, not symmetric. */
enum place { NEAR, SYMMETRIC, FOREIGN };

struct walk {
    const char *access; /* "get": for messages */
    int pe;
    enum place place;
    char *at;
    const char *coarray; /* the coarray's memory; NULL: the walk has followed a component, or the target image checks */
    size_t bytes;        /* size of the coarray */
    struct caf_section *s;
    struct index_vectors *held;
    size_t indices;     /* entries of held in use */
    bool stops;         /* may leave the rest to the target image, instead of reading a descriptor for a few puts */
    const struct reference *rest; /* where it stopped, before the section is known; or NULL */
};

/* Walks along refs to the section. If present is not NULL, an unallocated component ends the walk with *present false.
 * direct_walk_end must follow. */
int direct_walk(struct walk *w, caf_token token, const struct reference *refs, int type, int kind, bool *present);

/* Continues from the walk's address. */
int direct_walk_on(struct walk *w, const struct reference *refs, int type, int kind, bool *present);
void direct_walk_end(struct index_vectors *held);

/* The number of dimensions for which an array reference has subscripts. */
static inline int direct_rank(const struct reference *array)
{
    int rank = 0;
    while (rank < CAF_RANK && array->u.array.mode[rank] != SUBSCRIPTS_END)
        rank++;
    return rank;
}

/* The PE for the core's access to the section. Memory that this image can load counts as this image's own memory,
 * unless it is in the heap of w->pe: then the section's base becomes this image's corresponding address, and OpenSHMEM
 * copies the data. Call it once. */
static inline int direct_walk_pe(const struct walk *w)
{
    if (w->place != NEAR)
        return w->pe;
    const ptrdiff_t distance = caf_nearby.bytes ? caf_nearby.distance[w->pe] : CAF_NOT_NEAR;
    const uintptr_t mine = (uintptr_t)w->s->base - (uintptr_t)distance;
    if (distance == CAF_NOT_NEAR || mine - caf_nearby.from >= caf_nearby.bytes)
        return caf_my_pe;
    w->s->base = (char *)mine;
    return w->pe;
}
