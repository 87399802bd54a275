/* State that the PEs of a node share without the launcher, in memory that the first PE makes and all map. */
#pragma once

#include "boot/pmix/pmix.h"

#include <stdatomic.h>

enum member_state { MEMBER_JOINED, MEMBER_ENDED, MEMBER_DEAD };
struct members {
    _Atomic int keeper; /* index of the node's watcher: the PE that watches the next node (lifeline.c) */
    struct member {
        _Atomic int pid;   /* 0: has not joined */
        _Atomic int state; /* enum member_state */
        _Atomic bool told; /* a PE has finished reporting its death */
    } of[];
};
extern struct members *pmix_members; /* NULL: not mapped */

int members_make(void);    /* in the node's first PE: a descriptor that members_leave closes, or -1 */
bool members_map(int fd);  /* maps the memory and joins; does not close fd */
void members_leave(void);
int members_index(void);   /* this PE's */
