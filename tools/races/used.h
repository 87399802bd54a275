/* The last uses of memory that is not symmetric, by the strands of a PE. A nonblocking operation must be ordered after
 * other strands' uses of its buffer. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

extern struct used *_Atomic used_by_any __attribute__((visibility("hidden"))); /* NULL: nothing has been used */

/* Consecutive places of 8 bytes have consecutive slots, cyclically. A strand keeps the last use in each slot. */
enum { USED_PLACES = 2048 };

struct used_found {
    uintptr_t at;
    size_t bytes;
    bool writes;
    uint32_t site;
};

/* Records a use by this strand, unless no memory is left. */
void used_note(uintptr_t at, size_t bytes, bool writes, uint32_t site);

/* Finds a use of another strand that this one does not know to be over, and that conflicts with a read or write of
 * these bytes. */
bool used_find(uintptr_t from, uintptr_t to, bool writes, struct used_found *found);

void used_forget(uintptr_t from, uintptr_t to); /* this memory has been freed */
