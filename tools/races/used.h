/* What the strands of a PE have last used of memory that is not symmetric: a nonblocking operation may not be started
 * on what another strand uses, and it must not matter which of the two came first. */
#ifndef COPAL_RACES_USED_H
#define COPAL_RACES_USED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

extern struct used *_Atomic used_by_any __attribute__((visibility("hidden"))); /* NULL: nobody has used anything */

/* Of one place of this many in turn, each of 8 bytes, a strand's last use is known. */
enum { USED_PLACES = 2048 };

struct used_found {
    uintptr_t at;
    size_t bytes;
    bool writes;
    uint32_t site;
};

/* This strand's. Where there is no memory nothing is noted. */
void used_note(uintptr_t at, size_t bytes, bool writes, uint32_t site);

/* A use of another strand that this one does not know to be over, and that disturbs what reads these bytes, or
 * writes them. */
bool used_find(uintptr_t from, uintptr_t to, bool writes, struct used_found *found);

void used_forget(uintptr_t from, uintptr_t to); /* this memory is free now */
void used_clear(void);

#endif
