/* Distributed locks (9.13): the queue lock of Mellor-Crummey and Scott, in the user's own long.
 *
 * First come, first served, and each waits on a word of its own.  The 64 bits of the lock are two words:
 *   - tail, at the lock's home PE: the last PE in the queue plus 1, or 0 when the lock is free;
 *   - link, at every PE: who comes after this PE (plus 1, or 0), and that this PE's turn has come.
 * Both are 0 when nobody holds or wants the lock, as they were at first. */
#include "shmem/api.h"

struct lock {
    _Atomic uint32_t tail;
    _Atomic uint32_t link;
};
_Static_assert(sizeof(struct lock) == sizeof(long), "a lock is a long");

#define TURN 0x80000000u /* in link: the lock is this PE's now; set by the one before it, cleared by itself */
#define NEXT 0x7fffffffu /* in link: the next PE plus 1; set by that one */

/* Locks are spread over the PEs by their place in symmetric memory, which is the same everywhere. */
static int home(const struct lock *lock)
{
    const uintptr_t at = (uintptr_t)lock;
    const size_t offset = at - node.data < node.data_used ? at - node.data : at - node.heap;
    return (int)(offset / sizeof *lock % (size_t)node.n_pes);
}

static struct lock *lock_at(long *lock, int pe, const char *routine)
{
    struct lock *at = reach_arg("lock", lock, sizeof *lock, pe, routine);
    if (UNLIKELY((uintptr_t)at % sizeof *at != 0))
        job_fatal(routine, "argument lock is %p, allowed is a multiple of %zu", (void *)lock, sizeof *at);
    return at;
}

static void wait_for_bits(_Atomic uint32_t *link, uint32_t bits, int for_pe, const char *routine)
{
    struct wait w = {.routine = routine, .for_pe = for_pe, .from = (uintptr_t)link, .to = (uintptr_t)(link + 1)};
    while ((atomic_load_explicit(link, memory_order_acquire) & bits) == 0)
        wait_turn(&w);
    wait_end(&w);
}

static void set_bits(struct lock *lock, uint32_t bits, int pe)
{
    atomic_fetch_or_explicit(&lock->link, bits, memory_order_release);
    wake(pe, &lock->link, sizeof lock->link);
}

API(void, set_lock, (long *lock))
{
    check_initialized(ROUTINE);
    struct lock *mine = lock_at(lock, node.me, ROUTINE), *queue = lock_at(lock, home((struct lock *)lock), ROUTINE);
    const uint32_t before = atomic_exchange(&queue->tail, (uint32_t)node.me + 1);
    if (before == 0)
        return;
    const int ahead = (int)before - 1;
    if (UNLIKELY(ahead == node.me))
        job_fatal(ROUTINE, "argument lock is %p, which this PE holds already", (void *)lock);
    set_bits(lock_at(lock, ahead, ROUTINE), (uint32_t)node.me + 1, ahead);
    wait_for_bits(&mine->link, TURN, ahead, ROUTINE);
    atomic_fetch_and_explicit(&mine->link, NEXT, memory_order_acquire);
}

API(int, test_lock, (long *lock))
{
    check_initialized(ROUTINE);
    struct lock *queue = lock_at(lock, home((struct lock *)lock), ROUTINE);
    uint32_t nobody = 0;
    return !atomic_compare_exchange_strong(&queue->tail, &nobody, (uint32_t)node.me + 1);
}

API(void, clear_lock, (long *lock))
{
    check_initialized(ROUTINE);
    struct lock *mine = lock_at(lock, node.me, ROUTINE), *queue = lock_at(lock, home((struct lock *)lock), ROUTINE);
    quiet();
    if (atomic_load_explicit(&mine->link, memory_order_relaxed) == 0) {
        uint32_t last = (uint32_t)node.me + 1;
        if (atomic_compare_exchange_strong(&queue->tail, &last, 0))
            return;
        if (UNLIKELY(last == 0))
            job_fatal(ROUTINE, "argument lock is %p, which nobody holds", (void *)lock);
        wait_for_bits(&mine->link, NEXT, (int)last - 1, ROUTINE); /* somebody is about to say that it comes next */
    }
    const int next = (int)atomic_load_explicit(&mine->link, memory_order_acquire) - 1;
    atomic_store_explicit(&mine->link, 0, memory_order_relaxed); /* nobody writes here until this PE queues again */
    set_bits(lock_at(lock, next, ROUTINE), TURN, next);
}
