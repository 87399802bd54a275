/* What a PE publishes, for others to reach it: its port's address, the keys to its memory, and which program it runs.
 *
 * A card has some 200 bytes, published at start; one fence later any PE's can be looked up, and a peer is connected
 * when it is first talked to. For each PE of the job there is a pointer of 8 bytes, in pages that cost nothing until
 * they are used. */
#ifndef COPAL_NET_CARD_H
#define COPAL_NET_CARD_H

#include "net/port.h"

/* Opens this PE's symmetric memory to others, and publishes the card. Ends the job with a sentence if it cannot. */
void card_publish(const struct port *port);
void card_withdraw(void); /* closes the memory */

/* A card that has been looked up: it points into what it was read from. */
struct card {
    const unsigned char *address, *heap_key, *data_key; /* keys: NULL if there is no such memory */
    size_t address_bytes;
    uint64_t heap, data; /* where they are */
    bool same_program;   /* as this PE's */
};
bool card_read(struct card *card, const unsigned char *data, size_t bytes); /* false: it is damaged */

#endif
