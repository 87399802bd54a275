/* --races: creates the race detector's shared file (tools/races), preloads its library, and sets the exit code. */
#include "oshrun.h"

#include "races/found.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static struct races_found *found;

void set_races(struct options *opt, const char *arg, const char *value)
{
    if (value && strcmp(value, "log") != 0)
        die(EXIT_USAGE, "%s=%s: expected %s, or %s=log, which does not change the exit code", arg, value, arg, arg);
    opt->races = true;
    opt->races_log = value;
}

static void refuse_nodes(const struct options *opt)
{
    const char *nodes = opt->nodes ? opt->nodes : setting_text(SETTING_SHMEM_NODES);
    if (nodes && strcmp(nodes, "1") != 0)
        die(EXIT_USAGE, "--races: supports jobs of one node only; start it without --nodes, and without SHMEM_NODES");
}

void begin_races(struct run *r)
{
    char where[64], path[PATH_MAX];
    if (r->opt.suppress && !r->opt.races)
        die(EXIT_USAGE, "--races-suppress %s: without --races nothing is reported", r->opt.suppress);
    if (!r->opt.races)
        return;
    refuse_nodes(&r->opt);
    if (r->opt.suppress) {
        if (!realpath(r->opt.suppress, path) || access(path, R_OK) != 0)
            die(EXIT_USAGE, "--races-suppress %s: %s", r->opt.suppress, strerror(errno));
        setenv(settings[SETTING_COPAL_RACES_SUPPRESS].name, path, 1);
    }
    const int fd = memfd_create("copal-races", 0);
    if (fd < 0 || ftruncate(fd, (off_t)RACES_FILE_BYTES) != 0)
        die(EXIT_JOB, "--races: the detector's shared file cannot be created: %s", strerror(errno));
    found = mmap(NULL, sizeof *found, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (found == MAP_FAILED)
        die(EXIT_JOB, "--races: %zu bytes of the detector's shared file cannot be mapped: %s", sizeof *found,
            strerror(errno));
    snprintf(where, sizeof where, "%d:%d", (int)r->self, fd);
    setenv(settings[SETTING_COPAL_RACES].name, where, 1);
    preload(&r->opt, "libcopal-races.so", "--races");
    use_tapped_libraries(&r->opt);
}

/* Races change the exit code, unless the job has failed for another reason. */
void end_races(struct run *r)
{
    if (!found)
        return;
    if (found->unable)
        say("races: %u of %d %ss were not checked", found->unable, r->opt.n_pes, words.unit);
    else if (!found->looking)
        say("races: nothing was checked: no %s has called shmem_init, or started as an image", words.unit);
    if (found->reported || found->suppressed)
        say("races: %u reported, %u suppressed", found->reported, found->suppressed);
    else if (found->looking)
        say("races: none found");
    if (found->looking && !found->compiled)
        say("races: the program was not compiled with --races (oshcc, oshc++, oshfort or caf): its loads and stores "
            "were not checked, only puts, gets and atomics against each other");
    if (found->reported && !r->opt.races_log && r->code == 0)
        r->code = RACES_EXIT_CODE;
}
