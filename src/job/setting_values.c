/* Typed settings: a value that is not allowed ends the job. */
#include "common/choice.h"
#include "common/environment.h"
#include "job/self.h"
#include "job/settings.h"

#include <string.h>

void setting_refuse(enum setting s, const char *allowed)
{
    char name[SETTING_NAME_BYTES];
    const char *value = setting_found(s, name);
    job_fatal("shmem_init", "environment variable %s is \"%s\", allowed%s%s", name, value, allowed ? "" : " is ",
              allowed ? allowed : settings[s].allowed);
}

size_t setting_size(enum setting s, size_t usual)
{
    const char *text = setting_text(s);
    size_t bytes = usual;
    if (text && !setting_is_size(text, &bytes))
        setting_refuse(s, NULL);
    return bytes;
}

/* Names the first of Copal's variables that is set, or PMIX_RANK or PMI_FD, which launchers set. */
static void say_what_is_ignored(void)
{
    for (enum setting s = 0; s < SETTINGS; s++) {
        const bool is_launchers = s == SETTING_PMIX_RANK || s == SETTING_PMI_FD;
        const char *text = environment_as_it_is(settings[s].name);
        if (text && *text && (settings[s].kind != SETTING_FOREIGN || is_launchers)) {
            job_say("shmem_init", "environment variable %s is set but ignored, as are all others, because this program "
                    "has privileges that its caller lacks (set-user-ID, set-group-ID or capabilities): it is a job of "
                    "one PE; to make it a PE of a job, remove the privileges from its file", settings[s].name);
            return;
        }
    }
}

void settings_check(void)
{
    if (setting_privileged())
        say_what_is_ignored();
    for (enum setting s = 0; s < SETTINGS; s++) {
        const char *text = settings[s].kind == SETTING_SWITCH ? setting_text(s) : NULL;
        if (text && strcmp(text, "0") != 0 && strcmp(text, "1") != 0)
            setting_refuse(s, NULL);
    }
}

int setting_choice(enum setting s)
{
    const char *text = setting_text(s);
    const int word = choice_of(text ? text : settings[s].usual, settings[s].allowed);
    if (word < 0)
        setting_refuse(s, NULL);
    return word;
}
