/* The accessors of a program, registered by constructors before it starts. */
#include "../allocation.h"
#include "accessor.h"

#include <stdlib.h>

struct accessor *accessor_all;
int accessor_count;
static int room;

_Noreturn void accessor_unknown(int index)
{
    caf_fatal("a coindexed access by accessor %d, of which the program has registered %d: compile all of it with one "
              "version of gfortran", index, accessor_count);
}

GFORTRAN_API void _gfortran_caf_register_accessor(int hash, void (*function)(void))
{
    if (accessor_count == room) {
        room = room ? 2 * room : 64;
        accessor_all = realloc(accessor_all, (size_t)room * sizeof *accessor_all);
        if (!accessor_all)
            caf_fatal("start: no memory for %d accessors of coarrays", room);
    }
    accessor_all[accessor_count++] = (struct accessor){.hash = hash, .function = function};
}

GFORTRAN_API void _gfortran_caf_register_accessors_finish(void)
{
    gfortran_runs_accessors = true;
}

int accessor_index(int hash, int likely)
{
    if ((unsigned)likely < (unsigned)accessor_count && accessor_all[likely].hash == hash)
        return likely;
    for (int i = 0; i < accessor_count; i++)
        if (accessor_all[i].hash == hash)
            return i;
    caf_fatal("a coindexed access by accessor %d, which is not registered: the program's object files do not fit "
              "together, recompile all of it", hash);
}

/* Called once for each access in the program. */
GFORTRAN_API int _gfortran_caf_get_remote_function_index(int hash)
{
    return accessor_index(hash, -1);
}
