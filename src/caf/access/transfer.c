/* Contiguous bytes to and from other images, and the order in which they get there.
 *
 * What one image does to one location happens in order.  Near memory is read and written by loads and stores, which
 * the processor keeps in order by itself.  Puts to far PEs are noted: an access to the same location waits for them, a
 * get by a quiet and a put by a fence, and a program that puts to one location and gets from another waits for nothing
 * (thesis, 4.3, has a quiet after each put).  Nor do small accesses where the OpenSHMEM keeps those in order itself. */
#include "transfer.h"
#include "../memory/heap.h"
#include "../settings.h"

#include <stdlib.h>
#include <string.h>

int caf_my_pe;
bool caf_peers_are_far;
struct caf_nearby caf_nearby;

size_t caf_in_order;

/* What has been put to a PE since the last quiet: when the last was, when the last that is not in order, and where. */
struct puts {
    uint64_t at, loose_at;
    const char *low, *high;
};

/* Time passes with each quiet and fence.  A put, or an event's post, is outstanding if it was made since the last
 * quiet. */
static uint64_t now = 1, fence_at = 1;
struct caf_outstanding caf_outstanding = {.quiet_at = 1};
static struct puts *puts_to; /* by PE */
static uint64_t sent_at;     /* when the last put that was not held back was made */
struct caf_held *caf_held;
size_t caf_held_most;
static size_t room;          /* for what is held; 0: nothing is */
static int only_pe;          /* that all outstanding puts and posts go to; -1: there are several */

static void find_nearby(void)
{
    const int n = shmem_n_pes();
#if CAF_HAVE_CALLS
    if (shmemx_time_is_emulated())
        return;
#endif
    caf_nearby.distance = calloc((size_t)n, sizeof *caf_nearby.distance);
    if (!caf_nearby.distance)
        caf_fatal("start: no memory for where the memory of %d images is", n);
    for (int pe = 0; pe < n; pe++) {
        const char *near = caf_near_slowly(pe, caf_heap);
        caf_nearby.distance[pe] = near ? near - caf_heap : CAF_NOT_NEAR;
    }
    caf_nearby.from = (uintptr_t)caf_heap;
    caf_nearby.bytes = caf_heap_bytes;
}

void caf_transfers_begin(void)
{
    caf_my_pe = shmem_my_pe();
    puts_to = calloc((size_t)shmem_n_pes(), sizeof *puts_to);
    if (!puts_to)
        caf_fatal("start: no memory for notes of outstanding puts");
#if CAF_HAVE_BLOCKS
    caf_in_order = shmemx_in_order();
    if (!caf_in_order && caf_adapter_atomics()) /* nothing is in order then, and in a job of one node everything */
        caf_fatal("start: SHMEM_NET_ATOMICS is adapter, and coarrays have events, locks and atomics that a processor "
                  "executes where memory is near; unset it");
#endif

    caf_peers_are_far = caf_setting(SETTING_CAF_NEAR) == 0;
    if (caf_program_calls_openshmem()) {
        caf_outstanding.newest = CAF_ALWAYS;
        only_pe = -1;
    }
    find_nearby();
}

char *caf_near_slowly(int pe, const void *sym)
{
    if (pe == caf_my_pe)
        return (char *)(uintptr_t)sym;
    return CAF_UNLIKELY(caf_peers_are_far) ? NULL : shmem_ptr(sym, pe);
}

/* --- order -------------------------------------------------------------------------------------------------------- */

