#include "races/pending.h"

struct pendings pendings;

static void find_bounds(void)
{
    pendings.from = pendings.n ? UINTPTR_MAX : 0;
    pendings.to = 0;
    for (int i = 0; i < pendings.n; i++) {
        const struct pending *p = &pendings.list[i];
        pendings.from = p->from < pendings.from ? p->from : pendings.from;
        pendings.to = p->to > pendings.to ? p->to : pendings.to;
    }
}

/* Of more than there is room for the last are not looked after. */
void pending_add(struct pending p)
{
    if (pendings.n == PENDING_MOST || p.from == p.to)
        return;
    pendings.list[pendings.n++] = p;
    if (pendings.n == 1 || p.from < pendings.from)
        pendings.from = p.from;
    pendings.to = p.to > pendings.to ? p.to : pendings.to;
}

void pending_end(shmem_ctx_t ctx, int pe)
{
    int left = 0;
    for (int i = 0; i < pendings.n; i++) {
        const struct pending *p = &pendings.list[i];
        if (p->ctx != ctx || (pe >= 0 && p->pe != pe))
            pendings.list[left++] = *p;
    }
    pendings.n = left;
    find_bounds();
}

const struct pending *pending_find(uintptr_t from, size_t bytes, bool writes)
{
    for (int i = 0; i < pendings.n; i++) {
        const struct pending *p = &pendings.list[i];
        if (from < p->to && p->from < from + bytes && (writes || p->written))
            return p;
    }
    return NULL;
}
