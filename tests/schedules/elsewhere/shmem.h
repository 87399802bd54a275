/* Copal's <shmem.h>, as if it were another OpenSHMEM's. */
#ifndef COPAL_SCHEDULES_SHMEM_H
#define COPAL_SCHEDULES_SHMEM_H

#include "../../../include/shmem.h"
#undef COPAL_VERSION
#undef COPAL_SHMEM_H

#endif
