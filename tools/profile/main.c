/* copal-profile: the command line, and its output files. */
#include "profile.h"

#include "shmem/version.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static FILE *create(const struct profile *p, const char *name)
{
    char *path = text("%s/%s", p->folder, name);
    FILE *out = fopen(path, "we");
    if (!out)
        die("%s cannot be written: %s", path, strerror(errno));
    free(path);
    return out;
}

static void finish(FILE *out, const struct profile *p, const char *name)
{
    const bool failed = fflush(out) != 0 || ferror(out);
    const int error = errno;
    if (fclose(out) == 0 && !failed)
        return;
    char *path = text("%s/%s", p->folder, name);
    unlink(path); /* a partial file would mislead */
    die("%s cannot be written: %s", path, strerror(failed ? error : errno));
}

static void write_trace(const struct profile *p)
{
    uint64_t cut = 0;
    FILE *out = create(p, "trace.json");
    const bool is_asked = trace_write(p, out, &cut);
    finish(out, p, "trace.json");
    char *path = text("%s/trace.json", p->folder);
    if (!is_asked)
        remove(path);
    else if (cut)
        fprintf(stderr, "copal: %s has only the first calls, without %llu later ones; "
                "shmem_pcontrol(0) and (1) choose a part of the program\n", path, (unsigned long long)cut);
    else
        fprintf(stderr, "copal: %s is for https://ui.perfetto.dev\n", path);
    free(path);
}

int main(int argc, char **argv)
{
    enum { MOST_ROWS = 1024 }; /* tens of megabytes if each PE accesses all */
    static struct profile profile;
    if (argc == 2 && strcmp(argv[1], "--version") == 0)
        return printf("copal-profile (Copal) %s\n", COPAL_VERSION) < 0;
    if (argc != 2 || argv[1][0] == '-') {
        fputs("usage: copal-profile FOLDER\n\nMakes FOLDER/index.html and FOLDER/profile.json from the files that the "
              "PEs of a job have written there.\n", argc == 2 && strcmp(argv[1], "--help") == 0 ? stdout : stderr);
        return argc == 2 && strcmp(argv[1], "--help") == 0 ? 0 : 2;
    }
    load(&profile, argv[1]);
    find_hosts(&profile);
    find_places(&profile);
    find_waits(&profile);
    find_hints(&profile);
    FILE *out = create(&profile, "profile.json");
    json_write(&profile, out, MOST_ROWS);
    finish(out, &profile, "profile.json");
    out = create(&profile, "index.html");
    page_write(&profile, out);
    finish(out, &profile, "index.html");
    text_write(&profile, stderr);
    write_trace(&profile);
    return 0;
}
