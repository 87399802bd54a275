/* The PEs of a job as fibres of this process, their puts that have not yet landed, and the choice of the next actor.
 *
 * Each routine of OpenSHMEM is a step (shmem.c), before which the scheduler (scheduler.c) may pass the turn to
 * another PE, or let a put land (landings.c). A PE's actions between two routines, including loads and stores of
 * other PEs' memory, are indivisible. */
#pragma once

#include "fibre.h"

#define COPAL_NO_GENERICS
#include <shmem.h>

#include <stdbool.h>
#include <stdint.h>

enum { MOST_PES = 8, MOST_DEPARTURES = 8, ARENA_BYTES = 4 << 20, DISTANCE = ARENA_BYTES + 4096 + 64 };

/* --- PEs ---------------------------------------------------------------------------------------------------------- */

struct pe {
    struct fibre fibre;
    bool done;
    const uint64_t *word; /* the PE waits until *word compares to value as comparison says; NULL: it does not wait */
    int comparison;       /* SHMEM_CMP_EQ, ... */
    uint64_t value;
    uint64_t landing;     /* the number of its puts that have not yet landed */
    uint64_t barriers;    /* the number of barriers that it has entered */
    int64_t priority;
    bool looked;          /* it polls, and its condition was not satisfied */
    uint32_t epoch;       /* the number of its fences and other ends of epochs */
    int awaited;          /* SHCOLL's shcoll_awaited_pe */
    const char *routine;  /* the routine that it is in */
    size_t allocated;     /* bytes of the heap */
    size_t latest;        /* offset of the latest block */
};

struct world {
    int n_pes, me;           /* me: the PE that has the turn; 0 in the thread itself */
    int node[MOST_PES];      /* the node of each PE */
    bool near_is_late;       /* puts within a node land late, too; loads and stores are always immediate */
    bool words_in_order;     /* words from one PE to another land in order; the specification allows any */
    bool signals_vouch;      /* as with Copal, a signal lands after the data of all earlier puts with signal */
    struct pe pe[MOST_PES];
    char *arena;             /* of PE 0; PE p's arena is p * DISTANCE bytes later */
    size_t heap;             /* where the heap begins in each arena */
    unsigned steps;
    bool in_thread, traced;
    char failure[512];       /* empty: this schedule has not failed */
};
extern struct world world;

static inline char *arena_of(int pe)
{
    return world.arena + (ptrdiff_t)pe * DISTANCE;
}

/* The same object on another PE; NULL if the object is not in this PE's arena. */
static inline void *at_pe(const void *symmetric, int pe)
{
    const size_t offset = (size_t)((const char *)symmetric - arena_of(world.me));
    return offset < ARENA_BYTES ? arena_of(pe) + offset : NULL;
}

void world_make(void);

/* Ends the schedule as failed.  In a fibre this does not return. */
void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* --- scheduler.c -------------------------------------------------------------------------------------------------- */

/* How the next actor is chosen. At random: each step's actor is random. By priority: probabilistic concurrency testing
 * (Burckhardt and others, ASPLOS 2010); PEs and landings are the threads. In order: a PE keeps the turn as long as it
 * can run, then the next PE has it; puts land when no PE can continue (LATE), or immediately (EARLY). Departures: at a
 * step, the actor is that many positions after the first in this order. */
enum manner { BY_LOT, BY_PRIORITY, LATE, EARLY };
struct departure {
    unsigned step, choice;
};
struct schedule {
    enum manner manner;
    uint64_t seed;
    unsigned changes, length; /* number of changes of priorities, within this many steps */
    int departures;
    struct departure departure[MOST_DEPARTURES];
};

/* Runs the schedule: each PE calls run.  False: world.failure says what is wrong. */
bool schedule_run(const struct schedule *schedule, void (*run)(void));

/* Called before a routine's effect: other PEs may have their turns. wait_for then waits until the comparison holds. */
void step(const char *routine);
void wait_for(const char *routine, const uint64_t *word, int comparison, uint64_t value);

/* A step of a PE whose condition is not satisfied: all other possible actions happen first. */
void look_again(const char *routine);

/* For orders with departures: the number of possible actors at each step of the last schedule, for at most
 * MOST_STEPS. */
enum { MOST_STEPS = 1 << 16 };
extern unsigned char choices[MOST_STEPS];

uint64_t draw(void); /* a random number of the schedule */

static inline bool compares(uint64_t word, int comparison, uint64_t value)
{
    switch (comparison) {
    case SHMEM_CMP_EQ: return word == value;
    case SHMEM_CMP_NE: return word != value;
    case SHMEM_CMP_GT: return word > value;
    case SHMEM_CMP_LE: return word <= value;
    case SHMEM_CMP_LT: return word < value;
    default: return word >= value;
    }
}

/* --- landings.c --------------------------------------------------------------------------------------------------- */

enum effect { EFFECT_BYTES, EFFECT_SET, EFFECT_ADD, EFFECT_OR, EFFECT_AND, EFFECT_XOR };

/* Data that has not landed yet. Between a source and a target, epochs land one after the other, and the landings of an
 * epoch in any order. */
struct landing {
    enum effect effect;
    unsigned char size; /* the size of an atomic's or a signal's word */
    signed char source, target;
    int64_t priority;
    uint32_t epoch, operation; /* a signal lands when all other landings of its operation have */
    void *to;
    const void *from;
    size_t bytes;
    uint64_t value;
    bool is_signal; /* false: other data of the operation */
};
extern struct landing landings[];
extern int n_landings;

void landings_forget(void);
bool may_land(const struct landing *landing);
void land(int i);

/* An operation of this PE: pieces of bytes to memory of the target, from where they will be read late (lent) or from a
 * copy; then perhaps a word. */
void put_late(void *to, const void *from, size_t bytes, int target, bool lent, bool has_signal);
void word_late(enum effect effect, void *to, int size, uint64_t value, int target, bool is_signal);
void next_operation(void);
void apply(enum effect effect, void *to, int size, uint64_t value);
