/* The buffers that messages leave from and come to: so their memory is registered once, and the head is before them. */
#ifndef COPAL_OFI_SLOT_H
#define COPAL_OFI_SLOT_H

#include "net/ofi/ofi.h"

enum { SLOT_DATA = 8192 }; /* what the net fills a message up to */

struct slot *slot_take(struct provider_port *port); /* ends the process if there is no memory */
void slot_give_back(struct provider_port *port, struct slot *slot);
void slot_free_all(struct provider_port *port);

#endif
