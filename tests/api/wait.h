/* The comparisons of the wait and test families, and values that distinguish them. */
#pragma once

#include "fill.h"

enum { CMPS = 6 };
static const int cmps[CMPS] = {SHMEM_CMP_EQ, SHMEM_CMP_NE, SHMEM_CMP_GT, SHMEM_CMP_LE, SHMEM_CMP_LT, SHMEM_CMP_GE};
static const char *const cmp_names[CMPS] = {"EQ", "NE", "GT", "LE", "LT", "GE"};

/* As values of each type, these bits are 0, the smallest and largest values, and some between: all bits, the top bit
 * alone, and all bits but the top bit of each width. */
static const uint64_t wait_values[] = {
    0, 1, 100, ~(uint64_t)0, 0x8000, 0x7fff, 0x80000000, 0x7fffffff, 0x8000000000000000, 0x7fffffffffffffff};
enum { WAIT_VALUES = sizeof wait_values / sizeof wait_values[0] };

/* Compares two values of a type: negative, zero or positive, like memcmp. */
#define COMPARE(T, N) static inline int compare_##N(uint64_t a, uint64_t b) \
    { return ((T)a > (T)b) - ((T)a < (T)b); }
COPAL_TYPES_WAIT(COMPARE)

/* Whether a condition holds for operands whose comparison gives `order`. */
static inline bool holds(int cmp, int order)
{
    switch (cmp) {
    case SHMEM_CMP_EQ: return order == 0;
    case SHMEM_CMP_NE: return order != 0;
    case SHMEM_CMP_GT: return order > 0;
    case SHMEM_CMP_LE: return order <= 0;
    case SHMEM_CMP_LT: return order < 0;
    default: return order >= 0;
    }
}
