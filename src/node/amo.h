/* Atomic operations that a node's processors execute, also for other nodes, so each word has one atomicity domain. */
#pragma once

#include "job/self.h"

enum amo { AMO_FETCH, AMO_SET, AMO_SWAP, AMO_CSWAP, AMO_ADD, AMO_AND, AMO_OR, AMO_XOR };

#define AMO_ORDER __ATOMIC_SEQ_CST

/* Applies op to the 4 or 8 bytes at word; returns the old value. */
INLINE uint64_t amo_apply(enum amo op, void *word, size_t size, uint64_t value, uint64_t cond)
{
    uint64_t *w8 = word;
    uint32_t *w4 = word, value4 = (uint32_t)value, cond4 = (uint32_t)cond;
    switch (op) {
    case AMO_FETCH: return size == 8 ? __atomic_load_n(w8, AMO_ORDER) : __atomic_load_n(w4, AMO_ORDER);
    case AMO_SET:
        size == 8 ? __atomic_store_n(w8, value, AMO_ORDER) : __atomic_store_n(w4, value4, AMO_ORDER);
        return 0;
    case AMO_SWAP:
        return size == 8 ? __atomic_exchange_n(w8, value, AMO_ORDER) : __atomic_exchange_n(w4, value4, AMO_ORDER);
    case AMO_ADD:
        return size == 8 ? __atomic_fetch_add(w8, value, AMO_ORDER) : __atomic_fetch_add(w4, value4, AMO_ORDER);
    case AMO_AND:
        return size == 8 ? __atomic_fetch_and(w8, value, AMO_ORDER) : __atomic_fetch_and(w4, value4, AMO_ORDER);
    case AMO_OR: return size == 8 ? __atomic_fetch_or(w8, value, AMO_ORDER) : __atomic_fetch_or(w4, value4, AMO_ORDER);
    case AMO_XOR:
        return size == 8 ? __atomic_fetch_xor(w8, value, AMO_ORDER) : __atomic_fetch_xor(w4, value4, AMO_ORDER);
    case AMO_CSWAP: break;
    }
    if (size == 8)
        __atomic_compare_exchange_n(w8, &cond, value, false, AMO_ORDER, AMO_ORDER);
    else
        __atomic_compare_exchange_n(w4, &cond4, value4, false, AMO_ORDER, AMO_ORDER);
    return size == 8 ? cond : cond4;
}
