/* The contact information that a PE publishes: its port's address, the keys to its memory, and its program's identity.
 *
 * It has some 200 bytes and is published at start; after the next fence any PE can look it up.  A PE connects to a peer
 * on first use.  The table of peers has 8 bytes for each PE of the job, in pages that take no memory until used. */
#pragma once

#include "net/port.h"

/* Registers this PE's symmetric memory, and publishes its contact information, or ends the job with an error. */
void card_publish(const struct port *port);
void card_withdraw(void);

/* The contact information of another PE: points into the data passed to card_read. */
struct card {
    const unsigned char *address, *heap_key, *data_key; /* keys: NULL without that memory */
    size_t address_bytes;
    uint64_t heap, data;
    bool same_program;   /* the PE runs this PE's executable */
};
bool card_read(struct card *card, const unsigned char *data, size_t bytes); /* false: it is damaged */
