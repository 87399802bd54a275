/* pes: 1 2 3 4 5 8 16 */
/* LOCK and UNLOCK through the core's C interface: exclusion, order, many locks at the same time, values of stat=. */
#include "core.h"

#include <sched.h>
#include <string.h>

static void lock(int pe, int64_t *word)
{
    ok(caf_lock(pe, word, NULL));
}

static void unlock(int pe, int64_t *word)
{
    ok(caf_unlock(pe, word));
}

/* The lock protects two words, which images change one after the other. */
static void test_exclusion(void)
{
    enum { ROUNDS = 200 };
    int64_t *a = coarray(8 * 4); /* the lock, two words, the image inside */
    for (int round = 0; round < ROUNDS; round++) {
        const int home = round % 2 ? 0 : n - 1;
        lock(home, a);
        const int64_t inside = shmem_int64_g(&a[3], home), x = shmem_int64_g(&a[1], home),
                      y = shmem_int64_g(&a[2], home);
        CHECK(inside == 0, "image %d is inside as well", (int)inside);
        CHECK(y == -3 * x, "%lld does not go with %lld", (long long)y, (long long)x);
        shmem_int64_p(&a[3], me, home);
        shmem_int64_p(&a[1], x + me, home);
        if (round % 16 == me % 16)
            sched_yield();
        shmem_int64_p(&a[2], y - 3 * me, home);
        shmem_int64_p(&a[3], 0, home);
        unlock(home, a);
    }
    caf_sync_all();
    const int64_t sum = (int64_t)n * (n + 1) / 2, rounds = n == 1 ? ROUNDS : ROUNDS / 2;
    if (me == 1 || me == n)
        CHECK(a[1] == rounds * sum, "%lld, expected %lld", (long long)a[1], (long long)(rounds * sum));
    CHECK(a[0] == 0, "the lock is not as it was: %llx", (unsigned long long)a[0]);
    caf_sync_all();
}

/* Waits until the queue has grown by one. Ignores the top bit, which shows how the first image waits. */
static int64_t wait_for_entry(int64_t *word, int pe, int64_t before)
{
    int64_t is;
    while ((is = shmem_long_atomic_fetch(word, pe) & INT64_MAX) == before)
        sched_yield();
    return is;
}

/* One image holds a lock while the others queue for it, one after the other; they must acquire it in this order. */
static void test_order(void)
{
    /* the lock; its number of users so far; the next image to queue; the users */
    int64_t *a = coarray(8 * (3 + (size_t)n));
    for (int round = 0; round < 2 * n; round++) {
        const int home = (round + 1) % n, holder = round % n, step = round < n ? 1 : n - 1;
        if (me - 1 == holder) {
            lock(home, a);
            int64_t line = shmem_long_atomic_fetch(a, home) & INT64_MAX;
            for (int i = 1; i < n; i++) {
                shmem_int64_p(&a[2], round + 1, (holder + i * step) % n);
                line = wait_for_entry(a, home, line);
            }
        } else {
            shmem_int64_wait_until(&a[2], SHMEM_CMP_EQ, round + 1);
            lock(home, a);
        }
        const int64_t turn = shmem_int64_g(&a[1], home);
        shmem_int64_p(&a[3 + turn], me, home);
        shmem_int64_p(&a[1], turn + 1, home);
        unlock(home, a);
        caf_sync_all();
        for (int i = 0; i < n && me - 1 == home; i++)
            CHECK(a[3 + i] == (holder + i * step) % n + 1, "round %d: image %d had the lock as number %d", round,
                  (int)a[3 + i], i);
        a[1] = 0;
        memset(&a[3], 0, (size_t)n * sizeof a[3]);
        caf_sync_all();
    }
}

/* Sums move between accounts on all images, each with its own lock; both locks are held at the same time. */
static void test_pairs(void)
{
    enum { ACCOUNTS = 5, ROUNDS = 100 };
    int64_t *a = coarray(8 * (2 * ACCOUNTS)); /* locks, sums */
    unsigned random = (unsigned)me * 2654435761u;
    for (int i = 0; i < ACCOUNTS; i++)
        a[ACCOUNTS + i] = INT64_MIN / 4096 + 1000 * me + i;
    int64_t before = 0, after = 0;
    caf_sync_all();
    for (int i = 0; i < n * ACCOUNTS; i++)
        before += shmem_int64_g(&a[ACCOUNTS + i % ACCOUNTS], i / ACCOUNTS);
    caf_sync_all();
    for (int round = 0; round < ROUNDS; round++) {
        random = random * 1103515245u + 12345u;
        const int i = (int)(random >> 8) % (n * ACCOUNTS), j = (int)(random >> 16) % (n * ACCOUNTS);
        if (i == j)
            continue;
        /* All images use the same order, so that no two wait for each other. */
        const int low = i < j ? i : j, high = i < j ? j : i;
        lock(low / ACCOUNTS, &a[low % ACCOUNTS]);
        lock(high / ACCOUNTS, &a[high % ACCOUNTS]);
        int64_t *from = &a[ACCOUNTS + i % ACCOUNTS], *to = &a[ACCOUNTS + j % ACCOUNTS];
        const int64_t had = shmem_int64_g(from, i / ACCOUNTS), has = shmem_int64_g(to, j / ACCOUNTS);
        shmem_int64_p(from, had - round, i / ACCOUNTS);
        shmem_int64_p(to, has + round, j / ACCOUNTS);
        unlock(low / ACCOUNTS, &a[low % ACCOUNTS]); /* not in the reverse order */
        unlock(high / ACCOUNTS, &a[high % ACCOUNTS]);
    }
    caf_sync_all();
    for (int i = 0; i < n * ACCOUNTS; i++)
        after += shmem_int64_g(&a[ACCOUNTS + i % ACCOUNTS], i / ACCOUNTS);
    CHECK(before == after, "%lld has become %lld", (long long)before, (long long)after);
    for (int i = 0; i < ACCOUNTS; i++)
        CHECK(a[i] == 0, "lock %d is not as it was: %llx", i, (unsigned long long)a[i]);
    caf_sync_all();
}

