/* Signals between the members of a group.
 *
 * A *counted* signal adds one to a word of its receiver. In a pSync, whose words must be zero again on return, the
 * receiver subtracts it; in a lasting work area the receiver remembers the count so far. A *numbered* signal stores the
 * number of the operation: cheaper, but the word must have one writer at a time. Numbered signals exist only in a
 * lasting work area, for the whole group and for the leader's releases within its node; elsewhere, counted signals
 * replace them.
 *
 * These rules keep back-to-back collectives of a lasting work area apart:
 * - The receiver waits for every signal in the step in which it is sent. A collective is a step (group->number), and
 * each sync within it is one more step, which includes the rest of the collective after the sync.
 * - No member returns from a collective, or from a sync, before all have entered it. Algorithms in which the transfer
 * of data does not ensure this end with shcoll_leave. Broadcasts in trees and small scans are exceptions: they are not
 * steps, and have their own flags (ring.h).
 * - A member that sends its first signal of step n knows that all have entered step n - 2. A member can leave a step
 * before all have entered it only if the step ends with a sync within the collective: pull's first step, for example,
 * has no signal. Two consecutive steps of this kind exist only in a collect by "linear" whose broadcast is in segments.
 * There, the first member has received from all, and each other member receives from the first before it sends.
 *
 * A member can therefore be at most two steps ahead of another, and three sets of counted words (SETS), used one after
 * the other, are enough. docs/shcoll.md has a table of all reused memory: how far ahead a member can be, and the number
 * of sets.
 *
 * With a pSync the user keeps the calls apart; only immediate repetitions of shcoll_sync, and of broadcasts from the
 * same root (ring.h), must work. Within a collective the same words serve for all its steps: each word has one sender
 * at a time, or its counts add up in any order. */
#pragma once

#include "group.h"

/* How an algorithm moves data, or learns that data has arrived. */
enum shcoll_form {
    FORM_NONE,
    FORM_PUT,      /* put, fence, flag */
    FORM_SIGNAL,   /* put with signal; the same as FORM_PUT where OpenSHMEM has none */
    FORM_GET,
    FORM_PTR,      /* loads and stores through shmem_ptr */
    FORM_BARRIER,  /* puts, then a barrier */
    FORM_COUNTER,  /* puts, then a count at each receiver */
    FORM_SLOTS,    /* data and flag together in the work area */
    FORMS,
};

enum shcoll_flag {
    ROUNDS = 20, /* 2^20 PEs */
    FLAG_ROUND = 0, /* one for each round of a sync; may be numbered if its writer is the same as in dissemination */
    FLAG_READY = ROUNDS, /* one for each round, or for each of up to ROUNDS purposes: the sender's data may be read */
    FLAG_DONE = 2 * ROUNDS, /* the sender has read the data */
    FLAG_ARRIVED = 3 * ROUNDS, /* may have many writers */
    FLAG_RELEASED, /* may be numbered */
    FLAG_BROADCAST, /* always numbered: of the ring (ring.h) */
    FLAG_DATA, /* the sender's put has arrived; may have many writers */
    FLAGS,
    FLAG_RESULT = FLAGS, /* always numbered: a node's leader has stored the result of a reduction or scan in slots */
    RING_ROOMS = 16,   /* rooms: the parts of the ring of broadcasts (ring.h) */
    RING_SHIFT = 4,    /* a room has one flag, or 2^RING_SHIFT flags */
    BESIDE_FLAG = 512, /* bytes of small data after the only flag of a room, in a lasting work area */
    BESIDE_EACH = 56,  /* the same after each of several flags in a room */
};

/* Counted words: flags of the whole group or of the part on a node, and flags of the leaders' part. */
enum { FLAG_WORDS = 2 * FLAGS, VALUES = 32, SETS = 3 }; /* MUTANT three sets of counted words: SETS = 3 => SETS = 2 */
_Static_assert(FLAG_WORDS + VALUES == SHCOLL_SYNC_SIZE, "a pSync holds all words");

/* A lasting work area: numbered flags, a cache line each (a ring's flag is followed by its data); sets of counted words
 * and of the counts so far; the ring's record and acknowledgements (ring.h); two sets of words and of lines for
 * collect_lengths.c, and the number of collects so far; slots (slots.h); words for values; the owner's scratch
 * memory. */
