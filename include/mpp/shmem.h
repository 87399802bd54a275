/* The old place of shmem.h, deprecated since OpenSHMEM 1.1. */
#include "../shmem.h"
