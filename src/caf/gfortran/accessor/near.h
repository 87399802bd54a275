/* Accessors run by the calling image, on the memory of an image of its node at base. */
#ifndef COPAL_GFORTRAN_NEAR_H
#define COPAL_GFORTRAN_NEAR_H

#include "accessor.h"

/* Where a scalar is; *length is set if it is deferred. */
void *near_find(const struct access *a, char *base, size_t *length);

/* size: bytes; of a character where length is not NULL. */
void near_get_scalar(const struct access *a, char *base, void **dst, size_t size, size_t *length, int *stat);

void near_get_array(const struct access *a, char *base, struct gfortran_descriptor *dst, size_t *length);

/* Into memory that it allocates. */
void near_get_new(const struct access *a, char *base, struct gfortran_descriptor *dst, size_t *length);

/* src: the value, or a descriptor. */
void near_put(const struct access *a, char *base, const void *src, const size_t *length);

/* object: what the test is to be given, or what a pointer that it is to be given points at. */
bool near_present_in(const struct access *a, void *object, bool by_pointer);
bool near_present(const struct access *a, char *base);

#endif
