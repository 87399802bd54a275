/* Distributed locks (9.13): a ticket lock in the user's long, in the memory of one PE, the lock's home.
 *
 * PEs acquire the lock in their order: a PE takes the next ticket, and has the lock when that ticket is served. The
 * lock is on one cache line, so a release moves one line once; queues in which each PE polls a word of its own
 * (Mellor-Crummey and Scott; Craig) move two or three. A waiting PE polls less often the more PEs are ahead of it.
 * While the holder has the lock, it does not write to the line, because each write would move the line once more. For
 * oshrun, the holder's PE record names the lock; with SHMEM_DEBUG, the lock also names its holder.
 *
 * In a job that outlives its PEs, locks are acquired without tickets: they would stop at the ticket of a dead PE. In a
 * job that spans nodes, a waiting PE cannot poll the word; queue_lock.c has the locks of such jobs. */
#include "shmem/api.h"
#include "shmem/queue_lock.h"
#include "time/virtual.h"

struct lock {
    _Atomic uint16_t next;    /* the next ticket to take */
    _Atomic uint16_t serving; /* the ticket that has the lock; equals next if the lock is free */
    _Atomic uint32_t more;    /* the bit SLEEPERS; with SHMEM_DEBUG also the holder plus 1 */
};
_Static_assert(sizeof(struct lock) == sizeof(long), "a lock is a long");

enum { NEXT, SERVING };
union tickets { /* the first two members of struct lock, as one word */
    uint32_t word;
    uint16_t ticket[2];
};

#define SLEEPERS 0x80000000u /* in more: a waiting PE has fallen asleep */

/* Identifies a lock equally on all PEs: its offset in symmetric memory, and two bits for heap or statics. */
static uint64_t key_of(const long *lock)
{
    const uintptr_t at = (uintptr_t)lock;
    return at - node.data < node.data_used ? (at - node.data) << 2 | 1 : (at - node.heap) << 2 | 2;
}

static __attribute__((noinline)) void note_another(_Atomic uint64_t *held, uint64_t before, uint64_t after)
{
    for (int i = 1; i < JOB_LOCKS_HELD; i++)
        if (atomic_load_explicit(&held[i], memory_order_relaxed) == before) {
            atomic_store_explicit(&held[i], after, memory_order_relaxed);
            return;
        }
}

/* Replaces an entry in the list of held locks in this PE's record, which oshrun reports; 0: no lock. */
INLINE void note_lock(uint64_t before, uint64_t after)
{
    _Atomic uint64_t *held = job_seat(node.me)->held;
    if (LIKELY(atomic_load_explicit(held, memory_order_relaxed) == before))
        atomic_store_explicit(held, after, memory_order_relaxed);
    else
        note_another(held, before, after);
}

static void want(const long *lock)
{
    atomic_store_explicit(&job_seat(node.me)->wanted, key_of(lock), memory_order_relaxed);
}

/* The lock's address on its home PE, or NULL if the job spans nodes. A hash of the lock's offset chooses the home: the
 * upper bits of a product, because a division would take as long as the rest of the function. */
static struct lock *find(long *lock, int *home, enum virtual_access kind, const char *routine)
{
    check_initialized(routine);
    const uintptr_t at = (uintptr_t)lock;
    const uint32_t line = (uint32_t)(key_of(lock) >> 2 >> 6), spread = line * 0x9e3779b9u;
    *home = (int)((uint64_t)spread * (uint32_t)node.n_pes >> 32);
    if (UNLIKELY(at % sizeof(struct lock) != 0))
        job_fatal(routine, "argument lock is %p, allowed is a multiple of %zu", (void *)lock, sizeof(struct lock));
    if (UNLIKELY(virtual_on) && !net.active)
        virtual_access(kind, *home, place_of(lock), 0);
    struct lock *l = reach_arg("lock", lock, sizeof(struct lock), *home, routine);
    return UNLIKELY(net.active) ? NULL : l;
}

static int holder_of(struct lock *lock)
{
    return (int)(atomic_load_explicit(&lock->more, memory_order_relaxed) & ~SLEEPERS) - 1;
}

static void taken(struct lock *lock)
{
    if (UNLIKELY(node.debug))
        atomic_fetch_or_explicit(&lock->more, (uint32_t)node.me + 1, memory_order_relaxed); /* keeps SLEEPERS */
}

/* Each PE ahead holds the lock for a while, so there is no need to poll earlier. */
static void look_away(unsigned ahead)
{
    enum { TURNS_PER_PE = 20 };
    for (unsigned i = 0; i < (ahead - 1) * TURNS_PER_PE; i++)
        wait_pause();
}

