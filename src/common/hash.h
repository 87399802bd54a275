/* FNV-1a: a hash for data that no attacker chooses. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define HASH_START UINT64_C(0xcbf29ce484222325)

static inline uint64_t hash_word(uint64_t hash, uint64_t word)
{
    return (hash ^ word) * UINT64_C(0x100000001b3);
}

static inline uint64_t hash_bytes(uint64_t hash, const void *data, size_t bytes)
{
    for (const unsigned char *at = data, *end = at + bytes; at < end; at++)
        hash = hash_word(hash, *at);
    return hash;
}
