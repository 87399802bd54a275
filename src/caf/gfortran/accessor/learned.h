/* Sections of coarrays that accessors are known to access. */
#pragma once

#include "accessor.h"

/* The fewest bytes for which a section is learned: for fewer, the accessor is as fast. */
enum { LEARNED_LEAST = 512 };

enum learned_kind { LEARNED_GET, LEARNED_PUT, LEARNED_NEW };

struct learned {
    size_t first;   /* offset in the coarray, in bytes */
    bool is_packed; /* contiguous and in order */
    ptrdiff_t step[CAF_RANK];
    size_t bytes;
    struct descriptor_room room; /* LEARNED_NEW: the descriptor that the getter makes */
};

/* For an access to an array whose caller's side is `other`: the coarray's section, if the accessor only copies
 * it; NULL: run the accessor. *piece: the bytes if both sides are contiguous; otherwise 0: use learned_both. */
const struct learned *learned_section(const struct access *a, enum learned_kind kind,
                                      const struct gfortran_descriptor *other, size_t *piece);
void learned_both(const struct learned *section, const struct access *a, const struct gfortran_descriptor *other,
                  struct caf_section *theirs, struct caf_section *mine);

/* For LEARNED_NEW, where the getter allocates: called after the get, with the resulting descriptor. */
void learned_count_new(int index, const struct gfortran_descriptor *got);

/* For a get of more elements than the coarray has, by a vector subscript or out of bounds: runs the getter on a copy of
 * the coarray, outside which a fault ends the job. dst: the destination, or the getter's result if is_new. */
void learned_try(const struct access *a, struct gfortran_descriptor *dst, size_t *length, bool is_new)
    __attribute__((cold));

/* The size of a get is unknown in advance, so recent gets of the accessor decide whether learned_section is called. */
static inline bool learned_gets_little(const struct accessor *accessor)
{
    const unsigned habit = 8;
    return accessor->little >= habit;
}
static inline void learned_count_little(struct accessor *accessor, const struct gfortran_descriptor *got)
{
    accessor->little = gfortran_count(got) * got->dtype.elem_len < LEARNED_LEAST ? accessor->little + 1 : 0;
}

/* Set by each get: a get inside an accessor shows that the accessor depends on more than its arguments. */
extern CAF_HIDDEN bool learned_nested;
