/* What the program's own malloc, realloc and free do, to which the linker's option --wrap leads them.
 *
 * Accessors (accessor/) allocate and free components of other images' objects.  No image's malloc can free another's
 * memory: what an image allocates for another is lent to it (caf_lend), and what one frees goes back to its owner. */
#ifndef COPAL_GFORTRAN_ALLOCATION_H
#define COPAL_GFORTRAN_ALLOCATION_H

#include "../caf.h"

#include <stdbool.h>
#include <stddef.h>

extern CAF_HIDDEN bool gfortran_runs_accessors; /* of gfortran 15 and 16 */

/* Whether this thread is to allocate what others can free: for another image's object; or in the library's own thread,
 * whose malloc need not be on symmetric memory. */
extern _Thread_local bool gfortran_lends __attribute__((tls_model("initial-exec")));
static inline void gfortran_lend(bool yes)
{
    gfortran_lends = yes;
}

/* A buffer that must not be reallocated: refuse(context) is called before. */
struct gfortran_guard {
    const void *buffer;
    void (*refuse)(const void *context);
    const void *context;
};
extern _Thread_local const struct gfortran_guard *gfortran_guarded __attribute__((tls_model("initial-exec")));

/* What the program's last malloc has given; and, if it is not NULL, what is to be told of each free (by
 * accessor/temporary.c). */
extern _Thread_local void *gfortran_last_block __attribute__((tls_model("initial-exec")));
extern CAF_HIDDEN void (*_Atomic gfortran_forget)(void *p);

/* Where the last get of gfortran 12 to 14 has gone.  Of a get into a vector subscript that is a temporary, which they
 * free before they read it, so what is freed there is kept until the next get or image control statement. */
extern CAF_HIDDEN void *gfortran_got, *_Atomic gfortran_kept;
void gfortran_keep(void *p); /* NULL: no more of what is kept */
static inline void gfortran_note_got(void *to)
{
    if (__builtin_expect(gfortran_kept != NULL, 0))
        gfortran_keep(NULL);
    gfortran_got = to;
}

void *gfortran_malloc(size_t bytes);
void *gfortran_realloc(void *p, size_t bytes);
void gfortran_free(void *p);

/* Of a block that gfortran_malloc has given. */
size_t gfortran_usable_bytes(void *p);

#endif
