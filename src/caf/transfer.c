/* Contiguous bytes to and from other images, and the order in which they get there.
 *
 * What one image does to one location happens in order.  Near memory is read and written by loads and stores, which
 * the processor keeps in order by itself.  Puts to far PEs are noted: a get from that PE waits for them (quiet),
 * another put comes after them (fence), and a program that puts to one PE and gets from another waits for nothing
 * (thesis, 4.3, has a quiet after each put). */
#include "plan.h"

#include <stdlib.h>
#include <string.h>

int caf_my_pe;
bool caf_peers_are_far;

/* Time passes with each quiet and fence.  A put is outstanding if it was made since the last quiet. */
static uint64_t now = 1, quiet_at = 1, fence_at = 1, newest_put;
static uint64_t *put_at; /* by PE: when it was last put to */

void caf_transfers_begin(void)
{
    caf_my_pe = shmem_my_pe();
    put_at = calloc((size_t)shmem_n_pes(), sizeof *put_at);
    if (!put_at)
        caf_fatal("start: no memory for notes of outstanding puts");

    /* CAF_NEAR=0: other images are reached by puts and gets alone, as if each were on a node of its own. */
    const char *near = getenv("CAF_NEAR");
    if (near && *near && strcmp(near, "0") != 0 && strcmp(near, "1") != 0)
        caf_fatal("environment variable CAF_NEAR is '%s', allowed are 0 and 1", near);
    caf_peers_are_far = near && *near == '0';
    caf_plans_begin();
}

/* --- order -------------------------------------------------------------------------------------------------------- */

void caf_complete_puts(void)
{
    if (newest_put < quiet_at)
        return;
    shmem_quiet();
    quiet_at = fence_at = ++now;
}

void caf_complete_segment(void)
{
    caf_complete_puts();
    __atomic_thread_fence(__ATOMIC_ACQ_REL);
}

void caf_before_get(int pe)
{
    if (CAF_UNLIKELY(put_at[pe] >= quiet_at))
        caf_complete_puts();
}

void caf_before_put(int pe)
{
    if (put_at[pe] < fence_at)
        return;
    shmem_fence();
    fence_at = ++now;
}

void caf_note_put(int pe)
{
    put_at[pe] = newest_put = now;
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
    caf_before_put(pe);
    shmem_putmem(sym, from, bytes, pe);
    caf_note_put(pe);
}

void caf_get_bytes(int pe, void *to, const void *sym, size_t bytes)
{
    const char *near = caf_near(pe, sym);
    if (CAF_LIKELY(near != NULL)) {
        copy(to, near, bytes);
        return;
    }
    if (bytes == 0)
        return;
    caf_before_get(pe);
    shmem_getmem(to, sym, bytes, pe);
}
