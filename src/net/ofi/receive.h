/* Messages that come, handed on in the order in which they were sent. */
#ifndef COPAL_OFI_RECEIVE_H
#define COPAL_OFI_RECEIVE_H

#include "net/ofi/ofi.h"

void receive_start(struct provider_port *port);
void receive_came(struct provider_port *port, struct slot *slot, size_t bytes);
void receive_failed(struct provider_port *port, struct slot *slot); /* nothing has come to it */
void receive_again(struct provider_port *port);                     /* posts what could not be posted */

#endif
