#include "keys.h"

/* x <- 5^13 x mod 2^46; a key is a quarter of the sum of four draws, scaled to the range of keys.  The published
 * generator computes in doubles, which hold the 46-bit numbers and their sums exactly, so integers give its keys. */
enum { BITS = 46, DRAWS_PER_KEY = 4 };
static const uint64_t multiplier = 1220703125, seed = 314159265, mask = (UINT64_C(1) << BITS) - 1;

/* multiplier^n mod 2^46: the factor that skips n draws.  Overflow past 64 bits does not disturb the low 46. */
static uint64_t skip(uint64_t n)
{
    uint64_t result = 1;
    for (uint64_t square = multiplier; n > 0; n >>= 1, square = square * square & mask)
        if (n & 1)
            result = result * square & mask;
    return result;
}

void keys_generate(uint32_t *key, int64_t first, int64_t count, int log_max_key)
{
    uint64_t x = seed * skip(DRAWS_PER_KEY * (uint64_t)first) & mask;
    for (int64_t i = 0; i < count; i++) {
        uint64_t sum = 0;
        for (int draw = 0; draw < DRAWS_PER_KEY; draw++)
            sum += x = x * multiplier & mask;
        key[i] = (uint32_t)(sum >> (BITS + 2 - log_max_key));
    }
}
