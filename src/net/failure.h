/* Dead peers.  Call with the port's lock, except as stated.  net.h has the functions for the rest of the library. */
#pragma once

#include "net/peer.h"

void failure_begin(void);
void failure_end(void);

void failure_broken(void *port, struct provider_endpoint *endpoint, const char *why);
void failure_look(struct port *port); /* call it if there are new alerts or doomed peers */

extern _Atomic bool net_failure_known; /* failure_due must be called until it ends the job */
void failure_due(void);

extern _Atomic bool net_failure_news;
void failure_tell(void); /* notifies other nodes of peers found dead; without a lock */
