/* The end of all images, with or without a message. */
#pragma once

#include <stdbool.h>

/* From now on an error ends all images. spoken: symmetric, initially 0; on PE 0 it is set once an image has printed the
 * reason. It is a long because Open MPI 4 swaps 8 bytes. spoken is NULL until symmetric memory exists. */
void caf_errors_begin(long *spoken);

/* This image calls exit() and so ends all images; it may have printed nothing, or a message without image number. */
void caf_say_exit(int code);

_Noreturn void caf_end_job(int code);

/* caf_end_job has been called: handlers of exit() must not wait. */
extern bool caf_job_ends;
