/* All test programs use this: CHECK counts and prints errors, check_result() is main's return value. A test passes if
 * its exit code is 0, because oshrun returns the first non-zero code of any PE. Under cafrun, whose jobs outlive an
 * image that ends, a test fails also if an image prints that checks failed. */
#pragma once

#include <stdio.h>
#include <stdlib.h>

static int check_failures;

/* Counts failures after the 20th without printing them: a wrong loop must not write a gigabyte. */
#define CHECK(cond, ...) ((cond) ? (void)0 : check_failed(__FILE__, __LINE__, #cond, __VA_ARGS__))
#define CHECK_PRINTF __attribute__((format(printf, 4, 5)))

static inline CHECK_PRINTF void check_failed(const char *file, int line, const char *cond, const char *fmt, ...)
{
    if (check_failures++ >= 20)
        return;
    char text[400];
    __builtin_va_list ap;
    __builtin_va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    __builtin_va_end(ap);
    fprintf(stderr, "%s:%d: not (%s): %s\n", file, line, cond, text);
}

static inline int check_result(void)
{
    if (check_failures)
        fprintf(stderr, "%d check(s) failed\n", check_failures);
    return check_failures ? 1 : 0;
}
