/* Random numbers from a state (splitmix64), for tests that choose their actions at random. */
#pragma once

#include <stdint.h>
#include <string.h>

static inline uint64_t next(uint64_t *state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

static inline void fill(void *to, size_t bytes, uint64_t state)
{
    for (size_t i = 0; i < bytes; i += 8) {
        const uint64_t word = next(&state);
        memcpy((char *)to + i, &word, bytes - i < 8 ? bytes - i : 8);
    }
}
