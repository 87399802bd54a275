#include "random.h"

#include <stddef.h>

/* The product of two polynomials: the sum of a x^i over the terms x^i of b. */
static uint64_t multiply(uint64_t a, uint64_t b)
{
    uint64_t product = 0;
    for (; b; b >>= 1, a = random_next(a))
        if (b & 1)
            product ^= a;
    return product;
}

uint64_t random_at(uint64_t n)
{
    uint64_t number = 1, power = 2; /* x^(2^i) */
    for (; n; n >>= 1, power = multiply(power, power))
        if (n & 1)
            number = multiply(number, power);
    return number;
}
