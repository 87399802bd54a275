/* Files beside the library: modules, which a job of one node under oshrun never loads, and copal-backtrace. */
#pragma once

#include <limits.h>
#include <stdbool.h>

/* The path of <libdir>/copal/NAME; libdir is this library's folder. */
bool module_path(const char *name, char path[PATH_MAX]);

/* Loads <libdir>/copal/libcopal-NAME.so and finds symbol in it; or NULL and *why. */
void *module_load(const char *name, const char *symbol, const char **why);
