/* How deep a thread is in calls that are told of, and how the tapped libraries of coarrays tell. */
#include "tap/tap.h"

__thread unsigned tap_depth;

void copal_tap_enter(struct tap_call *call)
{
    call->depth = tap_depth;
    tap_enter(call);
}

/* A statement that an image's failure ends jumps out of the calls that it is in. */
void copal_tap_leave(struct tap_call *call)
{
    tap_depth = call->depth + 1;
    tap_leave(call);
}
