/* Copies that a helper thread of this PE makes while the PE computes (SHMEM_NBI_NODE=overlap).
 *
 * Within a node a copy made at once is the quickest there is, and leaves nothing to overlap with.  So this is asked
 * for: a large nonblocking put or get is then put in a queue, from which the helper and whoever waits for it take
 * pieces. */
#ifndef COPAL_OVERLAP_H
#define COPAL_OVERLAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* node.overlap_from: if no other is asked for (a copy of that size takes about as long, 5 us, as to wake the helper),
 * and if no overlap is. */
#define OVERLAP_FROM ((uint32_t)256 << 10)
#define OVERLAP_NEVER UINT32_MAX

/* What SHMEM_NBI_NODE says: node.overlap_from. */
uint32_t overlap_from(void);

struct overlap_copy {
    char *to;
    const char *from;
    size_t bytes;
    int pe;            /* where the memory is that is not ours */
    bool put;          /* to is that memory */
    uintptr_t context; /* on which it was issued; not 0 */
    uint64_t *signal;  /* NULL, or the word on that PE that tells of the whole of it */
    uint64_t value;
    bool add;          /* value is added, not stored */
};

/* Those that a wait is for. */
struct overlap_which {
    uintptr_t context; /* 0: all */
    int pe;            /* -1: all */
    bool puts;         /* puts alone */
};

/* False if there is no room or no thread to be had, or overlap is not asked for at all: the caller copies. */
bool overlap_start(const struct overlap_copy *copy);

/* Until all of those are done; makes the copies that the helper has not begun.  No mutex is held where an alert's
 * handler may leave it. */
void overlap_wait(struct overlap_which which, const char *routine);

/* Ends the helper, if there is one; nothing is queued. */
void overlap_end(void);

#endif