static bool take_free(struct lock *lock)
{
    /* Compares both tickets: if it compared next alone, other PEs could meanwhile have taken all 2^16 tickets. */
    union tickets is = {.word = __atomic_load_n((uint32_t *)lock, __ATOMIC_ACQUIRE)};
    if (is.ticket[NEXT] != is.ticket[SERVING])
        return false;
    union tickets with_mine = is;
    with_mine.ticket[NEXT]++;
    return __atomic_compare_exchange_n((uint32_t *)lock, &is.word, with_mine.word, false, __ATOMIC_ACQUIRE,
                                       __ATOMIC_RELAXED);
}

/* If PEs may die, or leave waits by longjmp, a waiting PE takes no ticket: the lock would stop at that ticket. */
static __attribute__((noinline)) void wait_without_ticket(struct lock *lock, const char *routine)
{
    struct wait w = {.routine = routine, .for_pe = JOB_FOR_HOLDER, .from = (uintptr_t)lock,
                     .to = (uintptr_t)(lock + 1)};
    while (!take_free(lock)) {
        wait_turn(&w);
        if (UNLIKELY(w.armed))
            atomic_fetch_or_explicit(&lock->more, SLEEPERS, memory_order_relaxed);
    }
    wait_end(&w);
}

static __attribute__((noinline)) void wait_for_ticket(struct lock *lock, uint16_t ticket, const char *routine)
{
    struct wait w = {.routine = routine, .for_pe = JOB_FOR_HOLDER, .from = (uintptr_t)lock,
                     .to = (uintptr_t)(lock + 1)};
    uint16_t serving;
    while ((serving = atomic_load_explicit(&lock->serving, memory_order_acquire)) != ticket) {
        if (!self.crowded)
            look_away((uint16_t)(ticket - serving));
        wait_turn(&w);
        if (UNLIKELY(w.armed)) /* the holder may miss this bit once, but the first sleep is short */
            atomic_fetch_or_explicit(&lock->more, SLEEPERS, memory_order_relaxed);
    }
    wait_end(&w);
}

API(void, set_lock, (long *lock))
{
    int home;
    struct lock *l = find(lock, &home, VIRTUAL_CHANGE, ROUTINE);
    if (UNLIKELY(!l)) {
        want(lock);
        queue_lock_set(lock, home, ROUTINE);
        note_lock(0, key_of(lock));
        return;
    }
    if (UNLIKELY(node.debug && holder_of(l) == node.me && thread_level != SHMEM_THREAD_MULTIPLE))
        job_fatal(ROUTINE, "argument lock is %p, which this PE holds already", (void *)lock);
    if (UNLIKELY(self.job->outlives)) {
        want(lock);
        wait_without_ticket(l, ROUTINE);
    } else {
        const uint16_t ticket = atomic_fetch_add_explicit(&l->next, 1, memory_order_relaxed);
        if (atomic_load_explicit(&l->serving, memory_order_acquire) != ticket) {
            want(lock);
            wait_for_ticket(l, ticket, ROUTINE);
        }
    }
    taken(l);
    note_lock(0, key_of(lock));
}

API(int, test_lock, (long *lock))
{
    int home;
    struct lock *l = find(lock, &home, VIRTUAL_CHANGE, ROUTINE);
    const bool got = LIKELY(l != NULL) ? take_free(l) : queue_lock_test(lock, home, ROUTINE) == 0;
    if (got && l)
        taken(l);
    if (got)
        note_lock(0, key_of(lock));
    if (!got && net.active)
        net_asked();
    return !got;
}

API(void, clear_lock, (long *lock))
{
    int home;
    struct lock *l = find(lock, &home, VIRTUAL_STORE, ROUTINE);
    if (UNLIKELY(!l)) {
        note_lock(key_of(lock), 0);
        queue_lock_clear(lock, home, ROUTINE);
        return;
    }
    if (copies_left())
        wait_for_copies(VIA_DEFAULT, -1, PUTS_AND_GETS); /* MUTANT unlocking waits for copies */
    const uint16_t serving = atomic_load_explicit(&l->serving, memory_order_relaxed);
    if (UNLIKELY(atomic_load_explicit(&l->next, memory_order_relaxed) == serving))
        job_fatal(ROUTINE, "argument lock is %p, which no PE holds", (void *)lock);
    if (UNLIKELY(node.debug && holder_of(l) != node.me))
        job_fatal(ROUTINE, "argument lock is %p, which PE %d holds", (void *)lock, holder_of(l));
    uint32_t more = atomic_load_explicit(&l->more, memory_order_relaxed);
    if (UNLIKELY(more))
        more = atomic_exchange_explicit(&l->more, 0, memory_order_relaxed);
    note_lock(key_of(lock), 0);
    /* A release: stores under the lock are complete for the next holder. */
    /* MUTANT a lock is handed on in order: memory_order_release => memory_order_relaxed */
    atomic_store_explicit(&l->serving, (uint16_t)(serving + 1), memory_order_release);
    if (UNLIKELY(more & SLEEPERS))
        for (int pe = 0; pe < node.n_pes; pe++)
            wake(pe, l, sizeof *l);
}
