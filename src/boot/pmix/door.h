/* The end of a lifeline that is watched. */
#ifndef COPAL_PMIX_DOOR_H
#define COPAL_PMIX_DOOR_H

#include "boot/boot.h"
#include "boot/pmix/events.h"

#include <netinet/in.h>

/* What is said on a lifeline: secrets of the job, other ones for each PE. */
enum door_word { DOOR_KNOCK, DOOR_HELLO, DOOR_BYE, DOOR_WORDS };
enum { DOOR_ADDRESSES = 8 };
struct door_notice {
    struct secret word[DOOR_WORDS];
    uint16_t port; /* in network order */
    uint16_t n_addresses;
    struct in6_addr address[DOOR_ADDRESSES]; /* IPv4 as ::ffff:a.b.c.d */
};
void door_say(int fd, enum door_word word, const struct door_notice *notice);

/* Addresses of this host by which others may reach it, or those that lead to itself only. */
int door_own_addresses(struct in6_addr *address, int most, bool loopback);

void door_publish(void); /* opens it, and puts its addresses among the values to be committed */
void door_close(void);   /* tells those who watch this PE that it ends in order; may be repeated */
void door_watch(void);   /* the thread attends to it */
void door_event(enum source source, unsigned number);

#endif
