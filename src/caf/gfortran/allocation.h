/* The program's own malloc, realloc and free, redirected here by the linker's option --wrap. Accessors (accessor/)
 * allocate and free components of other images' objects, but one image's malloc cannot free another's memory: what an
 * image allocates for another comes from caf_lend, and a freed block returns to its owner. */
#pragma once

#include "../caf.h"
#include "../plugin/layout.h"

#include <stdbool.h>
#include <stddef.h>

extern CAF_HIDDEN bool gfortran_runs_accessors; /* whether the program has accessors (gfortran 15 and 16) */

/* Whether other images must be able to free this thread's blocks: for their objects, or in the library's thread. */
extern _Thread_local bool gfortran_lends __attribute__((tls_model("initial-exec")));
static inline void gfortran_lend(bool yes)
{
    gfortran_lends = yes;
}

/* A buffer that must not be reallocated: refuse(context) is called first. */
struct gfortran_guard {
    const void *buffer;
    void (*refuse)(const void *context);
    const void *context;
};
extern _Thread_local const struct gfortran_guard *gfortran_guarded __attribute__((tls_model("initial-exec")));

/* The last result of the program's malloc; a function that learns of each free (accessor/temporary.c), or NULL. */
extern _Thread_local void *gfortran_last_block __attribute__((tls_model("initial-exec")));
extern CAF_HIDDEN void (*_Atomic gfortran_forget)(void *p);

/* The destination of the last get of gfortran 12 to 14. For a get into a vector subscript it is a temporary, which
 * these compilers' code frees too early: a block freed at that address is kept until the next get or image control
 * statement. */
extern CAF_HIDDEN void *gfortran_got, *_Atomic gfortran_kept;
void gfortran_keep(void *p); /* frees the kept block and keeps p, or nothing if NULL */
static inline void gfortran_note_got(void *to)
{
    if (__builtin_expect(gfortran_kept != NULL, 0))
        gfortran_keep(NULL);
    gfortran_got = to;
}

/* An unmapped address: that of the components in an object copied from another image (components.h). */
#define GFORTRAN_HIDDEN ((void *)CAF_HIDDEN_ADDRESS)

void *gfortran_malloc(size_t bytes);
void gfortran_free(void *p);

/* The usable size of a block from gfortran_malloc. */
size_t gfortran_usable_bytes(void *p);
