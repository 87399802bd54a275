/* PEs on other nodes: what src/shmem does where reach finds that a PE's memory cannot be loaded and stored.
 *
 * Nothing of it exists in a job of one node: net.active is false, and no function below is called but net_start.
 *
 * A remote object is a place (node.h): region and offset, the same on all PEs.  Arguments have been checked by the
 * caller; pe is the world's number of a PE on another node, or where net.adapter of any PE.
 *
 * Small operations are records in messages (record.h) that the target's processor executes, in the order they were
 * sent: so they need no flush for a fence, many of them travel in one message, and atomics are the CPU's on all
 * nodes: one domain for each word.  Large puts and gets are the provider's, and go by hardware where there is some.
 * With SHMEM_NET_ATOMICS=adapter atomics and signals are the provider's as well, at all PEs and for all PEs.
 *
 * A node is a run of consecutively numbered PEs that map each other's memory: PE k is on node k / n wherever a
 * launcher places ranks by node, so no map of nodes is kept; where it does not, each run of consecutive ranks on a
 * host is a node of its own.
 *
 * Progress: whoever waits moves the network on, at every turn of the wait, until it goes to sleep. From then on, and
 * while nobody waits, the PE's thread does (thread.c). SHMEM_PROGRESS=none does without the thread, until the last
 * meetings of shmem_finalize: then a PE that looks at its own memory by the library makes progress too, and one that
 * calls quiet or fence.
 *
 * The files of this folder, each of which uses only those before it (scripts/check-layers):
 *
 *   times       what messages take, as networks say
 *   record      the format of what travels
 *   provider    the interface of what moves it; the modules behind it are folders here, and port.c loads one
 *   tune        limits, and counts
 *   emulated    what a network is told that exists in this machine's memory alone
 *   port        a port of the provider's, and its lock
 *   region      the heap in pieces, which are opened to others when they need them
 *   card        what a PE publishes for others to reach it
 *   peer        those that have been reached
 *   ports       more ports, for private contexts
 *   message     adding records, and sending them
 *   op          what a peer owes an answer for
 *   failure     peers that are gone
 *   called      calls by others: what has come of their arguments, what has not left of their replies
 *   serve       executing records that have come
 *   progress    a turn of sending, receiving and noticing; waits for room
 *   thread      who makes it while the program does not
 *   hold        which blocking puts wait for others to travel with
 *   context     order and completion: fence and quiet
 *   rma, strided, amo, private, call, state    the operations
 *   start       begin and end */
#ifndef COPAL_NET_H
#define COPAL_NET_H

#include "node/amo.h"
#include "node/node.h"
#include "net/times.h"

#include <sys/uio.h>

struct net {
    bool active;  /* the job spans nodes: look at it before anything else */
    bool polls;   /* SHMEM_PROGRESS=none: what others want of this PE is done in its own calls alone */
    bool adapter; /* adapters execute all atomics and signals, of near words too: no processor may change one so */
};
extern struct net net;

/* So many PEs, from PE 0 on, are on nodes that run on the processors of PE 0's.  The same on all PEs, once all have
 * met after net_start. */
int net_sharing(void);

/* A context's communication: what quiet waits for. The default context's is net_default, which needs no
 * net_context_open. */
struct net_context;
extern struct net_context *net_default;
extern struct net_context *net_library; /* for the library's own, in collectives; no quiet_all's */
/* alone: one thread of several communicates by it, so it may get a port of its own.  NULL: no memory. */
struct net_context *net_context_open(bool alone);
void net_context_close(struct net_context *c); /* completes what is outstanding */
/* A session that promises batches: blocking stores may be delayed. */
void net_context_batch(struct net_context *c, bool batch);

/* routine is what the user called: errors and oshrun name it where the operation has to wait.
 *
 * Whether an operation must be complete in the sense of its routine on return (its source may be reused, its data has
 * come), or may be completed by the next quiet; or, of puts alone, its source may be reused on return, but the data may
 * wait here for others to travel with. */
enum net_mode { NET_BLOCKING, NET_NBI, NET_DELAYED };

void net_put(struct net_context *c, int pe, place to, const void *source, size_t bytes, enum net_mode mode,
             const char *routine);
void net_get(struct net_context *c, int pe, void *dest, place from, size_t bytes, enum net_mode mode,
             const char *routine);

/* n blocks of block bytes; place and pointer are of the first, the next ones lie step bytes further (or before). */
struct net_strided {
    size_t n, block;
    ptrdiff_t remote_step, local_step;
};
void net_put_strided(struct net_context *c, int pe, place to, const void *source, const struct net_strided *s,
                     enum net_mode mode, const char *routine);
