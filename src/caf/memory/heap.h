/* The managed heap: the symmetric memory of coarrays and of the runtime itself. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Called once, by caf_init, before anything else here. */
void caf_heap_begin(void);

extern char *caf_heap;
extern size_t caf_heap_bytes;

/* Memory of this image alone, which other images can access; aligned to 64 bytes. NULL: exhausted. */
void *caf_heap_allocate_alone(size_t bytes);

/* Symmetric memory for the current team; aligned to 64 bytes. All members of the team make the same calls in the same
 * order, and so get corresponding addresses without communication. NULL: exhausted. */
void *caf_heap_allocate(size_t bytes);

/* Whether the initial team is the current team from now on; initially it is. */
void caf_heap_serve(bool initial_team);
void caf_heap_free(void *memory);

/* False: no allocated block begins there. */
bool caf_heap_free_if_taken(void *memory);

/* "SHMEM_SYMMETRIC_SIZE=64m would do", which gives space for bytes more; or why no size would do. */
const char *caf_heap_advice(size_t bytes);

/* Whether an allocated block begins there. */
bool caf_heap_begins(const void *memory);