enum {
    RING_LINES = BESIDE_FLAG / LINE + 1,
    LINES = ROUNDS + 2 + RING_ROOMS * (RING_LINES + (1 << RING_SHIFT) - 1),
    COUNTED_AT = LINES * LINE,
    HAD_AT = COUNTED_AT + SETS * FLAG_WORDS * 8,
    RING_AT = HAD_AT + SETS * FLAG_WORDS * 8,
    TREE_AT = RING_AT + 2 * LINE, /* collect_lengths.c */
    SLOTS_AT = TREE_AT + 9 * LINE,
    SLOTS_BYTES = 2 * (ROUNDS + 2) * 448,
    LENGTHS_AT = SLOTS_AT + SLOTS_BYTES, /* collect_lengths.c */
    VALUES_AT = LENGTHS_AT + 2 * 16 * LINE,
};
_Static_assert(VALUES_AT + VALUES * 8 + SHCOLL_SCRATCH_BYTES <= SHCOLL_WORK_BYTES, "the work area is large enough");
_Static_assert(COUNTED_AT % LINE == 0 && SLOTS_AT % LINE == 0 && LENGTHS_AT % LINE == 0, "pieces begin with a line");

/* A word for atomics, whose 64-bit names differ between OpenSHMEMs: Open MPI 4 has no atomics that count in a
 * uint64_t. */
_Static_assert(sizeof(unsigned long long) == sizeof(uint64_t), "the same atomics");
static inline unsigned long long *atomic_word(uint64_t *word)
{
    return (unsigned long long *)(void *)word;
}

/* Orders this PE's earlier puts before its later ones. Open MPI's fence does not order puts to static objects and to
 * the heap, which use different paths; its quiet waits for both. */
static inline void fence(void)
{
#if defined(OSHMEM_MAJOR_VERSION)
    shmem_quiet();
#else
    shmem_fence(); /* MUTANT steps are fenced */
#endif
}

/* --- counted ------------------------------------------------------------------------------------------------------ */

static inline uint64_t *counted_words(const struct shcoll_group *g)
{
    return g->is_pSync ? g->work : g->work + COUNTED_AT / 8 + g->number % SETS * FLAG_WORDS;
}

static inline uint64_t *counted_flag(const struct shcoll_group *g, int flag)
{
    return counted_words(g) + (g->part == PART_LEADERS ? FLAGS : 0) + flag;
}

static inline uint64_t *had_flag(const struct shcoll_group *g, int flag)
{
    return g->work + HAD_AT / 8 + g->number % SETS * FLAG_WORDS + (g->part == PART_LEADERS ? FLAGS : 0) + flag;
}

/* Word i, of VALUES, for values between members; zero between collectives. The last one belongs to the counter of a
 * sync, the others to combining trees (reduce_tree.c) and, in a pSync, to lengths (collect_lengths.c). One set is
 * enough: a member makes a word zero before it sends any signal that ends the sync, or the reduction. */
enum { COUNTER = VALUES - 1 };
static inline uint64_t *value_word(const struct shcoll_group *g, int i)
{
    return g->work + (g->is_pSync ? FLAG_WORDS : VALUES_AT / 8) + i;
}

/* Signals the member at position, after all earlier puts of this PE to that member. */
static inline void notify(const struct shcoll_group *g, int flag, int position)
{
    fence(); /* MUTANT counted signals are fenced */
    shmem_ulonglong_atomic_inc(atomic_word(counted_flag(g, flag)), pe_of(g, position));
}

/* A put with signal does not order earlier puts, so a signal that reports two messages could arrive before one of them.
 * Copal completes the data of each put before it sends the signal, so counts may arrive in any order. */
static inline void order_signals(void)
{
#if !defined(COPAL_VERSION)
    fence();
#endif
}

/* Puts bytes, then signals. */
static inline void deliver(const struct shcoll_group *g, enum shcoll_form form, int flag, int position, void *dest,
                           const void *source, size_t bytes)
{
#if SHCOLL_HAVE_1_5
    if (form == FORM_SIGNAL) {
        order_signals();
        /* MUTANT delivered data is there: shmem_putmem(dest, source, bytes, pe_of(g, position));
         * shmem_ulonglong_atomic_inc(atomic_word(counted_flag(g, flag)), pe_of(g, position)); */
        shmem_putmem_signal(dest, source, bytes, counted_flag(g, flag), 1, SHMEM_SIGNAL_ADD, pe_of(g, position));
        return;
    }
#endif
    (void)form;
    if (bytes)
        shmem_putmem(dest, source, bytes, pe_of(g, position));
    notify(g, flag, position);
}

/* Puts bytes, then stores number in a word that has one writer at a time: in one message if OpenSHMEM has put with
 * signal. */
