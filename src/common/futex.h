/* Words on which threads of any process that maps them sleep. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Sleeps while the word has that value. False: the time limit has passed. */
bool futex_wait(_Atomic uint32_t *word, uint32_t value, uint64_t nanoseconds);

void futex_wake(_Atomic uint32_t *word); /* wakes all */
