#pragma once

#include "abi.h"

bool gfortran_is_component(const caf_token *token, const struct gfortran_descriptor *d, int type);

int gfortran_register_component(size_t size, int type, caf_token *token, struct gfortran_descriptor *d);

bool gfortran_is_component_token(caf_token token);

void gfortran_deregister_component(caf_token *token);

/* Frees all components of the objects in [from, from + bytes), each of `object` bytes. */
void gfortran_free_components(char *from, size_t bytes, size_t object);

/* In an object copied from another image, gives allocated components GFORTRAN_HIDDEN. Returns whether any exist. */
bool gfortran_hide_components(char *object, size_t bytes);

/* The same for a scalar or an array's elements: a program that uses such a component ends with a message (hidden.c). */
void gfortran_hide_components_of(const struct gfortran_descriptor *objects, int image);

/* Registers the coarray as a root with a leak sanitizer, if any, which otherwise ignores shared memory. */
void gfortran_note_root(const struct caf_coarray *c);
void gfortran_forget_root(const struct caf_coarray *c);
