/* The profiling interface's one routine (10): tools replace it; without a tool it does nothing. */
#include "shmem/api.h"

API(void, pcontrol, (int level, ...))
{
    (void)level;
}
