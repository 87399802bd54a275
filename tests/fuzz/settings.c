/* sources: src/job/settings.c src/job/setting_values.c */
/* flags: -Wl,--wrap=getauxval */
/* parser: src/job/settings.c src/job/setting_values.c */
/* Settings: the first byte selects the setting; from 128 on, the program also has special rights. The rest is the
 * value, which is parsed as the setting's kind requires. */
#include "given.h"

#include "job/self.h"
#include "job/settings.h"

#include <sys/auxv.h>

void job_fatal(const char *routine, const char *format, ...)
{
    (void)routine;
    va_list args;
    va_start(args, format);
    refuse(format, args);
}

void job_say(const char *routine, const char *format, ...)
{
    static char text[1 << 16];
    (void)routine;
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
}

static bool has_rights;
unsigned long __real_getauxval(unsigned long type);
unsigned long __wrap_getauxval(unsigned long type);
unsigned long __wrap_getauxval(unsigned long type)
{
    return type == AT_SECURE ? has_rights : __real_getauxval(type);
}

static void read_it(enum setting s, const char *text)
{
    size_t bytes;
    const char *from;
    char name[SETTING_NAME_BYTES];
    setting_found(s, name);
    if (setting_is_size(text, &bytes))
        setting_note_size(s, "the input", bytes);
    else
        setting_note(s, "the input", "%s", text);
    setting_value(s, &from);
    setting_distance(text, settings[s].name);
    setting_distance(settings[s].name, text);
    settings_check();
    switch (settings[s].kind) {
    case SETTING_FLAG: case SETTING_SWITCH: setting_on(s); break;
    case SETTING_SIZE: setting_size(s, 1); break;
    case SETTING_CHOICE: setting_choice(s); break;
    default: break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    if (bytes == 0)
        return 0;
    const enum setting s = data[0] % 128 % SETTINGS;
    has_rights = data[0] >= 128;
    char *const text = as_text(data + 1, bytes - 1);
    setenv(settings[s].name, text, 1);
    if (setjmp(refused) == 0)
        read_it(s, text);
    unsetenv(settings[s].name);
    free(text);
    return 0;
}
