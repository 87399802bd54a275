/* pes: 1 2 3 4 5 8 16 */
/* Events through the core's C interface: puts before a post are visible after the wait; counts; many posting images. */
#include "core.h"

static void post(int pe, int64_t *event)
{
    ok(caf_event_post(pe, event));
}

static void wait_for(int64_t *event, int64_t until_count)
{
    ok(caf_event_wait(event, until_count));
}

static int64_t count_of(int pe, const int64_t *event)
{
    int64_t count = -1;
    ok(caf_event_query(pe, event, &count));
    return count;
}

/* A word passes through all images, and each adds its number. */
static void test_ring(void)
{
    enum { ROUNDS = 50 };
    int64_t *a = coarray(8 * 2); /* the event, the word */
    const int64_t start = INT64_MIN + 77;
    const int next = me % n;
    for (int round = 0; round < ROUNDS; round++) {
        if (me == 1) {
            shmem_int64_p(&a[1], start + 1, next);
            post(next, a);
        }
        wait_for(a, round % 3 - 1); /* less than 1 counts as 1 */
        if (me == 1)
            CHECK(a[1] == start + (int64_t)n * (n + 1) / 2, "%lld comes back", (long long)a[1]);
        else {
            shmem_int64_p(&a[1], a[1] + me, next);
            post(next, a);
        }
    }
    CHECK(count_of(me - 1, a) == 0, "%lld posts are left", (long long)count_of(me - 1, a));
    caf_sync_all();
}

/* All images post to each image, which waits for several posts at once; surplus posts remain. */
static void test_counts(void)
{
    enum { EACH = 12 };
    int64_t *a = coarray(8 * (2 + (size_t)n)); /* the event; another, never posted; values put before posts */
    for (int i = 0; i < EACH; i++)
        for (int pe = 0; pe < n; pe++) {
            shmem_int64_p(&a[2 + me - 1], INT64_MIN + i, pe);
            post(pe, a);
        }
    wait_for(a, (int64_t)n * EACH - 1);
    caf_sync_all();
    CHECK(count_of(me - 1, a) == 1, "%lld posts are left, expected 1", (long long)count_of(me - 1, a));
    CHECK(count_of(me % n, a) == 1, "%lld posts are left on the next image", (long long)count_of(me % n, a));
    caf_sync_all();
    wait_for(a, 1);
    for (int i = 0; i < n; i++)
        CHECK(a[2 + i] == INT64_MIN + EACH - 1, "image %d's value is %llx", i + 1, (unsigned long long)a[2 + i]);
    post(me % n, a);
    post(me % n, a);
    post(me % n, a);
    wait_for(a, 2);
    caf_sync_all();
    CHECK(count_of(me - 1, a) == 1, "%lld posts are left, expected 1", (long long)count_of(me - 1, a));
    CHECK(a[1] == 0, "the event beside it has %lld posts", (long long)a[1]);
    caf_sync_all();
}

int main(void)
{
    start();
    test_ring();
    test_counts();
    caf_stop(check_result());
}
