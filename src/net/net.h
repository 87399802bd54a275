/* Communication with PEs on other nodes: src/shmem calls it for a PE whose memory it cannot load and store.
 *
 * In a job of one node net.active is false, and of the functions below only net_start, net_stop, net_sharing,
 * net_times and net_missed are called.
 *
 * A remote address is a `place` (node.h): region and offset, the same on all PEs.  The caller has checked the
 * arguments.  pe is a number in TEAM_WORLD, of a PE on another node, or of any PE if net.adapter is set.
 *
 * Small operations are records in messages (record.h).  The target's processor executes them in the order they were
 * sent, so a fence needs no flush, and one message carries many of them.  The provider executes large puts and gets, by
 * RDMA if the NIC has it.  A processor of the node that owns the word executes each atomic, so each word has one
 * atomicity domain.  With SHMEM_NET_ATOMICS=adapter the NICs execute all atomics and signals, local ones too.
 *
 * A node is a run of consecutively numbered PEs that map each other's memory.  PE k is on node k / n if the launcher
 * places ranks by node; otherwise each run of consecutive ranks on a host counts as one node.
 *
 * Progress: a waiting thread makes progress at every turn of its wait, until it sleeps.  After that, and while the
 * program computes, the PE's progress thread makes it (thread.c).  With SHMEM_PROGRESS=none that thread does not run
 * until the last barriers of shmem_finalize; before that a PE makes progress also when it reads its own memory through
 * the library, and in quiet and fence.
 *
 * The files of this folder, each of which uses only those before it (scripts/check-layers):
 *
 *   times       durations of messages, as the network gives them
 *   record      the format of messages
 *   provider    the interface of a network library; its modules are in subfolders, and port.c loads one of them
 *   tune        limits and counters
 *   emulated    the data that the emulated network needs
 *   port        a port of the provider, with its lock
 *   region      the heap in segments, which are registered on first use
 *   card        the contact information that a PE publishes
 *   peer        the remote PEs that this PE is connected to
 *   ports       additional ports, for private contexts
 *   message     adding records, and sending them
 *   op          operations whose reply or completion is outstanding
 *   failure     dead and unreachable peers
 *   called      calls by other PEs: arguments received so far, results not yet returned
 *   serve       executing received records
 *   progress    one turn of sending, receiving and checking for failures; waiting for space
 *   thread      the progress thread
 *   hold        which blocking puts are held back to share a message
 *   context     order and completion: fence and quiet
 *   rma, strided, amo, private, call, state    the operations
 *   start       begin and end */
#pragma once

#include "node/amo.h"
#include "node/node.h"
#include "net/times.h"

#include <sys/uio.h>

struct net {
    bool active;  /* the job spans nodes: test it before anything else */
    bool polls;   /* SHMEM_PROGRESS=none: this PE serves requests only inside its own calls */
    bool adapter; /* NICs execute all atomics and signals: no processor may modify these words, even local ones */
};
extern struct net net;

/* The number of PEs, from PE 0 on, whose nodes run on PE 0's machine.  All PEs return the same after the first barrier
 * that follows net_start. */
int net_sharing(void);

/* The communication of a context. quiet completes it. net_default, of the default context, is always open. */
struct net_context;
extern struct net_context *net_default;
extern struct net_context *net_library; /* for the library's collectives; net_quiet_all skips it */
/* alone: only one of several threads uses the context, which may get a port of its own.  NULL: no memory. */
struct net_context *net_context_open(bool alone);
void net_context_close(struct net_context *c); /* completes its operations */
/* batch: the user's session has the batch hint, so blocking puts may be delayed. */
void net_context_batch(struct net_context *c, bool batch);

/* routine is the name of the user's call, for error messages and for oshrun.
 *
 * The mode says when an operation is complete: on return (a put's source may be reused, a get's data has arrived), or
 * at the next quiet.  NET_DELAYED is for puts: the source may be reused on return, but the data may be held here to
 * share a message with later operations. */
enum net_mode { NET_BLOCKING, NET_NBI, NET_DELAYED };

void net_put(struct net_context *c, int pe, place to, const void *source, size_t bytes, enum net_mode mode,
             const char *routine);
void net_get(struct net_context *c, int pe, void *dest, place from, size_t bytes, enum net_mode mode,
             const char *routine);

/* n blocks of block bytes. place and pointer are those of the first; each next block is step bytes further. */
struct net_strided {
    size_t n, block;
    ptrdiff_t remote_step, local_step;
};
void net_put_strided(struct net_context *c, int pe, place to, const void *source, const struct net_strided *s,
                     enum net_mode mode, const char *routine);
void net_get_strided(struct net_context *c, int pe, void *dest, place from, const struct net_strided *s,
                     enum net_mode mode, const char *routine);

