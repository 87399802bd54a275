/* Distributed locks (9.13): the queue lock of Craig, and Landin and Hagersten, in the user's own long.
 *
 * First come, first served: a PE that wants the lock swaps itself in as the last of the queue and watches the word of the PE
 * that was last before.  Releasing is one store, which nobody but the next in the queue looks at.  The 64 bits of the
 * lock are two words:
 *   - tail, at the lock's home PE: the last PE in the queue plus 1, and the turn it is waiting for; 0 before the first use;
 *   - mine, at every PE: the number of this PE's turn, which goes up by one when it wants the lock and by one when it lets
 *     go.  So an odd turn is wanted or held, and one that has changed is over.
 * Turns are compared for equality only: a PE's next turn but one cannot begin before the one behind it had the lock, so a
 * few bits would do. */
#include "shmem/api.h"

struct lock {
    _Atomic uint32_t tail;
    _Atomic uint32_t mine;
};
_Static_assert(sizeof(struct lock) == sizeof(long), "a lock is a long");

/* Both words: the turn in the low bits, a PE plus 1 above. In mine it is a PE that fell asleep behind this one. */
enum { TURN_BITS = 12, TURN = (1 << TURN_BITS) - 1 };

static uint32_t word_of(int pe, uint32_t turn)
{
    return (uint32_t)(pe + 1) << TURN_BITS | (turn & TURN);
}

static int pe_in(uint32_t word)
{
    return (int)(word >> TURN_BITS) - 1;
}

/* Locks are spread over the PEs by their place in symmetric memory, which is the same everywhere. */
static int home(const long *lock)
{
    const uintptr_t at = (uintptr_t)lock;
    const size_t offset = at - node.data < node.data_used ? at - node.data : at - node.heap;
    return (int)((uint32_t)(offset / 64) % (uint32_t)node.n_pes);
}

static struct lock *lock_at(long *lock, int pe, const char *routine)
{
    struct lock *at = reach_arg("lock", lock, sizeof *lock, pe, routine);
    if (UNLIKELY((uintptr_t)at % sizeof *at != 0))
        job_fatal(routine, "argument lock is %p, allowed is a multiple of %zu", (void *)lock, sizeof *at);
    return at;
}

static bool is_over(_Atomic uint32_t *word, uint32_t turn)
{
    return (atomic_load_explicit(word, memory_order_acquire) & TURN) != (turn & TURN);
}

/* Waits until the turn of the PE ahead is over. */
static void wait_for_turn(_Atomic uint32_t *word, uint32_t turn, int ahead, const char *routine)
{
    struct wait w = {.routine = routine, .for_pe = ahead, .from = (uintptr_t)word, .to = (uintptr_t)(word + 1)};
    while (!is_over(word, turn)) {
        wait_turn(&w);
        if (UNLIKELY(w.armed)) /* leave word who sleeps here; if it comes too late, the sleep is short */
            atomic_compare_exchange_strong(word, &(uint32_t){turn & TURN}, word_of(node.me, turn));
    }
    wait_end(&w);
}

API(void, set_lock, (long *lock))
{
    check_initialized(ROUTINE);
    struct lock *here = lock_at(lock, node.me, ROUTINE), *queue = lock_at(lock, home(lock), ROUTINE);
    const uint32_t turn = (atomic_load_explicit(&here->mine, memory_order_relaxed) + 1) & TURN;
    if (UNLIKELY(turn % 2 == 0))
        job_fatal(ROUTINE, "argument lock is %p, which this PE holds already", (void *)lock);
    atomic_store_explicit(&here->mine, turn, memory_order_relaxed);
    const uint32_t before = atomic_exchange(&queue->tail, word_of(node.me, turn));
    if (before == 0 || pe_in(before) == node.me)
        return; /* its last turn is over */
    wait_for_turn(&lock_at(lock, pe_in(before), ROUTINE)->mine, before, pe_in(before), ROUTINE);
}

API(int, test_lock, (long *lock))
{
    check_initialized(ROUTINE);
    struct lock *here = lock_at(lock, node.me, ROUTINE), *queue = lock_at(lock, home(lock), ROUTINE);
    const uint32_t turn = (atomic_load_explicit(&here->mine, memory_order_relaxed) + 1) & TURN;
    uint32_t before = atomic_load_explicit(&queue->tail, memory_order_acquire);
    if (turn % 2 == 0 || (before && !is_over(&lock_at(lock, pe_in(before), ROUTINE)->mine, before)))
        return 1;
    atomic_store_explicit(&here->mine, turn, memory_order_relaxed);
    if (atomic_compare_exchange_strong(&queue->tail, &before, word_of(node.me, turn)))
        return 0;
    atomic_store_explicit(&here->mine, turn - 1, memory_order_relaxed); /* another PE was faster; nobody has seen this turn */
    return 1;
}

API(void, clear_lock, (long *lock))
{
    check_initialized(ROUTINE);
    struct lock *here = lock_at(lock, node.me, ROUTINE);
    const uint32_t word = atomic_load_explicit(&here->mine, memory_order_relaxed);
    if (UNLIKELY(word % 2 == 0))
        job_fatal(ROUTINE, "argument lock is %p, which this PE does not hold", (void *)lock);
    /* A release: what was stored under the lock is complete for whoever has the lock next. */
    atomic_store_explicit(&here->mine, (word + 1) & TURN, memory_order_release);
    if (UNLIKELY(pe_in(word) >= 0))
        wait_wake(pe_in(word));
}
