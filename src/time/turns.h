/* The state of the virtual clock that all PEs share, and whose turn it is (virtual.h has the rules).
 *
 * All but what is said otherwise is called by a thread of the PE whose turn it is, one at a time. */
#ifndef COPAL_TURNS_H
#define COPAL_TURNS_H

#include "job/self.h"

struct wait;

#define TURNS_LOOK_TIME 2000000000u /* ns of real time after which who is blocked looks whether its launcher lives */

enum { TURNS_AWAY, TURNS_BLOCKED };

/* A PE's part.  It is written by the PE whose turn it is, but for `state`, `told` and `knock`. */
struct seat {
    _Alignas(64) _Atomic uint32_t state;
    _Atomic uint32_t told;    /* what it waits for is in its job_wait */
    uint64_t event_at;        /* the provider's next thing for it */
    uint64_t near_at;         /* a PE of its node has changed what it waits for */
    _Atomic uint64_t knock;   /* a thread has come that nobody waited for: its time, plus 1 */
    _Atomic uint32_t bells;   /* which of its threads is to be woken, a bit; 0: there is one */
    _Atomic uint32_t outside; /* so many of its threads are asleep outside the library */
};

struct clock {
    _Atomic uint64_t now;
    _Atomic int32_t turn; /* whose it is, plus 1; 0: nobody's; negative: of whoever passes it on for one that is dead */
    uint32_t alerts;      /* the last one for which all have been woken */
    bool looked;          /* all have looked since something happened last */
    bool unseen;          /* programs have pointers to store by */
    uint64_t looked_at;   /* when all have, who wait */
    _Atomic uint32_t stuck;
    _Atomic uint32_t knocks; /* how often somebody has knocked, */
    uint32_t heard;          /* and been heard */
    bool idle;               /* the turn has been nobody's since then */
    uint64_t idle_since;     /* ns */
    uint64_t began;       /* ns, of CLOCK_MONOTONIC */
    int32_t processor;    /* on which all take their turns */
};

struct turns {
    struct clock *clock; /* NULL: there is none */
    struct seat *seats;  /* behind it, */
    uint64_t *at;        /* the time of each PE's next turn, */
    int32_t *first;      /* and of each pair of PEs, of pairs and so on, which one's is first: so that to find the next
                            is a look, at [1], and to change a time a few steps; a leaf for each PE from [leaves] on */
    int n, leaves;
    uint32_t alerts;          /* the last that this PE has seen while it was blocked */
    const struct wait *waits; /* a wait that it is blocked in */
    uint64_t ahead;           /* ns, of the program's clocks and real ones, when it left the clock last */
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
/* By any thread of the PE's. */
INLINE bool turns_mine(void)
{
    return atomic_load_explicit(&turns.clock->turn, memory_order_acquire) == turns_me() + 1;
}
INLINE uint64_t turns_least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* By all PEs, in shmem_init. */
void turns_map(void);
/* The first turn is for whoever sees that all are there. */
void turns_begin_if_all_are_there(void);

/* Whether this PE goes on at that time before any other does. */
bool turns_is_first(uint64_t at);
void turns_advance(uint64_t to);
void turns_set_time(int seat, uint64_t at);
/* Something happens for the PE of that seat at that time, if it is blocked. */
void turns_announce(int seat, uint64_t at);
/* While some ask again and again others may wait for a store that is not seen: true if all who wait are to look. */
bool turns_look_for_unseen(void);
/* To the next one; this PE has said when it wants its own. */
void turns_pass_on(void);

/* Wakes a PE, of that seat, by these bells of its threads' (a bit each); 0: all. */
void turns_ring(int seat, uint32_t bells);

/* By a thread that is blocked, of a PE whose turn it need not be: whether all is well. */
void turns_look_around(void);
/* The same: this PE wants a turn at that time, which whoever has it does not know of. */
void turns_knock(uint64_t at);

#endif
