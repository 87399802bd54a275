/* Extensions of Copal: their names begin with shmemx_ and SHMEMX_.
 *
 * Unless their pages say otherwise, the routines may be called only between shmem_init and shmem_finalize.
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

/* pe_state, outlives_pes, fail: jobs that continue when a PE dies.
 *
 * With `oshrun --outlive`, and always with `cafrun`, the job continues if a PE ends between shmem_init and the end of
 * shmem_finalize.  This PE is then dead.  On its node its memory remains, so puts, gets and atomics on this memory work
 * and do not affect living PEs.  For other nodes its memory no longer exists, and gets from it have undefined results.
 * In a barrier, other PEs wait for a dead PE for ever, unless an alert handler leaves the barrier (shmemx_on_alert).
 *
 * shmemx_pe_state returns the state of a PE.  A PE is finalized when it has called shmem_finalize, even while it waits
 * there for all living PEs.  shmemx_fail makes this PE dead: its process ends immediately, without atexit handlers and
 * without flushing streams.  It may be called at any time.  If the job does not outlive its PEs, it ends.
 *
 * On return: no other PE has taken part, and earlier operations may still be pending.  shmemx_fail does not return.
 *
 * Returns: shmemx_outlives_pes, 1 if the job continues when one of its PEs dies, and 0 if it ends (a program that was
 * started without oshrun also gets 0); shmemx_pe_state, one of the constants above. */
#define SHMEMX_PE_RUNNING 0
#define SHMEMX_PE_FINALIZED 1
#define SHMEMX_PE_DEAD 2
int shmemx_pe_state(int pe);
int shmemx_outlives_pes(void);
COPAL_NORETURN void shmemx_fail(void);

/* alert, alerts, on_alert: wake PEs that wait.
 *
 * An alert is the death of a PE (after the PE's state has changed) or a call of shmemx_alert by a PE.  It concerns all
 * PEs, also the calling PE: PEs that sleep in a routine of the library wake up.
 *
 * shmemx_on_alert sets the handler: the function that a waiting thread of this PE calls after an alert.  All routines
 * that wait for another PE call it (shmem_wait_until, barriers and other collectives, locks), except shmem_init and
 * shmem_finalize.  They call it each time that the number of alerts has changed.  If the job has had an alert before,
 * they also call it once in each wait of more than about 20 us.  A sleeping thread calls the handler immediately, a
 * running thread within a time slice of the system.
 *
 * The handler may call the library; if it waits there, this wait calls the handler, too.  If the handler returns, the
 * wait continues.  It may also leave the routine by longjmp.  The library's other routines still work, but the
 * interrupted routine has done an unknown part of its work.  A wait for an object has had no effect.  A lock is not
 * acquired (if shmemx_outlives_pes is 0, other PEs that wait for this lock may wait for ever).  If some members of a
 * team have left one of its collectives, no member may use the team in a collective any more.  If the handler leaves
 * shmem_malloc or shmem_free, this PE's heap differs from the heaps of PEs that did not call it.
 *
 * handler: the function to call; NULL: none
 *
 * On return: other PEs may not have noticed the alert yet, and earlier operations may still be pending.
 *
 * Returns: shmemx_alerts, the address of the number of alerts (a program may load from it until shmem_finalize);
 * shmemx_on_alert, the previous handler. */
typedef void (*shmemx_alert_handler)(void);
void shmemx_alert(void);
const volatile uint32_t *shmemx_alerts(void);
shmemx_alert_handler shmemx_on_alert(shmemx_alert_handler handler);

/* name_waits, name_routines, backtrace: errors and waits in the terms of another library.
 *
 * These routines are for libraries and language interfaces on top of this library.  Their users know the routines by
 * other names.
 *
 * shmemx_name_waits sets the function that names this PE's waits for `oshrun --watch`.  The waiting thread calls it
 * when a wait has become long enough to be reported, and again from time to time.  The function returns a text for the
 * report, of which at most 59 characters are shown; if it returns NULL, the report shows the library's routine.  In
 * *wait, pe is the PE for which the library waits; the function may change *wait.  It must not call the library.
 *
 * A shmemx_wait describes a wait for one PE, or for the PEs that have not entered a collective.  A collective has the
 * same team, number and kind on all its PEs: each team of a PE has another value of team, and number counts the team's
 * collectives.  If a team has a list of PEs, the report shows only PEs up to 1023.
 *
 * shmemx_name_routines sets the function that names this library's routines in errors and in `oshrun --watch`.  Its
 * argument is the routine's name in C, and it returns the name to show.  The thread that called the routine calls it.
 * It must not call the library.
 *
 * shmemx_backtrace prints to standard error the functions, files and lines that have led to the program's call of the
 * library.  With SHMEM_BACKTRACE=0 it prints nothing.
 *
 * namer: the function to call; NULL: none
 *
 * On return: no other PE has taken part, and earlier operations may still be pending.
 *
 * Returns: the previous function.
 *
 * Notes: shmemx_name_routines may be called at any time. */
