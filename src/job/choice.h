/* The words of a setting's choice, as the column of what is allowed has them: "auto, thread or none".  It stands alone,
 * for src/caf too, which no other file of this folder is linked to. */
#ifndef COPAL_CHOICE_H
#define COPAL_CHOICE_H

#include <string.h>

/* Which of the words that is, from 0; -1: none. */
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

#endif
