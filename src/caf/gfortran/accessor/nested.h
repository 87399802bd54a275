/* Vector subscripts that are allocatable or components: an accessor gets their values from the calling image by a
 * nested get. An accessor that runs for an image of another node cannot do that, so the calling image sends the values
 * with the request. It learns which ones when the accessor fails without them. */
#pragma once

#include "accessor.h"

/* At the calling image: the values that the accessor is known to need; the caller frees them; NULL: none. */
void *nested_values(const struct access *a, size_t *bytes);

/* Records that the accessor needs the values of this nested accessor. False: they were sent before. */
bool nested_learn(const struct access *a, int hash);

/* Whether the accessor is known to need no more values than are sent. */
bool nested_is_known(const struct access *a);
void nested_note_known(const struct access *a);

/* At the target: the received values; and the nested get, which ends the access if its value is missing. */
void nested_sent(const void *values, size_t bytes);
void nested_get(int index, struct gfortran_descriptor *dst);

/* The hash of the missing nested accessor. */
int nested_missing(void);