typedef struct {
    int pe;         /* or -1: any */
    int n_pes;      /* of the collective; 0: the wait is for pe */
    const int *pes; /* the PEs, valid as long as the wait;
                     * NULL: 0 to n_pes - 1 */
    uint64_t team, number;
    int kind; /* of a collective, 0 or 1: a PE in a collective of the other
               * kind has not entered this one; of a wait for pe, 1 if it
               * may end without pe, or may already be for another PE */
} shmemx_wait;
typedef const char *(*shmemx_wait_namer)(shmemx_wait *wait);
shmemx_wait_namer shmemx_name_waits(shmemx_wait_namer namer);
typedef const char *(*shmemx_routine_namer)(const char *routine);
shmemx_routine_namer shmemx_name_routines(shmemx_routine_namer namer);
void shmemx_backtrace(void);

/* put_blocks, get_blocks_nbi, in_order: copy many separate blocks, in few messages.
 *
 * Copy n blocks of bytes bytes each, which are dest_step and source_step bytes apart.  Several puts may share a
 * message; they need not be sent before this PE calls shmem_quiet or waits.
 *
 * Some operations of one thread on one PE take effect in the order of their calls, without fence or quiet: puts and
 * gets of at most shmemx_in_order bytes in total (these routines, and those of OpenSHMEM on the default context),
 * atomics and signals.
 *
 * dest: what is written: symmetric, on PE pe; for a get any memory of the calling PE
 * source: what is read: any memory of the calling PE; for a get symmetric, on PE pe
 * dest_step: distance from one block of dest to the next, in bytes; it may be negative
 * source_step: the same for source
 * bytes: number of bytes of a block
 * n: number of blocks
 *
 * On return: the source of a put may be reused.  Puts and gets may still be pending: shmem_quiet on SHMEM_CTX_DEFAULT
 * completes both.
 *
 * Returns: shmemx_in_order, a number of bytes. */
void shmemx_put_blocks(void *dest, const void *source, ptrdiff_t dest_step, ptrdiff_t source_step, size_t bytes,
                       size_t n, int pe);
void shmemx_get_blocks_nbi(void *dest, const void *source, ptrdiff_t dest_step, ptrdiff_t source_step, size_t bytes,
                           size_t n, int pe);
size_t shmemx_in_order(void);

/* signal_after: adds to a signal after all earlier operations, without waiting for them.
 *
 * Adds signal to sig_addr on PE pe when all puts, non-fetching atomics, signals and posts are complete that this PE has
 * made on SHMEM_CTX_DEFAULT, to any PEs.  It has the effect of a shmem_quiet and a shmem_signal_add, but need not wait:
 * the library sends the signal when the other PEs have confirmed the earlier operations, also while this PE computes.
 *
 * sig_addr: symmetric; the signal on PE pe
 * signal: the value that is added
 * pe: the PE
 *
 * On return: the signal may not have been sent.  shmem_quiet on SHMEM_CTX_DEFAULT completes it.  Neither
 * shmem_fence nor a call of a function orders it before later operations. */
void shmemx_signal_after(uint64_t *sig_addr, uint64_t signal, int pe);

/* readv, writev: read and write memory of a PE that need not be symmetric.
 *
 * Access memory of any PE at the addresses that this PE itself uses.  Within a node, they call process_vm_readv and
 * process_vm_writev.
 *
 * mine: any memory of the calling PE; it lists the parts of this PE's memory that shmemx_readv writes and shmemx_writev
 * reads
 * n_mine: number of these parts
 * theirs: any memory of the calling PE; it lists the parts of PE pe's memory that are read or written
 * n_theirs: number of these parts
 *
 * On return: the operation is complete.
 *
 * Returns: the number of bytes copied, or -1 with errno.  Within a node, the number is less than requested if a page
 * does not exist, or if more than 0x7ffff000 bytes are requested, the most that the kernel copies in a call.  ESRCH:
 * the PE has ended.  EPERM: the kernel forbids the access; if kernel.yama.ptrace_scope is 1, PE pe must permit it
 * before, by prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY), as each image of a coarray program does. */
