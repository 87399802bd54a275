/* Shared by the Fortran interfaces: the module shmem (arrays.c, collective.c, waits.c, setup.c) and the classic
 * interface of OpenSHMEM 1.4 (classic_*.c).  Both use only C's public API. */
#pragma once

#define COPAL_NO_GENERICS
#include <shmem.h>

#pragma GCC visibility push(hidden)

/* The name of a Fortran routine, and the C routines that it calls and that may report errors or wait. */
enum { FORTRAN_NAMES = 10 };
struct names {
    const char *own, *of_c[FORTRAN_NAMES];
};
extern _Thread_local const struct names *fortran_names __attribute__((tls_model("initial-exec")));

/* Begins a Fortran routine: this thread's errors and waits are reported under the name OWN. */
#define NAMED(OWN, ...) static const struct names names = {OWN, {__VA_ARGS__}}; fortran_names = &names

/* Print one sentence and end the job. */
_Noreturn void fortran_fatal(const char *routine, const char *format, ...) __attribute__((format(printf, 2, 3), cold));

#pragma GCC visibility pop
