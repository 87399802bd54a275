/* Locks between nodes: the queue of Mellor-Crummey and Scott. A waiting PE polls a word of its own memory, which needs
 * no message, and a release sends one message to the next PE.
 *
 * The user's long has two uses. Its first half, at the lock's home, is the queue's tail: the last PE in the queue plus
 * 1, or 0 if the lock is free. Its second half, on each PE, is the PE's entry: the next PE in the queue plus 1, and two
 * bits. The entry is zero unless the PE holds the lock or waits for it. */
#include "shmem/api.h"
#include "shmem/queue_lock.h"

#define GRANTED 0x80000000u /* the previous PE has released the lock to this PE */
#define HELD 0x40000000u    /* this PE has the lock: clear_lock checks it */
#define NEXT 0x3fffffffu

static uint32_t *tail_of(long *lock)
{
    return (uint32_t *)(void *)lock;
}

static uint32_t *place_in(long *lock)
{
    return tail_of(lock) + 1;
}

/* Reads the entry atomically, because other PEs also write it. */
static uint32_t look(long *lock)
{
    return __atomic_load_n(place_in(lock), __ATOMIC_ACQUIRE);
}

static void wait_for(long *lock, uint32_t bits, const char *routine)
{
    const uintptr_t at = (uintptr_t)reach_arg("lock", place_in(lock), sizeof(uint32_t), node.me, routine);
    struct wait w = {.routine = routine, .for_pe = JOB_FOR_HOLDER, .from = at, .to = at + sizeof(uint32_t)};
    while (!(look(lock) & bits))
        wait_turn(&w);
    wait_end(&w);
}

/* Uses an OpenSHMEM atomic, because the NIC may execute other PEs' atomics; a fetching one is complete on return. */
static void note_held(long *lock)
{
    (void)pshmem_uint32_atomic_fetch_or(place_in(lock), HELD, node.me);
}

/* Whether the lock no longer exists. An atomic on it then returns 0, as on a free lock. */
static bool is_gone(int home)
{
    return UNLIKELY(self.job->outlives) && !node_is_near(home) && net_pe_state(home) == JOB_PE_DEAD;
}

static bool take_free(long *lock, int home)
{
    if (pshmem_uint32_atomic_compare_swap(tail_of(lock), 0, (uint32_t)node.me + 1, home) != 0 || is_gone(home))
        return false;
    note_held(lock);
    return true;
}

void queue_lock_set(long *lock, int home, const char *routine)
{
    outer_routine = routine;
    if (UNLIKELY(thread_level == SHMEM_THREAD_MULTIPLE || self.job->outlives)) {
        /* Polls without a queue: a PE's threads would share one entry, and a queue would stop at a dead PE. */
        struct wait w = {.routine = routine, .for_pe = JOB_FOR_HOLDER};
        while (!take_free(lock, home))
            wait_turn(&w);
        wait_end(&w);
    } else {
        const uint32_t before = pshmem_uint32_atomic_swap(tail_of(lock), (uint32_t)node.me + 1, home);
        if (before) {
            pshmem_uint32_atomic_or(place_in(lock), (uint32_t)node.me + 1, (int)before - 1);
            wait_for(lock, GRANTED, routine); /* MUTANT locking waits for its turn */
        }
        note_held(lock);
    }
    outer_routine = NULL;
}

int queue_lock_test(long *lock, int home, const char *routine)
{
    outer_routine = routine;
    const bool taken = take_free(lock, home);
    outer_routine = NULL;
    return !taken;
}

void queue_lock_clear(long *lock, int home, const char *routine)
{
    if (!(look(lock) & HELD))
        job_fatal(routine, "argument lock is %p, which this PE does not hold", (void *)lock);
    /* MUTANT unlocking completes */
    quiet(VIA_DEFAULT); /* stores under the lock are complete for the next holder */
    outer_routine = routine;
    /* Once the tail is 0, another thread of this PE may acquire the lock and write to the entry. */
    const uint32_t me = (uint32_t)node.me + 1, entry = pshmem_uint32_atomic_fetch_and(place_in(lock), NEXT, node.me);
    const bool alone = !(entry & NEXT) && pshmem_uint32_atomic_compare_swap(tail_of(lock), me, 0, home) == me;
    if (!alone && !self.job->outlives) { /* a job that outlives its PEs has no queue: there, the home is dead */
        /* MUTANT unlocking waits for the next in line */
        wait_for(lock, NEXT, routine); /* the next PE has changed the tail, and will write its number here */
        const int next = (int)(look(lock) & NEXT) - 1;
        __atomic_store_n(place_in(lock), 0, __ATOMIC_RELAXED);
        pshmem_uint32_atomic_or(place_in(lock), GRANTED, next);
    }
    outer_routine = NULL;
}
