/* The watched end of a connection between nodes: a listening socket. */
#pragma once

#include "boot/boot.h"
#include "boot/pmix/events.h"

#include <netinet/in.h>

/* The words on the connection: secrets of the job, different for each PE. */
enum door_word { DOOR_KNOCK, DOOR_HELLO, DOOR_BYE, DOOR_WORDS };
enum { DOOR_ADDRESSES = 8 };
struct door_notice {
    struct secret word[DOOR_WORDS];
    uint16_t port; /* in network order */
    uint16_t n_addresses;
    struct in6_addr address[DOOR_ADDRESSES]; /* IPv4 as ::ffff:a.b.c.d */
};
void door_say(int fd, enum door_word word, const struct door_notice *notice);

/* Addresses of this host: those that other hosts may reach, or the loopback ones. */
int door_own_addresses(struct in6_addr *address, int most, bool loopback);

void door_publish(void); /* opens the socket, and adds its addresses to the values to be committed */
void door_close(void);   /* notifies the watching PEs of an orderly end; may be repeated */
void door_watch(void);   /* the watching thread accepts connections from here on */
void door_event(enum source source, unsigned number);
