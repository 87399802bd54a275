/* The user's function in co_reduce. */
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
    void *scratch;  /* malloc: an element */
    bool is_kind_10; /* so the results of a function of complex numbers have been until now */
};

/* What calls function on elements like a's; NULL and a sentence if it cannot be called.  Ends with operation_end. */
caf_combine *gfortran_operation_begin(struct operation *o, const struct caf_section *a, void (*function)(void),
                                      int flags, int length);
void gfortran_operation_end(struct operation *o);

#endif
