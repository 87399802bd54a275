/* The board: what the PEs of a job under `oshrun --races` share, in one sparse file that oshrun makes (found.h).
 *
 * How it is decided whether two accesses race (Lamport's order, kept by vector clocks):
 *
 *   found.h    the head of the file, which oshrun reads when the job is over
 *   board.h    this file: actors, sites, words, meetings
 *   map.h      the symmetric memory of all PEs, as offsets in one window
 *   site.h     places in the program, by number
 *   actor.h    the clock of this PE, and of what it has under way
 *   shadow.h   for each 8 bytes of the window the last accesses, and whether a new one is ordered behind them
 *   block.h    what is allocated in the heap
 *   pending.h  local buffers of nonblocking operations; used.h: what threads have used of other memory before
 *   report.h   a race as a paragraph; lines.h: with lines of the source; suppress.h: unless it is known
 *   access.h   one access, looked at: what the following call
 *   meeting.h  which meeting of a group it is
 *   segments.c what statements of coarray programs access and order
 *   objects.h  what threads synchronize by; real.h: the functions that are defined here in place of other libraries'
 *   threads.c  threads of this PE, and how they are synchronized, as it calls the C library for that; openmp.c: as
 *              compilers call gcc's OpenMP; frees.c: memory that is freed
 *   calls.c    what the program calls, as tools/tap tells it; caller.h: from where
 *   stores.c   what it loads and stores, as the compiler tells it (-fsanitize=thread); atomics.c: the same for atomics;
 *              copies.h: by memcpy and its like; library.c: by others of the C library; lists.c: by print and read
 *
 * Each file uses those above it. An *actor* is a PE, a thread of one, or an agent: what a PE has started and not
 * completed is done by its agent, so that a put is not ordered with what its PE does next, until a quiet joins the
 * agent's clock into the PE's. Each actor counts epochs; clock[a] is how many of actor a's are known to be over. */
#ifndef COPAL_RACES_BOARD_H
#define COPAL_RACES_BOARD_H

#include "races/found.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    BOARD_ACTORS = 4096,
    BOARD_FREED = BOARD_ACTORS - 1, /* the actor that nothing is ordered behind: it has freed memory */
    BOARD_SITES = 1 << 16,
    BOARD_MODULES = 64,
    BOARD_PAIRS = 1 << 14,
    BOARD_WORDS = 1 << 18,
    BOARD_NEAR = 12, /* actors */
    BOARD_MEETINGS = 256,
    BOARD_RING = 8, /* meetings of one group that are remembered */
};

/* A place in the program: an offset in a module, so that all PEs know it, wherever they have loaded that. */
struct board_site {
    _Atomic uint64_t key; /* 0: free */
    uint64_t offset;
    uint32_t module;
    uint8_t is_real, is_collective; /* of floating point; a routine that all of a group call */
    _Atomic uint8_t domains;        /* bits of atomicity domains, of an atomic; 0: not known */
    char routine[41]; /* of OpenSHMEM, or empty: a load or a store */
};

struct board_actor {
    int16_t pe;
    uint8_t is_agent : 1, of_context : 1; /* of what is done on a context other than the default one */
    uint8_t stores; /* it stores by pointers: in order with its PE's own stores and loads */
};

/* What is known by who sees a word changed: a clock, of which the first actors' part is here, for small jobs have no
 * more, and the rest in a place that is not touched before there are others. */
struct board_word {
    _Atomic uint32_t lock;
    uint32_t unused;
    _Atomic uint64_t at; /* offset in the window plus 1, once and for all; 0: free */
    uint32_t near[BOARD_NEAR];
};

/* What is known by who leaves a collective, or has been sent data in it, and what all knew who had come to it: twice
 * BOARD_RING clocks follow. */
struct board_meeting {
    _Atomic uint32_t lock;
    uint32_t number[BOARD_RING];
    uint64_t key; /* 0: free */
};

