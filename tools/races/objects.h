/* Synchronization objects of threads: a thread that acquires an object joins the clocks of all threads that have
 * released it. An object is identified by its address, like a word that PEs wait for. */
#pragma once

#include "races/actor.h"
#include "races/map.h"
#include "races/real.h"
#include "tap/tap.h"

/* Synchronization between Copal's own libraries is ignored. */
static inline bool objects_are_seen(void)
{
    return __builtin_expect(actor_has_strands, 0) && tap_depth == 0 && map.bytes && !board_noting;
}

static inline void object_release(const volatile void *object)
{
    if (!objects_are_seen())
        return;
    board_noting++;
    actor_release(map_key(object), AGENT_LOCAL, SHMEM_CTX_DEFAULT, map.me);
    board_noting--;
}

static inline void object_acquire(const volatile void *object)
{
    if (!objects_are_seen())
        return;
    board_noting++;
    actor_acquire(map_key(object));
    board_noting--;
}
