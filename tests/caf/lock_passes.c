/* pes: 2 3 4 5 16 */
/* A running image may overtake images that wait for a lock, but only a limited number of times. The other images
 * request a lock that image 1 holds, and sleep in the queue until the test wakes them. Image 1 acquires and releases
 * the lock repeatedly, as often as it may overtake the first image in the queue, and then not again until this image
 * has had the lock; then it overtakes the next image. A waiting image on another node gets the lock immediately, and
 * must not read the word more often than necessary, because each read is a round trip. */
#include "core.h"
#include "caf/control/lock.h"

#include <pshmem.h>

enum { LOCK, ASLEEP, DONE, MAY_COME, MAY_WAKE, WORDS };

static int64_t *a; /* the addresses of the words; the last two are on each image, the others on image 1 */
static bool comes_to_lock;
static int trips; /* round trips of this image to locks */

uint64_t shmem_ulong_atomic_compare_swap(uint64_t *dest, uint64_t cond, uint64_t value, int pe)
{
    trips++;
    return pshmem_ulong_atomic_compare_swap(dest, cond, value, pe);
}

uint64_t shmem_ulong_atomic_fetch(const uint64_t *source, int pe)
{
    trips++;
    return pshmem_ulong_atomic_fetch(source, pe);
}

/* The core's waits call this function. */
void shmem_uint64_wait_until(uint64_t *word, int comparison, uint64_t value)
{
    if (comes_to_lock) {
        comes_to_lock = false;
        shmem_int64_atomic_inc(&a[ASLEEP], 0);
        pshmem_int64_wait_until(&a[MAY_WAKE], SHMEM_CMP_NE, 0);
    }
    pshmem_uint64_wait_until(word, comparison, value);
}

/* How often image 1 gets the lock while the first image in the queue sleeps. */
static int passes(void)
{
    for (int count = 0;; count++) {
        bool acquired;
        ok(caf_lock(0, &a[LOCK], &acquired));
        if (!acquired || count > CAF_LOCK_PASSES)
            return count;
        ok(caf_unlock(0, &a[LOCK]));
    }
}

static void hold_and_pass(void)
{
    ok(caf_lock(0, &a[LOCK], NULL));
    for (int image = 2; image <= n; image++) {
        shmem_int64_p(&a[MAY_COME], 1, image - 1);
        pshmem_int64_wait_until(&a[ASLEEP], SHMEM_CMP_EQ, image - 1);
    }
    ok(caf_unlock(0, &a[LOCK]));
    for (int image = 2; image <= n; image++) {
        const int count = passes(), expected = shmem_ptr(a, image - 1) ? CAF_LOCK_PASSES : 0;
        CHECK(count == expected, "image %d has been passed %d times, not %d", image, count, expected);
        CHECK(a[DONE] == image - 2, "%d images have had the lock before image %d", (int)a[DONE], image);
        shmem_int64_p(&a[MAY_WAKE], 1, image - 1);
        pshmem_int64_wait_until(&a[DONE], SHMEM_CMP_EQ, image - 1);
    }
}

/* A waiting image makes one round trip each to find the lock held, to enter the queue, to announce that it sleeps as
 * the first, to check when it wakes, and to unlock; if an image on another node made it the first, it may check once
 * more. */
enum { TRIPS = 6, TO_BRING_UP_NEXT = 1 };

static void come_and_sleep(void)
{
    pshmem_int64_wait_until(&a[MAY_COME], SHMEM_CMP_NE, 0);
    comes_to_lock = true;
    ok(caf_lock(0, &a[LOCK], NULL));
    ok(caf_unlock(0, &a[LOCK]));
    const int most = me < n ? TRIPS + TO_BRING_UP_NEXT : TRIPS;
    CHECK(shmem_ptr(a, 0) || trips <= most, "%d round trips to lock and unlock, expected at most %d", trips, most);
    shmem_int64_atomic_inc(&a[DONE], 0);
}

int main(void)
{
    start();
    a = coarray(WORDS * sizeof *a);
    if (me == 1)
        hold_and_pass();
    else
        come_and_sleep();
    ok(caf_sync_all());
    CHECK(a[LOCK] == 0, "the lock is not as it was: %llx", (unsigned long long)a[LOCK]);
    ok(caf_sync_all());
    caf_stop(check_result());
}
