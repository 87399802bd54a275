/* An accessor that follows an unallocated component, or uses a subscript out of bounds, accesses invalid memory. This
 * file reports such an access, if this thread makes it between fault_begin and fault_end, or, for an image of another
 * node, within fault_run. */
#pragma once

#include "accessor.h"

extern _Thread_local const struct access *fault_access __attribute__((tls_model("initial-exec")));
extern CAF_HIDDEN bool fault_watched;

void fault_watch(void);

/* The cause of a failed access: the number of a fault's signal, or FAULT_VECTOR. */
enum { FAULT_VECTOR = -1 };
_Noreturn void fault_fatal(const struct access *a, int cause);
_Noreturn void fault_outside(const struct access *a); /* the coarray has no components */

/* Calls f(context), which serves a. Returns 0, or the cause if fault_leave or a fault has ended f. */
_Noreturn void fault_leave(int cause);
int fault_run(const struct access *a, void (*f)(void *context), void *context);

/* Returns the argument for fault_end: accesses may be nested. */
static inline const struct access *fault_begin(const struct access *a)
{
    const struct access *outer = fault_access;
    if (CAF_UNLIKELY(!fault_watched))
        fault_watch();
    fault_access = a;
    return outer;
}

static inline void fault_end(const struct access *outer)
{
    fault_access = outer;
}
