#include "net/choice.h"

#include <glob.h>
#include <stdio.h>

static const char *const modules[] = {[NET_UCX] = "ucx", [NET_OFI] = "ofi", [NET_EMU] = "emu"};

/* NULL, or why not. */
static const char *begin(struct net_chosen *c, enum net_choice which, choice_load *load,
                         const struct provider_start *start)
{
    static char other[80];
    const char *why = "";
    const struct provider *provider = load(modules[which], PROVIDER_SYMBOL, &why);
    if (!provider)
        return why;
    if (provider->version != PROVIDER_VERSION) {
        snprintf(other, sizeof other, "libcopal-%s.so is of another version of Copal", modules[which]);
        return other;
    }
    why = provider->begin(start);
    if (!why) {
        c->provider = provider;
        c->which = which;
    }
    return why;
}

/* Devices that libfabric has providers for, and UCX no driver: so without them libfabric is not even loaded. */
static const char *own_device(void)
{
    static const struct {
        const char *path, *name;
    } devices[] = {{"/dev/cxi[0-9]*", "Slingshot"},
                   {"/dev/hfi1_[0-9]*", "Omni-Path"},
                   {"/sys/bus/pci/drivers/efa/0*", "EFA"}};
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
        glob_t found;
        const bool is_there = glob(devices[i].path, GLOB_NOSORT, NULL, &found) == 0;
        globfree(&found);
        if (is_there)
            return devices[i].name;
    }
    return NULL;
}

static void choose(struct net_chosen *c, choice_load *load, struct provider_start start)
{
    const char *device = own_device();
    char idle[300] = "";
    start.devices_only = true;
    const char *why = device ? begin(c, NET_OFI, load, &start) : NULL;
    if (device && !why) {
        snprintf(c->why, sizeof c->why, "there is %s, which UCX does not drive", device);
        return;
    }
    if (device)
        snprintf(idle, sizeof idle, "; there is %s too, which is not used: %s", device, why);
    start.devices_only = false;
    why = begin(c, NET_UCX, load, &start);
    const int n = why ? snprintf(c->why, sizeof c->why, "no UCX: %s%s", why, idle)
                      : snprintf(c->why, sizeof c->why, "it finds a network%s", idle);
    if (!why || n >= (int)sizeof c->why)
        return;
    why = begin(c, NET_OFI, load, &start);
    if (why)
        snprintf(c->why + n, sizeof c->why - (size_t)n, "; no libfabric: %s", why);
}

struct net_chosen net_choose(enum net_choice which, choice_load *load, struct provider_start start)
{
    struct net_chosen c = {.by_itself = which == NET_AUTO};
    if (c.by_itself) {
        choose(&c, load, start);
        return c;
    }
    const char *why = begin(&c, which, load, &start);
    snprintf(c.why, sizeof c.why, "%s", why ? why : "SHMEM_NET says so");
    return c;
}
