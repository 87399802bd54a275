/* pes: 2 3 */
/* Counts the round trips for locks and events on other nodes. LOCK is a call that waits for its reply; UNLOCK waits for
 * nothing, and neither does EVENT POST, although it comes after puts and posts to other images.
 * A segment that ends for a third image completes the puts, unless a reply has shown that they are complete. The image
 * that owns the lock itself wakes the image to which the lock passes. */
#include "core.h"

#include <dlfcn.h>
#include <pshmem.h>
#include <shmemx.h>

enum { LOCK, VALUE, EVENT, WORDS };
enum { ROUNDS = 50, NOTHING = 0x6e6f };

static int calls, quiets, rings; /* since begin() */

int shmemx_call(int pe, uint32_t number, const struct iovec *args, size_t n, shmemx_receiver receive, void *context)
{
    static __typeof__(&shmemx_call) real;
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "shmemx_call");
    calls++;
    return real(pe, number, args, n, receive, context);
}

void shmem_quiet(void)
{
    quiets++;
    pshmem_quiet();
}

void shmem_uint64_p(uint64_t *dest, uint64_t value, int pe)
{
    rings++;
    pshmem_uint64_p(dest, value, pe);
}

static void begin(void)
{
    calls = quiets = rings = 0;
}

static void had(const char *what, int expected_calls, int expected_quiets)
{
    CHECK(calls == expected_calls && quiets == expected_quiets, "%s: %d calls, %d quiets; %d and %d are expected", what,
          calls, quiets, expected_calls, expected_quiets);
}

static void put(int64_t *a, int64_t value, int pe)
{
    caf_put_bytes(pe, &a[VALUE], &value, sizeof value);
}

static void nothing(int pe, void *args, size_t bytes, caf_reply *reply)
{
    (void)pe, (void)args, (void)bytes, (void)reply;
}

static void *no_data(void *context, void *head, size_t head_bytes, size_t bytes)
{
    (void)context, (void)head, (void)head_bytes, (void)bytes;
    return NULL;
}

static void alone(int64_t *a, int far)
{
    begin();
    for (int i = 1; i <= ROUNDS; i++) {
        ok(caf_lock(far, &a[LOCK], NULL));
        put(a, i, far);
        ok(caf_unlock(far, &a[LOCK]));
    }
    had("a lock of another node", ROUNDS, 0);
    ok(caf_lock(0, &a[LOCK], NULL));
    had("a lock of this image after puts", ROUNDS, 1);
    ok(caf_unlock(0, &a[LOCK]));
    had("the unlock of this image", ROUNDS, 1);
    bool acquired;
    ok(caf_lock(far, &a[LOCK], &acquired));
    CHECK(acquired, "the lock was not released");
    ok(caf_unlock(far, &a[LOCK]));
    begin();
    ok(caf_lock(far, &a[LOCK], NULL));
    ok(caf_unlock(far, &a[LOCK]));
    caf_sync_memory();
    had("a segment that ends after an unlock", 1, 1);
    put(a, 0, far);
    begin();
    ok(caf_call(far, NOTHING, NULL, 0, no_data, NULL));
    caf_sync_memory();
    had("a segment that ends after a reply", 1, 0);
    CHECK(caf_unlock(far, &a[LOCK]) == CAF_STAT_UNLOCKED, "an unlock of a free lock: %s", caf_message());
}

/* Two images of other nodes. */
static void confused(int64_t *a, int far, int other)
{
    put(a, 0, other);
    begin();
    ok(caf_call(far, NOTHING, NULL, 0, no_data, NULL));
    caf_sync_memory();
    had("a segment that ends after the reply of another image", 1, 1);
    ok(caf_lock(far, &a[LOCK], NULL));
    CHECK(caf_unlock(other, &a[LOCK]) == CAF_STAT_UNLOCKED, "an unlock of another lock: %s", caf_message());
    ok(caf_unlock(far, &a[LOCK]));
    caf_sync_memory();
    begin();
    for (int i = 1; i <= ROUNDS; i++) {
        put(a, i, other);
        ok(caf_event_post(other, &a[EVENT]));
        ok(caf_event_post(far, &a[EVENT]));
    }
    had("posts to two images", 0, 0);
}

int main(void)
{
    caf_register(NOTHING, nothing);
    start();
    int64_t *a = coarray(WORDS * sizeof *a);
    const int far = n - 1;
    const bool counts = caf_can_call(me == 1 ? far : 0);
    if (me == 1 && counts)
        alone(a, far);
    if (me == 1 && counts && n > 2 && caf_can_call(1))
        confused(a, far, 1);
    if (me == 1 && counts)
        ok(caf_lock(far, &a[LOCK], NULL));
    caf_sync_all();
    if (me == 1 && counts) { /* this image has the lock; its owner waits for it, and sleeps in the queue */
        while (shmem_int64_atomic_fetch(&a[LOCK], far) >= 0)
            ;
        begin();
        ok(caf_unlock(far, &a[LOCK]));
        CHECK(rings == 0, "this image has woken the next image");
    } else if (me == n && counts) {
        ok(caf_lock(far, &a[LOCK], NULL));
        ok(caf_unlock(far, &a[LOCK]));
    }
    caf_sync_all();
    CHECK(me != n || a[LOCK] == 0, "the lock is not free at the end");
    caf_stop(check_result());
}