struct board {
    struct races_found found;
    _Atomic uint32_t actors;    /* in use; at first one for each PE */
    _Atomic uint32_t modules;
    _Atomic uint32_t processes; /* that have attached, and are numbered from 1 */
    struct board_actor actor[BOARD_ACTORS];
    char module[BOARD_MODULES][256];
    _Atomic uint64_t pairs[BOARD_PAIRS];
    struct board_site site[BOARD_SITES];
};

/* Where the rest is in the file. A clock has room for so many actors. */
static inline uint32_t board_clock_length(int n_pes)
{
    enum { THREADS = 24, LEAST = 1024 };
    const uint64_t want = 32 + (uint64_t)n_pes * ((uint64_t)n_pes * 4 + 8 + THREADS);
    return want < LEAST ? LEAST : want < BOARD_ACTORS - 1 ? (uint32_t)want : BOARD_ACTORS - 1;
}
#define BOARD_WORDS_AT ((uint64_t)1 << 26)
#define BOARD_CLOCKS_AT ((uint64_t)1 << 32) /* the rest of words' */
#define BOARD_MEETINGS_AT ((uint64_t)1 << 34)
#define BOARD_STATES_AT ((uint64_t)1 << 36) /* these two are shadow.h's */
#define BOARD_SHADOW_AT ((uint64_t)1 << 45)
#define BOARD_ALIVE_AT RACES_FILE_BYTES /* no data: a process that lives has locked the byte of its number */

/* How deep this thread is in what notes accesses, and holds locks for that. The handler of a signal that comes then
 * notes nothing: it would wait for ever for who waits for it. */
extern _Thread_local volatile int board_noting __attribute__((visibility("hidden")));

/* This process's view. */
extern struct board *board; /* NULL: races are not looked for */
extern uint32_t clock_length;

/* Maps the board, if there is one; false, after a sentence, if it cannot be had. */
bool board_open(int n_pes);
void *board_map(uint64_t at, uint64_t bytes); /* a part of the file, or NULL with errno */

/* The next part of the file, in [at, end), that has been written: it is sparse. */
bool board_written(uint64_t at, uint64_t end, uint64_t *from, uint64_t *to);

struct board_word *board_word(uint64_t at); /* of an offset in the window: locked; NULL: nobody has marked it */
struct board_word *board_word_made(uint64_t at); /* the same, made if need be */
struct board_meeting *board_meeting(uint64_t key); /* locked */
void board_unlock(_Atomic uint32_t *lock);

/* A sleep that is no place to be cancelled at, as a load and what is defined here for others' functions are none. */
void board_sleep(unsigned us);

/* Of a word that is locked. */
uint32_t *word_epoch(struct board_word *w, uint32_t actor);
void word_tell(struct board_word *w, const uint32_t *clock);
void word_learn(struct board_word *w, uint32_t *clock);

static inline uint32_t *meeting_clock(struct board_meeting *m, uint32_t number)
{
    return (uint32_t *)(m + 1) + (number % BOARD_RING) * (size_t)clock_length;
}
static inline uint32_t *meeting_least(struct board_meeting *m, uint32_t number)
{
    return meeting_clock(m, number) + BOARD_RING * (size_t)clock_length;
}

/* A number of its own for an agent or a thread of a PE; 0 if there are no more. */
uint32_t board_new_actor(struct board_actor actor);

static inline uint64_t board_hash(uint64_t x)
{
    x ^= x >> 31;
    x *= 0x9e3779b97f4a7c15u;
    x ^= x >> 29;
    x *= 0xbf58476d1ce4e5b9u;
    return x ^ x >> 32;
}

static inline void clock_join_some(uint32_t *to, const uint32_t *from, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        to[i] = to[i] > from[i] ? to[i] : from[i];
}
static inline void clock_join(uint32_t *to, const uint32_t *from)
{
    clock_join_some(to, from, atomic_load_explicit(&board->actors, memory_order_relaxed));
}

#endif
