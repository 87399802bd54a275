/* The accessors of a program, registered by constructors before it starts. */
#include "../allocation.h"
#include "accessor.h"

#include <stdlib.h>

static struct accessor *accessors;
static int n_accessors, room;

const struct accessor *accessor_at(int index)
{
    if (CAF_UNLIKELY((unsigned)index >= (unsigned)n_accessors))
        caf_fatal("a coindexed access by accessor %d, of which the program has registered %d: compile all of it with "
                  "one version of gfortran", index, n_accessors);
    return &accessors[index];
}

GFORTRAN_API void _gfortran_caf_register_accessor(int hash, void (*function)(void))
{
    if (n_accessors == room) {
        room = room ? 2 * room : 64;
        accessors = realloc(accessors, (size_t)room * sizeof *accessors);
        if (!accessors)
            caf_fatal("start: no memory for %d accessors of coarrays", room);
    }
    accessors[n_accessors++] = (struct accessor){hash, function};
}

GFORTRAN_API void _gfortran_caf_register_accessors_finish(void)
{
    gfortran_runs_accessors = true;
}

int accessor_index(int hash, int likely)
{
    if ((unsigned)likely < (unsigned)n_accessors && accessors[likely].hash == hash)
        return likely;
    for (int i = 0; i < n_accessors; i++)
        if (accessors[i].hash == hash)
            return i;
    caf_fatal("a coindexed access by accessor %d, which is not registered: the program's object files do not fit "
              "together, compile all of it anew", hash);
}

/* Asked once for each access in the program. */
GFORTRAN_API int _gfortran_caf_get_remote_function_index(int hash)
{
    return accessor_index(hash, -1);
}
