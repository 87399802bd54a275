/* Programs of collectives for the scheduler: a layout of PEs, a group, and consecutive calls. */
#pragma once

#include "world.h"

#include "../shcoll/calls.h"

enum { MOST_CALLS = 48, KINDS = 6, PROGRAM_TEXT = 4096 };

/* Calls that are not SHCOLL's collectives. */
enum { CALL_BARRIER = SHCOLL_COLLECTIVES, CALL_TELLING, CALLS };

enum group_kind { GROUP_WORLD, GROUP_REVERSE, GROUP_LIST, GROUP_PART, GROUP_CREATED, GROUP_PSYNC, GROUPS };

struct program {
    char layout[32];      /* PEs on each node, such as 3+1 */
    int node_size;        /* size of SHCOLL's nodes; 0: the real size */
    bool near_is_late, in_order, crowded;
    char sync[SHCOLL_NAME_BYTES]; /* SHCOLL_SYNC; empty: chosen by SHCOLL */
    enum group_kind group;
    unsigned from;        /* number of each kind of call that the group has done before */
    int n;
    struct call {
        int what; /* enum shcoll_collective, CALL_BARRIER, ... */
        int kind; /* the kind of a reduction */
        struct trial trial;
    } call[MOST_CALLS];
};

/* Convert a program from text, and to text. A wrong text ends the process with a message. */
void program_read(struct program *p, const char *text);
const char *program_text(const struct program *p, char *text);

/* The number of PEs of a layout. */
int layout_read(const char *layout, int node[MOST_PES]);

/* Makes the world for a program; false if an algorithm refuses its call. */
bool program_begin(struct program *p);

/* Runs a program by the schedule; false: world.failure. */
bool program_run(const struct schedule *schedule);

/* draws.c: a random program on a layout; the number of pairs of algorithms, and pair number i. */
void program_draw(struct program *p, const char *layout, uint64_t seed);
unsigned pairs(void);
void program_pair(struct program *p, const char *layout, unsigned i);
