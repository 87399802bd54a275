/* pes: 2 3 4 5 16 */
/* A lock goes to whoever runs, but who waits is passed so often and no more.  The others come to a lock that image 1
 * holds, and fall asleep in line, which they do not leave before they may.  Image 1 takes and frees the lock again and
 * again: as often as the first in line may be passed, and then no more until that one has had it; then the next one is
 * passed.  Who waits on another node is handed the lock at once, and has asked for the word no more often than it must:
 * each time is a round trip. */
#include "core.h"
#include "caf/control/lock.h"

#include <pshmem.h>

enum { LOCK, ASLEEP, DONE, MAY_COME, MAY_WAKE, WORDS };

static int64_t *a; /* of those words; the last two are each image's own, the others image 1's */
static bool comes_to_lock;
static int trips; /* of this image, to locks */

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

/* The core's waits come through here. */
void shmem_uint64_wait_until(uint64_t *word, int comparison, uint64_t value)
{
    if (comes_to_lock) {
        comes_to_lock = false;
        shmem_int64_atomic_inc(&a[ASLEEP], 0);
        pshmem_int64_wait_until(&a[MAY_WAKE], SHMEM_CMP_NE, 0);
    }
    pshmem_uint64_wait_until(word, comparison, value);
}

/* How often image 1 gets the lock while the first in line sleeps. */
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

/* To find the lock held, to enter the line, to say that it sleeps as the first there, to look when the bell has rung,
 * and to unlock; and one whom somebody on another node has brought up may have looked then. */
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
