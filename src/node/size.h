/* The default size of the heap. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Bytes for each PE, if other things need `others` bytes and the memory of all PEs may span span_most; and the name of
 * the bound, for messages. */
struct default_heap {
    size_t bytes;
    const char *from;
};
struct default_heap default_heap(size_t others, size_t span_most);

/* The same for advice: the largest SHMEM_SYMMETRIC_SIZE with which all PEs of the node can fill their heaps, if the
 * address space has span_heap for each. */
struct default_heap largest_heap(size_t others, size_t span_heap, size_t symmetric_all);

struct default_heap node_largest_heap(void); /* mapping.c: of this job */

/* Messages for the user about the agreed size. */
void say_default_heap(size_t heap);

/* The program runs with ThreadSanitizer, which allows mappings only in a few ranges of addresses. */
bool thread_sanitized(void);
