/* Copal's extensions to OpenSHMEM: their names begin with shmemx_ and SHMEMX_.  There are none yet. */
#ifndef COPAL_SHMEMX_H
#define COPAL_SHMEMX_H

#include "shmem.h"

#endif
