/* Contiguous bytes to and from other images, and the order in which they get there.
 *
 * What one image does to one location happens in order.  Near memory is read and written by loads and stores, which
 * the processor keeps in order by itself.  Puts to far PEs are noted: an access to the same location waits for them, a
 * get by a quiet and a put by a fence, and a program that puts to one location and gets from another waits for nothing
 * (thesis, 4.3, has a quiet after each put).  Nor do small accesses where the OpenSHMEM keeps those in order itself. */
#include "transfer.h"
#include "../settings.h"

#include <stdlib.h>
#include <string.h>

int caf_my_pe;
bool caf_peers_are_far;

size_t caf_in_order;

/* What has been put to a PE since the last quiet: when the last was, when the last that is not in order, and where. */
struct puts {
    uint64_t at, loose_at;
    const char *low, *high;
};

/* Time passes with each quiet and fence.  A put, or an event's post, is outstanding if it was made since the last
 * quiet. */
static uint64_t now = 1, quiet_at = 1, fence_at = 1, newest;
static struct puts *puts_to; /* by PE */
static int only_pe;          /* that all outstanding puts and posts go to; -1: there are several */

void caf_transfers_begin(void)
{
    caf_my_pe = shmem_my_pe();
    puts_to = calloc((size_t)shmem_n_pes(), sizeof *puts_to);
    if (!puts_to)
        caf_fatal("start: no memory for notes of outstanding puts");
#if CAF_HAVE_BLOCKS
    caf_in_order = shmemx_in_order();
#endif

    caf_peers_are_far = caf_setting(SETTING_CAF_NEAR) == 0;
}

/* --- order -------------------------------------------------------------------------------------------------------- */

void caf_complete_puts(void)
{
    if (newest < quiet_at)
        return;
    shmem_quiet();
    quiet_at = fence_at = ++now;
}

void caf_complete_segment(void)
{
    caf_complete_puts();
    __atomic_thread_fence(__ATOMIC_ACQ_REL);
}

/* What follows of this image to the PE comes after what has been put to it. */
static void keep_in_order(const struct puts *p)
{
    if (p->at < fence_at || (p->loose_at < fence_at && caf_in_order >= sizeof(uint64_t)))
        return;
    shmem_fence();
    fence_at = ++now;
}

void caf_complete_segment_for(int pe)
{
    /* Another OpenSHMEM's fence may not order puts and the atomics, or loads and stores, that tell of them. */
    if (!CAF_HAVE_BLOCKS || (newest >= quiet_at && only_pe != pe))
        caf_complete_puts();
    else
        keep_in_order(&puts_to[pe]);
    __atomic_thread_fence(__ATOMIC_ACQ_REL);
}

static void note(int pe)
{
    if (newest < quiet_at)
        only_pe = pe;
    else if (only_pe != pe)
        only_pe = -1;
    newest = now;
}

void caf_note_post(int pe, const void *event)
{
    if (!caf_near(pe, event))
        note(pe);
}

void caf_note_call(int pe)
{
    note(pe);
    struct puts *p = &puts_to[pe];
    p->low = NULL;
    p->high = (const char *)UINTPTR_MAX;
    p->at = now;
}

static bool meets(const struct puts *p, const char *low, const char *high)
{
    return low < p->high && p->low < high;
}

void caf_before_get(int pe, const void *sym, size_t range, size_t bytes)
{
    const struct puts *p = &puts_to[pe];
    const char *low = sym, *high = low + range;
    if (CAF_UNLIKELY(p->at >= quiet_at) && (bytes > caf_in_order || p->loose_at >= quiet_at) && meets(p, low, high))
        caf_complete_puts();
}

void caf_before_put(int pe, const void *sym, size_t range, size_t bytes)
{
    struct puts *p = &puts_to[pe];
    const char *low = sym, *high = low + range;
    const bool loose = bytes > caf_in_order;
    note(pe);
    if (p->at < quiet_at) {
        p->low = low;
        p->high = high;
    } else {
        if (p->at >= fence_at && (loose || p->loose_at >= fence_at) && meets(p, low, high)) {
            shmem_fence();
            fence_at = ++now;
        }
        p->low = low < p->low ? low : p->low;
        p->high = high > p->high ? high : p->high;
    }
    p->at = now;
    if (loose)
        p->loose_at = now;
}

/* --- bytes -------------------------------------------------------------------------------------------------------- */

/* One load and one store for what a scalar can be.  A section of this image's own may overlap itself. */
static inline void copy(void *to, const void *from, size_t bytes)
{
    switch (bytes) {
    case 1: memcpy(to, from, 1); break;
    case 2: memcpy(to, from, 2); break;
    case 4: memcpy(to, from, 4); break;
    case 8: memcpy(to, from, 8); break;
    case 16: memmove(to, from, 16); break;
    default: memmove(to, from, bytes); break;
    }
}

void caf_put_bytes(int pe, void *sym, const void *from, size_t bytes)
{
    char *near = caf_near(pe, sym);
    if (CAF_LIKELY(near != NULL)) {
        copy(near, from, bytes);
        return;
    }
    if (bytes == 0)
        return; /* of an array of no elements, which may have no address */
    caf_before_put(pe, sym, bytes, bytes);
    caf_put_far(pe, sym, from, bytes);
}

bool caf_get_bytes(int pe, void *to, const void *sym, size_t bytes)
{
    const char *near = caf_near(pe, sym);
    if (CAF_LIKELY(near != NULL)) {
        copy(to, near, bytes);
        return false;
    }
    if (bytes == 0)
        return false;
    caf_before_get(pe, sym, bytes, bytes);
    shmem_getmem(to, sym, bytes, pe);
    return true;
}
