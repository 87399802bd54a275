/* Endpoints, what comes over them, and whether their peers live. */
#ifndef COPAL_EMU_RECEIVE_H
#define COPAL_EMU_RECEIVE_H

#include "item.h"

/* To that life of a PE's port; NULL: no memory. */
struct provider_endpoint *receive_new_endpoint(struct provider_port *port, int pe, uint32_t life);

/* What is under way there fails, and the next progress tells that it is broken. */
void receive_break(struct provider_endpoint *endpoint, const char *why);

/* Tells the peer that it is, unless that is gone or its inbox stays full. */
void receive_say_broken(struct provider_endpoint *endpoint);

bool receive_lives(int port); /* its process does */

/* Looks whether peers live; they are broken if they do not. */
void receive_look(struct provider_port *port);
/* Tells of those that have broken: true if any has. */
bool receive_tell_broken(struct provider_port *port);

/* The inbox's first message, which stays there; false: there is none, or it is not finished. */
bool receive_first(struct provider_port *port, struct inbox_message *m);
/* Hands it to the net, unless it is for an earlier life of this port. */
void receive_tell(struct provider_port *port, const struct inbox_message *m);

#endif