void caf_complete_puts(void)
{
    if (!caf_puts_outstanding())
        return;
    caf_release();
    shmem_quiet();
    caf_outstanding.quiet_at = fence_at = ++now;
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

void caf_order_puts_for(int pe)
{
    caf_release();
    /* Another OpenSHMEM's fence may not order puts and the atomics, or loads and stores, that tell of them. */
    if (!CAF_HAVE_BLOCKS || only_pe != pe)
        caf_complete_puts();
    else
        keep_in_order(&puts_to[pe]);
}

static void note(int pe)
{
    if (!caf_puts_outstanding())
        only_pe = pe;
    else if (only_pe != pe)
        only_pe = -1;
    sent_at = now;
    if (caf_outstanding.newest < now)
        caf_outstanding.newest = now;
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
    caf_release();
    const struct puts *p = &puts_to[pe];
    const char *low = sym, *high = low + range;
    const uint64_t quiet_at = caf_outstanding.quiet_at;
    if (CAF_UNLIKELY(p->at >= quiet_at) && (bytes > caf_in_order || p->loose_at >= quiet_at) && meets(p, low, high))
        caf_complete_puts();
}

void caf_before_put(int pe, const void *sym, size_t range, size_t bytes)
{
    caf_release();
    struct puts *p = &puts_to[pe];
    const char *low = sym, *high = low + range;
    const bool loose = bytes > caf_in_order;
    note(pe);
    if (p->at < caf_outstanding.quiet_at) {
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

/* --- puts that are held back -------------------------------------------------------------------------------------- */

struct caf_stand_in caf_stand_in;

void caf_post_now(int pe, uint32_t number, const struct iovec *args, size_t n)
{
    caf_release();
    caf_note_call(pe);
#if CAF_HAVE_CALLS
    shmemx_post(pe, number, args, n);
#else
    (void)number, (void)args, (void)n;
#endif
}

void caf_hold(bool puts)
{
    caf_release();
    room = puts && caf_held ? caf_held_most : 0;
}

static bool hold(struct caf_held_put put, const struct iovec *pieces, size_t n)
{
    size_t bytes = 0;
    for (size_t i = 0; i < n; i++)
        bytes += pieces[i].iov_len;
    if (bytes > room)
        return false;
    struct caf_held_put *p = (void *)(caf_held->at + caf_held->bytes);
    put.bytes = (uint32_t)bytes;
    put.from = caf_my_pe;
    const size_t end = (size_t)((char *)caf_held_next(&put) - (char *)&put) + caf_held->bytes;
    if (end > room)
        return false;
    *p = put;
    char *to = (char *)(p + 1);
    for (size_t i = 0; i < n; i++) {
        if (pieces[i].iov_len)
            memcpy(to, pieces[i].iov_base, pieces[i].iov_len);
        to += pieces[i].iov_len;
    }
    caf_held->bytes = end;
    const uint64_t before = sent_at;
    note(put.pe);
    sent_at = before;
    return true;
}

/* Not what may be a flag, which somebody watches, though the standard has no such thing before the segment ends. */
static bool hold_put(int pe, const void *sym, const void *from, size_t bytes)
{
    const uintptr_t place = (uintptr_t)sym - (uintptr_t)caf_heap;
    return room && bytes > sizeof(uint64_t) && place < caf_heap_bytes &&
           hold((struct caf_held_put){.place = place, .pe = pe},
                &(struct iovec){(void *)(uintptr_t)from, bytes}, 1);
}

bool caf_hold_call(int pe, uint32_t number, const struct iovec *args, size_t n)
{
    return room && caf_stand_in.number == number &&
           hold((struct caf_held_put){.place = number, .pe = pe, .is_call = true}, args, n);
}

void caf_release_slowly(void)
{
    const size_t bytes = caf_held->bytes;
    caf_held->bytes = 0;
    room = 0;
    const struct caf_held_put *const end = (void *)(caf_held->at + bytes);
    for (struct caf_held_put *p = (void *)caf_held->at; p < end; p = caf_held_next(p)) {
        if (p->is_call) {
            caf_post_now(p->pe, (uint32_t)p->place, &(struct iovec){p + 1, p->bytes}, 1);
        } else {
            caf_before_put(p->pe, caf_heap + p->place, p->bytes, p->bytes);
            caf_put_far(p->pe, caf_heap + p->place, p + 1, p->bytes);
        }
    }
}

void caf_make_held(struct caf_held_put *p)
{
    if (p->is_call)
        caf_stand_in.run(p->from, p->pe, p + 1, p->bytes);
    else
        memcpy(caf_near(p->pe, caf_heap + p->place), p + 1, p->bytes);
}

void caf_complete_others(void)
{
    if (sent_at >= caf_outstanding.quiet_at || CAF_UNLIKELY(caf_outstanding.newest == CAF_ALWAYS)) {
        shmem_quiet();
        sent_at = 0;
        if (!caf_held->bytes)
            caf_outstanding.quiet_at = fence_at = ++now;
    }
    __atomic_thread_fence(__ATOMIC_ACQ_REL);
}

void caf_note_made(void)
{
    caf_held->bytes = 0;
    caf_outstanding.quiet_at = fence_at = ++now;
}

/* --- bytes -------------------------------------------------------------------------------------------------------- */

/* One load and one store for what a scalar can be; false: it is something else. */
static inline bool copy_scalar(void *to, const void *from, size_t bytes)
{
    switch (bytes) {
    case 1: memcpy(to, from, 1); return true;
    case 2: memcpy(to, from, 2); return true;
    case 4: memcpy(to, from, 4); return true;
    case 8: memcpy(to, from, 8); return true;
    case 16: memmove(to, from, 16); return true;
    default: return false;
    }
}

/* For so many bytes Copal may have a better way than the C library, and what it has put within a node is there at once,
 * which another OpenSHMEM need not say of its puts.  A section of this image's own may overlap itself. */
enum { LARGE_COPY = 1 << 20 };

static inline bool is_large(int pe, size_t bytes)
{
    return CAF_HAVE_BLOCKS && bytes >= LARGE_COPY && pe != caf_my_pe;
}

void caf_put_bytes(int pe, void *sym, const void *from, size_t bytes)
{
    char *near = caf_near(pe, sym);
    if (CAF_LIKELY(near != NULL)) {
        if (copy_scalar(near, from, bytes))
            return;
        if (is_large(pe, bytes))
            shmem_putmem(sym, from, bytes, pe);
        else
            memmove(near, from, bytes);
        return;
    }
    if (bytes == 0)
        return; /* of an array of no elements, which may have no address */
    if (hold_put(pe, sym, from, bytes))
        return;
    caf_before_put(pe, sym, bytes, bytes);
    caf_put_far(pe, sym, from, bytes);
}

bool caf_get_bytes(int pe, void *to, const void *sym, size_t bytes)
{
    const char *near = caf_near(pe, sym);
    if (CAF_LIKELY(near != NULL)) {
        if (copy_scalar(to, near, bytes))
            return false;
        if (is_large(pe, bytes))
            shmem_getmem(to, sym, bytes, pe);
        else
            memmove(to, near, bytes);
        return false;
    }
    if (bytes == 0)
        return false;
    caf_before_get(pe, sym, bytes, bytes);
    shmem_getmem(to, sym, bytes, pe);
    return true;
}
