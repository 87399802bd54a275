/* Peers that are gone, with the port's lock but where it says otherwise; more for the rest of the library is in
 * net.h. */
#ifndef COPAL_NET_FAILURE_H
#define COPAL_NET_FAILURE_H

#include "net/peer.h"

void failure_begin(void);
void failure_end(void);

void failure_broken(void *port, struct provider_endpoint *endpoint, const char *why); /* the provider's upcall */
void failure_look(struct port *port); /* there have been alerts, or peers are doomed */

extern _Atomic bool net_failure_known; /* the job is to end for it, if nobody ends it before failure_due does */
void failure_due(void);

extern _Atomic bool net_failure_news;
void failure_tell(void); /* other nodes of peers that have turned out to be dead; without a lock */

#endif
