/* Accessors run by the image that owns the coarray, on another node. */
#pragma once

#include "accessor.h"

void far_get_scalar(const struct access *a, void **dst, size_t size, size_t *length, int *stat);

/* is_new: allocates the memory of dst. */
void far_get_array(const struct access *a, struct gfortran_descriptor *dst, size_t *length, bool is_new, int *stat);

/* Puts the value src of `bytes` bytes, or the array of the descriptor. */
void far_put(const struct access *a, const void *src, size_t bytes, const struct gfortran_descriptor *descriptor,
             const size_t *length);

bool far_present(const struct access *a);
