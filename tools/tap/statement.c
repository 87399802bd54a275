/* A thread's depth in reported calls, and the reports of the tapped coarray libraries. */
#include "tap/tap.h"

__thread unsigned tap_depth;

void copal_tap_enter(struct tap_call *call)
{
    call->depth = tap_depth;
    tap_enter(call);
}

/* An image's failure ends a statement by a jump out of its nested calls. */
void copal_tap_leave(struct tap_call *call)
{
    tap_depth = call->depth + 1;
    tap_leave(call);
}
