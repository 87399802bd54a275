/* Local buffers of nonblocking operations outside of symmetric memory: the program must neither change sources nor read
 * destinations until the operation is complete. A strand that has not synchronized with the quiet must not
 * do so after the quiet, either; for such strands, the last PENDING_ENDED completed operations are kept. */
#pragma once

#include <pshmem.h>
#include <stdbool.h>

struct pending {
    uintptr_t from, to;
    shmem_ctx_t ctx;
    int pe;
    uint32_t site;
    uint32_t actor : 12; /* the agent of the operation in this epoch */
    uint32_t written : 1; /* the operation writes the buffer */
    uint32_t epoch;
};

enum { PENDING_MOST = 1024, PENDING_ENDED = 64 };
struct pendings {
    int n, n_ended;
    uintptr_t from, to; /* bounds around all buffers; to is 0 if there are none */
    struct pending list[PENDING_MOST];
    struct pending ended[PENDING_ENDED]; /* the oldest first */
};
extern struct pendings pendings __attribute__((visibility("hidden")));

void pending_add(struct pending p);
void pending_complete(shmem_ctx_t ctx, int pe);
void pending_settle(void); /* a strand has been joined: removes ended operations that all strands now know */
void pending_forget(uintptr_t from, uintptr_t to); /* this memory has been freed: removes its ended operations */
void pending_clear(void);

bool pending_find(uintptr_t from, size_t bytes, bool writes, struct pending *found);

/* Whether an access of these bytes conflicts with a pending operation, which is stored in *found. */
static inline bool pending_hit(uintptr_t from, size_t bytes, bool writes, struct pending *found)
{
    if (__builtin_expect(from >= pendings.to || from + bytes <= pendings.from, 1))
        return false;
    return pending_find(from, bytes, writes, found);
}

/* The operations of a context with PE pe (-1: all) are complete, and this strand knows. */
static inline void pending_end(shmem_ctx_t ctx, int pe)
{
    if (pendings.to)
        pending_complete(ctx, pe);
}
