/* copal-backtrace HEAD @DATA ADDRESS...: a process that crashes, or ends its job, starts this program.
 *
 * Prints the backtrace of its parent: the lines of the user's program, from the innermost to main. It omits frames of
 * Copal and of the system. If the crash was in one of these, it prints after HEAD the routine that the program has
 * called, unless HEAD is empty. It also prints the variable at the address DATA, if this is not 0.
 *
 * copal-backtrace --each ADDRESS|@DATA...: prints a line for each: a place in the program, or a variable. */
#include "places.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { INLINED = 16, LINES = 20 };

static const struct finder *finder;

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Whether the frame is not part of the user's code. */
static bool is_foreign(const struct place *p)
{
    static const char *const begins[] = {
        "libshmem.", "libshmem_fortran.", "libcaf_gfortran", "libprif_copal.", "libcopal-", "libc.so",
        "libc-", "libm.so", "libm-", "ld-linux", "ld-2.", "libpthread", "libgcc_s", "libstdc++", "libgfortran",
        "libmimalloc", "libuc", "linux-vdso", "[vdso"};
    const char *name = p->module ? name_of(p->module) : "";
    for (size_t i = 0; i < sizeof begins / sizeof begins[0]; i++)
        if (strncmp(name, begins[i], strlen(begins[i])) == 0)
            return true;
    return p->symbol && p->symbol[0] == '_' && strncmp(p->symbol, "_start", 6) == 0;
}

/* Shortens a path below the current folder to its relative part. */
static const char *short_path(const char *path)
{
    static char here[4096];
    if (!here[0] && !getcwd(here, sizeof here))
        return path;
    const size_t n = strlen(here);
    return strncmp(path, here, n) == 0 && path[n] == '/' ? path + n + 1 : path;
}

static void describe(const struct place *p, char *text, size_t room)
{
    const char *module = p->module ? name_of(p->module) : "?";
    if (p->file && p->line > 0)
        snprintf(text, room, "  at %s:%d in %s", short_path(p->file), p->line, p->function ? p->function : "?");
    else if (p->function)
        snprintf(text, room, "  in %s (%s+%#lx)", p->function, module, (unsigned long)p->offset);
    else
        snprintf(text, room, "  in %s+%#lx", module, (unsigned long)p->offset);
}

/* The lines so far; repetitions of the last line are only counted, as in a recursion. */
struct lines {
    int n, again;
    char last[300];
};

static void end_line(struct lines *lines)
{
    if (lines->again)
        printf("%s, and %d more of the same", lines->last, lines->again);
    else if (lines->n)
        fputs(lines->last, stdout);
    if (lines->n)
        putchar('\n');
}

static void add_line(struct lines *lines, const struct place *p)
{
    char text[sizeof lines->last];
    describe(p, text, sizeof text);
    if (lines->n && strcmp(text, lines->last) == 0) {
        lines->again++;
        return;
    }
    end_line(lines);
    strcpy(lines->last, text);
    lines->again = 0;
    lines->n++;
}

/* The name that the program has used: strlen for __strlen_avx2, shmem_putmem for pshmem_putmem. */
static void print_head(const char *head, const char *called)
{
    static const char *const before[] = {"pshmem_", "__libc_", "__"}, *const after[] = {"_avx", "_evex", "_sse"};
    static const size_t skipped[] = {1, 7, 2};
    for (size_t i = 0; called && i < sizeof before / sizeof before[0]; i++)
        if (strncmp(called, before[i], strlen(before[i])) == 0)
            called += skipped[i];
    size_t n = called ? strlen(called) : 0;
    for (size_t i = 0; called && i < sizeof after / sizeof after[0]; i++) {
        const char *end = strstr(called, after[i]);
        n = end ? (size_t)(end - called) : n;
    }
    if (called)
        printf("%s, in %.*s\n", head, (int)n, called);
    else if (head[0])
        printf("%s\n", head);
}

/* main of C or Fortran, or its seldom executed part ("main.cold"). */
static bool is_main(const struct place *p)
{
    static const char *const names[] = {"main", "MAIN__"};
    const size_t n = p->symbol ? strcspn(p->symbol, ".") : 0;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (n == strlen(names[i]) && strncmp(p->symbol, names[i], n) == 0)
            return true;
    return false;
}

/* Prints "ring.c:12 in main", or the part of it that is known. */
static void print_place(uintptr_t address)
{
    struct place places[INLINED];
    char text[300];
    const int n = address ? finder->at(address, places, INLINED) : 0;
    if (n) {
        const struct place *at = place_of_program(places, n);
        describe(at, text, sizeof text);
        fputs(text + (at->file && at->line > 0 ? strlen("  at ") : strlen("  in ")), stdout);
    }
    putchar('\n');
}

/* The name x in gcc's "x.0", clang's "main.x", and gfortran's "__m_MOD_x". */
static void print_variable(uintptr_t address)
{
    uintptr_t offset;
    char name[300];
    const char *symbol = finder->variable(address, &offset), *from = name;
    snprintf(name, sizeof name, "%s", symbol ? symbol : "");
    char *end = strrchr(name, '.');
    if (end && end[1] && strspn(end + 1, "0123456789") == strlen(end + 1))
        *end = '\0';
    if ((end = strrchr(name, '.')))
        from = end + 1;
    else if (strncmp(name, "__", 2) == 0 && (end = strstr(name, "_MOD_")))
        from = end + strlen("_MOD_");
    fputs(from, stdout);
    if (*from && offset)
        printf("+%lu", (unsigned long)offset);
    putchar('\n');
}

static void print_data(uintptr_t address)
{
    uintptr_t offset;
    if (!address || !finder->variable(address, &offset))
        return;
    fputs("  in the variable ", stdout);
    print_variable(address);
}

static int print_each(char **addresses)
{
    for (; *addresses; addresses++)
        if (**addresses == '@')
            print_variable(strtoul(*addresses + 1, NULL, 16));
        else
            print_place(strtoul(*addresses, NULL, 16));
    return 0;
}

int main(int argc, char **argv)
{
    struct place places[INLINED];
    struct lines lines = {0};
    const char *called = NULL; /* the routine that the program has called, if the crash was in it */
    bool over = false;
    finder = load_finder();
    if (argc < 3 || !finder->open(getppid()))
        return 1;
    if (strcmp(argv[1], "--each") == 0)
        return print_each(argv + 2);
    for (int i = 3; i < argc && !over && lines.n < LINES; i++) {
        const int n = finder->at(strtoul(argv[i], NULL, 16), places, INLINED);
        if (n && is_foreign(&places[n - 1])) {
            if (!lines.n && places[n - 1].symbol)
                called = places[n - 1].symbol;
            continue;
        }
        if (n && !lines.n) {
            print_head(argv[1], argv[1][0] ? called : NULL);
            print_data(strtoul(argv[2] + 1, NULL, 16));
        }
        for (int k = 0; k < n; k++)
            add_line(&lines, &places[k]);
        over = n && is_main(&places[n - 1]);
    }
    end_line(&lines);
    return 0;
}
