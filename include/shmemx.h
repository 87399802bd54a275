/* Copal's extensions to OpenSHMEM: their names begin with shmemx_ and SHMEMX_.
 *
 * The first group lets a program go on when one of its PEs has died.  That is what `oshrun --outlive` (and `cafrun`,
 * always) is for: a PE that ends between shmem_init and the end of shmem_finalize is dead and the others run on.  Its
 * memory stays where it was, so puts, gets and atomics on a dead PE work and lead to nothing; PEs on other nodes find
 * nothing there any more: what they get is undefined.  What it was to do is never done: a barrier waits for it for
 * ever, unless an alert handler leaves the barrier.
 *
 * The second group moves data as runtimes of languages need it, within a node and between nodes alike.  The third
 * has other PEs' processors run functions.  The fourth tells the time.
 *
 * All but shmemx_fail, shmemx_name_routines, shmemx_register and those of time may be called between shmem_init and
 * shmem_finalize alone. */
#ifndef COPAL_SHMEMX_H
#define COPAL_SHMEMX_H

#include "shmem.h"

#include <sys/uio.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__cplusplus) && __cplusplus >= 201103L
#define COPAL_NORETURN [[noreturn]]
#elif !defined(__cplusplus) && defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define COPAL_NORETURN _Noreturn
#else
#define COPAL_NORETURN __attribute__((__noreturn__))
#endif

/* Whether this job goes on when one of its PEs dies (1) or ends then (0, as for a program started without oshrun). */
int shmemx_outlives_pes(void);

/* What has become of a PE. A PE is finalized from its call of shmem_finalize on, in which it waits for all that
 * live. */
#define SHMEMX_PE_RUNNING 0
#define SHMEMX_PE_FINALIZED 1
#define SHMEMX_PE_DEAD 2
int shmemx_pe_state(int pe);

/* How many alerts the job has had: one for each PE that died (after its state says so), and one for each shmemx_alert
 * by any PE. The address stays the same until shmem_finalize, and a plain load through it is all that a look costs. */
const volatile uint32_t *shmemx_alerts(void);

/* Alerts every PE, the calling one too: those that sleep in a routine of the library wake up, and look. */
void shmemx_alert(void);

/* Sets what this PE calls in its waits when there has been an alert, and returns what it was before; NULL is nothing.
 *
 * The handler is called by the thread that waits, from within any routine that waits for another PE (wait_until,
 * barriers and other collectives, locks), but shmem_init and shmem_finalize: once for each time that the waiting
 * thread finds the count of alerts changed, and once in each wait that has to be waited in earnest (for some 20 us)
 * if the job has had an alert before.  It is told at once if the thread sleeps, and otherwise within a time slice of
 * the system.
 *
 * The handler may call the library; waits in it call the handler in their turn.  If it returns the wait goes on.  It
 * may also leave the routine for good by longjmp.  Then the library's other routines work as ever, and the one that
 * was left has done any part of its work:
 * - a wait_until has done nothing, and set_lock has not got the lock (where shmemx_outlives_pes; elsewhere it leaves
 *   its place in the queue of the lock, which stops there);
 * - a team whose collective some members have left is out of step: no member may use it in a collective again;
 * - a shmem_malloc or shmem_free that was left leaves this PE's heap other than those of PEs that did not call it. */
typedef void (*shmemx_alert_handler)(void);
shmemx_alert_handler shmemx_on_alert(shmemx_alert_handler handler);

/* For whom a PE waits: for one, or in a meeting that nobody leaves before all have come for those that have not.  A
 * meeting has the same team, number and kind on all its PEs: team tells apart the teams that a PE is in, number counts
 * the team's meetings.  Of teams whose PEs are listed only PEs up to 1023 are told. */
typedef struct {
    int pe;         /* or -1: any */
    int n_pes;      /* of the meeting; 0: it is none */
    const int *pes; /* which they are, to be there as long as the wait; NULL: 0 to n_pes - 1 */
    uint64_t team, number;
    int kind; /* 0 or 1: who is in a meeting of another kind has not come */
} shmemx_wait;

