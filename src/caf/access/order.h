/* The order of transfers to far memory, for those in the core that make them themselves. */
#ifndef COPAL_CAF_ORDER_H
#define COPAL_CAF_ORDER_H

#include "../caf.h"

/* Called once, by caf_init. */
void caf_order_begin(void);

/* Far memory.  What this image does to one location happens in order: each access to pe is announced before it is made,
 * with where the first and the last of its bytes lie, `range` bytes from sym on, and how many it moves.  It then waits
 * for what must be complete before.  Direct stores are never outstanding. */
void caf_before_get(int pe, const void *sym, size_t range, size_t bytes);
void caf_before_put(int pe, const void *sym, size_t range, size_t bytes);
void caf_complete_puts(void);

/* A function has been called there that may change anything: accesses of any size that are in order come after it. */
void caf_note_call(int pe);

/* An event has been posted there: the post is complete when puts are, which others may ask for by event_query. */
void caf_note_post(int pe, const void *event);

/* A put so announced. On return from may be reused; others may see it when puts have been completed. */
static inline void caf_put_far(int pe, void *sym, const void *from, size_t bytes)
{
#if CAF_HAVE_BLOCKS
    shmemx_put_blocks(sym, from, 0, 0, bytes, 1, pe);
#else
    shmem_putmem(sym, from, bytes, pe);
#endif
}

/* Up to how many bytes far accesses to one PE happen in the order of their calls; 0 where the OpenSHMEM does not
 * say. */
extern size_t caf_in_order;

/* The job does, as far as the OpenSHMEM says. */
static inline bool caf_spans_nodes(void)
{
    return CAF_HAVE_BLOCKS && caf_in_order != SIZE_MAX;
}

/* Before this image tells others that it has come: what it has put is there first.  Near stores need order alone, which
 * SHCOLL and OpenSHMEM see to for those that they make, and a fence for the others. */
void caf_complete_segment(void);

/* When the last put or post was made, and the last quiet: without a call where there is nothing to wait for.  A program
 * that calls OpenSHMEM itself may have begun something at any time, so each end of a segment is a quiet there. */
#define CAF_ALWAYS UINT64_MAX
extern struct caf_outstanding {
    uint64_t newest, quiet_at;
} caf_outstanding;
static inline bool caf_puts_outstanding(void)
{
    return caf_outstanding.newest >= caf_outstanding.quiet_at;
}

/* The same where only pe is told, and by nothing but a put, a signal or an atomic operation of this image on its
 * memory: what has been put to pe alone need not be complete, but in order. */
void caf_order_puts_for(int pe);
static inline void caf_complete_segment_for(int pe)
{
    if (CAF_UNLIKELY(caf_puts_outstanding()))
        caf_order_puts_for(pe);
    __atomic_thread_fence(__ATOMIC_ACQ_REL); /* MUTANT a segment for one, near */
}

/* Puts that are held back (held.h) have been, and go now. */
extern CAF_HIDDEN void (*caf_release_held)(void); /* NULL: nothing is held */
static inline void caf_release(void)
{
    if (CAF_UNLIKELY(caf_release_held != NULL))
        caf_release_held();
}
void caf_note_held(int pe);

/* A synchronization that takes along what is held: what is not is complete on return; then, that what was held has been
 * made. */
void caf_complete_others(void);
void caf_note_made(void);

#endif
