/* The last uses by the strands of a PE of memory that is not symmetric: a nonblocking operation must not start on a
 * buffer that another strand uses, whichever of the two comes first. */
#ifndef COPAL_RACES_USED_H
#define COPAL_RACES_USED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

extern struct used *_Atomic used_by_any __attribute__((visibility("hidden"))); /* NULL: nothing has been used */

/* Places of 8 bytes are mapped to this many slots in turn; a strand keeps the last use in each slot. */
enum { USED_PLACES = 2048 };

struct used_found {
    uintptr_t at;
    size_t bytes;
    bool writes;
    uint32_t site;
};

/* Records a use of this strand; without memory records nothing. */
void used_note(uintptr_t at, size_t bytes, bool writes, uint32_t site);

/* Finds a use of another strand that this one does not know to be over, and that conflicts with a read or write of
 * these bytes. */
bool used_find(uintptr_t from, uintptr_t to, bool writes, struct used_found *found);

void used_forget(uintptr_t from, uintptr_t to); /* this memory is free now */
void used_clear(void);

#endif
