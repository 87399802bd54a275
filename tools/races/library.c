/* Accesses of the C library to symmetric memory: strings, output and input, sorting. As in copies.c, only accesses in
 * the program's own calls are recorded. */
#include "races/access.h"
#include "races/copies.h"
#include "races/real.h"

#include <printf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Also used before strlen's address is known. Uses volatile, because the compiler would replace it by strlen. */
static size_t length_of(const char *text)
{
    const volatile char *at = text;
    while (*at)
        at++;
    return (size_t)(at - (const volatile char *)text);
}

static void note_text(const char *text, const void *caller)
{
    if (text && copies_is_the_programs(caller))
        access_range(text, length_of(text) + 1, ACCESS_READ, caller);
}

/* Records the strings that a format reads; of a string with a precision, only the first byte. */
static void note_strings(const char *format, va_list given, const void *caller)
{
    enum { MOST = 64 };
    if (!copies_is_the_programs(caller))
        return;
    va_list args;
    va_copy(args, given);
    int types[MOST];
    const bool may_be_cut = strstr(format, ".") != NULL;
    const size_t n = parse_printf_format(format, MOST, types);
    note_text(format, caller);
    for (size_t i = 0; i < n && i < MOST; i++) {
        const int flags = types[i] & PA_FLAG_MASK, type = types[i] & ~PA_FLAG_MASK;
        if (type == PA_DOUBLE && flags & PA_FLAG_LONG_DOUBLE)
            (void)va_arg(args, long double);
        else if (type == PA_DOUBLE || type == PA_FLOAT)
            (void)va_arg(args, double);
        else if (type == PA_STRING && !flags && may_be_cut)
            access_range(va_arg(args, const char *), 1, ACCESS_READ, caller);
        else if (type == PA_STRING && !flags)
            note_text(va_arg(args, const char *), caller);
        else if (type == PA_POINTER || type == PA_STRING || type == PA_WSTRING || flags & PA_FLAG_PTR)
            (void)va_arg(args, void *);
        else if (flags & (PA_FLAG_LONG | PA_FLAG_LONG_LONG))
            (void)va_arg(args, long long);
        else
            (void)va_arg(args, int);
    }
    va_end(args);
}

#pragma GCC visibility push(default)

size_t strlen(const char *text)
{
    REAL(strlen);
    note_text(text, HERE);
    return real.found ? real.call(text) : length_of(text);
}

int puts(const char *text)
{
    REAL(puts);
    note_text(text, HERE);
    return real.call(text);
}

int fputs(const char *restrict text, FILE *restrict out)
{
    REAL(fputs);
    note_text(text, HERE);
    return real.call(text, out);
}

size_t fwrite(const void *restrict from, size_t bytes, size_t n, FILE *restrict out)
{
    REAL(fwrite);
    copies_note(from, bytes * n, ACCESS_READ, HERE);
    return real.call(from, bytes, n, out);
}

size_t fread(void *restrict to, size_t bytes, size_t n, FILE *restrict in)
{
    REAL(fread);
    const size_t come = real.call(to, bytes, n, in);
    copies_note(to, bytes * come, ACCESS_WRITE, HERE);
    return come;
}

ssize_t write(int fd, const void *from, size_t bytes)
{
    REAL(write);
    copies_note(from, bytes, ACCESS_READ, HERE);
    return real.call(fd, from, bytes);
}

ssize_t read(int fd, void *to, size_t bytes)
{
    REAL(read);
    const ssize_t come = real.call(fd, to, bytes);
    copies_note(to, come > 0 ? (size_t)come : 0, ACCESS_WRITE, HERE);
    return come;
}

void qsort(void *at, size_t n, size_t bytes, int (*compare)(const void *, const void *))
{
    REAL(qsort);
    copies_note(at, n * bytes, ACCESS_WRITE, HERE);
    real.call(at, n, bytes, compare);
}

int printf(const char *restrict format, ...)
{
    va_list args;
    va_start(args, format);
    note_strings(format, args, HERE);
    const int written = vprintf(format, args);
    va_end(args);
    return written;
}

int fprintf(FILE *restrict out, const char *restrict format, ...)
{
    va_list args;
    va_start(args, format);
    note_strings(format, args, HERE);
    const int written = vfprintf(out, format, args);
    va_end(args);
    return written;
}
