/* Common declarations of the programs on the core's C interface. */
#pragma once

#include "caf/caf.h"
#include "check.h"

#include <shmem.h>

#define ok(STATUS) CHECK((STATUS) == CAF_OK, "%s", caf_message())

static int me, n; /* this image; the number of images */

static inline void start(void)
{
    caf_init();
    me = caf_this_image(NULL);
    n = caf_num_images(NULL);
}

/* Allocates a coarray of zeros; all images call it. */
static inline void *coarray(size_t bytes)
{
    struct caf_coarray *c = NULL;
    ok(caf_allocate(bytes, true, &c));
    return c ? c->base : NULL;
}

/* The end of a program whose images fail: a failed check ends the job with an error, even if other images end well. */
static inline void end_of_survivor(void)
{
    const int result = check_result();
    if (result)
        caf_error_stop(result);
    printf("image %d is through\n", me);
    fflush(stdout);
    caf_stop(0);
}
