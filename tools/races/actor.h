/* The clocks of this PE's strands, and of the agents, which perform the PE's pending operations.
 *
 * A strand is the PE itself, or a thread of it whose start and synchronization can be observed (threads.c, openmp.c).
 * Other threads, such as threads of clang's OpenMP, count as part of their creator's strand.
 *
 * Each context has these agents for each target PE: one for the writes of puts and nonfetching atomics; several, in
 * turn, for puts with a signal, because a signal is ordered only after its own put's data; one for stores through a
 * pointer of shmem_ptr; and AGENT_LOCAL for accesses of local memory by nonblocking operations, and nonblocking gets'
 * reads. A fence orders each agent's earlier operations before its later ones, except AGENT_LOCAL's, for the strands
 * that know the fence. A quiet joins all agents into the clock of the calling strand. */
#pragma once

#include "races/board.h"

#include <pshmem.h>
#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#else
enum { __libc_single_threaded = 0 };
#endif

#define EPOCH_LAST (((uint32_t)1 << 26) - 1) /* the last epoch: later accesses count as ordered */

/* The accessing actor, and the fenced epochs that are over for it in addition to its strand's clock. */
struct doer {
    uint32_t actor, epoch;
    int n_fenced;
    uint32_t fenced[6], until[6]; /* epochs of actor fenced[i] up to until[i] are over */
};

struct strand {
    uint32_t actor;   /* 0: PE 0 itself, or a strand that has not begun */
    uint32_t segment; /* the epoch at the start of its segment */
    bool has_fenced;  /* each later atomic store counts as a release */
    _Atomic bool lives; /* the thread is not joined; a thread of OpenMP is in a region */
    struct strand *next; /* the next strand of this PE */
    struct used *used; /* used.h; NULL: no uses yet */
    uint32_t clock[BOARD_ACTORS]; /* for each actor, the last epoch that this strand knows to be over */
};
extern _Thread_local struct strand *strand __attribute__((visibility("hidden"))); /* of this thread */

struct strand *actor_of_pe(void); /* the PE itself */

/* Whether this process has only one thread, strand or not, as far as the C library knows. */
static inline bool actor_is_alone(void)
{
    return __libc_single_threaded;
}

extern bool actor_has_strands; /* there are strands other than the PE itself */
extern uint64_t actor_now __attribute__((visibility("hidden"))); /* actor, epoch as in cells; 0 if several strands */

void actors_begin(int me, int n_pes);
void actor_next_epoch(void); /* strands with an earlier copy of the clock do not know later accesses */

/* Starts an actor with a copy of this actor's clock. The slot of a joined actor may be reused. False: there are too
 * many. */
bool actor_split(struct strand *new);
void actor_join(struct strand *ended);

/* Makes new this thread's own strand, whose clock is empty. If there are too many, the thread stays part of the PE's
 * strand. */
bool actor_begin_strand(struct strand *new);
void actor_expect_strands(void); /* new strands may begin until the matching call of actor_expect_no_more */
void actor_expect_no_more(void);

/* Whether all strands that live, or are expected, know this epoch of an actor to be over. */
bool actor_is_over_for_all(uint32_t actor, uint32_t epoch);

enum agent {
    AGENT_LOCAL,
    AGENT_PUTS, /* fences order this agent and the following ones */
    AGENT_STORES,
    AGENT_SIGNALS,
    AGENTS = AGENT_SIGNALS + 4
};
enum agent actor_next_signal(void); /* the agent of the next put with a signal */

static inline struct doer actor_pe(void)
{
    struct doer d;
    d.actor = strand->actor;
    d.epoch = strand->clock[strand->actor];
    d.n_fenced = 0;
    return d;
}

struct doer actor_agent(enum agent kind, shmem_ctx_t ctx, int pe);
struct doer actor_behind_fence(shmem_ctx_t ctx, int pe); /* the strand, ordered after fences: for fetching atomics */

void actor_fence(shmem_ctx_t ctx);
void actor_quiet(shmem_ctx_t ctx);
void actor_quiet_pe(shmem_ctx_t ctx, int pe);
void actor_complete_stores(void); /* stores through pointers of shmem_ptr */
void actor_forget(shmem_ctx_t ctx); /* the context is destroyed */
void actor_forget_all(void);

/* From now on, a strand that sees a change of the word at this offset, owned by PE pe, knows this strand's clock and
 * this strand's fences for pe. With an agent of AGENT_SIGNALS it also knows the data of the agent's put; with
 * AGENT_LOCAL it knows no agent's operations. */
void actor_release(uint64_t at, enum agent kind, shmem_ctx_t ctx, int pe);
void actor_acquire(uint64_t at);

/* For coarrays: later operations of the PE are in a new segment. A strand that sees a change of the word knows the PE's
 * accesses before this segment. */
void actor_begin_segment(void);
void actor_release_segment(uint64_t at);

/* A collective of a group: the PE publishes its clock, or joins the clocks published for synchronization number. */
void actor_tell(uint64_t group, uint32_t number);
void actor_learn(uint64_t group, uint32_t number);

/* The minimum of the clocks published for this synchronization: epochs that all PEs knew to be over. */
void actor_known_to_all(uint64_t group, uint32_t number, uint32_t clock[BOARD_ACTORS]);
