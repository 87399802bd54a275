/* Only this header reads the environment, except in SHCOLL, which must also work with other OpenSHMEMs. */
#pragma once

#include <stdlib.h>

/* NULL if it is not set or empty, or in a privileged program (set-user-ID, set-group-ID or capabilities). */
static inline const char *environment(const char *name)
{
    const char *value = secure_getenv(name);
    return value && *value ? value : NULL;
}

/* The value, even if it is empty or the program is privileged. */
static inline const char *environment_as_it_is(const char *name)
{
    return getenv(name);
}
