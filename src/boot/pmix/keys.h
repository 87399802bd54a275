/* Values that PEs publish through the launcher. */
#ifndef COPAL_PMIX_VALUES_H
#define COPAL_PMIX_VALUES_H

#include "boot/pmix/pmix.h"

pmix_status_t pmix_put_value(pmix_scope_t scope, const char *name, const void *bytes, size_t n);

/* The value that a PE put before the fence; its size, or 0 and *why. pmix_await_value waits for a value that a PE of
 * this host puts without a fence. */
size_t pmix_get_value(int pe, const char *name, void *bytes, size_t room, const char **why);
size_t pmix_await_value(int pe, const char *name, void *bytes, size_t room, const char **why);

/* Copies all PEs' values, for use after this process has left the launcher. */
void pmix_keep_values(void);
void pmix_drop_values(void);

#endif
