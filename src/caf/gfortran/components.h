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

/* Has what is allocated of an object's components, as its bytes have come from another image, stand at an address that
 * there is not.  Whether there is any. */
#define GFORTRAN_HIDDEN ((void *)4096)
bool gfortran_hide_components(char *object, size_t bytes);

/* The same for all elements of an array, or for a scalar, that has come from that image: a program that uses such a
 * component ends with a sentence then (hidden.c). */
void gfortran_hide_components_of(const struct gfortran_descriptor *objects, int image);

/* To a leak sanitizer, if there is one: what the coarray and its record point to is not lost.  It does not look at
 * shared memory by itself. */
void gfortran_note_root(const struct caf_coarray *c);
void gfortran_forget_root(const struct caf_coarray *c);

#endif
