/* The functions and source lines of a process's addresses: lines.c reads debug information, with libdw; symbols.c reads
 * only symbols. lines.c is a module, because a machine may lack libdw. */
#pragma once

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

struct finder {
    bool (*open)(pid_t process);

    /* Opens a single program or library; addresses are those that it was linked for. Closes the file opened before, and
     * invalidates its places. */
    bool (*open_file)(const char *path);

    /* The functions at the address: the innermost first, followed by the functions that it is inlined into. */
    int (*at)(uintptr_t address, struct place *places, int most);

    /* The variable at an address, and the offset of the address in it; or NULL. */
    const char *(*variable)(uintptr_t address, uintptr_t *offset);
};
#define LINES_SYMBOL "copal_lines" /* the module's struct finder */
extern const struct finder symbols;

/* Returns the module's finder if the module can be loaded, else symbols. */
const struct finder *load_finder(void);

/* The source line of the program: the innermost of n places that is not in a header of the compiler, of the system, or
 * of Copal's C++ interface; or the outermost. */
static inline const struct place *place_of_program(const struct place *places, int n)
{
    int i = 0;
    while (i + 1 < n && places[i].file &&
           (strncmp(places[i].file, "/usr/", 5) == 0 || strstr(places[i].file, "/include/shmem/")))
        i++;
    return &places[i];
}
