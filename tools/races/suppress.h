/* Known races: a file of patterns, one on each line, "#" begins a comment. A race with a matching place is not
 * reported. A pattern is a function, a file, or a file and a line: main, halo.c, halo.c:12, with * and ?. */
#pragma once

#include <stdbool.h>

bool suppress_has(const char *line); /* "halo.c:12 in main" */
