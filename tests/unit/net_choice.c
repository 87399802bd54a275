/* sources: src/net/choice.c */
/* flags: -Wl,--wrap=glob */
/* Which provider is chosen if modules are missing, find no network, or are of another version, or if only libfabric
 * drives a device; and that loading its libraries keeps signals and the environment. */
#include "../check.h"
#include "net/choice.h"

#include <glob.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* As in a program that is compiled with a sanitizer. */
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
void __tsan_init(void);
void __tsan_init(void)
{
}
#endif

static const char *device; /* the path that exists */

int __wrap_glob(const char *pattern, int flags, int (*error)(const char *, int), glob_t *found)
{
    (void)flags, (void)error;
    *found = (glob_t){0};
    return device && strstr(pattern, device) ? 0 : GLOB_NOMATCH;
}

static const char *ucx_why, *ofi_why, *ofi_device_why;
static int begun;

static const char *begin_ucx(const struct provider_start *start)
{
    begun++;
    CHECK(!start->devices_only && start->no_shared_memory, "UCX is started with other parameters than requested");
    return ucx_why;
}

static const char *begin_ofi(const struct provider_start *start)
{
    begun++;
    return start->devices_only ? ofi_device_why : ofi_why;
}

static struct provider ucx = {.version = PROVIDER_VERSION, .name = "U", .begin = begin_ucx};
static struct provider ofi = {.version = PROVIDER_VERSION, .name = "O", .begin = begin_ofi};
static bool has_ucx, has_ofi;

/* What the libraries see and do while they are loaded. */
static char hooks[16], backtrace[2][16];

static void on_signal(int number)
{
    (void)number;
}

static void note(char to[16], const char *variable)
{
    const char *value = getenv(variable);
    strcpy(to, value ? value : "unset");
}

static void be_loaded(void)
{
    note(hooks, "UCX_MEM_MMAP_HOOK_MODE");
    note(backtrace[0], "IPATH_NO_BACKTRACE");
    note(backtrace[1], "HFI_NO_BACKTRACE");
    signal(SIGSEGV, on_signal);
    signal(SIGTERM, on_signal);
}

static void *load(const char *module, const char *symbol, const char **why)
{
    be_loaded();
    CHECK(strcmp(symbol, PROVIDER_SYMBOL) == 0, "the symbol %s was requested", symbol);
    if (strcmp(module, "ucx") == 0 && has_ucx)
        return &ucx;
    if (strcmp(module, "ofi") == 0 && has_ofi)
        return &ofi;
    *why = strcmp(module, "ucx") == 0 ? "no file ucx" : "no file ofi";
    return NULL;
}

static void all_is_well(void)
{
    has_ucx = has_ofi = true;
    ucx_why = ofi_why = ofi_device_why = device = NULL;
    ucx.version = PROVIDER_VERSION;
    begun = 0;
}

static void expect(enum net_choice which, const struct provider *provider, int begins, const char *why)
{
    const struct net_chosen c = net_choose(which, load, (struct provider_start){.no_shared_memory = true});
    CHECK(c.provider == provider, "chosen was %s, for: %s", c.provider ? c.provider->name : "none", c.why);
    CHECK(strstr(c.why, why), "the reason is \"%s\", not \"%s\"", c.why, why);
    CHECK(begun == begins, "%d providers were begun, not %d", begun, begins);
    CHECK(!provider || c.which == (provider == &ucx ? NET_UCX : NET_OFI), "the choice is %d", c.which);
    CHECK(c.by_itself == (which == NET_AUTO), "by_itself is %d", c.by_itself);
    all_is_well();
}

static void expect_handlers(enum net_choice which, const struct provider *provider, bool are_the_programs)
{
    signal(SIGSEGV, SIG_DFL);
    signal(SIGTERM, SIG_IGN);
    expect(which, provider, 1, "SHMEM_NET");
    struct sigaction segv, term;
    sigaction(SIGSEGV, NULL, &segv);
    sigaction(SIGTERM, NULL, &term);
    CHECK((segv.sa_handler == SIG_DFL && term.sa_handler == SIG_IGN) == are_the_programs,
          "signals are %sthe program's with %s", are_the_programs ? "not " : "", provider->name);
    signal(SIGTERM, SIG_DFL);
}

static void check_handlers(void)
{
    expect_handlers(NET_UCX, &ucx, true);
    setenv("UCX_HANDLE_ERRORS", "bt", 1);
    expect_handlers(NET_UCX, &ucx, false);
    expect_handlers(NET_OFI, &ofi, true);
    unsetenv("UCX_HANDLE_ERRORS");
}

static void check_environment(void)
{
    CHECK(strcmp(backtrace[0], "1") == 0 && strcmp(backtrace[1], "1") == 0,
          "the libraries were loaded without IPATH_NO_BACKTRACE or HFI_NO_BACKTRACE");
    CHECK(!getenv("IPATH_NO_BACKTRACE") && !getenv("HFI_NO_BACKTRACE"),
          "programs that this one starts get IPATH_NO_BACKTRACE or HFI_NO_BACKTRACE");
    expect(NET_UCX, &ucx, 1, "SHMEM_NET");
    CHECK(strcmp(hooks, "none") == 0, "UCX's hooks are \"%s\" in a sanitized program", hooks);
    CHECK(!getenv("UCX_MEM_MMAP_HOOK_MODE"), "programs that this one starts get UCX's setting");
    setenv("UCX_MEM_MMAP_HOOK_MODE", "reloc", 1);
    expect(NET_UCX, &ucx, 1, "SHMEM_NET");
    CHECK(strcmp(hooks, "reloc") == 0 && getenv("UCX_MEM_MMAP_HOOK_MODE"), "the user's setting is lost: \"%s\"", hooks);
    unsetenv("UCX_MEM_MMAP_HOOK_MODE");
}

int main(void)
{
    all_is_well();
    check_handlers();
    check_environment();
    expect(NET_AUTO, &ucx, 1, "finds a network");
    expect(NET_UCX, &ucx, 1, "SHMEM_NET");
    expect(NET_OFI, &ofi, 1, "SHMEM_NET");
    static const char *const devices[] = {"cxi", "hfi1", "efa"};
    for (int i = 0; i < 3; i++) {
        device = devices[i];
        expect(NET_AUTO, &ofi, 1, "which UCX does not drive");
        device = devices[i];
        ofi_device_why = "no provider for it";
        expect(NET_AUTO, &ucx, 2, i == 0 ? "finds a network; there is Slingshot too, which is not used: no provider"
                                         : "not used: no provider for it");
        device = devices[i];
        expect(NET_UCX, &ucx, 1, "SHMEM_NET");
    }
    has_ucx = false;
    expect(NET_AUTO, &ofi, 1, "no UCX: no file ucx");
    ucx_why = "no network";
    expect(NET_AUTO, &ofi, 2, "no UCX: no network");
    ucx.version++;
    expect(NET_AUTO, &ofi, 1, "another version");
    has_ucx = has_ofi = false;
    expect(NET_AUTO, NULL, 0, "no UCX: no file ucx; no libfabric: no file ofi");
    ucx_why = "no network";
    expect(NET_UCX, NULL, 1, "no network");
    has_ofi = false;
    expect(NET_OFI, NULL, 0, "no file ofi");
    return check_result();
}
