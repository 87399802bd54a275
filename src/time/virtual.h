/* The virtual clock: emulated time, for jobs on an emulated network (docs/fabric.md).
 *
 * It stands still while a PE runs, and jumps to when the next one has something to do once that one blocks.  So the
 * results of a program do not depend on how fast this machine is, on how many processors it has, or on what else it
 * does; and nobody ever waits for time to pass.
 *
 * One PE runs at a time, in the order of their times, and of PEs at the same time the lowest first: so whatever PEs
 * share (memory of a node, servers of the network) they come to in one order, which is the same in every run.  The turn
 * is handed from PE to PE, by one futex wake and one wait.  Nobody else runs meanwhile, so that state needs no lock,
 * and who falls asleep has said what for before anybody can store to it.
 *
 * A PE's own time is the clock plus its *debt*, for which its processor is busy (virtual_spend).  It is settled by
 * blocking until the clock is there, before the PE does what others could see, or looks at what they may have done.
 * Where a PE blocks it executes what is due for it at the time when it is due (wait_progress): puts that it has started
 * leave and land, messages are served, though its program computes.
 *
 * The state lies in the job file behind the symmetric memory (job_share; turns.h).
 * What a program stores through shmem_ptr the library does not see: it is found when nobody has anything else to do,
 * before that is called a deadlock, and else after a millisecond.
 *
 * This replaces all that wait.h does to spin, yield and sleep. Threads: one of a PE may be in the library at a time, or
 * with SHMEM_THREAD_MULTIPLE several, each of which has a time of its own (places.h). */
#ifndef COPAL_VIRTUAL_H
#define COPAL_VIRTUAL_H

#include "job/self.h"

#define VIRTUAL_NEVER UINT64_MAX
#define VIRTUAL_SECOND UINT64_C(1000000000000) /* all times are picoseconds */

/* What steps within a node and the program's own computing cost (struct fabric has them). */
struct virtual_costs {
    uint64_t node_latency; /* until another PE of the node sees a store, or for a load of what another has stored */
    double node_gap_byte;  /* for each byte that is copied */
    double compute;        /* a second of the program's processor time counts as so many; 0: it is free */
};

/* This PE's time is emulated: between virtual_enter and virtual_leave. */
extern bool virtual_on;
extern bool virtual_threads; /* and several threads of its may be in the library */

/* In every PE between node_map and the last meeting of shmem_init: this job's time is emulated, with these costs.  Ends
 * the job with a sentence if it cannot be. */
void virtual_begin(const struct virtual_costs *costs);
bool virtual_begun(void);
void virtual_forget(void); /* in a forked child, which has no part in it */

/* All PEs that are alive enter before the first goes on, which happens at time 0, or where a shmem_finalize left the
 * clock. The one that leaves must not look at the clock any more. */
void virtual_enter(bool threads); /* of the PE, several of which may be in the library */
void virtual_leave(void);

/* --- for the provider, which gets them as pointers ---------------------------------------------------------------- */

/* The clock, and this PE's time, its debt included. */
uint64_t virtual_clock(void);
uint64_t virtual_now(void);

/* This thread's processor is busy for so long. Never blocks where it has run in the library already. */
void virtual_spend(uint64_t ps);

/* Something happens for a PE at that time, which may be this one: it is made to run then, if it blocks, and to call
 * wait_progress once.  Only the earliest such time is remembered, and it is forgotten when wait_progress is called
 * for it: so progress ends by calling this for what comes next, if anything is left to come.  In progress virtual_now
 * is the time when that is due, though the program's own debt may go beyond it. */
void virtual_wake(int pe, uint64_t at);

/* --- for waits (wait.c, progress.c) ------------------------------------------------------------------------------- */

/* Of several threads one at a time runs in the library, in the order of their times (places.h): from here on this one
 * does, until it blocks, falls asleep outside, or ends.  What it does there first is this or one of those below. */
void virtual_turn(void);

/* Blocks until the clock is at this thread's time. */
void virtual_settle(void);

/* Blocks until something happens for this PE, or if it is in debt until that is settled.  w: whose wait it is, for
 * people, or NULL. */
struct wait;
void virtual_wait(const struct wait *w);
bool virtual_in_debt(void);

/* Between threads of this PE, where virtual_threads is set: blocks until another one gives that, which it has; that may
 * be somebody else's by then. */
void virtual_want(const void *what);
void virtual_give(const void *what);

/* A store of this PE ends the wait of another one of its node, or of its own threads. */
void virtual_wake_near(int pe);

/* The program has a pointer to another PE's memory. */
void virtual_expect_unseen(void);

/* A wait has ended: if everybody else waits, that is no deadlock yet. */
void virtual_wait_ended(void);

/* --- what is charged within a node -------------------------------------------------------------------------------- */

/* Every access to a PE's memory begins with this (reach_slowly), and settles; other: it is another PE's, on this node.
 * A store costs the one who makes it little (an eighth of a latency): it is in the reader's wait, or its load, that the
 * latency shows. */
void virtual_reach(bool other);

/* What is spent in addition before that: by loads and atomics, which wait for the memory, and for bytes. */
uint64_t virtual_load_time(bool other);
uint64_t virtual_copy_time(size_t bytes);

/* The program asks whether something has happened, and may ask again: time must go on. */
void virtual_poll(void);

/* The program has called the library: its own computing ends here (computing.h); the library returns to it. */
void virtual_called(void);
void virtual_resume(void);

/* The program computes for so long. */
void virtual_compute(uint64_t ps);

/* Whether virtual_seconds knows the time: from virtual_enter on.  It is the emulated time, counted from what
 * CLOCK_MONOTONIC was when the job began; after virtual_leave it goes on with real time. */
bool virtual_ticks(void);
double virtual_seconds(void);

#endif
