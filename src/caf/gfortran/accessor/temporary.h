/* The arrays into which gfortran 15 and 16 get what is coindexed: temporaries, from which compiled code takes the
 * values, or which it makes what an ASSOCIATE names or an argument is. */
#ifndef COPAL_GFORTRAN_TEMPORARY_H
#define COPAL_GFORTRAN_TEMPORARY_H

#include "accessor.h"

/* To be called before anything is got into it: what the same statement has been given before, which gfortran does not
 * free, is. */
void temporary_note(const struct gfortran_descriptor *temporary, int index);

#endif