ssize_t shmemx_readv(int pe, const struct iovec *mine, size_t n_mine, const struct iovec *theirs, size_t n_theirs);
ssize_t shmemx_writev(int pe, const struct iovec *mine, size_t n_mine, const struct iovec *theirs, size_t n_theirs);

/* call, post, register, notify: functions that other PEs call.
 *
 * shmemx_register assigns a number to a function that other PEs may call on this PE.  Each PE registers its own
 * functions, at any time, also before shmem_init.  Before other PEs call them, there must be a barrier.  If a number is
 * registered again, it belongs to the new function.
 *
 * shmemx_call calls a function on a PE and waits for its reply. shmemx_post does not wait, and gets no reply: the
 * function's argument reply is NULL.  Like puts of blocks, a post need not be sent before this PE calls shmem_quiet or
 * waits.
 *
 * These routines are for PEs of other nodes, and for the calling PE itself: there, the calling thread runs the function
 * before the call returns.  They are not for other PEs of the same node, whose memory shmem_ptr can access.
 *
 * Any thread of the PE that makes progress runs a function: a thread that waits in a routine of the library, or the
 * library's own thread, whose stack has at least 8 MiB.  The function's arguments are the calling PE and the bytes that
 * the calling PE has sent.  These bytes are aligned for any type, may be changed, and are valid until the function
 * returns.  A PE runs one function after the other, without the lock of the network.  A function may allocate and free
 * memory.  It must not call OpenSHMEM, except for shmemx_notify.  It must not wait for a thread that calls OpenSHMEM,
 * or leave by longjmp.  If another thread sleeps in shmem_wait_until, it may notice stores of the function late.
 *
 * shmemx_notify, which only such a function may call, stores value in word on PE pe, which may be any PE, and does not
 * wait.  It wakes threads that wait for a change of word.
 *
 * A reply consists of up to SHMEMX_REPLY_HEAD bytes, which the function writes to head (aligned for any type), and any
 * number of bytes at data.  When the data has been sent, or cannot be sent any more, the library calls release with
 * data, unless release is NULL.  For release, the same rules apply as for the function.  All fields except head are
 * initially 0.
 *
 * The calling thread calls the receiver once, when the length of the reply's data is known and before shmemx_call
 * returns.  The receiver returns memory of at least this length, to which the data is then copied, or NULL to discard
 * the data.  It may call the library.  Its argument head is valid until it returns.
 *
 * Calls of one thread on one PE are executed in their order, and after the thread's earlier puts to this PE on the
 * default context.  Later puts and gets of at most shmemx_in_order bytes take effect after the call; larger puts need a
 * fence.
 *
 * number: the function's number, the same on all PEs
 * function: the function to call; it may differ between PEs
 * args: any memory of the calling PE; lists the parts, of any length, from which the arguments are gathered
 * n: number of these parts
 * receive: returns the memory for the data of the reply; NULL: the data is discarded
 * context: any memory of the calling PE, or NULL: an argument for receive
 * word: symmetric; a word that no PE changes by atomics at the same time
 * value: the word's new value
 *
 * On return: shmemx_call, the function has been run and the reply has arrived; shmemx_post, the arguments may be
 * reused, and after the next shmem_quiet on SHMEM_CTX_DEFAULT the function has been run.
 *
 * Returns: shmemx_call, 0, or -1 if that PE has ended before its reply (errno: ESRCH).  With -1, it is unknown whether
 * the function was run and receive was called.
 *
 * Errors: The job ends if the PE has not registered the number, or if pe is another PE of the same node. */
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
void shmemx_notify(uint64_t *word, uint64_t value, int pe);

/* clock, time_is_emulated, compute, access, message_time: time, which may be emulated.
 *
 * On an emulated network with times (`oshrun --fabric`), the time of a program is emulated.  These routines may be
 * called at any time.
 *
 * shmemx_compute keeps this PE's processor busy for the given time; if time is emulated, it only advances the time.
 * The library serves other PEs meanwhile.
 *
 * The library does not see loads and stores that the program makes by a pointer of shmem_ptr.  If time is emulated,
 * shmemx_access advances it by the time that these take.
 *
 * seconds: how long, from 0 to 1e6
 * sym: symmetric; the first byte that the program loads or stores
 * bytes: the number of these bytes
 * pe: the PE whose memory it is, for which shmem_ptr has an address
 * store: 1 for stores, 0 for loads
 * which: of a message: one of the constants above
 *
 * On return: no other PE has taken part, and earlier operations may still be pending.
 *
 * Returns: shmemx_clock, emulated seconds or seconds of CLOCK_MONOTONIC, since a moment that is the same for all PEs of
 * a machine; shmemx_time_is_emulated, 1 if time is emulated, else 0; shmemx_message_time, the time of messages on an
 * emulated network or node in seconds, and 0 if it is not known.
 *
 * Errors: A time or a constant that is not allowed ends the job.
 *
 * Fortran: shmemx_access and shmemx_message_time do not exist. */