/* Atomics of 4 or 8 bytes (node/amo.h).  net_amo_post fetches nothing, and quiet completes it.  net_amo returns the
 * previous value.  net_amo_nbi stores it at fetch (size bytes) before the next quiet returns. */
void net_amo_post(struct net_context *c, enum amo op, int pe, place word, size_t size, uint64_t value);
uint64_t net_amo(struct net_context *c, enum amo op, int pe, place word, size_t size, uint64_t value, uint64_t cond,
                 const char *routine);
void net_amo_nbi(struct net_context *c, enum amo op, void *fetch, int pe, place word, size_t size, uint64_t value,
                 uint64_t cond);

/* Stores the data, then the signal (AMO_SET or AMO_ADD of 8 bytes).  The target sees them in this order. */
void net_put_signal(struct net_context *c, int pe, place to, const void *source, size_t bytes, place signal,
                    enum amo op, uint64_t value, enum net_mode mode, const char *routine);

/* Adds to a word at a PE of another node after all puts, signals and calls of net_default, which need not be complete
 * on return.  Neither a fence nor a call orders it before later operations.  False: without a progress thread, nothing
 * is done. */
bool net_signal_after(int pe, place word, uint64_t value);

void net_fence(struct net_context *c);
void net_quiet(struct net_context *c);
void net_quiet_all(void);
void net_start_quiet_pe(struct net_context *c, int pe); /* starts completing the operations at this PE only */
void net_end_quiet_pe(struct net_context *c, int pe);   /* waits until they are complete */

/* Sends what is held back, and serves what has arrived.  Waits and tests call it. */
void net_progress(void);
/* The same for a test that the program may repeat: if time is emulated, this also advances the time. */
void net_asked(void);

/* Puts and gets of up to this many bytes on the default context, and atomics, take effect at a PE in program order. */
size_t net_in_order(void);

/* Accesses any memory of the peer by its virtual addresses (a coarray's pointer component), with the arguments of
 * process_vm_readv and process_vm_writev.  Complete on return.  0 or an error number: EFAULT (unmapped), EHOSTDOWN. */
int net_private(int pe, bool write, const struct iovec *mine, size_t n_mine, const struct iovec *theirs,
                size_t n_theirs);

/* --- calls of functions on other PEs (call.c) --------------------------------------------------------------------- */

/* What a function returns to its caller.  head has space for NET_REPLY_HEAD bytes.  release(data) is called last. */
enum { NET_REPLY_HEAD = 512 };
struct net_reply {
    void *head;
    size_t head_bytes;
    void *data;
    size_t bytes;
    void (*release)(void *data);
};

/* Runs function `number` for another PE, without locks, never concurrently. reply: NULL if the caller does not wait. */
extern void (*net_called)(uint32_t number, int from, void *args, size_t bytes, struct net_reply *reply);
/* Calls release(data) once the caller has the data; never concurrently with a function.  Called without locks. */
extern void (*net_released)(void (*release)(void *data), void *data);

/* Ordered after all puts of the default context to the PE.  0 or EHOSTDOWN. */
typedef void *net_receiver(void *context, void *head, size_t head_bytes, size_t bytes); /* a shmemx_receiver */
int net_call(int pe, uint32_t number, const struct iovec *args, size_t n, net_receiver *receive, void *context);
void net_post(int pe, uint32_t number, const struct iovec *args, size_t n); /* complete at quiet */
void net_notify(int pe, place word, uint64_t value); /* sets the word; for a called function, which must not wait */

/* --- begin and end (start.c) -------------------------------------------------------------------------------------- */

/* net_start opens the network if the job spans nodes.  It publishes this PE's contact information, so it is called
 * between node_map and the fence of shmem_init.  If it fails, it ends the job with an error.  After the fence net_run
 * enables communication.  net_stop follows the last barrier of shmem_finalize; net_start may be called again after. */
void net_start(void);
void net_run(void);
void net_finish(void); /* before the last barriers */
void net_stop(void);

/* Reports a PE that has ended or cannot be reached: after the launcher has had time to report the cause, ends the job
 * with an error or, if the job outlives its PEs, alerts all PEs.  why is a clause: "its host n2 cannot be reached".
 * boot->watch calls it, from any thread.  (failure.c) */
void net_missed(int pe, const char *why);

/* The barrier of live PEs in shmem_finalize of a job that outlives its PEs; each PE has called net_quiet_all. */
void net_meet(const char *routine);
void net_meet_begin(void); /* called by net_start */

/* Raises an alert (job_alert) on every node; pe is the dead PE, or -1. */
void net_alert(int pe);

/* State of a PE on another node (enum job_pe_state). */
int net_pe_state(int pe);

/* Durations of messages; false: unknown. */
bool net_times(struct net_times *times);
