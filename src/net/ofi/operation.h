#pragma once

#include "net/ofi/ofi.h"

void operations_begin(struct operations *list);
struct operation *operation_take(struct provider_endpoint *endpoint, enum operation_kind kind, provider_done *done,
                                 void *arg);
void operation_tell_later(struct provider_port *port, provider_done *done, void *arg, bool failed);

/* Posts the operation when all operations queued before it have been posted. */
void operation_begin(struct operation *o);
/* The same for all queued operations.  True if there were any. */
bool operation_begin_stuck(struct provider_port *port);
/* libfabric has completed the posted part of the operation, or reports an error. */
void operation_came(struct provider_port *port, struct operation *o, int error);

/* The flush completes when all puts before it have completed. */
void operation_await_puts(struct operation *flush);

/* Marks the endpoint broken and fails all its operations; the next progress reports that. */
void operation_break(struct provider_endpoint *endpoint, const char *why);
/* Reports complete operations and broken endpoints.  True if there were any. */
bool operation_tell(struct provider_port *port);
void operation_free_all(struct provider_port *port);
