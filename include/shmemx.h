/* Extensions of Copal: their names begin with shmemx_ and SHMEMX_.
 *
 * The routines may be called between shmem_init and shmem_finalize alone, where their pages do not say otherwise.
 *
 * pe: a PE, by its number in the job */
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

/* pe_state, outlives_pes, fail: jobs that go on when a PE dies.
 *
 * With `oshrun --outlive` (and `cafrun`, always) a PE that ends between shmem_init and the end of shmem_finalize is
 * dead and the others run on.  Its memory stays where it was, so puts, gets and atomics on a dead PE work and lead to
 * nothing; PEs on other nodes find nothing there any more: what they get is undefined.  Others wait for it for ever in
 * a barrier, unless an alert handler leaves the barrier (shmemx_on_alert).
 *
 * shmemx_pe_state says what has become of a PE.  It is finalized from its call of shmem_finalize on, in which it waits
 * for all that live.  shmemx_fail has this PE be dead from here on: its process ends at once, without atexit handlers
 * and without flushing streams.  It may be called at any time.  Where the job does not outlive it, the job ends.
 *
 * On return: no other PE has taken part, and nothing that was sent need be complete.  shmemx_fail does not return.
 *
 * Returns: shmemx_outlives_pes, 1 if the job goes on when one of its PEs dies, and 0 if it ends then, as for a program
 * started without oshrun; shmemx_pe_state, one of the constants above. */
#define SHMEMX_PE_RUNNING 0
#define SHMEMX_PE_FINALIZED 1
#define SHMEMX_PE_DEAD 2
int shmemx_pe_state(int pe);
int shmemx_outlives_pes(void);
COPAL_NORETURN void shmemx_fail(void);

/* alert, alerts, on_alert: wake PEs that wait.
 *
 * The job has one alert for each PE that dies (after its state says so), and one for each shmemx_alert by any PE.
 * shmemx_alert alerts every PE, the calling one too: those that sleep in a routine of the library wake up, and look.
 *
 * shmemx_on_alert sets what this PE calls in its waits when there has been an alert.  The handler is called by the
 * thread that waits, from within any routine that waits for another PE (shmem_wait_until, barriers and other
 * collectives, locks), but shmem_init and shmem_finalize: once for each time that the waiting thread finds the count of
 * alerts changed, and once in each wait that has to be waited in earnest (for some 20 us) if the job has had an alert
 * before.  It is told at once if the thread sleeps, and otherwise within a time slice of the system.
 *
 * The handler may call the library; waits in it call the handler in their turn.  If it returns the wait goes on.  It
 * may also leave the routine for good by longjmp.  Then the library's other routines work as ever, and the one that
 * was left has done any part of its work.  A wait for an object has done nothing.  A lock has not been taken (where
 * shmemx_outlives_pes is 1; elsewhere this PE leaves its place in the queue of the lock, which stops there).  A team
 * whose collective some members have left is out of step: no member may use it in a collective again.  A shmem_malloc
 * or shmem_free that was left leaves this PE's heap other than those of PEs that did not call it.
 *
 * handler: what is called; NULL: nothing
 *
 * On return: no other PE need have noticed the alert yet, and nothing that was sent need be complete.
 *
 * Returns: shmemx_alerts, where the number of alerts is: the address stays the same until shmem_finalize, and a plain
 * load through it is all that a look costs; shmemx_on_alert, the handler before. */
typedef void (*shmemx_alert_handler)(void);
void shmemx_alert(void);
const volatile uint32_t *shmemx_alerts(void);
shmemx_alert_handler shmemx_on_alert(shmemx_alert_handler handler);

