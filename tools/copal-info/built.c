/* The built-in features, and the modules that only a job that spans nodes loads. */
#include "info.h"

#include "boot/boot.h"
#include "job/settings.h"

#include <dlfcn.h>
#include <limits.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Modules are in the folder copal, in the folder of the library that this program is linked with. */
static const char *library_folder(void)
{
    static char folder[PATH_MAX];
    char file[PATH_MAX];
    Dl_info info;
    if (!folder[0] && dladdr(dlsym(RTLD_DEFAULT, "shmem_info_get_version"), &info) && info.dli_fname) {
        snprintf(file, sizeof file, "%s", info.dli_fname);
        char *slash = strrchr(file, '/');
        if (slash)
            *slash = '\0';
        if (!realpath(slash ? file : ".", folder))
            snprintf(folder, sizeof folder, "%s", file);
    }
    return folder;
}

/* The module's table, and a handle to find the symbols of its libraries; NULL, with the reason in why. */
static void *load(const char *name, const char *symbol, void **handle, char *why, size_t room)
{
    char path[PATH_MAX + 64];
    snprintf(path, sizeof path, "%s/copal/libcopal-%s.so", library_folder(), name);
    *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *table = *handle ? dlsym(*handle, symbol) : NULL;
    if (!table)
        snprintf(why, room, "%s", dlerror());
    return table;
}

static void *load_provider(const char *name, const char *symbol, const char **why)
{
    static char text[400];
    void *handle, *table = load(name, symbol, &handle, text, sizeof text);
    if (!table)
        *why = text;
    return table;
}

/* The choice of a job, except an emulated network, which is not part of this machine. */
static enum net_choice wanted(void)
{
    const char *word = setting_text(SETTING_SHMEM_NET);
    return !word ? NET_AUTO : strcmp(word, "ucx") == 0 ? NET_UCX : strcmp(word, "ofi") == 0 ? NET_OFI : NET_AUTO;
}

const struct net_chosen *network_choose(void)
{
    static struct net_chosen chosen;
    if (!chosen.provider)
        chosen = net_choose(wanted(), load_provider, (struct provider_start){.no_shared_memory = true});
    return &chosen;
}

/* UCX returns its version without being started. */
static void print_ucx(void)
{
    char why[400];
    void *handle;
    if (!load("ucx", PROVIDER_SYMBOL, &handle, why, sizeof why)) {
        out_fact("ucx", "UCX module", "no: %s", why);
        return;
    }
    void (*get_version)(unsigned *, unsigned *, unsigned *);
    *(void **)&get_version = dlsym(handle, "ucp_get_version");
    unsigned major = 0, minor = 0, release = 0;
    if (get_version)
        get_version(&major, &minor, &release);
    out_fact("ucx", "UCX module", "UCX %u.%u.%u", major, minor, release);
}

static void print_ofi(void)
{
    char why[400];
    void *handle;
    if (!load("ofi", PROVIDER_SYMBOL, &handle, why, sizeof why)) {
        out_fact("libfabric", "libfabric module", "no: %s", why);
        return;
    }
    uint32_t (*get_version)(void);
    *(void **)&get_version = dlsym(handle, "fi_version");
    const uint32_t version = get_version ? get_version() : 0;
    out_fact("libfabric", "libfabric module", "libfabric %u.%u", version >> 16, version & 0xffff);
}

/* A handle of a bootstrap module for launchers; NULL after a message with the reason. */
static void *load_boot(const char *name, const char *title)
{
    char why[400];
    void *handle;
    const struct boot *table = load(name, BOOT_SYMBOL, &handle, why, sizeof why);
    if (table && table->version != BOOT_VERSION) {
        snprintf(why, sizeof why, "libcopal-%s.so is of another version of Copal", name);
        table = NULL;
    }
    if (!table)
        out_fact(name, title, "no: %s", why);
    return table ? handle : NULL;
}

/* "OpenPMIx 4.2.2 (PMIx Standard: ...)": up to the first bracket or comma. */
static void print_pmix(void)
{
    void *handle = load_boot("pmix", "PMIx module");
    if (!handle)
        return;
    const char *(*get_version)(void);
    *(void **)&get_version = dlsym(handle, "PMIx_Get_version");
    const char *version = get_version ? get_version() : "loadable";
    size_t length = strcspn(version, "(,");
    while (length > 0 && version[length - 1] == ' ')
        length--;
    out_fact("pmix", "PMIx module", "%.*s", (int)length, version);
}

void built_print(void)
{
    int major, minor;
    shmem_info_get_version(&major, &minor);
    out_section("built", "What was built in");
    out_fact("version", "Copal", "%s", COPAL_VERSION);
    out_fact("openshmem", "OpenSHMEM", "%d.%d", major, minor);
    out_fact("library", "library", "%s/libshmem.so", library_folder());
    out_fact("compiler", "compiler", "%s, %s", COPAL_COMPILER, COPAL_BUILD);
    out_fact("fortran", "Fortran", "%s", COPAL_FORTRAN[0] ? COPAL_FORTRAN : "no: there was no gfortran");
    out_fact("coarrays", "coarrays", "caf, cafrun: for %s", COPAL_CAF);
    print_ucx();
    print_ofi();
    print_pmix();
    if (load_boot("pmi", "PMI module"))
        out_fact("pmi", "PMI module", "PMI 1.1");
    if (load_boot("mpi", "MPI module"))
        out_fact("mpi", "MPI module", "for Open MPI, MPICH and its like");
}
