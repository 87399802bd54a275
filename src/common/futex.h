/* Futexes: words on which threads sleep, in all processes that map the words. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Sleeps while the word has that value, at most for the given time. False: the time has passed. */
bool futex_wait(_Atomic uint32_t *word, uint32_t value, uint64_t nanoseconds);

void futex_wake(_Atomic uint32_t *word); /* wakes all */
