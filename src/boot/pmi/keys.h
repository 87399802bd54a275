/* What PEs publish: bytes, as texts of the length that launchers take. */
#ifndef COPAL_PMI_VALUES_H
#define COPAL_PMI_VALUES_H

#include "boot/pmi/pmi.h"

enum { VALUE_BYTES = BOOT_CARD_BYTES + 64 };

/* Where values are kept: in the store `job`, under names that have the PE and the epoch in them, how many times this
 * process has begun, since a launcher keeps those of before. */
struct values {
    const char *job;
    unsigned epoch;
};

/* At most VALUE_BYTES; others see it after a meeting.  NULL, or a sentence. */
const char *values_put(const struct values *store, const char *name, int pe, const void *bytes, size_t n);

/* What a PE has put: its size, or 0 and *why. */
size_t values_get(const struct values *store, const char *name, int pe, void *bytes, size_t room, const char **why);

#endif
