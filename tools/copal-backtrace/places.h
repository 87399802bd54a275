/* The places of a process's addresses: lines.c uses its debug information, with libdw; symbols.c only its symbols. One
 * of the two is built. */
#ifndef COPAL_BACKTRACE_PLACES_H
#define COPAL_BACKTRACE_PLACES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>

struct place {
    const char *function; /* its name in the source, or NULL */
    const char *symbol;   /* its name for the linker, or NULL */
    const char *file;     /* of the source, or NULL */
    int line;
    const char *module;   /* the path of the program or library, or NULL */
    uintptr_t offset;     /* in the module */
};

bool places_open(pid_t process);

/* Opens a single program or library; addresses are those that it was linked for. Closes the file opened before, and
 * invalidates its places. */
bool places_open_file(const char *path);

/* The functions at the address: the innermost first, followed by the functions that it is inlined into. */
int places_at(uintptr_t address, struct place *places, int most);

/* The innermost of n places that is not in a header (the compiler's, the system's, or ours with the overloads in C++):
 * the program's own. */
static inline const struct place *place_of_program(const struct place *places, int n)
{
    int i = 0;
    while (i + 1 < n && places[i].file &&
           (strncmp(places[i].file, "/usr/", 5) == 0 || strstr(places[i].file, "/include/shmem/")))
        i++;
    return &places[i];
}

/* The variable at an address, and the offset of the address in it; or NULL. */
const char *places_variable(uintptr_t address, uintptr_t *offset);

#endif
