/* How large the heap is if nobody says. */
#ifndef COPAL_NODE_SIZE_H
#define COPAL_NODE_SIZE_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes for each PE, where other things take `others` of them and the memory of all may span span_most; and what bounds
 * them, for people. */
struct default_heap {
    size_t bytes;
    const char *from;
};
struct default_heap default_heap(size_t others, size_t span_most);

/* The same for advice: what SHMEM_SYMMETRIC_SIZE may be, where the address space has span_heap for each PE, so that all
 * PEs of the node can fill their heaps. */
struct default_heap largest_heap(size_t others, size_t span_heap, size_t symmetric_all);

struct default_heap node_largest_heap(void); /* mapping.c: of this job */

/* What the user is to know of the size that all have agreed on. */
void say_default_heap(size_t heap);

/* The program is watched by ThreadSanitizer, which lets it map nothing but a few ranges of addresses. */
bool thread_sanitized(void);

#endif
