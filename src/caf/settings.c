#include "settings.h"
#include "../common/choice.h"
#include "../common/environment.h"
#include "../common/number.h"
#include "caf.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct {
    const char *name, *allowed, *usual, *help;
} settings[CAF_SETTINGS] = {
#define SETTING(NAME, KIND, ALLOWED, USUAL, HELP, PAGES) {#NAME, ALLOWED, USUAL, HELP},
#include "settings.def"
#undef SETTING
};

static _Noreturn void refuse(enum caf_setting s, const char *text)
{
    caf_fatal("environment variable %s is \"%s\", allowed is %s", settings[s].name, text, settings[s].allowed);
}

int caf_setting_number(enum caf_setting s, int most)
{
    const char *text = environment(settings[s].name);
    if (!text)
        return 0;
    int n;
    if (!number_of(text, 1, most, &n))
        refuse(s, text);
    return n;
}

int caf_setting(enum caf_setting s)
{
    const char *text = environment(settings[s].name);
    const int word = choice_of(text ? text : settings[s].usual, settings[s].allowed);
    if (word >= 0)
        return word;
    refuse(s, text);
}

bool caf_has_launcher(void)
{
    return environment("COPAL_JOB") || environment("PMIX_RANK") || environment("PMI_FD");
}

bool caf_adapter_atomics(void)
{
    const char *text = environment("SHMEM_NET_ATOMICS");
    return text && strcmp(text, "adapter") == 0;
}

/* name takes precedence over old_name. */
static bool shmem_flag_is_on(const char *name, const char *old_name)
{
    const char *text = environment(name);
    return flag_is_on(text ? text : environment(old_name));
}

bool caf_debug(void)
{
    return shmem_flag_is_on("SHMEM_DEBUG", "SMA_DEBUG");
}

bool caf_info_wanted(void)
{
    return shmem_my_pe() == 0 && shmem_flag_is_on("SHMEM_INFO", "SMA_INFO");
}

static bool is_known(const char *name, size_t length)
{
    for (int s = 0; s < CAF_SETTINGS; s++)
        if (strlen(settings[s].name) == length && strncmp(name, settings[s].name, length) == 0)
            return true;
    return false;
}

void caf_print_settings(void)
{
    for (int s = 0; s < CAF_SETTINGS; s++) {
        const char *text = environment(settings[s].name);
        printf("  %s = %s (%s)\n    %s Allowed: %s.\n", settings[s].name, text ? text : settings[s].usual,
               text ? "environment" : "default", settings[s].help, settings[s].allowed);
    }
    for (char **variable = environ; *variable; variable++) {
        const size_t length = strcspn(*variable, "=");
        if (strncmp(*variable, "CAF_", 4) == 0 && !is_known(*variable, length))
            printf("  %.*s is set, and programs do not read it\n", (int)length, *variable);
    }
}