/* Sets what names this PE's waits for `oshrun --watch`, and returns what it was before; NULL is nothing.
 *
 * Called by the thread that waits, when a wait has become long enough to be shown, and now and then while it lasts: it
 * returns what the program is doing (of which 59 characters are shown) and may change *wait, in which pe is the PE that
 * the library waits for; or it returns NULL, and the library's routine is shown.  It must not call the library. */
typedef const char *(*shmemx_wait_namer)(shmemx_wait *wait);
shmemx_wait_namer shmemx_name_waits(shmemx_wait_namer namer);

/* Sets what names this library's routines in errors and in `oshrun --watch`, and returns what it was before; NULL is
 * nothing.  For other languages' interfaces, whose users know the routines by other names.
 *
 * Called by the thread whose call it was, with C's name; it returns the one to show.  It must not call the library. */
typedef const char *(*shmemx_routine_namer)(const char *routine);
shmemx_routine_namer shmemx_name_routines(shmemx_routine_namer namer);

/* Says on standard error from where in the program the library has been called: functions, files and lines.  For what
 * stands on this library and has found a mistake of its user.  Nothing with SHMEM_BACKTRACE=0. */
void shmemx_backtrace(void);

/* This PE is dead from here on: its process ends at once, without atexit handlers and without flushing streams.
 * Where the job does not outlive it, the job ends. */
COPAL_NORETURN void shmemx_fail(void);

/* n blocks of `bytes` bytes each, which are dest_step and source_step bytes apart; a step may be negative. On the
 * default context, complete after the next shmem_quiet. put: source may be reused on return.  The data need not leave
 * before this PE calls shmem_quiet or waits for anything: much of it travels together. get: nonblocking. */
void shmemx_put_blocks(void *dest, const void *source, ptrdiff_t dest_step, ptrdiff_t source_step, size_t bytes,
                       size_t n, int pe);
void shmemx_get_blocks_nbi(void *dest, const void *source, ptrdiff_t dest_step, ptrdiff_t source_step, size_t bytes,
                           size_t n, int pe);

/* Puts and gets of at most so many bytes in all (the routines above, and those of OpenSHMEM on the default context),
 * and atomics and signals, that one thread makes on one PE take effect in the order of their calls, without fence or
 * quiet. */
size_t shmemx_in_order(void);

/* Memory of any PE at addresses as that PE has them, symmetric or not: like process_vm_readv and process_vm_writev,
 * which they are within a node.  They return the number of bytes copied, which is less than asked for where a page is
 * not there, or -1; then errno says why (ESRCH: the PE has ended). */
ssize_t shmemx_readv(int pe, const struct iovec *mine, size_t n_mine, const struct iovec *theirs, size_t n_theirs);
ssize_t shmemx_writev(int pe, const struct iovec *mine, size_t n_mine, const struct iovec *theirs, size_t n_theirs);

/* --- functions that other PEs call --------------------------------------------------------------------------------
 *
 * shmemx_register says which function a number stands for when another PE calls it on this one; each PE registers its
 * own, at any time (before shmem_init too), and a barrier must follow before others call it.  A number registered again
 * stands for the new function.  A call of a number that its PE has not registered ends the job.
 *
 * These are for what another PE's processor has to do: PEs of other nodes.  Called on oneself, the calling thread runs
 * the function, before the call returns.  The memory of a PE of one's own node is there to be loaded and stored
 * (shmem_ptr): to call one ends the job.
 *
 * A function is run by whichever thread of its PE makes progress: one that waits in a routine of the library, or the
 * library's own thread, beside the program's, whose stack has 8 MiB at least.  It is called with the PE that asks and
 * its arguments, in memory that it may write to, aligned for any type, and gone when it returns.  No two calls run on
 * a PE at the same time, and none within another; the network's lock is not held meanwhile.  A function may allocate
 * and free memory.  It must not call OpenSHMEM, nor wait for a thread that does, nor leave by longjmp.  What it stores
 * is found late by a PE that sleeps in shmem_wait_until.
 *
 * What one thread asks of one PE is done in the order in which it was asked: calls among each other, and after what it
 * has put there on the default context before.  Puts after a call come after it if they are as small as shmemx_in_order
 * says, or a fence is between; small gets likewise. */

