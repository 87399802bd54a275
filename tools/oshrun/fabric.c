/* --fabric: the emulated network, and the library that gives programs its emulated time. */
#include "oshrun.h"

#include "job/settings.h"

#include <stdlib.h>
#include <string.h>

void set_fabric(const struct options *opt)
{
    const char *fabric = opt->fabric;
    const char *const net = setting_text(SETTING_SHMEM_NET);
    if (fabric) {
        const char *const nodes = setting_text(SETTING_SHMEM_NODES);
        const bool one_node = !nodes || (!strchr(nodes, '+') && strtol(nodes, NULL, 10) == 1);
        if (one_node && strncmp(fabric, "disorder:", 9) == 0)
            die(EXIT_USAGE, "--fabric %s: a job of one node has no network; give --nodes K, 2 or more", fabric);
        setenv(settings[SETTING_SHMEM_NET].name, "emu", 1);
        setenv(settings[SETTING_SHMEM_FABRIC].name, fabric, 1);
    } else if (net && strcmp(net, "emu") == 0) {
        fabric = setting_text(SETTING_SHMEM_FABRIC);
    }
    if (fabric && strncmp(fabric, "disorder:", 9) != 0) /* disorder emulates no time */
        preload(opt, "libcopal-clock.so", "an emulated network");
}
