/* The order of remote transfers.
 *
 * An image's accesses to one location happen in order.  The processor keeps the order of loads and stores to local
 * memory.  Puts to remote PEs are recorded: a quiet precedes a later get from the same location, a fence a later put to
 * it; accesses to other locations do not wait (the thesis, 4.3, has a quiet after each put).  Small accesses do not
 * wait either if the OpenSHMEM keeps them in order itself. */
#include "order.h"
#include "../settings.h"

#include <stdlib.h>

size_t caf_in_order;

/* Puts to one PE since the last quiet: time of the last put and of the last large put (not in order), address range. */
struct puts {
    uint64_t at, loose_at;
    const char *low, *high;
};

/* A logical time, which each quiet and fence advances. Puts and posts since the last quiet are outstanding. */
static uint64_t now = 1, fence_at = 1;
struct caf_outstanding caf_outstanding = {.quiet_at = 1};
static struct puts *puts_to; /* by PE */
void (*caf_release_held)(void);
static uint64_t sent_at;     /* time of the last put that was not held back */
static int only_pe;          /* the destination of all outstanding puts and posts; -1: several */

void caf_order_begin(void)
{
    puts_to = calloc((size_t)shmem_n_pes(), sizeof *puts_to);
    if (!puts_to)
        caf_fatal("start: no memory for the records of outstanding puts");
#if CAF_HAVE_BLOCKS
    caf_in_order = shmemx_in_order();
    if (!caf_in_order && caf_adapter_atomics()) /* then the job has several nodes: on one node, accesses are in order */
        caf_fatal("start: SHMEM_NET_ATOMICS is adapter, but coarrays need atomics that processors execute; unset it");
#endif

    if (caf_program_calls_openshmem()) { /* MUTANT the program's OpenSHMEM: caf_program_calls_openshmem() => false */
        caf_outstanding.newest = CAF_ALWAYS;
        only_pe = -1;
    }
}

void caf_complete_puts(void)
{
    if (!caf_puts_outstanding())
        return;
    caf_release(); /* MUTANT held puts are completed */
    shmem_quiet(); /* MUTANT puts are completed */
    caf_outstanding.quiet_at = fence_at = ++now;
}

void caf_complete_segment(void)
{
    caf_complete_puts(); /* MUTANT a segment ends complete */
    __atomic_thread_fence(__ATOMIC_ACQ_REL); /* MUTANT a segment's near stores */
}

/* Later accesses of this image to the PE come after its earlier puts there. */
static void keep_in_order(const struct puts *p)
{
    if (p->at < fence_at || (p->loose_at < fence_at && caf_in_order >= sizeof(uint64_t)))
        return;
    shmem_fence(); /* MUTANT a segment for one is fenced */
    fence_at = ++now;
}

void caf_order_puts_for(int pe)
{
    caf_release(); /* MUTANT held puts before a signal */
    /* Another OpenSHMEM's fence may not order puts before the atomics, loads and stores that signal them. */
    if (!CAF_HAVE_BLOCKS || only_pe != pe) /* MUTANT a segment for one with puts to others: only_pe != pe => false */
        caf_complete_puts();
    else
        keep_in_order(&puts_to[pe]); /* MUTANT a segment for one */
}

bool caf_signal_must_wait(int pe)
{
    if (!caf_puts_outstanding() || caf_outstanding.newest == CAF_ALWAYS)
        return false;
    caf_release(); /* MUTANT held puts before a deferred signal */
    return only_pe != pe;
}

static void note(int pe)
{
    if (!caf_puts_outstanding())
        only_pe = pe;
    else if (only_pe != pe) /* MUTANT puts to several are known */
        only_pe = -1;
    sent_at = now;
    if (caf_outstanding.newest < now)
        caf_outstanding.newest = now;
}

void caf_note_post(int pe, const void *event)
{
    if (!caf_near(pe, event))
        note(pe); /* MUTANT a post is noted */
}

void caf_note_call(int pe)
{
    note(pe);
    struct puts *p = &puts_to[pe];
    p->low = NULL;
    p->high = (const char *)UINTPTR_MAX;
    p->at = now;
}

void caf_note_reply(int pe)
{
    /* MUTANT a reply is of one image: only_pe == pe => true */
    if (only_pe == pe && !caf_release_held && caf_puts_outstanding())
        caf_outstanding.quiet_at = fence_at = ++now;
}

static bool meets(const struct puts *p, const char *low, const char *high)
{
    return low < p->high && p->low < high;
}

void caf_before_get(int pe, const void *sym, size_t range, size_t bytes)
{
    caf_release(); /* MUTANT held puts before a get */
    const struct puts *p = &puts_to[pe];
    const char *low = sym, *high = low + range;
    const uint64_t quiet_at = caf_outstanding.quiet_at;
    /* MUTANT a get waits for puts */
    /* MUTANT a large get waits for small puts: bytes > caf_in_order => false */
    /* MUTANT a small get waits for large puts: p->loose_at >= quiet_at => false */
    if (CAF_UNLIKELY(p->at >= quiet_at) && (bytes > caf_in_order || p->loose_at >= quiet_at) && meets(p, low, high))
        caf_complete_puts();
}

void caf_before_put(int pe, const void *sym, size_t range, size_t bytes)
{
    caf_release(); /* MUTANT held puts before a put */
    struct puts *p = &puts_to[pe];
    const char *low = sym, *high = low + range;
    const bool loose = bytes > caf_in_order;
    note(pe); /* MUTANT a put is noted */
    if (p->at < caf_outstanding.quiet_at) {
        p->low = low;
        p->high = high;
    } else {
        /* MUTANT a large put waits for small puts: loose || p->loose_at >= fence_at => p->loose_at >= fence_at */
        /* MUTANT a small put waits for large puts: p->loose_at >= fence_at => false */
        if (p->at >= fence_at && (loose || p->loose_at >= fence_at) && meets(p, low, high)) {
            shmem_fence(); /* MUTANT a put waits for puts */
            fence_at = ++now;
        }
        p->low = low < p->low ? low : p->low; /* MUTANT where puts have been: p->low = low; */
        p->high = high > p->high ? high : p->high; /* MUTANT where puts have been: p->high = high; */
    }
    p->at = now; /* MUTANT a put to an image is noted */
    if (loose)
        p->loose_at = now; /* MUTANT a large put is noted */
}

void caf_note_held(int pe)
{
    const uint64_t before = sent_at;
    note(pe);
    sent_at = before;
}

void caf_note_made(void)
{
    caf_outstanding.quiet_at = fence_at = ++now;
}

void caf_complete_others(void)
{
    /* MUTANT the program's OpenSHMEM with held puts: caf_outstanding.newest == CAF_ALWAYS => false */
    if (sent_at >= caf_outstanding.quiet_at || CAF_UNLIKELY(caf_outstanding.newest == CAF_ALWAYS)) {
        shmem_quiet(); /* MUTANT other puts are completed */
        sent_at = 0;
        if (!caf_release_held)
            caf_outstanding.quiet_at = fence_at = ++now;
    }
    __atomic_thread_fence(__ATOMIC_ACQ_REL);
}
