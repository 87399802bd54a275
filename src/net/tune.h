/* Limits that were measured, and counters that show their effect. */
#pragma once

#include "job/self.h"
#include "net/provider.h"
#include "net/record.h"

/* SHMEM_NET_TUNE="put=2048,get=4096" changes them, for new measurements. */
struct net_tune {
    size_t message;  /* most bytes of a message */
    size_t put;      /* most bytes of a put in records; the provider does larger ones */
    size_t nbi;      /* the same for a nonblocking put */
    size_t get;      /* the same for a get */
    size_t stream;   /* most bytes of a put-with-signal in records */
    size_t later;    /* least bytes of a nonblocking put that the thread starts; outstanding bytes that wake it */
    size_t block;    /* most bytes of a strided transfer's block in records */
    size_t sends;    /* most outstanding messages; further messages wait at this PE */
    size_t asked;    /* most pending nonblocking operations of one context */
    size_t pieces;   /* most outstanding requests of one transfer */
    size_t reach;    /* bytes of the heap that are registered at the start (region.h); a power of two */
};
extern struct net_tune net_tune;

/* This PE's counters at a port, updated with the port's lock.  SHMEM_NET_STATS prints them at the end. */
struct net_stats {
    uint64_t messages, message_bytes, records, replies;
    uint64_t served, puts, gets;                        /* records executed here; the provider's puts and gets */
    uint64_t connections, peer_bytes, pieces; /* pieces: registered segments of the heap */
    uint64_t thread_turns; /* polls of the progress thread */
    uint64_t strangers;    /* messages without the port's secret */
};

void tune_read(void);
void tune_fit(const struct provider *provider); /* fits net_tune to its messages' size; when a port is open */
void tune_add_stats(struct net_stats *to, const struct net_stats *s);
void tune_print_stats(const struct net_stats *s);

/* Space for data in a record with this many bytes of arguments. */
INLINE size_t record_room(size_t arguments)
{
    return net_tune.message - sizeof(struct message_head) - sizeof(struct record) - ((arguments + 7) & ~(size_t)7);
}
