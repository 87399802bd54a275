/* Inboxes: bounded queues in shared memory, with many senders and one receiver.
 *
 * A sender may be killed at any moment, so there is no lock.  A sender claims a slot by writing the sender's number
 * there; if the receiver finds a slot that is claimed but not filled, it checks whether the claimant is alive.  Each
 * slot's word has the round of the ring, so a late sender cannot claim a slot for a past round. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { INBOX_SLOTS = 32, INBOX_BELL_BYTES = 32 };

struct inbox {
    _Alignas(128) _Atomic uint32_t life; /* of the port: odd while it is open */
    _Atomic int32_t pid;
    uint32_t bell_bytes;
    char bell[INBOX_BELL_BYTES];         /* the address of the receiver's socket */
    _Alignas(128) _Atomic uint32_t armed; /* counts the receiver's requests to be woken; 0: no request now */
    _Alignas(128) _Atomic uint64_t tail;  /* claimed slots, or fewer: a sender that finds a claimed slot advances it */
    _Alignas(128) _Atomic uint64_t head;
};

struct inbox_message {
    int32_t from; /* a port's number */
    uint32_t from_life, to_life;
    uint32_t bytes;
    uint16_t with_reply;
    uint16_t goodbye; /* not a message: the connection has broken */
    uint64_t arrives, number; /* timed: time of arrival, and the number that the sender has given it */
    const void *data;         /* unused within a slot, where the data follows the struct */
};

size_t inbox_bytes(size_t message_most);
size_t inbox_slot_bytes(size_t message_most);

/* False: the inbox is full.  capacity: at most INBOX_SLOTS. */
bool inbox_put(struct inbox *in, size_t message_most, unsigned capacity, const struct inbox_message *m);

/* The first message, which stays until inbox_drop.  INBOX_BUSY: the sender, *claimant, has not filled it yet. */
enum inbox_state { INBOX_EMPTY, INBOX_BUSY, INBOX_FULL };
enum inbox_state inbox_first(struct inbox *in, size_t message_most, struct inbox_message *m, int *claimant);
void inbox_drop(struct inbox *in, size_t message_most);
