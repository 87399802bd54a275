/* Sections of coarrays that accessors are known to access. */
#ifndef COPAL_GFORTRAN_LEARNED_H
#define COPAL_GFORTRAN_LEARNED_H

#include "accessor.h"

/* An access to fewer bytes is its accessor's, which is as quick. */
enum { LEARNED_LEAST = 512 };

enum learned_kind { LEARNED_GET, LEARNED_PUT, LEARNED_NEW };

/* Of the coarray. */
struct learned {
    size_t first;   /* where it begins, in bytes behind the coarray's beginning */
    bool is_packed; /* it is one piece of memory, in order */
    ptrdiff_t step[CAF_RANK];
    size_t bytes;
    struct descriptor_room room; /* LEARNED_NEW: what the getter makes of the descriptor */
};

/* An access to an array, of which other describes the caller's side: the section of the coarray from which, or to
 * which, its accessor is known to do no more than copy; NULL: run it.  *piece: how many bytes that is if both sides are
 * one piece; else 0, and learned_both says what the two sections are, ready for caf_get or caf_put. */
const struct learned *learned_section(const struct access *a, enum learned_kind kind,
                                      const struct gfortran_descriptor *other, size_t *piece);
void learned_both(const struct learned *section, const struct access *a, const struct gfortran_descriptor *other,
                  struct caf_section *theirs, struct caf_section *mine);

/* LEARNED_NEW is a get into memory that the getter allocates: other describes nothing before it, and this is to be
 * called with what it describes then. */
void learned_count_new(int index, const struct gfortran_descriptor *got);

/* A get of more elements than the coarray has: of a vector subscript that repeats some, or out of bounds, and then the
 * getter, run on a copy of the coarray, finds no memory there, and the job ends.  dst: as the getter is to see it,
 * which is written to; or as it has left it, is_new. */
void learned_try(const struct access *a, struct gfortran_descriptor *dst, size_t *length, bool is_new)
    __attribute__((cold));

/* How much it will be is not known before: what the accessor has got lately tells whether to ask. */
static inline bool learned_gets_little(const struct accessor *accessor)
{
    const unsigned habit = 8;
    return accessor->little >= habit;
}
static inline void learned_count_little(struct accessor *accessor, const struct gfortran_descriptor *got)
{
    size_t bytes = got->dtype.elem_len;
    for (int i = 0; i < got->dtype.rank; i++)
        bytes *= gfortran_extent(&got->dim[i]);
    accessor->little = bytes < LEARNED_LEAST ? accessor->little + 1 : 0;
}

/* To be set by each get: one that an accessor makes shows that it takes more than its arguments. */
extern CAF_HIDDEN bool learned_nested;

#endif