/* What the function leaves for the caller: up to SHMEMX_REPLY_HEAD bytes written to head (aligned for any type), and
 * any number more that it lets data point at.  When they have been sent, and also if there is nobody any more to send
 * them to, release(data) is called, in the same way as the function; NULL: it is not.  All but head is 0 at first. */
#define SHMEMX_REPLY_HEAD 512
typedef struct {
    void *head;
    size_t head_bytes;
    void *data;
    size_t bytes;
    void (*release)(void *data);
} shmemx_reply;

/* reply: NULL where nobody waits for one (shmemx_post). */
typedef void (*shmemx_function)(int pe, void *args, size_t bytes, shmemx_reply *reply);
void shmemx_register(uint32_t number, shmemx_function function);

/* Says where the data of a reply is to go, as soon as its length is known: room for so many bytes, or NULL: they are
 * not wanted.  Called once by the calling thread, before shmemx_call returns; it may call the library.  head is gone
 * afterwards. */
typedef void *(*shmemx_receiver)(void *context, void *head, size_t head_bytes, size_t bytes);

/* Calls a function on a PE with arguments that are gathered from n pieces, of any length, and waits for its reply.  0,
 * or -1 if that PE has ended before it has replied (errno: ESRCH); whether it has run the function is then not known,
 * and receive may or may not have been called. */
int shmemx_call(int pe, uint32_t number, const struct iovec *args, size_t n, shmemx_receiver receive, void *context);

/* The same without a reply: returns when the arguments may be reused.  On the default context: the function has been
 * run after the next shmem_quiet.  Like puts of blocks it need not leave before this PE calls shmem_quiet or waits. */
void shmemx_post(int pe, uint32_t number, const struct iovec *args, size_t n);

/* --- time ---------------------------------------------------------------------------------------------------------
 *
 * On an emulated network (oshrun --fabric with one that has times) a program's time is emulated.  These may be called
 * at any time. */

/* Seconds since some moment that is the same for all PEs of a machine: emulated ones, or CLOCK_MONOTONIC's. */
double shmemx_clock(void);

/* Whether they are emulated: 1 or 0. */
int shmemx_time_is_emulated(void);

/* What messages take, in seconds, where the network says so: an emulated one that has times does.  0: it is not known,
 * or the job is on one node. */
enum {
    SHMEMX_MESSAGE,      /* an empty one, until the target's processor has it */
    SHMEMX_GAP,          /* of a processor, for each message that it sends or takes in */
    SHMEMX_BYTE,         /* on the wire */
    SHMEMX_COPIED_BYTE,  /* into a message, and as much out of it */
    SHMEMX_ADAPTER,      /* which the PEs of a node share, for each message */
    SHMEMX_ACROSS,       /* a byte on the busiest link, where each node sends one to all others together */
    SHMEMX_NEAR,         /* until a PE of the same node sees a store */
    SHMEMX_NEAR_BYTE     /* to copy one within a node */
};
double shmemx_message_time(int which);

/* This PE's processor is busy for so long, from 0 to 1e6 seconds: where time is emulated this costs next to nothing,
 * else it burns so much.  Others are served meanwhile. */
void shmemx_compute(double seconds);

/* Bytes of the largest block that shmem_malloc could give now: the same on all PEs. */
size_t shmemx_largest_block(void);

#undef COPAL_NORETURN
#ifdef __cplusplus
}
#endif
#endif
