/* The shared state of the virtual clock. virtual.h has the rules, and says what a turn is.
 *
 * A thread of the PE that has the turn calls these functions, one at a time, unless the comment says otherwise. */
#pragma once

#include "job/self.h"

struct wait;

#define TURNS_LOOK_TIME 2000000000u /* ns of real time after which a blocked PE checks whether its launcher lives */

enum { TURNS_AWAY, TURNS_BLOCKED };

/* The seat of a PE: its state in the clock. The PE that has the turn writes it, except `state`, `told` and `knock`. */
struct seat {
    _Alignas(64) _Atomic uint32_t state;
    _Atomic uint32_t told;    /* its job_wait says what it waits for */
    uint64_t event_at;        /* time of the provider's next event for it */
    uint64_t near_at;         /* time of a store by a PE of its node that ends its wait */
    _Atomic uint64_t knock;   /* time, plus 1, of a thread that has called after the clock advanced without it */
    _Atomic uint32_t bells;   /* the threads to wake, a bit each; 0: the PE has one thread */
    _Atomic uint32_t outside; /* number of its threads that are asleep outside the library */
};

struct clock {
    _Atomic uint64_t now;
    _Atomic int32_t turn; /* the seat that has it, plus 1; 0: none; negative: a PE takes it over, or IDLE */
    uint32_t alerts;      /* the last alert for which all PEs have been woken */
    bool looked;          /* all waiting PEs have checked their conditions since the last event */
    bool unseen;          /* programs have pointers to other PEs' memory */
    uint64_t looked_at;   /* when waiting PEs were last made to check */
    _Atomic uint32_t stuck;
    _Atomic uint32_t knocks; /* number of calls of turns_knock */
    uint32_t heard;          /* number of those that have been served */
    bool idle;               /* no PE has had the turn since idle_since */
    uint64_t idle_since;     /* ns */
    uint64_t began;       /* ns, of CLOCK_MONOTONIC */
    int32_t processor;    /* the processor on which all PEs run */
};

struct turns {
    struct clock *clock; /* NULL: there is none */
    struct seat *seats;  /* behind the clock */
    uint64_t *at;        /* the time of each PE's next turn */
    int32_t *first;      /* a tournament tree of these times: [1] is the seat with the earliest time; from [leaves] on
                            each PE has a leaf */
    int n, leaves;
    uint32_t alerts;          /* the last alert that this PE has seen while it was blocked */
    const struct wait *waits; /* the wait in which it is blocked */
    uint64_t ahead;           /* ns between the program's clocks and real time when this PE last left the clock */
};
extern struct turns turns;

INLINE int turns_me(void)
{
    return self.pe - self.first_seat;
}
INLINE struct seat *turns_seat(void)
{
    return &turns.seats[turns_me()];
}
/* Any thread of the PE may call it. */
INLINE bool turns_mine(void)
{
    return atomic_load_explicit(&turns.clock->turn, memory_order_acquire) == turns_me() + 1;
}
INLINE uint64_t turns_least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* All PEs call it in shmem_init. */
void turns_map(void);
/* The PE that finds that all PEs have entered passes the first turn. */
void turns_begin_if_all_are_there(void);

/* Whether this PE, at that time, is the first of all PEs. */
bool turns_is_first(uint64_t at);
void turns_advance(uint64_t to);
void turns_set_time(int seat, uint64_t at);
/* Announces an event at that time to the PE of that seat, if it is blocked. */
void turns_announce(int seat, uint64_t at);
/* If it is time, makes all waiting PEs check for stores that the library does not see; true if so. */
bool turns_look_for_unseen(void);
/* Passes the turn to the next PE; this PE has announced the time of its own next turn. */
void turns_pass_on(void);

/* Wakes the threads of the PE of that seat whose bits are set in bells; 0: all. */
void turns_ring(int seat, uint32_t bells);

/* A blocked thread of any PE calls it: checks for alerts, the job's end, a deadlock and an idle clock. */
void turns_look_around(void);
/* A thread of any PE may call it: requests a turn at that time from the PE that has it. */
void turns_knock(uint64_t at);
