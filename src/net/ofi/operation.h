/* Operations: libfabric has them, or they wait for their turn, or they are to be told by the next progress. */
#ifndef COPAL_OFI_OPERATION_H
#define COPAL_OFI_OPERATION_H

#include "net/ofi/ofi.h"

void operations_begin(struct operations *list); /* an empty one */
struct operation *operation_take(struct provider_endpoint *endpoint, enum operation_kind kind, provider_done *done,
                                 void *arg);
void operation_tell_later(struct provider_port *port, provider_done *done, void *arg, bool failed);

/* Begins it as soon as those before it have been begun. */
void operation_begin(struct operation *o);
/* The same for all that wait. True if there were any. */
bool operation_begin_stuck(struct provider_port *port);
/* libfabric has done what it had of the operation, or says why it has not. */
void operation_came(struct provider_port *port, struct operation *o, int error);

/* A flush is to be told when all puts before it are. */
void operation_await_puts(struct operation *flush);

/* All operations of the endpoint have failed, and it is broken, if it was not: the next progress tells. */
void operation_break(struct provider_endpoint *endpoint, const char *why);
/* Tells what was to be told. True if there was anything. */
bool operation_tell(struct provider_port *port);
void operation_free_all(struct provider_port *port);

#endif
