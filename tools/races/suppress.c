#include "races/report.h"

#include "job/settings.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

enum { PATTERN_BYTES = 256 };

/* Compares the pattern with the path and with its last part, both with and without the line number. */
static bool matches(const char *pattern, const char *line)
{
    char place[PATTERN_BYTES];
    const char *in = strstr(line, " in ");
    const char *slash;
    snprintf(place, sizeof place, "%.*s", (int)(in ? (size_t)(in - line) : strlen(line)), line);
    if (in && fnmatch(pattern, in + 4, 0) == 0)
        return true;
    for (int without = 0; without < 2; without++) {
        slash = strrchr(place, '/');
        if (fnmatch(pattern, place, 0) == 0 || (slash && fnmatch(pattern, slash + 1, 0) == 0))
            return true;
        place[strcspn(place, ":")] = '\0';
    }
    return false;
}

/* Reads the file for each race, because races are few. oshrun has checked that it is readable. */
bool suppress_has(const char *line)
{
    char pattern[PATTERN_BYTES];
    const char *path = setting_text(SETTING_COPAL_RACES_SUPPRESS);
    FILE *in = path && line[0] ? fopen(path, "r") : NULL;
    bool found = false;
    while (in && !found && fgets(pattern, sizeof pattern, in)) {
        pattern[strcspn(pattern, "#\n")] = '\0';
        const size_t from = strspn(pattern, " \t");
        for (size_t n = strlen(pattern); n > from && (pattern[n - 1] == ' ' || pattern[n - 1] == '\t'); n--)
            pattern[n - 1] = '\0';
        found = pattern[from] && matches(pattern + from, line);
    }
    if (in)
        fclose(in);
    return found;
}
