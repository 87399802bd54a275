/* Shared by the files of this folder: the data of the coarray libraries, and the reports to the tool. */
#pragma once

#include "caf/access/reach.h"
#include "caf/caf.h"
#include "caf/gfortran/accessor/accessor.h"
#include "caf/gfortran/accessor/far.h"
#include "caf/gfortran/accessor/fault.h"
#include "caf/gfortran/accessor/near.h"
#include "caf/gfortran/accessor/transfer.h"
#include "caf/gfortran/direct/walk.h"
#include "tap/tap.h"

extern _Thread_local void *tapped_program; /* the return address of the outermost function of the ABI layer */

/* The tool's function, if one is loaded. */
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

/* Begins the definition of a function that is called in place of NAME, with the parameters A. If NAME returns a status,
 * REAL_STATUS is the whole definition; C: the arguments in the call of NAME, CALL: the report to the tool. */
#define REAL(R, NAME, A) R __real_##NAME A; R __wrap_##NAME A; R __wrap_##NAME A
#define REAL_STATUS(NAME, A, C, CALL) REAL(int, NAME, A) \
    { struct tap_call call = CALL; enter(&call); return leave(&call, __real_##NAME C); }
#define STATEMENT(NAME) .routine = NAME, .caller = tapped_program
#define FLAGS(MORE) .flags = TAP_STATEMENT | (MORE)
#define NO_PE .pe = -1

/* Reported to the tool without details; nested calls are not reported. */
#define QUIETLY {STATEMENT("initialization"), FLAGS(0), .kind = TAP_QUERY, NO_PE}

/* A section as blocks at equal distances: their bytes, number and distance. If it is another section, the number is the
 * number of elements, and the distance is 0. */
struct tapped_blocks {
    size_t bytes, count;
    ptrdiff_t step;
};
struct tapped_blocks tapped_blocks(const struct caf_section *s);

/* Records, for the next statement that accesses the memory at this address, that it belongs to PE pe. */
void tapped_come_to(const void *at, int pe);