enum {
    SHMEMX_MESSAGE,      /* an empty message, until its target has it */
    SHMEMX_GAP,          /* a processor, for each message that it sends or
                          * receives */
    SHMEMX_BYTE,         /* a byte on the wire */
    SHMEMX_COPIED_BYTE,  /* a byte copied to a message, or from it */
    SHMEMX_ADAPTER,      /* a node's NIC, for each message */
    SHMEMX_ACROSS,       /* the busiest link, for each byte that each node
                          * sends to all others together */
    SHMEMX_NEAR,         /* until a PE of the same node sees a store */
    SHMEMX_NEAR_BYTE,    /* to copy a byte within a node */
    SHMEMX_GROUPS,       /* as SHMEMX_NEAR, between L3 groups of the job's only
                          * node; SHMEMX_NEAR is then within a group */
    SHMEMX_ACCESS,       /* a processor, for an access on its node */
    SHMEMX_LINE,         /* from a reader of a cache line to the next PE */
    SHMEMX_MEMORY_BYTE,  /* a byte that a PE's memory transfers */
    SHMEMX_GROUP_PES     /* no time: the number of PEs in an L3 group */
};
double shmemx_clock(void);
int shmemx_time_is_emulated(void);
void shmemx_compute(double seconds);
double shmemx_message_time(int which);
void shmemx_access(const void *sym, size_t bytes, int pe, int store);

/* largest_block: the largest free block of the symmetric heap.
 *
 * On return: no other PE has taken part, and earlier operations may still be pending.
 *
 * Returns: the size of the largest block that shmem_malloc can allocate now, the same on all PEs. */
size_t shmemx_largest_block(void);

/* heap_advice: how a user gets a larger symmetric heap.
 *
 * mib: the wanted size, in MiB
 * text: any memory of the calling PE: receives the advice
 * room: size of text in bytes; 200 is enough
 *
 * On return: text names the setting, such as "SHMEM_SYMMETRIC_SIZE=64m would do"; or, if no heap of this size is
 * possible for each PE of the node, what limits it, and to which size: the machine's memory, the address space, the
 * control group or a limit (`ulimit -v`, `ulimit -f`).  No other PE has taken part. */
void shmemx_heap_advice(size_t mib, char *text, size_t room);

/* tell_algorithms: which algorithms collectives use, for tools.
 *
 * shmemx_tell_algorithms sets the handler.  When this PE chooses an algorithm for a collective, also for a collective
 * inside the library, the calling thread calls the handler before the algorithm runs.  The arguments are the name of
 * the collective, such as "reduce", the name of the algorithm, such as "recursive_doubling:get", and the number of
 * bytes.  The texts are valid until the handler returns.  The handler must not call a collective.  No collective may
 * run on this PE during shmemx_tell_algorithms.
 *
 * handler: the function to call; NULL: none
 *
 * On return: no other PE has taken part, and earlier operations may still be pending. */
typedef void (*shmemx_algorithm_handler)(const char *collective, const char *algorithm, size_t bytes);
void shmemx_tell_algorithms(shmemx_algorithm_handler handler);

/* begin_collective, end_collective: a collective of a library on top of this one.
 *
 * The program's quiet does not track puts and atomics that the calling thread issues between these two routines: a
 * quiet or fence outside does not wait for them.  A quiet or fence inside applies only to operations that began inside.
 * Therefore a barrier that signals by puts and atomics adds no message to the next quiet between nodes.  As in the
 * library's own collectives, the receiver must detect all arrivals within the same collective.  To complete or order
 * earlier puts, the program needs a quiet or a fence before the collective.  Errors inside are reported as errors of
 * the named collective.
 *
 * No collective of the library may be called inside.  If an alert handler (shmemx_on_alert) leaves by longjmp, the
 * collective has ended.
 *
 * name: the collective's name, for messages: any memory of the calling PE, valid until end_collective
 *
 * On return: no other PE has taken part, and earlier operations may still be pending. */
void shmemx_begin_collective(const char *name);
void shmemx_end_collective(void);

#undef COPAL_NORETURN
#ifdef __cplusplus
}
#endif
#endif
