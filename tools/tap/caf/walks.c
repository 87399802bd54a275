/* For tapped.c: the owner of the memory that gfortran 12 to 14 reach by a walk through components
 * (src/caf/gfortran/direct). If this memory is mapped here, the core treats it as this image's own. */
#include "tapped.h"

REAL(int, direct_walk, (struct walk *w, caf_token token, const struct reference *refs, int type, int kind,
                        bool *present))
{
    const int status = __real_direct_walk(w, token, refs, type, kind, present);
    if (w->place == NEAR)
        tapped_come_to(w->at, w->pe);
    return status;
}

/* The request to an image at the first access is not a get of the program. */
REAL(void *, caf_reach_pointer_slowly, (int pe, const void *theirs))
{
    struct tap_call call = QUIETLY;
    enter(&call);
    void *here = __real_caf_reach_pointer_slowly(pe, theirs);
    leave(&call, 0);
    return here;
}
