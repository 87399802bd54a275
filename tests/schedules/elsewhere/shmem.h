/* Copal's <shmem.h>, as if it were another OpenSHMEM's. */
#include "../../../include/shmem.h"
#undef COPAL_VERSION