/* name_waits, name_routines, backtrace: errors and waits in the terms of another library.
 *
 * For libraries and other languages' interfaces on this one, whose users know the routines by other names.
 *
 * shmemx_name_waits sets what names this PE's waits for `oshrun --watch`.  It is called by the thread that waits, when
 * a wait has become long enough to be shown, and now and then while it lasts.  It returns what the program is doing (of
 * which 59 characters are shown) and may change *wait, in which pe is the PE that the library waits for; or it returns
 * NULL, and the library's routine is shown.  It must not call the library.
 *
 * A shmemx_wait says for whom a PE waits: for one, or in a meeting that nobody leaves before all have come for those
 * that have not.  A meeting has the same team, number and kind on all its PEs: team tells apart the teams that a PE is
 * in, number counts the team's meetings.  Of teams whose PEs are listed only PEs up to 1023 are told.
 *
 * shmemx_name_routines sets what names this library's routines in errors and in `oshrun --watch`.  It is called by the
 * thread whose call it was, with C's name, and returns the one to show.  It must not call the library.
 *
 * shmemx_backtrace says on standard error from where in the program the library has been called: functions, files and
 * lines.  Nothing with SHMEM_BACKTRACE=0.
 *
 * namer: what is called; NULL: nothing
 *
 * On return: no other PE has taken part, and nothing that was sent need be complete.
 *
 * Returns: what names them so far.
 *
 * Notes: shmemx_name_routines may be called at any time. */
typedef struct {
    int pe;         /* or -1: any */
    int n_pes;      /* of the meeting; 0: it is none */
    const int *pes; /* which they are, to be there as long as the wait;
                     * NULL: 0 to n_pes - 1 */
    uint64_t team, number;
    int kind; /* of a meeting 0 or 1: who is in one of another kind has not come;
               * else 1: the wait may end without pe, or is for another by now */
} shmemx_wait;
typedef const char *(*shmemx_wait_namer)(shmemx_wait *wait);
shmemx_wait_namer shmemx_name_waits(shmemx_wait_namer namer);
typedef const char *(*shmemx_routine_namer)(const char *routine);
shmemx_routine_namer shmemx_name_routines(shmemx_routine_namer namer);
void shmemx_backtrace(void);

/* put_blocks, get_blocks_nbi, in_order: copy blocks that lie apart, many of which travel together.
 *
 * Copy n blocks of bytes bytes each, which are dest_step and source_step bytes apart, within a node and between nodes
 * alike.  Much of what is put travels together: it need not leave before this PE calls shmem_quiet or waits for
 * anything.
 *
 * Puts and gets of at most shmemx_in_order bytes in all (these routines, and those of OpenSHMEM on the default
 * context), and atomics and signals, that one thread makes on one PE take effect in the order of their calls, without
 * fence or quiet.
 *
 * dest: what is written: symmetric, on PE pe; of a get any memory of the calling PE
 * source: what is read: any memory of the calling PE; of a get symmetric, on PE pe
 * dest_step: from one block of dest to the next, in bytes; it may be negative
 * source_step: the same for source
 * bytes: in a block
 * n: how many blocks
 *
 * On return: what was put may be reused; what is read by a get is there after shmem_quiet.  shmem_quiet completes both:
 * they belong to SHMEM_CTX_DEFAULT.
 *
 * Returns: shmemx_in_order, a number of bytes. */
void shmemx_put_blocks(void *dest, const void *source, ptrdiff_t dest_step, ptrdiff_t source_step, size_t bytes,
                       size_t n, int pe);
void shmemx_get_blocks_nbi(void *dest, const void *source, ptrdiff_t dest_step, ptrdiff_t source_step, size_t bytes,
                           size_t n, int pe);
size_t shmemx_in_order(void);

/* readv, writev: read and write memory of a PE that need not be symmetric.
 *
 * Memory of any PE at addresses as that PE has them: like process_vm_readv and process_vm_writev, which they are within
 * a node.
 *
 * mine: any memory of the calling PE: the pieces of it that shmemx_readv writes and shmemx_writev reads
 * n_mine: how many pieces these are
 * theirs: any memory of the calling PE; it says which pieces of PE pe's memory are read or written
 * n_theirs: how many pieces these are
 *
 * On return: the operation is complete.
 *
 * Returns: the number of bytes copied, which is less than asked for where a page is not there, or -1; then errno says
 * why (ESRCH: the PE has ended). */
