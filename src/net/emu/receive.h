#pragma once

#include "item.h"

/* A new endpoint to that life of a PE's port; NULL: no memory. */
struct provider_endpoint *receive_new_endpoint(struct provider_port *port, int pe, uint32_t life);

/* Fails the endpoint's operations; the next progress reports that it is broken. */
void receive_break(struct provider_endpoint *endpoint, const char *why);

/* Notifies the peer that the endpoint is broken, unless the peer is gone or its inbox stays full. */
void receive_say_broken(struct provider_endpoint *endpoint);

bool receive_lives(int port); /* whether the port's process is alive */

/* Breaks the endpoints whose peers are gone. */
void receive_look(struct provider_port *port);
/* Reports newly broken endpoints.  True: there were any. */
bool receive_tell_broken(struct provider_port *port);

/* Gets the inbox's first message, which stays there.  False: there is none, or it is incomplete. */
bool receive_first(struct provider_port *port, struct inbox_message *m);
/* Delivers the message to the net, unless it is for an earlier life of this port. */
void receive_tell(struct provider_port *port, const struct inbox_message *m);
