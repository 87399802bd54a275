/* The clocks of this PE's strands, and of the agents that do what it has started and not completed.
 *
 * A strand is the PE itself, or a thread of it of which one sees how it is started and synchronized (threads.c,
 * openmp.c).  Others, as those of clang's OpenMP, are one with the strand that has started them.
 *
 * Each context has agents for each PE that it is used for: one that writes what puts and nonfetching atomics write
 * there; some for puts with a signal, in turn, for a signal comes after its own put's data and after no other's; one
 * for stores by a pointer of shmem_ptr; and one for what nonblocking operations do to local memory, and nonblocking
 * gets to the other PE's. A fence orders what all but the last do from then on behind what they have done, for strands
 * that know of it; a quiet joins all into the clock of the strand that calls it. */
#ifndef COPAL_RACES_ACTOR_H
#define COPAL_RACES_ACTOR_H

#include "races/board.h"

#include <pshmem.h>
#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#else
enum { __libc_single_threaded = 0 };
#endif

#define EPOCH_LAST (((uint32_t)1 << 26) - 1) /* a clock stops there: then more is taken for ordered than is */

/* Who accesses, and what is over for it besides what its strand knows to be over. */
struct doer {
    uint32_t actor, epoch;
    int n_fenced;
    uint32_t fenced[6], until[6]; /* these actors' epochs up to until */
};

struct strand {
    uint32_t actor;   /* 0, but for PE 0 itself: it has done nothing yet */
    uint32_t segment; /* the epoch in which its segment has begun */
    bool has_fenced;  /* so that all atomics that it stores from then on tell */
    _Atomic bool lives; /* it is not joined, and of OpenMP in a region */
    struct strand *next; /* of the PE */
    struct used *used; /* used.h; NULL: nothing yet */
    uint32_t clock[BOARD_ACTORS]; /* what it knows to be over */
};
extern _Thread_local struct strand *strand __attribute__((visibility("hidden"))); /* of this thread */

struct strand *actor_of_pe(void); /* the PE itself */

/* Whether this process has but one thread, strands or not, as far as the C library knows. */
static inline bool actor_is_alone(void)
{
    return __libc_single_threaded;
}

extern bool actor_has_strands; /* besides the PE itself */
extern uint64_t actor_now __attribute__((visibility("hidden"))); /* the PE and its epoch, where cells have them; 0: it
                                                                  * has strands, and each an epoch of its own */

void actors_begin(int me, int n_pes);
void actor_next_epoch(void); /* what the strand does from now on is not known by who has its clock as it was */

/* One that begins, and knows what this one knows; it may be one that was joined. False: there are too many. */
bool actor_split(struct strand *new);
void actor_join(struct strand *ended);

/* This thread's own from now on, which knows nothing as yet; or it stays one with the PE, where there are too many. */
bool actor_begin_strand(struct strand *new);
void actor_expect_strands(void); /* others will call that: until as often actor_expect_no_more is called */
void actor_expect_no_more(void);

/* Whether all strands that live, or are expected, know this epoch of an actor to be over. */
bool actor_is_over_for_all(uint32_t actor, uint32_t epoch);

enum agent {
    AGENT_LOCAL,
    AGENT_PUTS, /* from here on those that a fence is for */
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
struct doer actor_behind_fence(shmem_ctx_t ctx, int pe); /* the PE, where fences order it: fetching atomics */

void actor_fence(shmem_ctx_t ctx);
void actor_quiet(shmem_ctx_t ctx);
void actor_quiet_pe(shmem_ctx_t ctx, int pe);
void actor_complete_stores(void); /* of shmem_ptr */
void actor_forget(shmem_ctx_t ctx); /* the context is destroyed */

/* Who sees the word at this offset changed from now on knows what this strand knows, and what was fenced, as far as it
 * knows, for PE pe, where the word is. An agent of AGENT_SIGNALS: and the data of the put whose signal it is;
 * AGENT_LOCAL: of no agent's doings. */
void actor_release(uint64_t at, enum agent kind, shmem_ctx_t ctx, int pe);
void actor_acquire(uint64_t at);

/* For coarrays: what the PE does from now on is in a new segment; who sees the word changed knows what it did before
 * this one. */
void actor_begin_segment(void);
void actor_release_segment(uint64_t at);

/* A collective of a group: the PE tells what it knows, or learns what has been told in meeting number. */
void actor_tell(uint64_t group, uint32_t number);
void actor_learn(uint64_t group, uint32_t number);

/* What all who have told something there knew then. */
void actor_known_to_all(uint64_t group, uint32_t number, uint32_t clock[BOARD_ACTORS]);

#endif
