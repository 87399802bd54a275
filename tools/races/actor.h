/* The clocks of this PE's strands, and of the agents that perform the operations it has started and not completed.
 *
 * A strand is the PE itself, or a thread of it whose start and synchronization can be observed (threads.c, openmp.c).
 * Other threads, such as those of clang's OpenMP, count as part of their creator's strand.
 *
 * Each context has agents for each PE that it is used for: one for the writes of puts and nonfetching atomics; some, in
 * turn, for puts with a signal, as a signal follows its own put's data and no other's; one for stores through a pointer
 * of shmem_ptr; and one for the accesses of nonblocking operations to local memory, and of nonblocking gets to the
 * other PE's. A fence orders the later operations of all agents but the last behind their earlier ones, for strands
 * that know the fence; a quiet joins all agents into the clock of the calling strand. */
#ifndef COPAL_RACES_ACTOR_H
#define COPAL_RACES_ACTOR_H

#include "races/board.h"

#include <pshmem.h>
#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#else
enum { __libc_single_threaded = 0 };
#endif

#define EPOCH_LAST (((uint32_t)1 << 26) - 1) /* the last epoch: then more counts as ordered than is */

/* The accessing actor, and what is over for it besides what its strand knows to be over. */
struct doer {
    uint32_t actor, epoch;
    int n_fenced;
    uint32_t fenced[6], until[6]; /* these actors' epochs up to until */
};

struct strand {
    uint32_t actor;   /* 0, but for PE 0 itself: it has done nothing yet */
    uint32_t segment; /* the epoch at the start of its segment */
    bool has_fenced;  /* so each later atomic store is a release */
    _Atomic bool lives; /* not joined; for OpenMP, in a region */
    struct strand *next; /* of the PE */
    struct used *used; /* used.h; NULL: nothing yet */
    uint32_t clock[BOARD_ACTORS]; /* the epochs that it knows to be over */
};
extern _Thread_local struct strand *strand __attribute__((visibility("hidden"))); /* of this thread */

struct strand *actor_of_pe(void); /* the PE itself */

/* Whether this process has only one thread, strand or not, as far as the C library knows. */
static inline bool actor_is_alone(void)
{
    return __libc_single_threaded;
}

extern bool actor_has_strands; /* besides the PE itself */
extern uint64_t actor_now __attribute__((visibility("hidden"))); /* actor and epoch as in cells; 0: several strands */

void actors_begin(int me, int n_pes);
void actor_next_epoch(void); /* later accesses are unknown to strands with an earlier copy of the clock */

/* Starts an actor with a copy of this actor's clock. The slot of a joined actor may be reused. False: there are too
 * many. */
bool actor_split(struct strand *new);
void actor_join(struct strand *ended);

/* Becomes this thread's own strand, which knows nothing yet; if there are too many, the thread stays part of the
 * PE's. */
bool actor_begin_strand(struct strand *new);
void actor_expect_strands(void); /* others will call that, until as many calls of actor_expect_no_more */
void actor_expect_no_more(void);

/* Whether all strands that live, or are expected, know this epoch of an actor to be over. */
bool actor_is_over_for_all(uint32_t actor, uint32_t epoch);

enum agent {
    AGENT_LOCAL,
    AGENT_PUTS, /* a fence orders this and the following */
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
struct doer actor_behind_fence(shmem_ctx_t ctx, int pe); /* the PE, behind a fence: fetching atomics */

void actor_fence(shmem_ctx_t ctx);
void actor_quiet(shmem_ctx_t ctx);
void actor_quiet_pe(shmem_ctx_t ctx, int pe);
void actor_complete_stores(void); /* of shmem_ptr */
void actor_forget(shmem_ctx_t ctx); /* the context is destroyed */

/* A strand that sees the word at this offset changed knows this strand's clock, and the fences that this strand knows
 * for PE pe, which owns the word. For an agent of AGENT_SIGNALS also the data of its put; for AGENT_LOCAL no agent's
 * operations. */
void actor_release(uint64_t at, enum agent kind, shmem_ctx_t ctx, int pe);
void actor_acquire(uint64_t at);

/* For coarrays: later operations of the PE are in a new segment; a strand that sees the word changed knows what the PE
 * did before this segment. */
void actor_begin_segment(void);
void actor_release_segment(uint64_t at);

/* A collective of a group: the PE publishes its clock, or joins the clocks published for synchronization number. */
void actor_tell(uint64_t group, uint32_t number);
void actor_learn(uint64_t group, uint32_t number);

/* The part of the clocks published there that all of them had in common. */
void actor_known_to_all(uint64_t group, uint32_t number, uint32_t clock[BOARD_ACTORS]);

#endif
