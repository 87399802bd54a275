#include "net/choice.h"

#include "common/environment.h"

#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const modules[] = {[NET_UCX] = "ucx", [NET_OFI] = "ofi", [NET_EMU] = "emu"};

/* --- side effects of loading the networks' libraries -------------------------------------------------------------- */

/* Defined in a program that was compiled with -fsanitize=address or thread. */
extern void __asan_init(void) __attribute__((weak));
extern void __tsan_init(void) __attribute__((weak));

static bool is_sanitized(void)
{
    return __asan_init || __tsan_init;
}

/* The libraries' constructors read these.  UCX intercepts calls that map memory, for its registration cache; a
 * sanitizer does so too, and fails if both do. libinfinipath and libpsm2, which libfabric may load, catch crashes. */
static const struct {
    enum net_choice which;
    const char *name, *value;
} needs[] = {{NET_UCX, "UCX_MEM_MMAP_HOOK_MODE", "none"},
             {NET_OFI, "IPATH_NO_BACKTRACE", "1"},
             {NET_OFI, "HFI_NO_BACKTRACE", "1"}};
enum { NEEDS = sizeof needs / sizeof *needs };

static void set_needs(enum net_choice which, bool set[NEEDS])
{
    for (int i = 0; i < NEEDS; i++) {
        set[i] = needs[i].which == which && (which != NET_UCX || is_sanitized()) && !environment(needs[i].name);
        if (set[i])
            setenv(needs[i].name, needs[i].value, 1);
    }
}

static void unset_needs(const bool set[NEEDS])
{
    for (int i = 0; i < NEEDS; i++)
        if (set[i]) /* child processes must not inherit it */
            unsetenv(needs[i].name);
}

static void each_signal(struct sigaction handlers[NSIG], bool restore)
{
    for (int i = 1; i < NSIG; i++) {
        if (restore && handlers[i].sa_handler != SIG_ERR)
            sigaction(i, &handlers[i], NULL);
        else if (!restore && sigaction(i, NULL, &handlers[i]) != 0)
            handlers[i].sa_handler = SIG_ERR;
    }
}

static const char *begin_anyhow(struct net_chosen *c, enum net_choice which, choice_load *load,
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

/* Once loaded, UCX catches SIGSEGV and similar signals, and prints backtraces. */
static bool user_wants_handlers(enum net_choice which)
{
    return which == NET_UCX && (environment("UCX_HANDLE_ERRORS") || environment("UCX_ERROR_SIGNALS"));
}

/* NULL, or the reason of a failure.  Restores the signal handlers that the program or Copal had installed. */
static const char *begin(struct net_chosen *c, enum net_choice which, choice_load *load,
                         const struct provider_start *start)
{
    struct sigaction handlers[NSIG];
    bool set[NEEDS];
    each_signal(handlers, false);
    set_needs(which, set);
    const char *why = begin_anyhow(c, which, load, start);
    unset_needs(set);
    if (!user_wants_handlers(which))
        each_signal(handlers, true);
    return why;
}

/* --- the choice --------------------------------------------------------------------------------------------------- */

/* Devices that libfabric supports, and UCX does not. libfabric is tried first only if there is such a device. */
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
