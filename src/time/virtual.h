/* The virtual clock: emulated time, for jobs on an emulated network (docs/fabric.md).
 *
 * The clock stands still while a PE runs. When the PE blocks, the clock jumps to the time of the next event. The
 * results of a program therefore do not depend on this machine's speed, processors and load, and no PE waits for real
 * time.
 *
 * One PE runs at a time: it has the *turn*. It is the lowest of the PEs with the earliest time. PEs thus access shared
 * state (memory of a node, servers of the network) in the same order in every run. One futex wake and one wait pass the
 * turn to the next PE. The state needs no lock, and a PE publishes the addresses for which it sleeps before another PE
 * can store to them.
 *
 * A PE's own time is the clock plus its *debt*, the time for which its processor is busy (virtual_spend). Before the PE
 * does what other PEs can see, or reads what they may have written, it settles the debt: it blocks until the clock
 * reaches its time. A blocked PE executes each of its events when the event is due (wait_progress): its puts are sent
 * and arrive, and it serves messages, even while its program computes.
 *
 * The state is in the job file behind the symmetric memory (job_share; turns.h). The library does not see stores
 * through shmem_ptr: PEs check for them after a millisecond, and when no PE has an event left, before a deadlock is
 * reported.
 *
 * This replaces spinning, yielding and sleeping of wait.h. Only one thread of a PE may be in the library. With
 * SHMEM_THREAD_MULTIPLE several threads may be, and each has its own time (places.h). */
#pragma once

#include "common/node_costs.h"
#include "job/self.h"

#define VIRTUAL_NEVER UINT64_MAX
#define VIRTUAL_SECOND UINT64_C(1000000000000) /* all times are picoseconds */

/* This PE's time is emulated, from virtual_enter to virtual_leave. */
extern bool virtual_on;
extern bool virtual_threads; /* and several of its threads may be in the library */

/* Every PE calls it between node_map and the last barrier of shmem_init: emulates this job's time, with these costs.
 * Ends the job with a message if that is not possible. */
void virtual_begin(const struct node_costs *costs);
bool virtual_begun(void);
void virtual_forget(void); /* in a forked child, which is no PE */

/* All living PEs enter before the first continues, at time 0 or at the time of the last shmem_finalize. A PE that has
 * left must not read the clock. */
void virtual_enter(bool threads); /* several threads of the PE may be in the library */
void virtual_leave(void);

/* --- for the provider, which gets them as pointers ---------------------------------------------------------------- */

/* The clock, and this PE's time including its debt. */
uint64_t virtual_clock(void);
uint64_t virtual_now(void);

/* Adds to this thread's debt. Never blocks a thread that has run in the library already. */
void virtual_spend(uint64_t ps);

/* Announces an event of a PE, perhaps this PE: if the PE is blocked at that time, it runs and calls wait_progress once.
 * Only the earliest announced time is kept, until wait_progress is called for it, so wait_progress announces the next
 * event, if there is one. In this call, virtual_now is the time of the event, even if the PE's debt ends later. */
void virtual_wake(int pe, uint64_t at);

/* --- for waits (wait.c, progress.c) ------------------------------------------------------------------------------- */

/* If several threads use the library, one runs in it at a time, in the order of their times (places.h): the caller,
 * from here until it blocks, sleeps outside the library, or ends. A thread first calls this or a function below. */
void virtual_turn(void);

/* Blocks until the clock reaches this thread's time. */
void virtual_settle(void);

/* Blocks until an event of this PE, or if the PE is in debt, until the debt is settled. w: the wait, for reports, or
 * NULL. */
struct wait;
void virtual_wait(const struct wait *w);
bool virtual_in_debt(void);

/* Between threads of this PE, if virtual_threads is set: blocks until the owner releases the resource. Another thread
 * may have acquired it by the time this returns. */
void virtual_want(const void *what);
void virtual_give(const void *what);

/* A store of this PE may end a wait of pe, on this node; if pe is this PE, a wait of another of its threads. */
void virtual_wake_near(int pe);

/* The program has a pointer to another PE's memory. */
void virtual_expect_unseen(void);

/* A wait has ended, so even if all other PEs wait, there is no deadlock yet. */
void virtual_wait_ended(void);

/* --- costs within a node ------------------------------------------------------------------------------------------ */

/* Every access to a PE's memory begins with this (reach_slowly), which settles the debt. other: the memory belongs to
 * another PE of this node. If the node has no shape, a store costs the writer an eighth of a latency; the reader's wait
 * or load takes the latency. */
void virtual_reach(bool other);

/* Called before virtual_reach: adds the other costs of an access to bytes at a place (node.h) in PE pe's memory, on
 * this node. */
enum virtual_access {
    VIRTUAL_LOAD,
    VIRTUAL_READ, /* a load by a pointer; without a shape, it has no latency */
    VIRTUAL_STORE,
    VIRTUAL_CHANGE, /* an atomic */
    VIRTUAL_WAIT,   /* a check of a word of this PE, which it may then wait for */
};
void virtual_access(enum virtual_access kind, int pe, uint64_t at, size_t bytes);

/* The program polls, and may poll again: the clock must advance. */
void virtual_poll(void);

/* The program calls the library, so its own computing ends (computing.h); the library returns to the program. */
void virtual_called(void);
void virtual_resume(void);

/* The program computes for that time. */
void virtual_compute(uint64_t ps);

/* Whether virtual_seconds knows the time: from virtual_enter on. It is the emulated time plus the value of
 * CLOCK_MONOTONIC when the job began; after virtual_leave it continues with real time. */
bool virtual_ticks(void);
double virtual_seconds(void);
