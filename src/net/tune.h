/* Limits that were measured, and counts of what they lead to. */
#ifndef COPAL_NET_TUNE_H
#define COPAL_NET_TUNE_H

#include "job/self.h"
#include "net/provider.h"
#include "net/record.h"

/* SHMEM_NET_TUNE="put=2048,get=4096" sets them otherwise, for measuring again. */
struct net_tune {
    size_t message;  /* bytes of a message at most */
    size_t put;      /* bytes of a put that is records; more are the provider's */
    size_t nbi;      /* the same for a nonblocking one */
    size_t get;      /* and for a get */
    size_t stream;   /* bytes of a put-with-signal that are records, however many */
    size_t later;    /* bytes of a nonblocking put that the thread begins, and under way for it to be woken */
    size_t block;    /* bytes of a strided transfer's block that are a put or get of their own */
    size_t sends;    /* messages that may be under way before more wait here */
    size_t asked;    /* answers that one context may wait for before it waits */
    size_t pieces;   /* of one transfer, asked for at a time */
    size_t reach;    /* bytes of the heap that are open to others from the start (region.h); a power of two */
};
extern struct net_tune net_tune;

/* What this PE has done so far by a port, with whose lock it is counted: SHMEM_NET_STATS prints it at the end. */
struct net_stats {
    uint64_t messages, message_bytes, records, replies; /* sent */
    uint64_t served, puts, gets;                        /* records executed here; the provider's puts and gets */
    uint64_t connections, peer_bytes, pieces; /* pieces of the heap that are open to others */
    uint64_t thread_turns; /* how often the progress thread has looked */
    uint64_t strangers;    /* messages of senders that do not know the port's secret */
};

void tune_read(void);
void tune_fit(const struct provider *provider); /* to what fits in its messages, which are known once a port is open */
void tune_add_stats(struct net_stats *to, const struct net_stats *s);
void tune_print_stats(const struct net_stats *s);

/* Room for data in a record with this many bytes of arguments. */
INLINE size_t record_room(size_t arguments)
{
    return net_tune.message - sizeof(struct message_head) - sizeof(struct record) - ((arguments + 7) & ~(size_t)7);
}

#endif
