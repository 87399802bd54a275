/* The buffers for messages to send and to receive; each has space for the head. */
#pragma once

#include "net/ofi/ofi.h"

/* The size of the net's messages.  A message with its head has the largest size that ofi_rxm (over TCP) sends eagerly.
 * ofi_rxm would announce a larger message, and the peer would fetch it, which is no faster. */
enum { SLOT_DATA = 16384 - sizeof(struct message_head) };

struct slot *slot_take(struct provider_port *port); /* ends the process if there is no memory */
void slot_give_back(struct provider_port *port, struct slot *slot);
void slot_free_all(struct provider_port *port);
