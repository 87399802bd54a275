/* The copy of one element, by one store: it may be a flag. glibc's memcpy stores 2, 4 and 8 bytes twice, so it would
 * overwrite what the waiting PE stores after it has seen the first store. */
#pragma once

#include <stddef.h>
#include <string.h>

static inline __attribute__((always_inline)) void copy_element(void *to, const void *from, size_t bytes)
{
    switch (bytes) {
    case 2: memcpy(to, from, 2); break;
    case 4: memcpy(to, from, 4); break;
    case 8: memcpy(to, from, 8); break;
    default: memcpy(to, from, bytes); break;
    }
}
