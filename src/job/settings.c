#include "job/settings.h"

#include "common/choice.h"
#include "common/environment.h"

#include <locale.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

const struct setting_row settings[SETTINGS] = {
#define SETTING(NAME, KIND, ALLOWED, USUAL, HELP, PAGES) {#NAME, SETTING_##KIND, ALLOWED, USUAL, HELP},
#include "job/settings.def"
#undef SETTING
};

static struct {
    const char *from; /* NULL: there is no note */
    char value[320];
} notes[SETTINGS];

/* --- reading ------------------------------------------------------------------------------------------------------ */

const char *setting_found(enum setting s, char name[SETTING_NAME_BYTES])
{
    const char *own = settings[s].name, *value = environment(own);
    snprintf(name, SETTING_NAME_BYTES, "%s", own);
    if (!value && strncmp(own, "SHMEM_", 6) == 0) {
        snprintf(name, SETTING_NAME_BYTES, "SMA_%s", own + 6);
        value = environment(name);
    }
    return value;
}

bool setting_is_pe(void)
{
    const char *pe = setting_text(SETTING_COPAL_PE_PID); /* the bootstrap set it to the PE's process number */
    return !pe || atol(pe) == (long)getpid();
}

bool setting_privileged(void)
{
    return getauxval(AT_SECURE) != 0; /* the kernel sets it; secure_getenv of environment() uses it, too */
}

const char *setting_text(enum setting s)
{
    char name[SETTING_NAME_BYTES];
    return setting_found(s, name);
}

bool setting_on(enum setting s)
{
    const char *text = setting_text(s);
    if (settings[s].kind == SETTING_FLAG)
        return flag_is_on(text);
    return strcmp(text ? text : settings[s].usual, "0") != 0;
}

bool setting_is_size(const char *text, size_t *bytes)
{
    char *end;
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0); /* the program's locale may use a decimal comma */
    const double number = strtod_l(text, &end, plain);
    freelocale(plain);
    const bool decimal = text[strspn(text, " \t+0123456789.eE-")] == *end; /* not hexadecimal, inf or nan */
    const char *suffixes = "kmgt", *suffix = *end ? strchr(suffixes, *end | 0x20) : NULL;
    const double product = suffix ? number * (double)((uint64_t)1 << 10 * (suffix - suffixes + 1)) : number;
    if (end == text || !decimal || (*end && !suffix) || !(number >= 0))
        return false;
    if (product >= 0x1p62) { /* more than any memory; the caller prints what is allowed */
        *bytes = (size_t)1 << 62;
        return true;
    }
    const size_t whole = (size_t)product;
    *bytes = (double)whole < product ? whole + 1 : whole;
    return true;
}

/* --- values for SHMEM_INFO ---------------------------------------------------------------------------------------- */

void setting_note(enum setting s, const char *from, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(notes[s].value, sizeof notes[s].value, fmt, ap);
    va_end(ap);
    notes[s].from = from;
}

void setting_note_size(enum setting s, const char *from, size_t bytes)
{
    static const char *const units[] = {"", "k", "m", "g", "t"};
    int unit = 0;
    for (; unit < 4 && bytes && bytes % 1024 == 0; unit++)
        bytes /= 1024;
    setting_note(s, from, "%zu%s", bytes, units[unit]);
}

const char *setting_value(enum setting s, const char **from)
{
    const char *text = setting_text(s);
    *from = notes[s].from ? notes[s].from : text ? "environment" : "default";
    return notes[s].from ? notes[s].value : text ? text : settings[s].usual;
}

unsigned setting_distance(const char *a, const char *b)
{
    enum { LONGEST = 64 };
    const size_t width = strlen(b);
    unsigned row[LONGEST + 1]; /* row[j]: distance of the part of a read so far to the first j letters of b */
    if (width > LONGEST) /* MUTANT long names are not compared */
        return LONGEST;
    for (unsigned j = 0; j <= width; j++)
        row[j] = j;
    for (; *a; a++) {
        unsigned before = row[0]++;
        for (size_t j = 1; j <= width; j++) {
            const unsigned other = before + (*a != b[j - 1]), least = row[j] < row[j - 1] ? row[j] : row[j - 1];
            before = row[j];
            row[j] = other < least + 1 ? other : least + 1;
        }
    }
    return row[width];
}
