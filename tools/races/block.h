/* What the program has allocated in the symmetric heap, the same on all PEs. */
#ifndef COPAL_RACES_BLOCK_H
#define COPAL_RACES_BLOCK_H

#include <stddef.h>
#include <stdint.h>

struct block {
    uintptr_t at; /* on this PE */
    size_t bytes;
    uint32_t site; /* where it was allocated; 0: a coarray that is static */
};

/* In the place of those that it overlaps. */
void block_add(const void *at, size_t bytes, uint32_t site);
struct block block_remove(const void *at); /* bytes is 0: there is no such */
struct block block_around(const void *address);

#endif
