/* Values that PEs publish by the launcher. */
#ifndef COPAL_PMIX_VALUES_H
#define COPAL_PMIX_VALUES_H

#include "boot/pmix/pmix.h"

pmix_status_t pmix_put_value(pmix_scope_t scope, const char *name, const void *bytes, size_t n);

/* The value that a PE put before the fence; its size, or 0 and *why.  await: that a PE of this host puts, perhaps has
 * yet to put. */
size_t pmix_get_value(int pe, const char *name, void *bytes, size_t room, const char **why);
size_t pmix_await_value(int pe, const char *name, void *bytes, size_t room, const char **why);

/* Copies of what all have put, for when the launcher has been left. */
void pmix_keep_values(void);
void pmix_drop_values(void);

#endif