ssize_t shmemx_readv(int pe, const struct iovec *mine, size_t n_mine, const struct iovec *theirs, size_t n_theirs);
ssize_t shmemx_writev(int pe, const struct iovec *mine, size_t n_mine, const struct iovec *theirs, size_t n_theirs);

/* call, post, register: functions that other PEs call.
 *
 * shmemx_register says which function a number stands for when another PE calls it on this one; each PE registers its
 * own, at any time (before shmem_init too), and a barrier must follow before others call it.  A number registered again
 * stands for the new function.
 *
 * shmemx_call calls a function on a PE and waits for its reply.  shmemx_post does not wait, and there is no reply: the
 * function's reply is NULL.  Like puts of blocks it need not leave before this PE calls shmem_quiet or waits.
 *
 * These are for what another PE's processor has to do: PEs of other nodes.  Called on oneself, the calling thread runs
 * the function, before the call returns.  The memory of a PE of one's own node is there to be loaded and stored, by
 * shmem_ptr.
 *
 * A function is run by whichever thread of its PE makes progress: one that waits in a routine of the library, or the
 * library's own thread, beside the program's, whose stack has 8 MiB at least.  It is called with the PE that asks and
 * its arguments, in memory that it may write to, aligned for any type, and gone when it returns.  No two calls run on
 * a PE at the same time, and none within another; the network's lock is not held meanwhile.  A function may allocate
 * and free memory.  It must not call OpenSHMEM, nor wait for a thread that does, nor leave by longjmp.  What it stores
 * is found late by a PE that sleeps in shmem_wait_until.
 *
 * In its reply a function leaves for the caller up to SHMEMX_REPLY_HEAD bytes written to head (aligned for any type),
 * and any number more that it lets data point at.  When they have been sent, and also if there is nobody any more to
 * send them to, release is called with data, in the same way as the function; not if it is NULL.  All but head is 0 at
 * first.
 *
 * The receiver says where the data of a reply is to go, as soon as its length is known: room for so many bytes, or
 * NULL, they are not wanted.  It is called once by the calling thread, before shmemx_call returns, and may call the
 * library.  Its head is gone afterwards.
 *
 * What one thread asks of one PE is done in the order in which it was asked: calls among each other, and after what it
 * has put there on the default context before.  Puts after a call come after it if they are as small as shmemx_in_order
 * says, or a fence is between; small gets likewise.
 *
 * number: what the function is called by, the same on all PEs
 * function: what is called; the function of another PE may be another
 * args: any memory of the calling PE; says which pieces the arguments are gathered from, of any length
 * n: how many pieces these are
 * receive: is asked where data of the reply are to go; NULL: they are not wanted
 * context: any memory of the calling PE, or NULL: what receive is called with
 *
 * On return: shmemx_call, the function has been run and the reply is there; shmemx_post, the arguments may be reused,
 * and the function has been run after the next shmem_quiet on SHMEM_CTX_DEFAULT.
 *
 * Returns: shmemx_call, 0, or -1 if that PE has ended before it has replied (errno: ESRCH); whether it has run the
 * function is then not known, and receive may or may not have been called.
 *
 * Errors: A number that the PE has not registered ends the job, and so does another PE of the same node. */
#define SHMEMX_REPLY_HEAD 512
typedef struct {
    void *head;
    size_t head_bytes;
    void *data;
    size_t bytes;
    void (*release)(void *data);
} shmemx_reply;
typedef void (*shmemx_function)(int pe, void *args, size_t bytes, shmemx_reply *reply);
typedef void *(*shmemx_receiver)(void *context, void *head, size_t head_bytes, size_t bytes);
void shmemx_register(uint32_t number, shmemx_function function);
int shmemx_call(int pe, uint32_t number, const struct iovec *args, size_t n, shmemx_receiver receive, void *context);
void shmemx_post(int pe, uint32_t number, const struct iovec *args, size_t n);

