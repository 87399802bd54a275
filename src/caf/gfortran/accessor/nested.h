/* Vector subscripts that are allocatable, or components: an accessor gets their values from the calling image, in a get
 * of its own.  Called by an image of another node it cannot: that one sends them along.  Which they are it learns when
 * the accessor is run without. */
#ifndef COPAL_GFORTRAN_NESTED_H
#define COPAL_GFORTRAN_NESTED_H

#include "accessor.h"

/* At the calling image: the values that its accessor is known to get, to be freed; NULL: none. */
void *nested_values(const struct access *a, size_t *bytes);

/* The accessor has asked for what that one gets.  False: it had been sent. */
bool nested_learn(const struct access *a, int hash);

/* Whether it is known that a's accessor gets nothing that is not sent. */
bool nested_is_known(const struct access *a);
void nested_note_known(const struct access *a);

/* At the one that is called: what has been sent; and the get, which ends the access if that is not there. */
void nested_sent(const void *values, size_t bytes);
void nested_get(int index, struct gfortran_descriptor *dst);

/* Which one that was. */
int nested_missing(void);

#endif