static inline void put_numbered(void *dest, const void *source, size_t bytes, uint64_t *word, uint64_t number, int pe)
{
#if SHCOLL_HAVE_1_5
    /* MUTANT numbered data is there: shmem_putmem(dest, source, bytes, pe); shmem_uint64_p(word, number, pe); */
    shmem_putmem_signal(dest, source, bytes, word, number, SHMEM_SIGNAL_SET, pe);
#else
    if (bytes)
        shmem_putmem(dest, source, bytes, pe);
    fence();
    shmem_uint64_p(word, number, pe);
#endif
}

enum { ANYBODY = -1 };

/* Records for wait reports the member that this PE waits for: a position, or ANYBODY. */
static inline void wait_for_member(const struct shcoll_group *g, int position)
{
    shcoll_awaited_pe = position == ANYBODY ? -1 : pe_of(g, position);
}

/* Waits for count more signals by the member at position from, or by ANYBODY. */
static inline void expect(const struct shcoll_group *g, int flag, int from, uint64_t count)
{
    uint64_t *word = counted_flag(g, flag);
    wait_for_member(g, from);
    if (g->is_pSync) {
        shmem_uint64_wait_until(word, SHMEM_CMP_GE, count); /* MUTANT counted signals in a pSync are waited for */
        /* MUTANT counted signals are taken back: fetch_add => add */
        (void)shmem_ulonglong_atomic_fetch_add(atomic_word(word), -count, pe_of(g, g->me)); /* complete on return */
    } else {
        uint64_t *had = had_flag(g, flag);
        *had += count;
        shmem_uint64_wait_until(word, SHMEM_CMP_GE, *had); /* MUTANT counted signals are waited for */
    }
}

/* --- numbered ----------------------------------------------------------------------------------------------------- */

static inline bool has_numbers(const struct shcoll_group *g)
{
    return !g->is_pSync && g->part == PART_WHOLE;
}

static inline bool is_numbered(const struct shcoll_group *g, int flag)
{
    return has_numbers(g) || (!g->is_pSync && g->part == PART_NODE && flag == FLAG_RELEASED);
}

/* The number of flags in the ring. Over a network, or if processors are shared, a long ring lets senders run further
 * ahead. Each of their messages then costs less, and receivers take many at once. Elsewhere the ring is short, so that
 * caches hold it. */
static inline uint64_t ring_length(void)
{
    return (uint64_t)RING_ROOMS << shcoll_placement.ring_shift;
}

/* The line of flag n of the ring. Successive flags are not on adjacent lines, because processors may fetch both. */
static inline int ring_line(uint64_t n)
{
    const int flag = (int)((n - 1) & (ring_length() - 1)), room = flag >> shcoll_placement.ring_shift;
    const int place = flag - (room << shcoll_placement.ring_shift);
    return place ? (RING_LINES - 1 + place) * RING_ROOMS + room : room * RING_LINES;
}

/* A numbered flag's line in a lasting work area: lines 0 to ROUNDS - 1 are FLAG_ROUND + i, then come FLAG_RELEASED and
 * FLAG_RESULT, then the ring of broadcasts. */
static inline uint64_t *numbered_flag(const struct shcoll_group *g, int flag)
{
    const int line = flag < ROUNDS           ? flag
                     : flag == FLAG_RELEASED ? ROUNDS
                     : flag == FLAG_RESULT   ? ROUNDS + 1
                                             : ROUNDS + 2 + ring_line(g->broadcasts);
    return g->work + line * (LINE / 8);
}

/* Stores number in a flag of the member at position, after all earlier puts of this PE to that member. */
static inline void post(const struct shcoll_group *g, int flag, int position, uint64_t number)
{
    if (!is_numbered(g, flag)) {
        notify(g, flag, position);
        return;
    }
    fence(); /* MUTANT numbered signals are fenced */
    shmem_uint64_p(numbered_flag(g, flag), number, pe_of(g, position));
}

/* Waits for the post of number to this PE by the member at position from. */
static inline void await(const struct shcoll_group *g, int flag, int from, uint64_t number)
{
    if (!is_numbered(g, flag)) {
        expect(g, flag, from, 1);
        return;
    }
    wait_for_member(g, from);
    shmem_uint64_wait_until(numbered_flag(g, flag), SHMEM_CMP_GE, number); /* MUTANT numbered signals are waited for */
}

/* --- both --------------------------------------------------------------------------------------------------------- */

/* Synchronizes, and completes this PE's earlier puts. */
static inline void meet(struct shcoll_group *g)
{
    shmem_quiet(); /* MUTANT barriers complete */
    shcoll_sync(g);
}

/* The end of an algorithm whose members could return before others have entered. */
static inline void shcoll_leave(struct shcoll_group *g)
{
    if (!g->is_pSync)
        shcoll_sync(g); /* MUTANT no member is a collective ahead */
}
