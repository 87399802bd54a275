/* What the functions of this folder share: what they know of the coarray libraries, and how the tool is told. */
#ifndef COPAL_CAF_TAPPED_H
#define COPAL_CAF_TAPPED_H

#include "caf/access/reach.h"
#include "caf/caf.h"
#include "caf/gfortran/accessor/accessor.h"
#include "caf/gfortran/accessor/far.h"
#include "caf/gfortran/accessor/fault.h"
#include "caf/gfortran/accessor/near.h"
#include "caf/gfortran/accessor/transfer.h"
#include "caf/gfortran/direct/walk.h"
#include "tap/tap.h"

extern _Thread_local void *tapped_program; /* to where the outermost function of the dialect returns */

/* The tool's, if one is there. */
#pragma weak copal_tap_enter
#pragma weak copal_tap_leave
#pragma weak copal_tap_algorithm
#pragma weak copal_tap_each_block

static inline void enter(struct tap_call *call)
{
    if (copal_tap_enter)
        copal_tap_enter(call);
}

static inline int leave(struct tap_call *call, int status)
{
    call->found = (size_t)status;
    if (copal_tap_leave)
        copal_tap_leave(call);
    return status;
}

#define REAL(R, NAME, A) R __real_##NAME A; R __wrap_##NAME A; R __wrap_##NAME A
#define STATEMENT(NAME) .routine = NAME, .caller = tapped_program
#define FLAGS(MORE) .flags = TAP_STATEMENT | (MORE)
#define NO_PE .pe = -1

/* Of which the tool is told nothing but that it is there: what it calls is not told. */
#define QUIETLY {STATEMENT("initialization"), FLAGS(0), .kind = TAP_QUERY, NO_PE}

/* A section as blocks at equal distances: the bytes of one, their number and the distance.  Where it is none, the
 * number is that of the elements, and the distance 0. */
struct tapped_blocks {
    size_t bytes, count;
    ptrdiff_t step;
};
struct tapped_blocks tapped_blocks(const struct caf_section *s);

/* At this address is that image's memory, and the next statement that accesses it there is told so. */
void tapped_come_to(const void *at, int pe);

#endif
