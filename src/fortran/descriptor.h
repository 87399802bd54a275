/* Arguments of the module shmem that are array descriptors: data of any type and rank, and integers of any kind. */
#pragma once

#include "fortran.h"

#include <ISO_Fortran_binding.h>
#include <stdbool.h>

typedef const CFI_cdesc_t ARRAY;

/* Two data arguments of the same type. A symmetric argument may instead be a variable of type(c_ptr): the address of
 * data that has the other argument's type. */
struct pair {
    void *dest, *source;
    CFI_type_t type;
    size_t size; /* of an element, in bytes */
};

#pragma GCC visibility push(hidden)

int64_t integer_of(ARRAY *argument, const char *name, const char *routine);
size_t count_of(ARRAY *argument, const char *name, const char *routine);

/* The address of data, which must be contiguous and have at least n elements, if the descriptor has their number. */
void *address_of(ARRAY *data, size_t n, const char *name, const char *routine);

enum symmetric { DEST = 1, SOURCE = 2 }; /* which arguments are symmetric; the sum for both */

/* dest and source, where the caller uses n elements of each. */
struct pair pair_of(ARRAY *dest, ARRAY *source, size_t n, int symmetric, const char *routine);

/* "real(8)", in a buffer of 40 characters; returns it. */
char *type_name(CFI_type_t type, size_t size, char *text);

size_t product(size_t a, size_t b, const char *name, const char *routine); /* ends the job if it is too large */

#pragma GCC visibility pop
