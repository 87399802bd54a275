/* Shared by the floor's launcher and its processes. */
#pragma once

#include <stddef.h>

#define FLOOR_FD 3 /* the shared memory, inherited */
#define FLOOR_ENV_PE "FLOOR_PE"
#define FLOOR_ENV_PES "FLOOR_PES"
#define FLOOR_MAX_PES 64
#define FLOOR_ADDRESS 0x200000000000u /* the same in every process: one addition translates a symmetric address */
#define FLOOR_HEAP_BYTES ((size_t)1 << 30) /* address space: untouched pages take no memory */
#define FLOOR_BYTES(pes) (FLOOR_HEAP_BYTES * ((size_t)(pes) + 1)) /* struct floor_shared, then the heaps */
