/* Sections of coarrays that accessors are known to access. */
#ifndef COPAL_GFORTRAN_LEARNED_H
#define COPAL_GFORTRAN_LEARNED_H

#include "accessor.h"

enum learned_kind { LEARNED_GET, LEARNED_PUT };

/* An access to an array, of which other describes the caller's side: whether its accessor is known to do no more than a
 * copy from, or to, a section of the coarray, and which: from and to are the sections then, ready for caf_get or
 * caf_put.  False: run it. */
bool learned_sections(const struct access *a, enum learned_kind kind, const struct gfortran_descriptor *other,
                      struct caf_section *theirs, struct caf_section *mine);

/* To be set by each get: one that an accessor makes shows that it takes more than its arguments. */
extern bool learned_nested;

#endif
