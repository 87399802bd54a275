/* --fabric: the network that is emulated, and the library by which programs see its time. */
#include "oshrun.h"

#include "job/settings.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef COPAL_CLOCK_FOLDERS
/* Beside libshmem: where it is installed, or was built. */
static void find_clock(char path[PATH_MAX])
{
    static const char *const folders[] = {COPAL_CLOCK_FOLDERS};
    char here[PATH_MAX];
    const ssize_t n = readlink("/proc/self/exe", here, sizeof here - 1);
    here[n > 0 ? n : 0] = 0;
    char *const slash = strrchr(here, '/');
    if (slash)
        *slash = 0;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (snprintf(path, PATH_MAX, "%s/%s/copal/libcopal-clock.so", here, folders[i]) < PATH_MAX &&
            access(path, R_OK) == 0)
            return;
    die(EXIT_JOB, "an emulated network needs the library libcopal-clock.so, which tells programs its time, and %s is "
        "not there; install Copal anew", path);
}

static void preload_clock(void)
{
    char path[PATH_MAX], *all = NULL;
    const char *others = getenv("LD_PRELOAD");
    find_clock(path);
    if (asprintf(&all, "%s%s%s", path, others ? ":" : "", others ? others : "") < 0)
        die(EXIT_JOB, "out of memory");
    setenv("LD_PRELOAD", all, 1);
    free(all);
}
#else
static void preload_clock(void)
{
    /* A sanitizer's own library must come first. */
}
#endif

void set_fabric(const char *fabric)
{
    const char *const net = setting_text(SETTING_SHMEM_NET);
    if (fabric) {
        const char *const nodes = setting_text(SETTING_SHMEM_NODES);
        if (!nodes)
            die(EXIT_USAGE, "--fabric %s: between how many nodes? Give --nodes K as well", fabric);
        if (!strchr(nodes, '+') && strtol(nodes, NULL, 10) == 1)
            die(EXIT_USAGE, "--fabric %s: a job of one node has no network; --nodes is to be 2 or more", fabric);
        setenv(settings[SETTING_SHMEM_NET].name, "emu", 1);
        setenv(settings[SETTING_SHMEM_FABRIC].name, fabric, 1);
    } else if (net && strcmp(net, "emu") == 0) {
        fabric = setting_text(SETTING_SHMEM_FABRIC);
    }
    if (fabric && strncmp(fabric, "disorder:", 9) != 0) /* which has no times */
        preload_clock();
}
