#pragma once

#include "net/ucx/ucx.h"

#include "net/endpoints.h"

struct provider_port *ucx_open(const struct provider_upcalls *upcalls, void *user, const char **why);
void ucx_close(struct provider_port *port);
size_t ucx_address(struct provider_port *port, void *to, size_t room);
struct provider_endpoint *ucx_connect(struct provider_port *port, const void *address, size_t bytes, const char **why);
void ucx_disconnect(struct provider_port *port, struct provider_endpoint *endpoint);
bool ucx_progress(struct provider_port *port);
int ucx_event_fd(struct provider_port *port);
bool ucx_arm(struct provider_port *port);
void ucx_break(struct provider_endpoint *endpoint); /* marks it broken; the next progress reports it */

/* Sets the handler of active messages of this number.  Headers of less than `least` bytes are from strangers. */
bool ucx_receive(struct provider_port *port, unsigned id, size_t least, ucx_handler *handler);
void ucx_introduce(struct provider_endpoint *endpoint); /* sends the peer this port's address, for its replies */
