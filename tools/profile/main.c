/* copal-profile: the command line, and its output files. */
#include "profile.h"

#include "shmem/version.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The files that this tool makes, and a text near their beginning. Any other file of that name is the user's. */
struct output {
    const char *name, *sign;
};
static const struct output profile_json = {"profile.json", "{\"version\": 1,\n\"program\": "},
                           page = {"index.html", "<title>Copal profile</title>"},
                           trace = {"trace.json", "{\"displayTimeUnit\": \"ns\",\n\"traceEvents\": [\n"};

static bool is_users(const char *path, const struct output *o)
{
    char begins[512];
    FILE *in = fopen(path, "re");
    if (!in)
        return errno != ENOENT;
    const size_t n = fread(begins, 1, sizeof begins, in);
    fclose(in);
    return n > 0 && !memmem(begins, n, o->sign, strlen(o->sign));
}

static FILE *create(const struct profile *p, const struct output *o)
{
    char *path = text("%s/%s", p->folder, o->name);
    if (is_users(path, o))
        die("%s exists and is no file of a profile: move it, and run copal-profile %s again", path, p->folder);
    FILE *out = fopen(path, "we");
    if (!out)
        die("%s cannot be written: %s", path, strerror(errno));
    free(path);
    return out;
}

static void finish(FILE *out, const struct profile *p, const struct output *o)
{
    const bool failed = fflush(out) != 0 || ferror(out);
    const int error = errno;
    if (fclose(out) == 0 && !failed)
        return;
    char *path = text("%s/%s", p->folder, o->name);
    unlink(path); /* a partial file would mislead */
    die("%s cannot be written: %s", path, strerror(failed ? error : errno));
}

static bool has_trace(const struct profile *p)
{
    for (int pe = 0; pe < p->n_pes; pe++)
        if (p->pe[pe].head && p->pe[pe].head->n_events)
            return true;
    return false;
}

static void write_trace(const struct profile *p)
{
    char *path = text("%s/%s", p->folder, trace.name);
    if (!has_trace(p)) {
        if (!is_users(path, &trace))
            remove(path); /* of an earlier job */
        free(path);
        return;
    }
    FILE *out = create(p, &trace);
    const uint64_t cut = trace_write(p, out);
    finish(out, p, &trace);
    if (cut)
        fprintf(stderr, "copal: %s has only the first calls, without %llu later ones; "
                "shmem_pcontrol(0) and (1) choose a part of the program\n", path, (unsigned long long)cut);
    else
        fprintf(stderr, "copal: %s is for https://ui.perfetto.dev\n", path);
    free(path);
}

int main(int argc, char **argv)
{
    enum { MOST_ROWS = 1024 }; /* of the tables of pairs of PEs: a full table has tens of megabytes */
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
    FILE *out = create(&profile, &profile_json);
    json_write(&profile, out, MOST_ROWS);
    finish(out, &profile, &profile_json);
    out = create(&profile, &page);
    page_write(&profile, out);
    finish(out, &profile, &page);
    text_write(&profile, stderr);
    write_trace(&profile);
    return 0;
}
