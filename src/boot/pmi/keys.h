/* Values that PEs publish, as texts of the length that launchers accept. */
#pragma once

#include "boot/pmi/pmi.h"

enum { VALUE_BYTES = BOOT_CARD_BYTES + 64 };

/* The store of the values, `job`. Their names contain the PE and the epoch, the number of calls of begin, because a
 * launcher keeps earlier values. */
struct values {
    const char *job;
    unsigned epoch;
};

/* Publishes at most VALUE_BYTES, which other PEs can get after a barrier. NULL, or a sentence. */
const char *values_put(const struct values *store, const char *name, int pe, const void *bytes, size_t n);

/* Gets a PE's value: its size, or 0 and *why. */
size_t values_get(const struct values *store, const char *name, int pe, void *bytes, size_t room, const char **why);
