#include "server.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

_Static_assert(sizeof(struct server) % 64 == 0, "servers share no cache line");

enum { TRIES_PER_YIELD = 64, TRIES_PER_LOOK = 1 << 14 };

/* Takes over the lock of a dead process; some of the server's times may then be wrong. */
static void enter(struct server *s)
{
    const unsigned me = (unsigned)getpid();
    for (unsigned tries = 1;; tries++) {
        unsigned owner = 0;
        if (atomic_compare_exchange_weak_explicit(&s->owner, &owner, me, memory_order_acquire, memory_order_relaxed))
            return;
        if (tries % TRIES_PER_YIELD == 0)
            sched_yield();
        if (tries % TRIES_PER_LOOK == 0 && owner && kill((pid_t)owner, 0) != 0 && errno == ESRCH &&
            atomic_compare_exchange_strong_explicit(&s->owner, &owner, me, memory_order_acquire, memory_order_relaxed))
            return;
    }
}

static void leave(struct server *s)
{
    atomic_store_explicit(&s->owner, 0, memory_order_release);
}

/* Replaces the stretches first to last - 1 by `with`; if first is last, inserts it there. */
static void replace(struct server *s, uint32_t first, uint32_t last, struct server_stretch with)
{
    if (first < last) {
        s->stretch[first] = with;
        memmove(&s->stretch[first + 1], &s->stretch[last], (s->n - last) * sizeof with);
        s->n -= last - first - 1;
        return;
    }
    if (s->n == SERVER_STRETCHES) { /* MUTANT a server drops the oldest: s->n == => s->n > */
        s->floor = first == 0 ? with.to : s->stretch[0].to;
        if (first == 0)
            return;
        memmove(&s->stretch[0], &s->stretch[1], (--s->n) * sizeof with);
        first--;
    }
    memmove(&s->stretch[first + 1], &s->stretch[first], (s->n - first) * sizeof with);
    s->stretch[first] = with;
    s->n++;
}

uint64_t server_reserve(struct server *s, uint64_t at, uint64_t takes, uint64_t bytes, uint64_t *begins)
{
    enter(s);
    s->messages++;
    s->bytes += bytes;
    s->busy += takes;
    if (at < s->floor)
        at = s->floor;
    uint32_t first = 0;
    while (first < s->n && s->stretch[first].to < at)
        first++;
    uint32_t next = first;
    uint64_t from = at;
    if (first < s->n && s->stretch[first].from <= at) {
        from = s->stretch[first].from;
        at = s->stretch[first].to;
        next++;
    }
    *begins = at;
    uint64_t left = takes, ends;
    while (ends = at + left, next < s->n && s->stretch[next].from < ends) {
        left -= s->stretch[next].from - at;
        at = s->stretch[next++].to;
    }
    uint64_t to = ends;
    if (next < s->n && s->stretch[next].from == to)
        to = s->stretch[next++].to;
    if (from < to)
        replace(s, first, next, (struct server_stretch){from, to});
    leave(s);
    return ends;
}
