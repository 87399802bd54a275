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
 * With `oshrun --outlive` (and `cafrun`, always) a PE that ends between shmem_init and the end of shmem_finalize is
 * dead and the others continue.  Within a node its memory stays, so puts, gets and atomics on a dead PE have no effect
 * on the living; between nodes its memory is gone, and gets from it have undefined results.  Other PEs wait for it for
 * ever in a barrier, unless an alert handler leaves the barrier (shmemx_on_alert).
 *
 * shmemx_pe_state returns the state of a PE.  A PE is finalized from its call of shmem_finalize on, in which it waits
 * for all living PEs.  shmemx_fail makes this PE dead: its process ends immediately, without atexit handlers and
 * without flushing streams.  It may be called at any time.  If the job does not outlive its PEs, it ends.
 *
 * On return: no other PE has taken part, and nothing that was sent need be complete.  shmemx_fail does not return.
 *
 * Returns: shmemx_outlives_pes, 1 if the job continues when one of its PEs dies, and 0 if it ends, as for a program
 * started without oshrun; shmemx_pe_state, one of the constants above. */
#define SHMEMX_PE_RUNNING 0
#define SHMEMX_PE_FINALIZED 1
#define SHMEMX_PE_DEAD 2
int shmemx_pe_state(int pe);
int shmemx_outlives_pes(void);
COPAL_NORETURN void shmemx_fail(void);

/* alert, alerts, on_alert: wake PEs that wait.
 *
 * Each death of a PE is an alert (after the PE's state has changed), and so is each shmemx_alert of any PE.
 * shmemx_alert alerts all PEs, also the calling one: PEs that sleep in a routine of the library wake up.
 *
 * shmemx_on_alert sets the function that this PE calls in its waits after an alert.  The waiting thread calls the
 * handler, in any routine that waits for another PE (shmem_wait_until, barriers and other collectives, locks), except
 * shmem_init and shmem_finalize: each time that it finds the count of alerts changed, and once in each wait of more
 * than about 20 us if the job has had an alert before.  A sleeping thread calls it immediately, a running one within a
 * time slice of the system.
 *
 * The handler may call the library; waits in it call the handler, too.  If it returns, the wait continues.  It may also
 * leave the routine by longjmp.  Then the library's other routines still work, and the routine that was left has done
 * an unknown part of its work.  A wait for an object has done nothing.  A lock has not been taken (if
 * shmemx_outlives_pes is 0, this PE leaves its place in the queue of the lock, and the queue stops there).  No member
 * may use a team in a collective any more if some members have left one of its collectives.  After leaving shmem_malloc
 * or shmem_free, this PE's heap differs from those of PEs that did not call it.
 *
 * handler: what is called; NULL: nothing
 *
 * On return: no other PE need have noticed the alert yet, and nothing that was sent need be complete.
 *
 * Returns: shmemx_alerts, the address of the number of alerts, which stays the same until shmem_finalize: a check is a
 * plain load; shmemx_on_alert, the previous handler. */
typedef void (*shmemx_alert_handler)(void);
void shmemx_alert(void);
const volatile uint32_t *shmemx_alerts(void);
shmemx_alert_handler shmemx_on_alert(shmemx_alert_handler handler);

