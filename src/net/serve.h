/* The target's side of records and replies. */
#ifndef COPAL_NET_SERVE_H
#define COPAL_NET_SERVE_H

#include "net/port.h"

/* the provider's upcall */
void serve_message(void *port, const void *data, size_t bytes, struct provider_endpoint *way_back);

#endif
