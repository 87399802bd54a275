#include "races/pending.h"

#include "races/actor.h"

#include <sched.h>
#include <string.h>

struct pendings pendings;

/* Protects pendings, which all strands share. It is not a mutex, because threads.c would record its ordering. */
static atomic_flag lock = ATOMIC_FLAG_INIT;

static bool enter(void)
{
    const bool shared = !actor_is_alone();
    board_noting++;
    while (shared && atomic_flag_test_and_set_explicit(&lock, memory_order_acquire))
        sched_yield();
    return shared;
}

static void leave(bool shared)
{
    if (shared)
        atomic_flag_clear_explicit(&lock, memory_order_release);
    board_noting--;
}

static void widen(uintptr_t *from, uintptr_t *to, const struct pending *p)
{
    *from = p->from < *from ? p->from : *from;
    *to = p->to > *to ? p->to : *to;
}

/* Other strands read the bounds without the lock, so the bounds must never be too narrow. */
static void find_bounds(void)
{
    uintptr_t from = UINTPTR_MAX, to = 0;
    for (int i = 0; i < pendings.n; i++)
        widen(&from, &to, &pendings.list[i]);
    for (int i = 0; i < pendings.n_ended; i++)
        widen(&from, &to, &pendings.ended[i]);
    pendings.from = from;
    pendings.to = to;
}

/* If the list is full, further operations are not checked. */
void pending_add(struct pending p)
{
    const bool shared = enter();
    if (pendings.n < PENDING_MOST && p.from != p.to) {
        uintptr_t from = pendings.to ? pendings.from : UINTPTR_MAX, to = pendings.to;
        pendings.list[pendings.n++] = p;
        widen(&from, &to, &p);
        pendings.from = from;
        pendings.to = to;
    }
    leave(shared);
}

/* A strand that knows an agent's later operation to be over also knows the earlier ones to be over. If the later
 * operation covers the earlier one's buffer, its record is therefore enough. */
static bool says_all_of(const struct pending *p, const struct pending *earlier)
{
    return p->actor == earlier->actor && p->epoch >= earlier->epoch && p->written >= earlier->written &&
           p->from <= earlier->from && p->to >= earlier->to;
}

/* Keeps records that some strand does not know to be over, and that `by`, if not NULL, does not cover. */
static void settle(const struct pending *by)
{
    int left = 0;
    for (int i = 0; i < pendings.n_ended; i++) {
        const struct pending *p = &pendings.ended[i];
        if (!(by && says_all_of(by, p)) && !actor_is_over_for_all(p->actor, p->epoch))
            pendings.ended[left++] = *p;
    }
    pendings.n_ended = left;
}

static void keep(const struct pending *p)
{
    if (actor_is_over_for_all(p->actor, p->epoch))
        return;
    settle(p);
    if (pendings.n_ended == PENDING_ENDED)
        memmove(pendings.ended, pendings.ended + 1, --pendings.n_ended * sizeof *p);
    pendings.ended[pendings.n_ended++] = *p;
}

void pending_complete(shmem_ctx_t ctx, int pe)
{
    const bool shared = enter();
    int left = 0;
    for (int i = 0; i < pendings.n; i++) {
        const struct pending *p = &pendings.list[i];
        if (p->ctx != ctx || (pe >= 0 && p->pe != pe))
            pendings.list[left++] = *p;
        else if (actor_has_strands)
            keep(p);
    }
    pendings.n = left;
    if (pendings.n_ended)
        settle(NULL);
    find_bounds();
    leave(shared);
}

void pending_settle(void)
{
    const bool shared = enter();
    settle(NULL);
    find_bounds();
    leave(shared);
}

void pending_forget(uintptr_t from, uintptr_t to)
{
    const bool shared = enter();
    int left = 0;
    for (int i = 0; i < pendings.n_ended; i++)
        if (pendings.ended[i].from >= to || pendings.ended[i].to <= from)
            pendings.ended[left++] = pendings.ended[i];
    pendings.n_ended = left;
    find_bounds();
    leave(shared);
}

void pending_clear(void)
{
    const bool shared = enter();
    pendings.n = pendings.n_ended = 0;
    find_bounds();
    leave(shared);
}

static bool is_disturbed(const struct pending *p, uintptr_t from, size_t bytes, bool writes)
{
    return from < p->to && p->from < from + bytes && (writes || p->written);
}

static bool is_ended_unknown(const struct pending *p)
{
    return strand->clock[p->actor] < p->epoch;
}

bool pending_find(uintptr_t from, size_t bytes, bool writes, struct pending *found)
{
    const bool shared = enter();
    bool is_found = false;
    for (int i = 0; i < pendings.n + pendings.n_ended && !is_found; i++) {
        const bool ended = i >= pendings.n;
        const struct pending *p = ended ? &pendings.ended[i - pendings.n] : &pendings.list[i];
        is_found = is_disturbed(p, from, bytes, writes) && (!ended || is_ended_unknown(p));
        if (is_found)
            *found = *p;
    }
    leave(shared);
    return is_found;
}
