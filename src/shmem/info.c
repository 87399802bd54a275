/* Environment variables (8): the output of SHMEM_VERSION and SHMEM_INFO, and warnings about misspelt names. */
#include "shmem/api.h"
#include "job/settings.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool for_users(enum setting s)
{
    return settings[s].kind != SETTING_INTERNAL && settings[s].kind != SETTING_FOREIGN;
}

static void print_setting(const char *name, const char *value, const char *from, const char *allowed, const char *help)
{
    printf("  %s = %s (%s)\n    %s Allowed: %s.\n", name, value, from, help, allowed);
}

static void print_settings(void)
{
    printf("Settings of %s: environment variables, their values, and their origins\n", SHMEM_VENDOR_STRING);
    for (enum setting s = 0; s < SETTINGS; s++) {
        const char *from, *value = setting_value(s, &from);
        if (for_users(s))
            print_setting(settings[s].name, value, from, settings[s].allowed, settings[s].help);
    }
    struct shcoll_setting of;
    for (int i = 0; shcoll_setting(i, &of); i++)
        print_setting(of.name, of.value ? of.value : of.usual, of.value ? "environment" : "default", of.allowed,
                      of.help);
    printf("  The prefix SMA_ instead of SHMEM_ is deprecated, and has the same meaning\n\n");
}

/* --- names that are not known ------------------------------------------------------------------------------------- */

/* The known name that is most similar to a variable's name, so far. */
struct likeness {
    const char *best;
    unsigned distance;
};

static void compare(struct likeness *l, const char *name, const char *known)
{
    const unsigned distance = setting_distance(name, known);
    if (distance < l->distance)
        *l = (struct likeness){known, distance};
}

/* The known name that the user may have meant, or NULL: about two thirds of the letters after the prefix must be right.
 * Without SHMEM_INFO or SHMEM_DEBUG (is_asked) one letter may be wrong, because other software also has variables that
 * begin with SHMEM_. */
static const char *meant(const char *name, bool is_asked)
{
    const char *const prefix_end = strchr(name, '_');
    const unsigned letters = (unsigned)strlen(prefix_end ? prefix_end + 1 : name);
    struct likeness l = {.distance = is_asked ? (letters + 1) / 3 + 1 : 2};
    for (enum setting s = 0; s < SETTINGS; s++)
        if (for_users(s))
            compare(&l, name, settings[s].name);
    struct shcoll_setting of;
    for (int i = 0; shcoll_setting(i, &of); i++)
        compare(&l, name, of.name);
    return l.distance ? l.best : NULL;
}

/* Warns about variables that begin with one of the library's prefixes but are not known. */
static void tell_misspelt(bool is_asked)
{
    static const char *const prefixes[] = {"SHMEM_", "SMA_", "SHCOLL_", "COPAL_"};
    for (char **variable = environ; *variable; variable++)
        for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
            if (strncmp(*variable, prefixes[i], strlen(prefixes[i])) != 0)
                continue;
            char name[SETTING_NAME_BYTES];
            const char *rest = *variable + (i == 1 ? strlen("SMA_") : 0);
            snprintf(name, sizeof name, "%s%.*s", i == 1 ? "SHMEM_" : "", (int)strcspn(rest, "="), rest);
            const char *known = meant(name, is_asked);
            if (known)
                job_say("shmem_init", "environment variable %.*s is not known, and not read; is %s meant?",
                        (int)strcspn(*variable, "="), *variable, known);
        }
}

void info_tell(void)
{
    if (setting_on(SETTING_SHMEM_VERSION))
        printf("%s, OpenSHMEM %d.%d\n", SHMEM_VENDOR_STRING, SHMEM_MAJOR_VERSION, SHMEM_MINOR_VERSION);
    if (setting_on(SETTING_SHMEM_INFO))
        print_settings();
    tell_misspelt(setting_on(SETTING_SHMEM_INFO) || setting_on(SETTING_SHMEM_DEBUG));
}
