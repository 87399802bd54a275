/* Messages, and errors that end oshrun. */
#include "oshrun.h"

#include "common/number.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct words words = {.tool = "oshrun", .unit = "PE", .job = "an OpenSHMEM job", .waiting = "wait in shmem routines",
                      .idle = "waits in no shmem routine", .finalized = "is past shmem_finalize",
                      .unfinalized = " before shmem_finalize", .no_member = "without calling shmem_init"};
bool (*say_between)(const char *text, size_t bytes);

/* One write for the whole message, so that it does not mix with the PEs' output. */
__attribute__((format(printf, 3, 0), nonnull))
static size_t sentence(char *text, size_t size, const char *fmt, va_list args)
{
    size_t n = (size_t)snprintf(text, size, "%s: ", words.tool);
    vsnprintf(text + n, size - n - 1, fmt, args);
    n = strlen(text);
    text[n++] = '\n';
    return n;
}

void say(const char *fmt, ...)
{
    char text[1000];
    va_list args;
    va_start(args, fmt);
    size_t n = sentence(text, sizeof text, fmt, args);
    va_end(args);
    if (!(say_between && say_between(text, n)) && write(STDERR_FILENO, text, n) < 0)
        return; /* stderr cannot be written */
}

void die(int code, const char *fmt, ...)
{
    char text[1000];
    va_list args;
    va_start(args, fmt);
    size_t n = sentence(text, sizeof text, fmt, args);
    va_end(args);
    if (write(STDERR_FILENO, text, n) < 0)
        exit(code);
    exit(code);
}

void no_memory(void)
{
    die(EXIT_JOB, "no memory is left");
}

char *text_of(const char *fmt, ...)
{
    char *text;
    va_list args;
    va_start(args, fmt);
    if (vasprintf(&text, fmt, args) < 0)
        no_memory();
    va_end(args);
    return text;
}

void *enlarge(void *list, size_t bytes)
{
    void *larger = realloc(list, bytes);
    if (!larger)
        no_memory();
    return larger;
}

void *zeroed(size_t n, size_t bytes)
{
    void *list = calloc(n, bytes);
    if (!list)
        no_memory();
    return list;
}

void list_pes(char *text, size_t room, const bool *listed, int n_pes, int first)
{
    size_t n = 0;
    *text = '\0';
    for (int from = 0, to; from < n_pes; from = to + 1) {
        for (to = from; to < n_pes && listed[to]; to++)
            ;
        const int last = to - 1;
        if (last < from)
            continue;
        if (n + 30 > room) {
            snprintf(text + n, room - n, ", ...");
            return;
        }
        n += (size_t)snprintf(text + n, room - n, "%s%d", n ? ", " : "", first + from);
        if (last > from)
            n += (size_t)snprintf(text + n, room - n, "%s%d", last == from + 1 ? ", " : "-", first + last);
    }
}

int parse_count(const char *arg, const char *value)
{
    int n;
    if (!number_of(value, 1, MAX_PES, &n))
        die(EXIT_USAGE, "%s %s: expected a number of %ss from 1 to %d", arg, value, words.unit, MAX_PES);
    return n;
}
