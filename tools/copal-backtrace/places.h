/* Where addresses of a process are: lines.c by its debug information, with libdw; symbols.c without that, by its
 * symbols alone. One of the two is built. */
#ifndef COPAL_BACKTRACE_PLACES_H
#define COPAL_BACKTRACE_PLACES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>

struct place {
    const char *function; /* as the source calls it, or NULL */
    const char *symbol;   /* as the linker does, or NULL */
    const char *file;     /* of the source, or NULL */
    int line;
    const char *module;   /* the path of the program or library, or NULL */
    uintptr_t offset;     /* in the module */
};

bool places_open(pid_t process);

/* A program or library by itself, in which addresses are those that it was linked for.  What was opened before is
 * closed, and what its places point at is gone. */
bool places_open_file(const char *path);

/* What is at the address: a function, and if the compiler has put one into another, that too; the innermost first. */
int places_at(uintptr_t address, struct place *places, int most);

/* Of n such places the innermost that is in no header, the compiler's, the system's, or ours, of which the overloads in
 * C++ are: the program's own. */
static inline const struct place *place_of_program(const struct place *places, int n)
{
    int i = 0;
    while (i + 1 < n && places[i].file &&
           (strncmp(places[i].file, "/usr/", 5) == 0 || strstr(places[i].file, "/include/shmem/")))
        i++;
    return &places[i];
}

/* The variable at an address, and how far into it that is; or NULL. */
const char *places_variable(uintptr_t address, uintptr_t *offset);

#endif
