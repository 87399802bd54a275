/* The user's function in co_reduce, and what gfortran leaves to be found out about types. */
#ifndef COPAL_GFORTRAN_OPERATION_H
#define COPAL_GFORTRAN_OPERATION_H

#include "abi.h"

/* What gfortran says of the function. */
enum { RESULT_BY_REFERENCE = 1, HIDDEN_LENGTH = 2, ARGUMENTS_BY_VALUE = 4, ARGUMENTS_BY_DESCRIPTOR = 8 };

struct operation {
    void (*function)(void);
    size_t size;    /* bytes of an element */
    size_t length;  /* of a character */
    bool by_value;  /* the arguments */
    void *scratch;  /* malloc */
    int way, tries; /* of returning a small derived type: the best one so far, of so many elements (returned.c) */
    int scores[5];
};

/* What calls function on elements like a's; NULL and a sentence if it cannot be called.  Ends with operation_end. */
caf_combine *operation_begin(struct operation *o, const struct caf_section *a, void (*function)(void), int flags, int length);
void operation_end(struct operation *o);

/* The functions whose results C cannot name (returned.c): of 16-byte reals, complex numbers of these, derived types.  NULL: this
 * processor's way to return them is not known here. */
caf_combine *returned_find(const struct caf_section *a);

/* Both have 16 bytes: which kind a's reals have, 10 or 16, on all images of the team together. */
int which_real(const struct caf_section *a);

#endif
