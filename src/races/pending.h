/* Local buffers of nonblocking operations that are not symmetric memory: sources that are not to be changed, and
 * destinations that are not to be read, until the operation is complete. */
#ifndef COPAL_RACES_PENDING_H
#define COPAL_RACES_PENDING_H

#include <pshmem.h>
#include <stdbool.h>

struct pending {
    uintptr_t from, to;
    bool written; /* by the operation */
    shmem_ctx_t ctx;
    int pe;
    uint32_t site;
};

enum { PENDING_MOST = 1024 };
struct pendings {
    int n;
    uintptr_t from, to; /* around all of them */
    struct pending list[PENDING_MOST];
};
extern struct pendings pendings __attribute__((visibility("hidden")));

void pending_add(struct pending p);
void pending_end(shmem_ctx_t ctx, int pe); /* -1: of all PEs */

const struct pending *pending_find(uintptr_t from, size_t bytes, bool writes);

/* The one that an access of these bytes disturbs, or NULL. */
static inline const struct pending *pending_hit(uintptr_t from, size_t bytes, bool writes)
{
    if (__builtin_expect(from >= pendings.to || from + bytes <= pendings.from, 1))
        return NULL;
    return pending_find(from, bytes, writes);
}

#endif
