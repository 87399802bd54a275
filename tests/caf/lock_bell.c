/* pes: 3 5 */
/* A waiting image clears its flag, the bell, before it checks the lock. The flag may be set without a reason, if an
 * image sets it late for a lock that another image acquired long before. This wakes image 3, the second in the queue,
 * which checks the lock. Right after the check, image 2 acquires the lock, releases it, and sets the flag of image 3,
 * which must not lose it. Further images wait behind image 3. */
#include "core.h"

#include <pshmem.h>

enum { LOCK, LOOKED, MAY_COME, HAS_RUNG, WORDS };

static int64_t *a; /* the addresses of the words: the first two are on image 1, the others on each image */
static bool comes_to_lock, looks;

/* The core's waits call this function. */
void shmem_uint64_wait_until(uint64_t *word, int comparison, uint64_t value)
{
    if (comes_to_lock) {
        comes_to_lock = false;
        looks = true;
        __atomic_store_n(word, value, __ATOMIC_RELEASE); /* sets the flag without a reason */
    }
    pshmem_uint64_wait_until(word, comparison, value);
}

/* The core's checks of locks call this function. */
uint64_t shmem_ulong_atomic_fetch(const uint64_t *source, int pe)
{
    const uint64_t seen = pshmem_ulong_atomic_fetch(source, pe);
    if (looks) {
        looks = false;
        shmem_int64_p(&a[LOOKED], 1, 0);
        pshmem_int64_wait_until(&a[HAS_RUNG], SHMEM_CMP_NE, 0);
    }
    return seen;
}

/* The number of waiting images and the first one, without the top bit, which shows how the first one waits. */
static int64_t line(void)
{
    return shmem_int64_atomic_fetch(&a[LOCK], 0) & INT64_MAX;
}

static void hold(void)
{
    ok(caf_lock(0, &a[LOCK], NULL));
    for (int image = 2; image <= n; image++) {
        const int64_t before = line();
        shmem_int64_p(&a[MAY_COME], 1, image - 1);
        while (line() == before)
            shmem_int64_test(&a[LOCK], SHMEM_CMP_EQ, 0);
    }
    pshmem_int64_wait_until(&a[LOOKED], SHMEM_CMP_NE, 0);
    ok(caf_unlock(0, &a[LOCK]));
}

static void come(void)
{
    pshmem_int64_wait_until(&a[MAY_COME], SHMEM_CMP_NE, 0);
    comes_to_lock = me == 3;
    ok(caf_lock(0, &a[LOCK], NULL));
    ok(caf_unlock(0, &a[LOCK]));
    shmem_quiet();
    if (me == 2)
        shmem_int64_p(&a[HAS_RUNG], 1, 2);
}

int main(void)
{
    start();
    a = coarray(WORDS * sizeof *a);
    if (me == 1)
        hold();
    else
        come();
    ok(caf_sync_all());
    CHECK(a[LOCK] == 0, "the lock is not as it was: %llx", (unsigned long long)a[LOCK]);
    ok(caf_sync_all());
    caf_stop(check_result());
}
