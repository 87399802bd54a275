/* Shared by all files here: errors, memory, text. */
#include "profile.h"

#include <stdarg.h>
#include <stdlib.h>

void die(const char *format, ...)
{
    va_list args;
    fputs("copal-profile: ", stderr);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    exit(1);
}

void *zeroed(size_t n, size_t bytes)
{
    void *p = calloc(n ? n : 1, bytes);
    if (!p)
        die("out of memory: %zu times %zu bytes", n, bytes);
    return p;
}

char *text(const char *format, ...)
{
    char *made;
    va_list args;
    va_start(args, format);
    if (vasprintf(&made, format, args) < 0)
        die("out of memory");
    va_end(args);
    return made;
}
