/* Files and lines of call sites, found as for backtraces (tools/copal-backtrace). */
#include "profile.h"

#include "../copal-backtrace/places.h"

#include <string.h>
#include <unistd.h>

/* Shortens a path below the current folder to its relative part. */
static char *short_path(const char *path)
{
    char here[4096];
    const size_t n = getcwd(here, sizeof here) ? strlen(here) : 0;
    return strdup(n && strncmp(path, here, n) == 0 && path[n] == '/' ? path + n + 1 : path);
}

static void find_place(const struct finder *finder, struct site *s)
{
    enum { INLINED = 16 };
    struct place places[INLINED];
    const int n = finder->at(s->offset, places, INLINED);
    if (n == 0)
        return;
    const struct place *at = place_of_program(places, n);
    s->function = at->function ? strdup(at->function) : NULL;
    s->file = at->file ? short_path(at->file) : NULL;
    s->line = at->line;
}

void find_places(struct profile *p)
{
    const struct finder *finder = load_finder();
    const char *opened = NULL;
    for (uint32_t done = 0; done < p->n_sites; done++) {
        const char *module = p->sites[done].module;
        if (!module || (opened && strcmp(module, opened) == 0))
            continue;
        bool is_first = true; /* of this module */
        for (uint32_t i = 0; i < done && is_first; i++)
            is_first = !p->sites[i].module || strcmp(p->sites[i].module, module) != 0;
        opened = module;
        if (!is_first || !finder->open_file(module))
            continue;
        for (uint32_t i = done; i < p->n_sites; i++)
            if (p->sites[i].module && strcmp(p->sites[i].module, module) == 0)
                find_place(finder, &p->sites[i]);
    }
}

const char *place_of(const struct site *s, char *text, size_t room)
{
    const char *slash = s->module ? strrchr(s->module, '/') : NULL;
    if (s->file && s->line)
        snprintf(text, room, "%s:%d", s->file, s->line);
    else if (s->module)
        snprintf(text, room, "%s+%#llx", slash ? slash + 1 : s->module, (unsigned long long)s->offset);
    else
        snprintf(text, room, "somewhere");
    return text;
}
