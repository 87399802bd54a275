#pragma once

#include "abi.h"

/* gfortran's flags for the function. */
enum { RESULT_BY_REFERENCE = 1, HIDDEN_LENGTH = 2, ARGUMENTS_BY_VALUE = 4, ARGUMENTS_BY_DESCRIPTOR = 8 };

struct operation {
    void (*function)(void);
    size_t size;    /* bytes of an element */
    size_t length;  /* length of a character */
    bool by_value;  /* the arguments */
    void *scratch;  /* allocated: one element */
    bool is_kind_10; /* results of the complex function had kind 10 so far */
};

/* Returns a caf_combine that calls `function` for elements like a's, or NULL and a sentence. gfortran_operation_end
 * follows in both cases. */
caf_combine *gfortran_operation_begin(struct operation *o, const struct caf_section *a, void (*function)(void),
                                      int flags, int length);
void gfortran_operation_end(struct operation *o);
