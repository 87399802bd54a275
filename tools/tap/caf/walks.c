/* The owner of the memory that a walk of gfortran 12 to 14 through components reaches (src/caf/gfortran/direct), for
 * tapped.c: if it is mapped here, the core treats it as this image's own. */
#include "tapped.h"

REAL(int, direct_walk, (struct walk *w, caf_token token, const struct reference *refs, int type, int kind,
                        bool *present))
{
    const int status = __real_direct_walk(w, token, refs, type, kind, present);
    if (w->place == NEAR)
        tapped_come_to(w->at, w->pe);
    return status;
}

/* A request to an image at the first access is no get of the program. */
REAL(void *, caf_reach_pointer_slowly, (int pe, const void *theirs))
{
    struct tap_call call = QUIETLY;
    enter(&call);
    void *here = __real_caf_reach_pointer_slowly(pe, theirs);
    leave(&call, 0);
    return here;
}
