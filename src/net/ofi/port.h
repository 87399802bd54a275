#pragma once

#include "net/ofi/ofi.h"

struct provider_port *port_first(void); /* the first open port, or NULL */

/* message_most: see struct provider. */
struct provider_port *ofi_open(const struct provider_upcalls *upcalls, void *user, size_t *message_most,
                               const char **why);
void ofi_close(struct provider_port *port);
size_t ofi_address(struct provider_port *port, void *to, size_t room);
bool ofi_progress(struct provider_port *port);
int ofi_event_fd(struct provider_port *port);
bool ofi_arm(struct provider_port *port);
