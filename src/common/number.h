/* Reads an integer from a text. */
#pragma once

#include <stdbool.h>
#include <stdlib.h>

/* False: the text is not only digits, or the number is not from least to most. */
static inline bool number_of(const char *text, long least, long most, int *number)
{
    char *end;
    const long n = *text >= '0' && *text <= '9' ? strtol(text, &end, 10) : -1;
    *number = (int)n;
    return n >= 0 && !*end && n >= least && n <= most;
}
