/* The stream of random numbers of HPCC RandomAccess. */
#pragma once

#include <stdint.h>

/* The numbers are the powers x^0, x^1, ... of the polynomials over GF(2), modulo x^64 + x^2 + x + 1. */
static inline uint64_t random_next(uint64_t number)
{
    return number << 1 ^ (number >> 63 ? 7 : 0);
}

/* x^n, where a PE's share of the stream begins; takes 2 log n steps. */
uint64_t random_at(uint64_t n);
