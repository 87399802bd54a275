/* Copies that a helper thread of this PE makes while the PE computes (SHMEM_NBI_NODE=overlap).
 *
 * This is an option, because within a node an immediate copy is the fastest, but overlaps with nothing. A large
 * nonblocking put or get is queued, and the helper and the threads that wait for it copy chunks of it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Values of node.overlap_from: the default (a copy of that size takes 5 us, about as long as to wake the helper); and
 * the value for no overlap. */
#define OVERLAP_FROM ((uint32_t)256 << 10)
#define OVERLAP_NEVER UINT32_MAX

/* Reads SHMEM_NBI_NODE: the value for node.overlap_from. */
uint32_t overlap_from(void);

struct overlap_copy {
    char *to;
    const char *from;
    size_t bytes;
    int pe;            /* the PE of the remote side */
    bool put;          /* the remote side is `to` */
    uintptr_t context; /* the context of the copy; not 0 */
    uint64_t *signal;  /* NULL, or the signal word on that PE, updated after the whole copy */
    uint64_t value;
    bool add;          /* value is added, not stored */
};

/* The copies that a wait is for. */
struct overlap_which {
    uintptr_t context; /* 0: all */
    int pe;            /* -1: all */
    bool puts;         /* puts only */
};

/* False if the queue is full, no thread can start, or the setting is off: the caller must copy. */
bool overlap_start(const struct overlap_copy *copy);

/* Waits until those copies are complete; makes the copies that the helper has not begun. An alert's handler may leave
 * the wait by longjmp; at these moments, the wait holds no mutex. */
void overlap_wait(struct overlap_which which, const char *routine);

/* Ends the helper, if there is one. No copy may be queued. */
void overlap_end(void);
