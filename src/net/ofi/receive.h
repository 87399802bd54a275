#pragma once

#include "net/ofi/ofi.h"

void receive_start(struct provider_port *port);
void receive_came(struct provider_port *port, struct slot *slot, size_t bytes);
void receive_failed(struct provider_port *port, struct slot *slot); /* posts the slot again, as no message is in it */
void receive_again(struct provider_port *port);                     /* retries to post the unposted slots */
