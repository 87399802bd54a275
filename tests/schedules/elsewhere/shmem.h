/* Copal's <shmem.h>, as if it were another OpenSHMEM's. */
#pragma once

#include "../../../include/shmem.h"
#undef COPAL_VERSION
#undef COPAL_SHMEM_H
