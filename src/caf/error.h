/* The end of all images, with a sentence or without. */
#ifndef COPAL_CAF_ERROR_H
#define COPAL_CAF_ERROR_H

#include <stdbool.h>

/* From now on an error ends all images.  spoken: symmetric, 0; on PE 0 it tells that an image has said why; long, for
 * Open MPI 4 swaps 8 bytes.  Or NULL, as long as there is no such memory. */
void caf_errors_begin(long *spoken);

/* An image ends all by exit(), and may have said nothing, or, as the Fortran library's errors, not which it is. */
void caf_say_exit(int code);

_Noreturn void caf_end_job(int code);

/* That has been called: handlers of exit() have nothing to wait for. */
extern bool caf_job_ends;

#endif
