/* For harnesses: the input replaces the file that a parser opens, and a parser that would end the job returns instead.
 *
 * A file with the name GIVEN is the input: scripts/fuzz links with -Wl,--wrap=fopen,--wrap=fclose. A parser that
 * refuses it by die, job_fatal or shcoll_fatal returns to the harness by longjmp; memory that it has not freed is
 * lost. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GIVEN "given"

static jmp_buf refused;
static FILE *given_file; /* a parser that refuses the file does not close it */
static const uint8_t *given;
static size_t given_bytes;

FILE *__real_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode)
{
    if (strcmp(path, GIVEN) != 0)
        return __real_fopen(path, mode);
    return given_file = fmemopen((void *)(uintptr_t)given, given_bytes, "r");
}

int __real_fclose(FILE *file);
int __wrap_fclose(FILE *file);
int __wrap_fclose(FILE *file)
{
    given_file = file == given_file ? NULL : given_file;
    return __real_fclose(file);
}

/* Formats the message, so that its arguments are read, but does not print it. */
static inline _Noreturn void refuse(const char *format, va_list args)
{
    static char text[1 << 16];
    vsnprintf(text, sizeof text, format, args);
    if (given_file)
        fclose(given_file);
    given_file = NULL;
    longjmp(refused, 1);
}

static inline void give(const uint8_t *data, size_t bytes)
{
    given = data;
    given_bytes = bytes;
    given_file = NULL;
}

/* The input as text with a final 0; the caller frees it. */
static inline char *as_text(const uint8_t *data, size_t bytes)
{
    char *text = malloc(bytes + 1);
    memcpy(text, data, bytes);
    text[bytes] = 0;
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);