/* clock, time_is_emulated, compute, message_time: time, also where it is emulated.
 *
 * On an emulated network (`oshrun --fabric` with one that has times) a program's time is emulated.  These may be called
 * at any time.
 *
 * shmemx_compute has this PE's processor be busy for so long: where time is emulated this costs next to nothing, else
 * it burns so much.  Others are served meanwhile.
 *
 * seconds: how long, from 0 to 1e6
 * which: of a message: one of the constants above
 *
 * On return: no other PE has taken part, and nothing that was sent need be complete.
 *
 * Returns: shmemx_clock, seconds since some moment that is the same for all PEs of a machine: emulated ones, or
 * CLOCK_MONOTONIC's; shmemx_time_is_emulated, 1 if they are emulated, else 0; shmemx_message_time, what messages take,
 * in seconds, where an emulated network says so, and 0 if it is not known or the job is on one node.
 *
 * Errors: None but for a time or a constant that is not allowed.
 *
 * Fortran: There is no shmemx_message_time. */
enum {
    SHMEMX_MESSAGE,      /* an empty one, until its target has it */
    SHMEMX_GAP,          /* of a processor, for each that it sends or takes */
    SHMEMX_BYTE,         /* on the wire */
    SHMEMX_COPIED_BYTE,  /* into a message, and as much out of it */
    SHMEMX_ADAPTER,      /* which the PEs of a node share, for each message */
    SHMEMX_ACROSS,       /* a byte on the busiest link, where each node
                          * sends one to all others together */
    SHMEMX_NEAR,         /* until a PE of the same node sees a store */
    SHMEMX_NEAR_BYTE     /* to copy one within a node */
};
double shmemx_clock(void);
int shmemx_time_is_emulated(void);
void shmemx_compute(double seconds);
double shmemx_message_time(int which);

/* largest_block: how much of the symmetric heap is left in one piece.
 *
 * On return: no other PE has taken part, and nothing that was sent need be complete.
 *
 * Returns: bytes of the largest block that shmem_malloc could give now: the same on all PEs. */
size_t shmemx_largest_block(void);

/* tell_algorithms: which algorithms collectives take, for tools.
 *
 * From now on, whenever this PE chooses an algorithm for a collective, be it one of the library's own, the handler is
 * called, before the algorithm runs, by the thread that calls: with the collective's name, such as "reduce", the
 * algorithm's, such as "recursive_doubling:get", and the bytes that have decided.  The texts are gone when it returns,
 * and it may call no collective.  No collective may run on this PE meanwhile.
 *
 * handler: what is called; NULL: nothing
 *
 * On return: no other PE has taken part, and nothing that was sent need be complete. */
typedef void (*shmemx_algorithm_handler)(const char *collective, const char *algorithm, size_t bytes);
void shmemx_tell_algorithms(shmemx_algorithm_handler handler);

/* begin_collective, end_collective: a collective of a library that is written on this one.
 *
 * What the calling thread does by the library's other routines between these two is part of one collective, and no
 * business of the program's quiet: a quiet or fence outside does not wait for it, and one in between completes or
 * orders what was begun in between alone.  So a barrier that signals by puts and atomics costs the next quiet between
 * nodes no question to those whom it has told.  As in the library's own collectives, who has to know that something
 * has come is to find out in the same collective.  What was put before is complete by a quiet before it, or in order by
 * a fence before it, as ever.  Errors in between are told of as the named collective's.
 *
 * No collective of the library may be called in between.  If an alert's handler (shmemx_on_alert) leaves by longjmp,
 * the collective has ended.
 *
 * name: of the collective, for people: any memory of the calling PE, until end_collective
 *
 * On return: no other PE has taken part, and nothing that was sent need be complete. */
void shmemx_begin_collective(const char *name);
void shmemx_end_collective(void);

#undef COPAL_NORETURN
#ifdef __cplusplus
}
#endif
#endif
