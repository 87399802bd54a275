/* Checks that cost more than a few instructions. SHMEM_DEBUG enables them (docs/environment.md). */
#pragma once

#include "shmem/api.h"

/* Checks that all members of a group call the same routine with the same arguments. */
struct debug_argument {
    const char *name;
    uint64_t value; /* for an address: its debug_offset */
};
uint64_t debug_offset(const void *sym);
void debug_agree(struct shcoll_group *g, const char *routine, const struct debug_argument *args, int n);

/* The sum of the members' values; SIZE_MAX if it exceeds size_t. */
size_t debug_sum(struct shcoll_group *g, size_t value);

/* Checks that a pSync is initialized, and that a PE synchronizes before it uses the pSync again. */
enum pSync_use {
    PSYNC_SYNC,      /* sync, barrier: the next call may use the same pSync immediately */
    PSYNC_BROADCAST, /* may return on a PE before other PEs have entered it */
    PSYNC_OTHER,     /* returns after all PEs have entered it: earlier collectives are complete everywhere */
};
void debug_pSync(const long *pSync, enum pSync_use use, const char *routine);
void debug_synchronized(void);

/* Red zones after blocks of the symmetric heap: RED_ZONE bytes and the unused rest of the block. */
void debug_paint(char *block, size_t bytes);
void debug_check_paint(const char *block, size_t bytes, const char *routine);
