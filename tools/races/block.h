/* The program's allocations in the symmetric heap, the same on all PEs. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct block {
    uintptr_t at; /* address on this PE */
    size_t bytes;
    uint32_t site; /* site of the allocation; 0: a static coarray */
};

/* Adds a block, which replaces blocks that it overlaps. */
void block_add(const void *at, size_t bytes, uint32_t site);
struct block block_remove(const void *at); /* bytes is 0 if there is no such block */
struct block block_around(const void *address);