/* name_waits, name_routines, backtrace: errors and waits in the terms of another library.
 *
 * For libraries and language interfaces on top of this one, whose users know the routines by other names.
 *
 * shmemx_name_waits sets the function that names this PE's waits for `oshrun --watch`.  The waiting thread calls it
 * when a wait has become long enough to be shown, and again from time to time.  The function returns what the program
 * does (at most 59 characters are shown) and may change *wait, in which pe is the PE that the library waits for; if it
 * returns NULL, the library's routine is shown.  It must not call the library.
 *
 * A shmemx_wait describes a wait for one PE, or for the PEs that have not entered a collective.  A collective has the
 * same team, number and kind on all its PEs: team distinguishes the teams of a PE, number counts the team's
 * collectives.  Of teams with a list of PEs, only PEs up to 1023 are shown.
 *
 * shmemx_name_routines sets the function that names this library's routines in errors and in `oshrun --watch`.  The
 * thread that calls a routine passes C's name to it; it returns the name to show.  It must not call the library.
 *
 * shmemx_backtrace prints to standard error where the program has called the library: functions, files and lines.  With
 * SHMEM_BACKTRACE=0 it prints nothing.
 *
 * namer: what is called; NULL: nothing
 *
 * On return: no other PE has taken part, and nothing that was sent need be complete.
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
 * Copy n blocks of bytes bytes each, which are dest_step and source_step bytes apart.  Puts are sent together: they
 * need not be sent before this PE calls shmem_quiet or waits.
 *
 * Puts and gets of at most shmemx_in_order bytes in all (these routines, and those of OpenSHMEM on the default
 * context), and atomics and signals, that one thread makes on one PE take effect in the order of their calls, without
 * fence or quiet.
 *
 * dest: what is written: symmetric, on PE pe; for a get any memory of the calling PE
 * source: what is read: any memory of the calling PE; for a get symmetric, on PE pe
 * dest_step: distance from one block of dest to the next, in bytes; it may be negative
 * source_step: the same for source
 * bytes: in a block
 * n: how many blocks
 *
 * On return: the source of a put may be reused; the result of a get is there after shmem_quiet.  shmem_quiet on
 * SHMEM_CTX_DEFAULT completes both.
 *
 * Returns: shmemx_in_order, a number of bytes. */
void shmemx_put_blocks(void *dest, const void *source, ptrdiff_t dest_step, ptrdiff_t source_step, size_t bytes,
                       size_t n, int pe);
void shmemx_get_blocks_nbi(void *dest, const void *source, ptrdiff_t dest_step, ptrdiff_t source_step, size_t bytes,
                           size_t n, int pe);
size_t shmemx_in_order(void);

/* readv, writev: read and write memory of a PE that need not be symmetric.
 *
 * Access memory of any PE at the addresses that the PE itself uses: like process_vm_readv and process_vm_writev, which
 * they call within a node.
 *
 * mine: any memory of the calling PE: the parts of it that shmemx_readv writes and shmemx_writev reads
 * n_mine: number of these parts
 * theirs: any memory of the calling PE; it lists the parts of PE pe's memory that are read or written
 * n_theirs: number of these parts
 *
 * On return: the operation is complete.
 *
 * Returns: the number of bytes copied, which is less than requested if a page does not exist, or -1 with errno (ESRCH:
 * the PE has ended). */
ssize_t shmemx_readv(int pe, const struct iovec *mine, size_t n_mine, const struct iovec *theirs, size_t n_theirs);
ssize_t shmemx_writev(int pe, const struct iovec *mine, size_t n_mine, const struct iovec *theirs, size_t n_theirs);

