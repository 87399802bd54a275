/* Local buffers of nonblocking operations that are not symmetric memory: sources that are not to be changed, and
 * destinations that are not to be read, until the operation is complete; and behind that by strands that do not know of
 * the quiet, as long as there are any, of the operations that were completed last. */
#ifndef COPAL_RACES_PENDING_H
#define COPAL_RACES_PENDING_H

#include <pshmem.h>
#include <stdbool.h>

struct pending {
    uintptr_t from, to;
    shmem_ctx_t ctx;
    int pe;
    uint32_t site;
    uint32_t actor : 12; /* an agent, which does it in this epoch */
    uint32_t written : 1; /* by the operation */
    uint32_t epoch;
};

enum { PENDING_MOST = 1024, PENDING_ENDED = 64 };
struct pendings {
    int n, n_ended;
    uintptr_t from, to; /* around all of them; to: 0 if there are none */
    struct pending list[PENDING_MOST];
    struct pending ended[PENDING_ENDED]; /* the oldest first */
};
extern struct pendings pendings __attribute__((visibility("hidden")));

void pending_add(struct pending p);
void pending_complete(shmem_ctx_t ctx, int pe);
void pending_settle(void); /* a strand has been joined: perhaps all know of those that are ended */
void pending_forget(uintptr_t from, uintptr_t to); /* this memory is free now, and its ended ones are no more */
void pending_clear(void);

bool pending_find(uintptr_t from, size_t bytes, bool writes, struct pending *found);

/* Whether an access of these bytes disturbs one, and which. */
static inline bool pending_hit(uintptr_t from, size_t bytes, bool writes, struct pending *found)
{
    if (__builtin_expect(from >= pendings.to || from + bytes <= pendings.from, 1))
        return false;
    return pending_find(from, bytes, writes, found);
}

/* Those of a context are complete, with PE pe, or -1: with all, and this strand knows. */
static inline void pending_end(shmem_ctx_t ctx, int pe)
{
    if (pendings.to)
        pending_complete(ctx, pe);
}

#endif
