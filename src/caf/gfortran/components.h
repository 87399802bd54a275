/* Allocatable and pointer components of coarrays, which are each image's own. */
#ifndef COPAL_GFORTRAN_COMPONENTS_H
#define COPAL_GFORTRAN_COMPONENTS_H

#include "abi.h"

/* Whether what is registered is a component and no coarray. */
bool gfortran_is_component(const caf_token *token, const struct gfortran_descriptor *d, int type);

int gfortran_register_component(size_t size, int type, caf_token *token, struct gfortran_descriptor *d);

/* Whether the token is that of a component. */
bool gfortran_is_component_token(caf_token token);

/* Frees a component. */
void gfortran_deregister_component(caf_token *token);

/* Frees all components of the objects of so many bytes in [from, from + bytes). */
void gfortran_free_components(char *from, size_t bytes, size_t object);

/* To a leak sanitizer, if there is one: what the coarray and its record point to is not lost.  It does not look at
 * shared memory by itself. */
void gfortran_note_root(const struct caf_coarray *c);
void gfortran_forget_root(const struct caf_coarray *c);

#endif
