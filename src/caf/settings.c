#include "core.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
    const char *name, *allowed, *usual, *help;
} settings[CAF_SETTINGS] = {
#define SETTING(NAME, KIND, ALLOWED, USUAL, HELP, PAGES) {#NAME, ALLOWED, USUAL, HELP},
#include "settings.def"
#undef SETTING
};

/* NULL if it is not set; an empty value is none. */
static const char *text_of(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

int caf_setting(enum caf_setting s)
{
    const char *text = text_of(settings[s].name), *wanted = text ? text : settings[s].usual;
    int word = 0;
    for (const char *at = settings[s].allowed; *at; word++) {
        const size_t length = strcspn(at, ", ");
        if (strlen(wanted) == length && strncmp(at, wanted, length) == 0)
            return word;
        at += length + strspn(at + length, ", ");
        at += strncmp(at, "or ", 3) == 0 ? 3 : 0;
    }
    caf_fatal("environment variable %s is \"%s\", allowed is %s", settings[s].name, text, settings[s].allowed);
}

bool caf_info_wanted(void)
{
    return shmem_my_pe() == 0 && (text_of("SHMEM_INFO") || text_of("SMA_INFO"));
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
        const char *text = text_of(settings[s].name);
        printf("  %s = %s (%s)\n    %s Allowed: %s.\n", settings[s].name, text ? text : settings[s].usual,
               text ? "environment" : "default", settings[s].help, settings[s].allowed);
    }
    for (char **variable = environ; *variable; variable++) {
        const size_t length = strcspn(*variable, "=");
        if (strncmp(*variable, "CAF_", 4) == 0 && !is_known(*variable, length))
            printf("  %.*s is set, and programs do not read it\n", (int)length, *variable);
    }
}
