/* Inboxes: bounded queues in shared memory, with many senders and one receiver.
 *
 * A sender may be killed at any moment, so there is no lock: it claims a slot by writing its number there, and a
 * receiver that finds a slot claimed and not filled looks whether its claimant lives.  Each slot's word says which
 * round of the ring it is in, so that who comes late cannot take it for another's.
 */
#ifndef COPAL_EMU_INBOX_H
#define COPAL_EMU_INBOX_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { INBOX_SLOTS = 32, INBOX_BELL_BYTES = 32 };

struct inbox {
    _Alignas(128) _Atomic uint32_t life; /* of the port: odd while it is open */
    _Atomic int32_t pid;                 /* of its process */
    uint32_t bell_bytes;
    char bell[INBOX_BELL_BYTES];         /* where to ring: the name of a socket */
    _Alignas(128) _Atomic uint32_t armed; /* the receiver is to be rung for: how often it has been; 0: it is not */
    _Alignas(128) _Atomic uint64_t tail;  /* slots claimed, or fewer: whoever meets a claimed one moves it on */
    _Alignas(128) _Atomic uint64_t head;  /* slots emptied */
};

struct inbox_message {
    int32_t from; /* a port's number */
    uint32_t from_life, to_life;
    uint32_t bytes;
    uint16_t with_reply;
    uint16_t goodbye; /* no message: the connection has broken */
    uint64_t arrives, number; /* timed: when, and which of its sender's */
    const void *data;         /* not in the slot: there it follows */
};

size_t inbox_bytes(size_t message_most);
size_t inbox_slot_bytes(size_t message_most);

/* False: it is full; capacity: of INBOX_SLOTS at most. */
bool inbox_put(struct inbox *in, size_t message_most, unsigned capacity, const struct inbox_message *m);

/* The first message, which stays until inbox_drop.  EMPTY; BUSY: its sender, *claimant, is at it. */
enum inbox_state { INBOX_EMPTY, INBOX_BUSY, INBOX_FULL };
enum inbox_state inbox_first(struct inbox *in, size_t message_most, struct inbox_message *m, int *claimant);
void inbox_drop(struct inbox *in, size_t message_most);

#endif
