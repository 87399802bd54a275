/* The buffers that messages leave from and come to, each with its head before it. */
#ifndef COPAL_OFI_SLOT_H
#define COPAL_OFI_SLOT_H

#include "net/ofi/ofi.h"

/* What the net fills a message up to: with its head as much as libfabric's messages over TCP (ofi_rxm) send at once.
 * What is longer they announce, and the peer fetches it: messages of 32 and 64 KiB are no faster than these. */
enum { SLOT_DATA = 16384 - sizeof(struct message_head) };

struct slot *slot_take(struct provider_port *port); /* ends the process if there is no memory */
void slot_give_back(struct provider_port *port, struct slot *slot);
void slot_free_all(struct provider_port *port);

#endif
