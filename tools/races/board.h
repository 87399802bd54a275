/* The shared state of the detector: the PEs of a job under `oshrun --races` share one sparse file that oshrun creates
 * (found.h).
 *
 * Two accesses race if vector clocks (Lamport's order) do not order them. The files:
 *
 * found.h    the head of the file, which oshrun reads after the job
 * board.h    this file: actors, sites, words, synchronizations
 * map.h      the symmetric memory of all PEs, as offsets in one window
 * site.h     places in the program, by number
 * actor.h    the clocks of this PE and of its pending operations
 * shadow.h   for each 8 bytes of the window the last accesses, and whether a new access is ordered after them
 * block.h    allocations in the heap
 * pending.h  local buffers of nonblocking operations; used.h: earlier uses of other memory by threads
 * report.h   prints a race; lines.h: source lines; suppress.h: known races, which are not printed
 * access.h   checks one access; the following files call it
 * meeting.h  counts a group's synchronizations
 * segments.c accesses and order of statements of coarray programs
 * objects.h  synchronization objects of threads; real.h: the library functions that are wrapped here
 * threads.c  threads of this PE, and their synchronization by the C library; openmp.c: by gcc's OpenMP;
 * frees.c    freed memory
 * calls.c    calls of the program, reported by tools/tap; caller.h: their places
 * stores.c   the program's loads and stores, reported by the compiler (-fsanitize=thread); atomics.c: its atomics;
 * copies.h: memcpy and similar; library.c: other C library calls; lists.c: Fortran's print, write and read
 *
 * Each file uses those above it. An *actor* is a PE, a thread, or an agent. An agent performs pending operations
 * of a PE: a put is not ordered with the PE's next accesses until a quiet joins the agent's clock into the PE's. Each
 * actor counts epochs; clock[a] is the number of epochs of actor a that are known to be over. */
#pragma once

#include "races/found.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    BOARD_ACTORS = 4096,
    BOARD_FREED = BOARD_ACTORS - 1, /* the actor of freed memory: no access is ordered after it */
    BOARD_SITES = 1 << 16,
    BOARD_MODULES = 64,
    BOARD_PAIRS = 1 << 14,
    BOARD_WORDS = 1 << 18,
    BOARD_NEAR = 12, /* number of actors whose part of a word's clock is in board_word */
    BOARD_MEETINGS = 1 << 13, /* pairs of 128 images that execute SYNC IMAGES */
    BOARD_RING = 8, /* number of a group's synchronizations that are kept */
};

/* A place in the program: an offset in a module, because PEs load modules at different addresses. */
struct board_site {
    _Atomic uint64_t key; /* 0: free */
    uint64_t offset;
    uint16_t module;
    uint8_t is_real : 1, is_collective : 1; /* the data is floating-point; all PEs of a group call the routine */
    _Atomic uint8_t domains;                /* atomicity domains of an atomic, one bit each; 0: unknown */
    char routine[44]; /* the OpenSHMEM routine, or empty for a load or a store */
};

struct board_actor {
    int16_t pe;
    uint8_t is_agent : 1, of_context : 1; /* for operations on a context other than the default one */
    uint8_t stores; /* the agent for stores through pointers, which are in order with the PE's own accesses */
};

/* The clock that a strand joins when it sees a change of a word. The part of the first actors is here, which is enough
 * for small jobs; the rest is elsewhere, and uses no memory until there are more actors. */
struct board_word {
    _Atomic uint32_t lock;
    uint32_t unused;
    _Atomic uint64_t at; /* offset in the window plus 1, never changed; 0: free */
    uint32_t near[BOARD_NEAR];
};

/* The clocks that a strand joins when it leaves a collective or receives data in it, and the minima of all members'
 * clocks: twice BOARD_RING clocks follow this struct. */
struct board_meeting {
    _Atomic uint32_t lock;
    uint32_t number[BOARD_RING];
    uint64_t key; /* 0: free */
};

struct board {
    struct races_found found;
    _Atomic uint32_t actors;    /* number of actors in use; at first one for each PE */
    _Atomic uint32_t modules;
    _Atomic uint32_t processes; /* attached processes, numbered from 1 */
    struct board_actor actor[BOARD_ACTORS];
    char module[BOARD_MODULES][256];
    _Atomic uint64_t pairs[BOARD_PAIRS];
    struct board_site site[BOARD_SITES];
};

/* The number of actors in a clock. Below: offsets of the other parts of the file. */
static inline uint32_t board_clock_length(int n_pes)
{
    enum { THREADS = 24, LEAST = 1024 };
    const uint64_t want = 32 + (uint64_t)n_pes * ((uint64_t)n_pes * 4 + 8 + THREADS);
    return want < LEAST ? LEAST : want < BOARD_ACTORS - 1 ? (uint32_t)want : BOARD_ACTORS - 1;
}
#define BOARD_WORDS_AT ((uint64_t)1 << 26)
#define BOARD_CLOCKS_AT ((uint64_t)1 << 32) /* the rest of the words' clocks */
#define BOARD_MEETINGS_AT ((uint64_t)1 << 34)
#define BOARD_STATES_AT ((uint64_t)1 << 36) /* this and the next part belong to shadow.h */
#define BOARD_SHADOW_AT ((uint64_t)1 << 45)
#define BOARD_ALIVE_AT RACES_FILE_BYTES /* no data: a live process locks the byte of its number */

/* This thread's depth in code that records accesses and holds locks. A signal handler that interrupts this code records
 * nothing: it would wait for ever for a lock of its own thread. */
extern _Thread_local volatile int board_noting __attribute__((visibility("hidden")));

/* This process's mapping. */
extern struct board *board; /* NULL: race detection is off */
extern uint32_t clock_length;

/* Maps the shared state. Returns false if there is none or, after a message, if this fails. */
bool board_open(int n_pes);
bool board_give_up(const char *why); /* prints it, and the text of errno; returns false */
void *board_map(uint64_t at, uint64_t bytes); /* a part of the file, or NULL with errno */

/* The next part of the file, in [at, end), that has been written: the file is sparse. */
bool board_written(uint64_t at, uint64_t end, uint64_t *from, uint64_t *to);

/* The locked word for an offset; NULL: no strand has released it, and `make` does not create it. */
struct board_word *board_word(uint64_t at, bool make);
struct board_meeting *board_meeting(uint64_t key); /* locked */
void board_unlock(_Atomic uint32_t *lock);

/* A sleep that is not a cancellation point, because loads and some wrapped functions are not. */
void board_sleep(unsigned us);

/* An actor's epoch in the clock of a locked word. */
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

/* Allocates an actor for an agent or a thread of a PE; 0 if there are no more. */
uint32_t board_new_actor(struct board_actor actor);

static inline uint64_t board_hash(uint64_t x)
{
    x ^= x >> 31;
    x *= 0x9e3779b97f4a7c15u;
    x ^= x >> 29;
    x *= 0xbf58476d1ce4e5b9u;
    return x ^ x >> 32;
}

static inline uint64_t board_hash_text(const char *text)
{
    uint64_t hash = 1;
    for (const char *c = text; *c; c++)
        hash = board_hash(hash ^ (unsigned char)*c);
    return hash;
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
