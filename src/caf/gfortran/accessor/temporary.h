/* The temporary arrays into which gfortran 15 and 16 get coindexed objects, for expressions, ASSOCIATE or arguments. */
#pragma once

#include "accessor.h"

/* Called before a get into the temporary: frees the statement's previous temporary, which gfortran does not free. */
void temporary_note(const struct gfortran_descriptor *temporary, int index);
