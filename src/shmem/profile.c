/* The only routine of the profiling interface (10). Tools replace it; this version does nothing. */
#include "shmem/api.h"

API(void, pcontrol, (int level, ...))
{
    (void)level;
}
