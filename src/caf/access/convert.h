/* Conversions between types and kinds. */
#pragma once

#include "../caf.h"

struct caf_conversion;

/* n elements, to_step and from_step bytes apart. */
typedef void caf_convert_run(const struct caf_conversion *c, char *to, ptrdiff_t to_step, const char *from,
                             ptrdiff_t from_step, size_t n);
typedef void caf_convert_numbers(char *to, ptrdiff_t to_step, const char *from, ptrdiff_t from_step, size_t n);

struct caf_conversion {
    caf_convert_run *run;         /* NULL: the bytes are copied */
    caf_convert_numbers *numbers; /* for numbers: the loop that run uses */
    size_t to_size, from_size;    /* bytes of an element */
    size_t to_imaginary, from_imaginary; /* offset of the imaginary part; 0: none */
};

/* The conversion of an intrinsic assignment; ends the job if the types do not conform. */
struct caf_conversion caf_conversion_find(const struct caf_section *to, const struct caf_section *from);
