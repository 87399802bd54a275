/* The way from a coarray through components to the data of a coindexed access. */
#ifndef COPAL_GFORTRAN_WALK_H
#define COPAL_GFORTRAN_WALK_H

#include "direct.h"

/* What the address at which the walk stands is: one to load from, this image's counterpart of it, or the other
 * image's own, of memory that is not symmetric. */
enum place { NEAR, SYMMETRIC, FOREIGN };

struct walk {
    const char *access; /* "get": for sentences */
    int pe;
    enum place place;
    char *at;
    const char *coarray; /* through which it goes; NULL: it has followed a component, or the other image knows */
    size_t bytes;        /* of the coarray */
    struct caf_section *s;
    struct index_vectors *held;
    size_t indices;     /* of held, in use */
    bool stops;         /* rather than read a descriptor for a few puts: */
    const struct reference *rest; /* before which it stands, and the section is not known; NULL: it has not stopped */
};

/* From the coarray along refs to the section; stops early, with *present false, at a component that is not there, if
 * present is not NULL.  Ends with direct_walk_end. */
int direct_walk(struct walk *w, caf_token token, const struct reference *refs, int type, int kind, bool *present);

/* The same from where the walk stands. */
int direct_walk_on(struct walk *w, const struct reference *refs, int type, int kind, bool *present);
void direct_walk_end(struct index_vectors *held);

/* How many dimensions an array reference has subscripts for. */
static inline int direct_rank(const struct reference *array)
{
    int rank = 0;
    while (rank < CAF_RANK && array->u.array.mode[rank] != SUBSCRIPTS_END)
        rank++;
    return rank;
}

/* The PE at which the core finds the section: memory that can be loaded from is as good as this image's own. */
static inline int direct_walk_pe(const struct walk *w)
{
    return w->place == NEAR ? caf_my_pe : w->pe;
}

#endif
