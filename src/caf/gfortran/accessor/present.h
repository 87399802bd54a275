/* The objects of presence tests. */
#ifndef COPAL_GFORTRAN_PRESENT_H
#define COPAL_GFORTRAN_PRESENT_H

#include "accessor.h"

/* Defined in accessor15/ and accessor16/. */
void *accessor_tested(const struct access *a, char *base, struct descriptor_room *room);

/* base, or a descriptor of it if the coarray is an allocatable array. */
void *accessor_described(const struct access *a, char *base, struct descriptor_room *room);

#endif
