/* What the Fortran interfaces share: the module shmem (arrays.c, collective.c, waits.c, setup.c) and the classic
 * interface of OpenSHMEM 1.4 (classic_*.c).  All of it is on the public API of C. */
#ifndef COPAL_FORTRAN_H
#define COPAL_FORTRAN_H

#define COPAL_NO_GENERICS
#include <shmem.h>

#pragma GCC visibility push(hidden)

/* Print one sentence and end the job. */
_Noreturn void fortran_fatal(const char *routine, const char *format, ...) __attribute__((format(printf, 2, 3), cold));

#pragma GCC visibility pop

#endif
