/* sources: src/shmem/lock.c */
/* The release of a lock wakes PEs that sleep for it, even if the lock also names its holder (SHMEM_DEBUG). */
#include "../check.h"
#include "shmem/api.h"
#include "shmem/queue_lock.h"

#include <stdlib.h>

/* A job of one PE, as far as locks are concerned. */
struct self self;
struct node node;
struct net net;
bool virtual_on;
int thread_level;
_Thread_local const char *outer_routine;
_Atomic unsigned wait_spins;
static int woken;
void wait_slowly(struct wait *w) { (void)w, abort(); }
void wait_end_slowly(struct wait *w) { (void)w; }
void wait_wake(int pe) { (void)pe, woken++; }
void wait_for_copies(via how, int pe, enum copies which) { (void)how, (void)pe, (void)which; }
void net_asked(void) {}
void virtual_access(enum virtual_access kind, int pe, uint64_t at, size_t bytes)
{
    (void)kind, (void)pe, (void)at, (void)bytes;
}
void *reach_slowly(const char *arg, const void *sym, size_t len, int pe, const char *routine)
{
    (void)arg, (void)sym, (void)len, (void)pe, (void)routine;
    abort();
}
void node_not_initialized(const char *routine) { (void)routine, abort(); }
void job_fatal(const char *routine, const char *text, ...) { fprintf(stderr, "%s: %s\n", routine, text), abort(); }
void queue_lock_set(long *lock, int home, const char *routine) { (void)lock, (void)home, (void)routine; }
int queue_lock_test(long *lock, int home, const char *routine) { (void)lock, (void)home, (void)routine; return 1; }
void queue_lock_clear(long *lock, int home, const char *routine) { (void)lock, (void)home, (void)routine; }

static long lock;

/* Records that another PE sleeps until the lock is free. */
static void note_sleeper(void)
{
    __atomic_fetch_or(&lock, INT64_MIN, __ATOMIC_RELAXED);
    job_seat(0)->asleep_from = (uintptr_t)&lock;
    job_seat(0)->asleep_to = (uintptr_t)(&lock + 1);
    woken = 0;
}

/* before: the other PE begins to sleep before this PE acquires the lock; tests: this PE uses shmem_test_lock. */
static void sleeper_is_woken(bool before, bool tests)
{
    if (before)
        note_sleeper();
    if (tests)
        CHECK(shmem_test_lock(&lock) == 0, "the lock is not free");
    else
        shmem_set_lock(&lock);
    if (!before)
        note_sleeper();
    shmem_clear_lock(&lock);
    CHECK(woken == 1, "the release wakes %d PEs, and 1 PE sleeps", woken);
}

int main(void)
{
    self.job = calloc(1, job_bytes(1));
    node.n_pes = node.n_near = 1;
    node.quick_from = (uintptr_t)&lock;
    node.heap_quick = sizeof lock;
    for (int i = 0; i < 8; i++) {
        node.debug = i & 1;
        sleeper_is_woken(i & 2, i & 4);
    }
    free(self.job);
    return check_result();
}