/* call, post, register: functions that other PEs call.
 *
 * shmemx_register assigns a number to a function that other PEs may call on this PE.  Each PE registers its own
 * functions, at any time (before shmem_init, too), and a barrier must follow before others call them.  A number that is
 * registered again belongs to the new function.
 *
 * shmemx_call calls a function on a PE and waits for its reply.  shmemx_post does not wait, and there is no reply: the
 * function's reply is NULL.  Like puts of blocks, a post need not be sent before this PE calls shmem_quiet or waits.
 *
 * These routines are for PEs of other nodes.  On the calling PE, the calling thread runs the function before the call
 * returns.  The memory of a PE of the same node can be accessed by shmem_ptr.
 *
 * A function is run by any thread of its PE that makes progress: a thread that waits in a routine of the library, or
 * the library's own thread, whose stack has at least 8 MiB.  Its arguments are the calling PE and the bytes that this
 * PE has sent, in memory that it may write to, aligned for any type, and valid until it returns.  A PE runs one call
 * at a time, and does not hold the network's lock meanwhile.  A function may allocate and free memory.  It must not
 * call OpenSHMEM, wait for a thread that does, or leave by longjmp.  A PE that sleeps in shmem_wait_until notices its
 * stores late.
 *
 * A reply has up to SHMEMX_REPLY_HEAD bytes that the function writes to head (aligned for any type), and any number of
 * bytes at data.  When they have been sent, or cannot be sent any more, the library calls release, if it is not NULL,
 * with data, under the same rules as the function.  All fields but head are initially 0.
 *
 * The receiver returns where the data of a reply is stored, as soon as its length is known: memory of at least this
 * length, or NULL to discard the data.  The calling thread calls it once, before shmemx_call returns, and it may call
 * the library.  Its head is valid until it returns.
 *
 * Calls of one thread on one PE are executed in their order, and after the thread's earlier puts there on the default
 * context.  Puts and gets after a call come after it if they are as small as shmemx_in_order says; other puts need a
 * fence.
 *
 * number: the function's number, the same on all PEs
 * function: what is called; it may differ between PEs
 * args: any memory of the calling PE; lists the parts from which the arguments are gathered, of any length
 * n: number of these parts
 * receive: returns the memory for the data of the reply; NULL: the data is discarded
 * context: any memory of the calling PE, or NULL: an argument for receive
 *
 * On return: shmemx_call, the function has been run and the reply has arrived; shmemx_post, the arguments may be
 * reused, and after the next shmem_quiet on SHMEM_CTX_DEFAULT the function has been run.
 *
 * Returns: shmemx_call, 0, or -1 if that PE has ended before its reply (errno: ESRCH); then the function may or may
 * not have been run, and receive may or may not have been called.
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

/* clock, time_is_emulated, compute, access, message_time: time, also where it is emulated.
 *
 * On an emulated network with times (`oshrun --fabric`), the time of a program is emulated.  These routines may be
 * called at any time.
 *
 * shmemx_compute keeps this PE's processor busy for the given time; if time is emulated, it only advances the time.
 * The library serves other PEs meanwhile.
 *
 * If time is emulated, shmemx_access spends the time of loads or stores that the program makes by a pointer of
 * shmem_ptr, which the library does not see.
 *
 * seconds: how long, from 0 to 1e6
 * sym: symmetric; the first byte that the program loads or stores
 * bytes: the number of these bytes
 * pe: the PE whose memory it is, for which shmem_ptr has an address
 * store: 1 for stores, 0 for loads
 * which: of a message: one of the constants above
 *
 * On return: no other PE has taken part, and nothing that was sent need be complete.
 *
 * Returns: shmemx_clock, seconds since a moment that is the same for all PEs of a machine, emulated or of
 * CLOCK_MONOTONIC; shmemx_time_is_emulated, 1 if they are emulated, else 0; shmemx_message_time, the time of messages
 * on an emulated network or node in seconds, and 0 if it is not known.
 *
 * Errors: Only a time or a constant that is not allowed.
 *
 * Fortran: There are no shmemx_access and shmemx_message_time. */
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
 * On return: no other PE has taken part, and nothing that was sent need be complete.
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
 * From now on, when this PE chooses an algorithm for a collective, the library's own included, the calling thread calls
 * the handler before the algorithm runs: with the collective's name, such as "reduce", the algorithm's, such as
 * "recursive_doubling:get", and the number of bytes.  The texts are valid until the handler returns; it may call no
 * collective.  No collective may run on this PE during shmemx_tell_algorithms.
 *
 * handler: what is called; NULL: nothing
 *
 * On return: no other PE has taken part, and nothing that was sent need be complete. */
typedef void (*shmemx_algorithm_handler)(const char *collective, const char *algorithm, size_t bytes);
void shmemx_tell_algorithms(shmemx_algorithm_handler handler);

/* begin_collective, end_collective: a collective of a library on top of this one.
 *
 * Puts and atomics that the calling thread issues between these two routines are not tracked by the program's quiet: a
 * quiet or fence outside does not wait for them, and one inside applies only to operations begun inside.  Between
 * nodes, a barrier that signals by puts and atomics therefore adds no message to the next quiet.  As in the library's
 * own collectives, the receiver must detect arrivals within the same collective.  Earlier puts need a quiet or a fence
 * before the collective, as always.  Errors inside are reported as errors of the named collective.
 *
 * No collective of the library may be called inside.  If an alert handler (shmemx_on_alert) leaves by longjmp, the
 * collective has ended.
 *
 * name: the collective's name, for messages: any memory of the calling PE, valid until end_collective
 *
 * On return: no other PE has taken part, and nothing that was sent need be complete. */
void shmemx_begin_collective(const char *name);
void shmemx_end_collective(void);

#undef COPAL_NORETURN
#ifdef __cplusplus
}
#endif
#endif
