/* Allocatable and pointer components of coarrays, which are each image's own. */
#ifndef COPAL_GFORTRAN_COMPONENTS_H
#define COPAL_GFORTRAN_COMPONENTS_H

#include "abi.h"

/* Whether what is registered is a component and no coarray. */
bool is_component(const caf_token *token, const struct gfortran_descriptor *d, int type);

int register_component(size_t size, int type, caf_token *token, struct gfortran_descriptor *d);

/* Whether the token is that of a component. */
bool is_component_token(caf_token token);

/* Frees a component. */
void deregister_component(caf_token *token);

/* Frees all components of the objects of so many bytes in [from, from + bytes). */
void free_components(char *from, size_t bytes, size_t object);

/* To a leak sanitizer, if there is one: what the coarray and its record point to is not lost.  It does not look at
 * shared memory by itself. */
void note_root(const struct caf_coarray *c);
void forget_root(const struct caf_coarray *c);

#endif
