/* The checks that cost more than a few instructions; SHMEM_DEBUG switches them on (docs/environment.md). */
#ifndef COPAL_DEBUG_H
#define COPAL_DEBUG_H

#include "shmem/api.h"

/* All members of a group pass the same routine and the same arguments. */
struct debug_argument {
    const char *name;
    uint64_t value; /* of an address: debug_offset */
};
uint64_t debug_offset(const void *sym);
void debug_agree(struct shcoll_group *g, const char *routine, const struct debug_argument *args, int n);

/* A pSync was initialized, and is not used again without a synchronization in between. */
enum pSync_use {
    PSYNC_SYNC,      /* sync, barrier: may be called again at once with the same pSync */
    PSYNC_BROADCAST, /* its end on one PE says nothing of the others */
    PSYNC_OTHER,     /* ends on no PE before all have begun it, so what came before is complete everywhere */
};
void debug_pSync(const long *pSync, enum pSync_use use, const char *routine);
void debug_synchronized(void);

/* Red zones behind blocks of the symmetric heap: RED_ZONE bytes and the unused rest of the block. */
void debug_paint(char *block, size_t bytes);
void debug_check_paint(const char *block, size_t bytes, const char *routine);

#endif
