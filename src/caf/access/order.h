/* The order of remote transfers, for files of the core that transfer data themselves. */
#pragma once

#include "../caf.h"

/* Called once, by caf_init. */
void caf_order_begin(void);

/* An image's accesses to one remote location happen in order: the core announces each access to pe before it makes it.
 * The access moves `bytes` bytes within the `range` bytes from sym on. The announcement waits until the accesses that
 * must precede it are complete. Stores to local memory are never outstanding. */
void caf_before_get(int pe, const void *sym, size_t range, size_t bytes);
void caf_before_put(int pe, const void *sym, size_t range, size_t bytes);
void caf_complete_puts(void);

/* Records a call to pe like a small put to all memory of pe, because the called function may change any of it. */
void caf_note_call(int pe);

/* After the reply to a call of a function on pe, which ran after all earlier puts and posts to pe: if there are no
 * others, none is outstanding. */
void caf_note_reply(int pe);

/* Records a post to an event of pe, which completes with the puts. A post within the node is complete already. */
void caf_note_post(int pe, const void *event);

/* A put after caf_before_put. On return `from` may be reused; others may read the data once the puts are complete. */
static inline void caf_put_far(int pe, void *sym, const void *from, size_t bytes)
{
#if CAF_HAVE_BLOCKS
    shmemx_put_blocks(sym, from, 0, 0, bytes, 1, pe);
#else
    shmem_putmem(sym, from, bytes, pe);
#endif
}

/* Up to this size, remote accesses to one PE happen in the order of their calls; 0: the OpenSHMEM specifies no size. */
extern size_t caf_in_order;

/* Whether the job spans nodes, if the OpenSHMEM reports it. */
static inline bool caf_spans_nodes(void)
{
    return CAF_HAVE_BLOCKS && caf_in_order != SIZE_MAX;
}

/* Completes this image's puts before it signals others. Local stores need only order: SHCOLL and OpenSHMEM order their
 * own stores, and the fence orders all other stores. */
void caf_complete_segment(void);

/* Times of the newest put or post and of the last quiet: if no puts are outstanding, quiet is not called. If the
 * program calls OpenSHMEM itself, each end of a segment is a quiet, because puts may always be outstanding. */
#define CAF_ALWAYS UINT64_MAX
extern struct caf_outstanding {
    uint64_t newest, quiet_at;
} caf_outstanding;
static inline bool caf_puts_outstanding(void)
{
    return caf_outstanding.newest >= caf_outstanding.quiet_at;
}

/* Like caf_complete_segment if this image signals only pe, and only by a put, a signal or an atomic operation on pe's
 * memory: if all outstanding puts go to pe they need not be complete, only in order. */
void caf_order_puts_for(int pe);
static inline void caf_complete_segment_for(int pe)
{
    if (CAF_UNLIKELY(caf_puts_outstanding()))
        caf_order_puts_for(pe);
    __atomic_thread_fence(__ATOMIC_ACQ_REL); /* MUTANT a segment for one, near */
}

/* Whether a signal to pe must wait for puts and posts to other images. Held puts have been sent then. A signal to
 * another node need not wait itself: shmemx_signal_after defers it. */
bool caf_signal_must_wait(int pe);

/* Sends the puts that are held back (held.h); caf_note_held records a held put. */
extern CAF_HIDDEN void (*caf_release_held)(void); /* NULL: nothing is held */
static inline void caf_release(void)
{
    if (CAF_UNLIKELY(caf_release_held != NULL))
        caf_release_held();
}
void caf_note_held(int pe);

/* A synchronization that sends the held puts calls these: complete all other puts; record that held puts are made. */
void caf_complete_others(void);
void caf_note_made(void);