/* Hundreds of locks held at the same time, and tried by another image. */
static void test_many(void)
{
    enum { LOCKS = 500 };
    int64_t *a = coarray(8 * (LOCKS * (size_t)n));
    const int home = me % n;
    bool acquired;
    for (int i = 0; i < LOCKS; i++)
        lock(home, &a[(me - 1) * LOCKS + i]);
    caf_sync_all();
    const int other = n > 1 ? me % n : -1; /* the image whose locks are tried, from 0 */
    for (int i = 0; i < LOCKS; i++) {
        const int status = caf_lock(home, &a[(me - 1) * LOCKS + i], i % 2 ? &acquired : NULL);
        CHECK(status == CAF_STAT_LOCKED, "lock of a lock that this image holds gives %d", status);
        if (other >= 0) {
            acquired = true;
            CHECK(caf_lock((other + 1) % n, &a[other * LOCKS + i], &acquired) == CAF_OK && !acquired,
                  "lock %d of image %d was to be had", i, other + 1);
        }
    }
    caf_sync_all();
    for (int i = 0; i < LOCKS; i++)
        unlock(home, &a[(me - 1) * LOCKS + i * 7 % LOCKS]);
    caf_sync_all();
    for (int i = 0; i < LOCKS && other >= 0; i++) {
        acquired = false;
        CHECK(caf_lock((other + 1) % n, &a[other * LOCKS + i], &acquired) == CAF_OK && acquired, "lock %d is not free",
              i);
        unlock((other + 1) % n, &a[other * LOCKS + i]);
    }
    caf_sync_all();
    for (int i = 0; i < LOCKS * n; i++)
        CHECK(a[i] == 0, "lock %d is not as it was", i);
    caf_sync_all();
}

/* Image 1 tries its own lock until the last image, which may be on another node, has released it. */
static void test_trials(void)
{
    int64_t *a = coarray(8);
    if (me == n)
        lock(0, a);
    caf_sync_all();
    if (me == n)
        unlock(0, a);
    for (bool acquired = false; me == 1 && !acquired;)
        ok(caf_lock(0, a, &acquired));
    if (me == 1)
        unlock(0, a);
    caf_sync_all();
}

static void check_message(const char *part)
{
    CHECK(strstr(caf_message(), part), "the sentence is \"%s\", without \"%s\"", caf_message(), part);
}

static void test_errors(void)
{
    int64_t *a = coarray(8 * 2);
    char expected[100];
    int status = caf_unlock(n - 1, a);
    CHECK(status == CAF_STAT_UNLOCKED, "unlock of a free lock gives %d", status);
    snprintf(expected, sizeof expected, "unlock: no image holds the lock on image %d", n);
    check_message(expected);
    caf_sync_all();
    if (me == n)
        lock(0, a);
    caf_sync_all();
    status = caf_unlock(0, a);
    if (me == n) {
        CHECK(status == CAF_OK, "%s", caf_message());
        lock(0, a); /* another image may try before, when the lock is free */
        status = caf_lock(0, a, NULL);
        CHECK(status == CAF_STAT_LOCKED, "lock of a lock that this image holds gives %d", status);
        check_message("lock: this image holds the lock on image 1 already");
    } else {
        CHECK(status == CAF_STAT_LOCKED_OTHER_IMAGE || status == CAF_STAT_UNLOCKED, "unlock gives %d", status);
    }
    caf_sync_all();
    status = me == n ? CAF_OK : caf_unlock(0, a);
    CHECK(me == n || status == CAF_STAT_LOCKED_OTHER_IMAGE, "unlock of another image's lock gives %d", status);
    snprintf(expected, sizeof expected, "unlock: image %d holds the lock on image 1", n);
    if (me != n)
        check_message(expected);
    caf_sync_all();
    if (me == n)
        unlock(0, a);
    caf_sync_all();
    CHECK(shmem_long_atomic_fetch(a, 0) == 0, "the lock's word is not 0 at the end");
    caf_sync_all();
}

int main(void)
{
    start();
    test_exclusion();
    test_order();
    test_pairs();
    test_many();
    test_trials();
    test_errors();
    caf_stop(check_result());
}
