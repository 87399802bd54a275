/* Parses the allowed words of a setting, as its table writes them: "auto, thread or none". A header only, because
 * src/caf, which is in other libraries, uses it, too. */
#pragma once

#include <stdbool.h>
#include <string.h>
#include <strings.h>

/* The index of `wanted` among the words, from 0; -1: none. */
static inline int choice_of(const char *wanted, const char *allowed)
{
    int word = 0;
    for (const char *at = allowed; *at; word++) {
        const size_t length = strcspn(at, ", ");
        if (strlen(wanted) == length && strncmp(at, wanted, length) == 0)
            return word;
        at += length + strspn(at + length, ", ");
        at += strncmp(at, "or ", 3) == 0 ? 3 : 0;
    }
    return -1;
}

/* A flag is on if it is set to anything but 0, no, off and false. The specification takes any value for on, but users
 * write =0 to switch something off. */
static inline bool flag_is_on(const char *text)
{
    return text && *text && strcmp(text, "0") != 0 && strcasecmp(text, "no") != 0 && strcasecmp(text, "off") != 0 &&
           strcasecmp(text, "false") != 0;
}
