/* Prints facts as text in 80 columns, or as JSON. */
#include "info.h"

#include "common/json.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LABEL = 20, WIDTH = 79 };

static bool json, in_section, after_fact;

void out_begin(bool as_json)
{
    json = as_json;
    if (json)
        printf("{");
}

void out_end(void)
{
    if (json)
        printf("%s\n}\n", in_section ? "\n  }" : "");
}

void out_section(const char *key, const char *title)
{
    if (json)
        printf("%s\n  \"%s\": {", in_section ? "\n  }," : "", key);
    else
        printf("%s%s\n", in_section ? "\n" : "", title);
    in_section = true;
    after_fact = false;
}

static void begin_json_fact(const char *key)
{
    printf("%s\n    \"%s\": ", after_fact ? "," : "", key);
    after_fact = true;
}

static void print_wrapped(const char *label, const char *text)
{
    printf("  %-*s", LABEL - 2, label);
    if (strlen(label) >= LABEL - 2)
        printf("\n%*s", LABEL, "");
    while (*text) {
        size_t length = strcspn(text, "\n");
        if (length > WIDTH - LABEL) {
            size_t cut = WIDTH - LABEL;
            while (cut > 0 && text[cut] != ' ')
                cut--;
            length = cut ? cut : strcspn(text, " \n");
        }
        printf("%.*s\n", (int)length, text);
        text += length;
        if (*text)
            text++;
        if (*text)
            printf("%*s", LABEL, "");
    }
}

void out_fact(const char *key, const char *label, const char *fmt, ...)
{
    char *text;
    va_list args;
    va_start(args, fmt);
    if (vasprintf(&text, fmt, args) < 0)
        abort();
    va_end(args);
    for (size_t n = strlen(text); n > 0 && text[n - 1] == '\n'; n--)
        text[n - 1] = '\0';
    if (json) {
        begin_json_fact(key);
        json_string(stdout, text);
    } else {
        print_wrapped(label, *text ? text : "-");
    }
    free(text);
}

void out_number(const char *key, const char *label, double number, const char *fmt, ...)
{
    char text[400];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    if (json) {
        begin_json_fact(key);
        printf("%.15g", number);
    } else {
        print_wrapped(label, text);
    }
}

void out_flag(const char *key, bool value)
{
    if (!json)
        return;
    begin_json_fact(key);
    printf(value ? "true" : "false");
}

const char *out_bytes(char *text, size_t room, double bytes)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    int unit = 0;
    for (; bytes >= 1024 && unit < 4; unit++)
        bytes /= 1024;
    snprintf(text, room, unit && bytes < 99.95 ? "%.1f %s" : "%.0f %s", bytes, units[unit]);
    return text;
}
