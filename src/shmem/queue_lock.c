/* Locks between nodes: the queue of Mellor-Crummey and Scott.  Who waits watches a word of its own memory, so waiting
 * costs the network nothing, and handing the lock on is one message.
 *
 * The user's long serves twice.  Its first half, at the lock's home, is the queue's tail: the last PE in line plus 1,
 * or 0 if the lock is free.  Its second half, on each PE, is that PE's place in the queue: the next PE in line plus 1,
 * and two bits. It is zero while the PE neither holds the lock nor waits for it. */
#include "shmem/api.h"
#include "shmem/queue_lock.h"

#define GRANTED 0x80000000u /* the PE before has handed the lock on */
#define HELD 0x40000000u    /* this PE has the lock: for clear_lock to see that it may */
#define NEXT 0x3fffffffu

static uint32_t *tail_of(long *lock)
{
    return (uint32_t *)(void *)lock;
}

static uint32_t *place_in(long *lock)
{
    return tail_of(lock) + 1;
}

/* The place is written by peers as well. */
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

/* As others change the word: by the adapter, if it is theirs; a fetching one is done when it returns. */
static void note_held(long *lock)
{
    (void)pshmem_uint32_atomic_fetch_or(place_in(lock), HELD, node.me);
}

static bool take_free(long *lock, int home)
{
    if (pshmem_uint32_atomic_compare_swap(tail_of(lock), 0, (uint32_t)node.me + 1, home) != 0)
        return false;
    note_held(lock);
    return true;
}

void queue_lock_set(long *lock, int home, const char *routine)
{
    outer_routine = routine;
    if (UNLIKELY(thread_level == SHMEM_THREAD_MULTIPLE || self.job->outlives)) {
        /* A PE's threads would share one place; and where PEs die a queue would stop at the dead.  So nobody queues. */
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
    quiet(VIA_DEFAULT); /* what was stored under the lock is complete for whoever has it next */
    outer_routine = routine;
    const uint32_t me = (uint32_t)node.me + 1;
    const bool alone = !(look(lock) & NEXT) && pshmem_uint32_atomic_compare_swap(tail_of(lock), me, 0, home) == me;
    if (!alone) {
        /* MUTANT unlocking waits for the next in line */
        wait_for(lock, NEXT, routine); /* it has put itself in line, and is about to say so */
        const int next = (int)(look(lock) & NEXT) - 1;
        __atomic_store_n(place_in(lock), 0, __ATOMIC_RELAXED);
        pshmem_uint32_atomic_or(place_in(lock), GRANTED, next);
    } else {
        __atomic_store_n(place_in(lock), 0, __ATOMIC_RELAXED);
    }
    outer_routine = NULL;
}
