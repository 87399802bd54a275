/* Copal's extensions to OpenSHMEM: their names begin with shmemx_ and SHMEMX_.
 *
 * The first group lets a program go on when one of its PEs has died.  That is what `oshrun --outlive` (and `cafrun`,
 * always) is for: a PE that ends between shmem_init and the end of shmem_finalize is dead and the others run on.  Its
 * memory stays where it was, so puts, gets and atomics on a dead PE work and lead to nothing; PEs on other nodes find
 * nothing there any more: what they get is undefined.  What it was to do is never done: a barrier waits for it for
 * ever, unless an alert handler leaves the barrier.
 *
 * The second group moves data as runtimes of languages need it, within a node and between nodes alike.
 *
 * All but shmemx_fail and shmemx_name_routines may be called between shmem_init and shmem_finalize alone. */
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

/* Sets what names this PE's waits for `oshrun --watch`, and returns what it was before; NULL is nothing.
 *
 * Called by the thread that waits, when a wait has become long enough to be shown: it returns what the program is doing
 * (of which 59 characters are shown) and may set *pe to the PE that it waits for, or -1; or it returns NULL, and the
 * library's routine is shown.  It must not call the library. */
typedef const char *(*shmemx_wait_namer)(int *pe);
shmemx_wait_namer shmemx_name_waits(shmemx_wait_namer namer);

/* Sets what names this library's routines in errors and in `oshrun --watch`, and returns what it was before; NULL is
 * nothing.  For other languages' interfaces, whose users know the routines by other names.
 *
 * Called by the thread whose call it was, with C's name; it returns the one to show.  It must not call the library. */
typedef const char *(*shmemx_routine_namer)(const char *routine);
shmemx_routine_namer shmemx_name_routines(shmemx_routine_namer namer);

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

/* Bytes of the largest block that shmem_malloc could give now: the same on all PEs. */
size_t shmemx_largest_block(void);

#undef COPAL_NORETURN
#ifdef __cplusplus
}
#endif
#endif