void net_get_strided(struct net_context *c, int pe, void *dest, place from, const struct net_strided *s,
                     enum net_mode mode, const char *routine);

/* Atomics: of 4 or 8 bytes (node/amo.h). net_amo_post fetches nothing and is completed by quiet; net_amo returns what
 * was there; net_amo_nbi stores it at fetch (size bytes) before the next quiet returns. */
void net_amo_post(struct net_context *c, enum amo op, int pe, place word, size_t size, uint64_t value);
uint64_t net_amo(struct net_context *c, enum amo op, int pe, place word, size_t size, uint64_t value, uint64_t cond,
                 const char *routine);
void net_amo_nbi(struct net_context *c, enum amo op, void *fetch, int pe, place word, size_t size, uint64_t value,
                 uint64_t cond);

/* The data, then the signal (AMO_SET or AMO_ADD of 8 bytes), seen in this order. */
void net_put_signal(struct net_context *c, int pe, place to, const void *source, size_t bytes, place signal,
                    enum amo op, uint64_t value, enum net_mode mode, const char *routine);

void net_fence(struct net_context *c);
void net_quiet(struct net_context *c);
void net_quiet_all(void); /* of all contexts: shmem_barrier_all's */
void net_start_quiet_pe(struct net_context *c, int pe); /* what went to this PE alone: asks for it, */
void net_end_quiet_pe(struct net_context *c, int pe);   /* and waits */

/* Something may have come, and what was delayed is sent. Called by whoever waits or tests. */
void net_progress(void);
/* The same for a program that asks whether something has come, and may ask again: emulated time, if it is, goes on. */
void net_asked(void);

/* Bytes up to which puts and gets on the default context, and atomics, take effect at a PE in the order of their
 * calls. */
size_t net_in_order(void);

/* Memory at addresses of the peer's own, symmetric or not (a coarray's pointer component), as process_vm_readv and
 * process_vm_writev have it: complete on return; 0 or an error number (EFAULT: there is no such memory; EHOSTDOWN). */
int net_private(int pe, bool write, const struct iovec *mine, size_t n_mine, const struct iovec *theirs,
                size_t n_theirs);

/* --- functions that others call (call.c) -------------------------------------------------------------------------- */

/* What a function leaves for its caller: head has room for NET_REPLY_HEAD bytes; release(data) follows. */
enum { NET_REPLY_HEAD = 512 };
struct net_reply {
    void *head;
    size_t head_bytes;
    void *data;
    size_t bytes;
    void (*release)(void *data);
};

/* Another PE calls function number; reply NULL: it does not wait. Called without locks, once at a time. */
extern void (*net_called)(uint32_t number, int from, void *args, size_t bytes, struct net_reply *reply);
/* The caller has what a function has left: calls release(data), not beside a function. Without locks. */
extern void (*net_released)(void (*release)(void *data), void *data);

/* After all puts of the default context to the PE. 0 or EHOSTDOWN. */
typedef void *net_receiver(void *context, void *head, size_t head_bytes, size_t bytes); /* a shmemx_receiver */
int net_call(int pe, uint32_t number, const struct iovec *args, size_t n, net_receiver *receive, void *context);
void net_post(int pe, uint32_t number, const struct iovec *args, size_t n); /* complete at quiet */

/* --- begin and end (start.c) -------------------------------------------------------------------------------------- */

/* Opens the network if the job spans nodes: between node_map and the fence of shmem_init, since it publishes this
 * PE's card. Ends the job with a sentence if it cannot. net_run: after that fence: from now on others are reached.
 * net_stop: after the last meeting of shmem_finalize. net_start may be called again after it. */
void net_start(void);
void net_run(void);
void net_finish(void); /* before the last meetings */
void net_stop(void);

/* A PE has ended, or cannot be reached any more: ends the job with a sentence, or where the job outlives its PEs
 * alerts all.  why is a clause: "its host n2 cannot be reached". From any thread. (failure.c) */
void net_lost(int pe, const char *why);
/* The same, after some time if others may know better: boot->watch calls it. */
void net_missed(int pe, const char *why);

/* A meeting in shmem_finalize of a job that outlives its PEs: all that are alive have come to it, each after its
 * net_quiet_all. (state.c) */
void net_meet(const char *routine);

/* An alert (job_alert) on every node; pe is one that died, or -1. */
void net_alert(int pe);

/* State of a PE of another node (enum job_pe_state). */
int net_pe_state(int pe);

/* What messages take; false: that is not known. */
bool net_times(struct net_times *times);

#endif
