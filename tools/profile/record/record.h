/* libcopal-profile, which oshrun --profile preloads: it counts the program's calls (tools/tap) in memory of constant
 * size, and writes a profile file at the end; tools/profile combines the files of all PEs.
 *
 * ticks.c    the clock
 * sites.c    the places of calls in the program
 * heap.c     the allocated part of the heap
 * arrivals.c the times of arrival at collectives
 * events.c   single calls, for a trace
 * algorithms.c the algorithms of collectives
 * write.c    the profile file
 * count.c    counts each call */
#pragma once

#include "profile/record/piece.h"
#include "tap/tap.h"

#define UNLIKELY(x) __builtin_expect(!!(x), 0)

/* --- the clock (ticks.c): ticks are cheap, and become nanoseconds at the end -------------------------------------- */

void ticks_begin(void);
uint64_t ticks_now(void);
extern uint64_t ticks_own; /* duration of one reading of the clock */
void ticks_end(void);
int64_t ticks_as_time(uint64_t tick);     /* of the node's clock; after ticks_end */
uint64_t ticks_as_duration(uint64_t ticks);

/* --- call sites (sites.c) ----------------------------------------------------------------------------------------- */

enum { SITES = 1 << 11, SITES_KEPT = SITES * 3 / 4 };
struct site {
    const char *routine;
    void *caller;
    enum tap_kind kind;
    uint32_t number; /* in the order of first calls */
    uint64_t calls, bytes, largest;
    uint64_t ticks, longest; /* sum of the calls that are always timed; maximum of all timed calls */
    uint64_t quick, timed, timed_ticks; /* number of quick calls (count.c); number and sum of the timed ones */
};
extern struct site *sites_seen[SITES_KEPT];
extern uint32_t sites_n;
void sites_begin(void);
struct site *site_of(const struct tap_call *call);

/* --- the heap (heap.c) -------------------------------------------------------------------------------------------- */

enum { SAMPLES = 512 };
struct sample {
    uint64_t tick, bytes;
};
extern struct sample memory_samples[SAMPLES];
extern uint32_t memory_n;
extern char *memory_first; /* the first block: the origin of heap offsets */
void memory_note(const struct tap_call *call, uint64_t now);

/* --- arrivals (arrivals.c) ---------------------------------------------------------------------------------------- */

struct arrival {
    struct piece_arrival is;
    uint64_t entered, left;
};
extern struct arrival *arrivals;
extern uint32_t arrivals_n, arrivals_every;
void arrivals_begin(int n_pes);
void arrival_note(const struct tap_call *call, const struct site *site, size_t bytes, uint64_t now);

/* --- events (events.c) -------------------------------------------------------------------------------------------- */

extern struct piece_event *events; /* with ticks for times; NULL: no trace is requested */
extern uint32_t events_n;
extern uint64_t events_cut;
void events_begin(int n_pes);
void event_note(const struct tap_call *call, const struct site *site, size_t bytes, uint64_t now, uint16_t thread);

/* --- algorithms (algorithms.c) ------------------------------------------------------------------------------------ */

extern struct piece_algorithm *algorithms;
extern uint32_t algorithms_n;
void algorithm_forget(void); /* a collective begins */
void algorithm_note(void);   /* it ends, and counts */

/* --- the piece (write.c) ------------------------------------------------------------------------------------------ */

extern struct piece_head head;
extern struct piece_traffic *traffic;
static inline enum piece_class class_of(enum tap_kind kind)
{
    switch (kind) {
    case TAP_WAIT: case TAP_LOCK: case TAP_SYNC_IMAGES: return PIECE_WAIT;
    case TAP_BARRIER: case TAP_SYNC: return PIECE_BARRIER;
    case TAP_BROADCAST: case TAP_COLLECT: case TAP_FCOLLECT: case TAP_ALLTOALL:
    case TAP_REDUCE: case TAP_SCAN: return PIECE_TOGETHER;
    case TAP_ALLOC: case TAP_REALLOC: case TAP_FREE: case TAP_TEAM_SPLIT: case TAP_TEAM_DESTROY:
    case TAP_CONTEXT_CREATE: case TAP_CONTEXT_DESTROY: return PIECE_MEMORY;
    default: return PIECE_TRANSFER;
    }
}
static inline unsigned bits_of(size_t bytes)
{
    return bytes ? 64 - (unsigned)__builtin_clzll(bytes) : 0;
}

void piece_write(const char *folder);
