/* Finds a file in PATH; mode: X_OK for a program, F_OK for any file. */
#pragma once

#include "environment.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static inline bool find_on_path(const char *name, int mode, char file[PATH_MAX])
{
    const char *path = environment("PATH");
    for (const char *p = path ? path : "/usr/bin:/bin"; p; p = strchr(p, ':') ? strchr(p, ':') + 1 : NULL) {
        const int length = (int)strcspn(p, ":");
        snprintf(file, PATH_MAX, "%.*s/%s", length ? length : 1, length ? p : ".", name);
        if (access(file, mode) == 0)
            return true;
    }
    return false;
}
