/* The benchmark's sequence of keys, of which each PE generates its own part. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* key[0 .. count) = elements first .. first + count of the sequence of keys below 2^log_max_key. */
void keys_generate(uint32_t *key, int64_t first, int64_t count, int log_max_key);
