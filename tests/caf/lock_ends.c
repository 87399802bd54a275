/* pes: 2 3 5 8 */
/* args: stop */
/* args: fail */
/* args: trial */
/* args: heir */
/* args: late */
/* args: critical */
/* args: event-fail */
/* args: event-stop */
/* Locks and events if images that hold them, wait for them or own them end. The argument selects a part. */
#include "core.h"

#include <sched.h>
#include <pshmem.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static int64_t *a; /* lock, event, flag */

static void expect(int status, int expected, const char *sentence)
{
    CHECK(status == expected, "status %d, expected %d: %s", status, expected, status ? caf_message() : "");
    CHECK(!sentence || strcmp(caf_message(), sentence) == 0, "the sentence is \"%s\", expected \"%s\"", caf_message(),
          sentence);
}

static void wait_until_ended(int image)
{
    while (caf_image_status(NULL, image) == CAF_OK)
        sched_yield();
}

/* A failed image held the lock on the last image: exactly one image must be notified. */
static void lock_after_failure(int failed)
{
    char sentence[200];
    const int status = caf_lock(n - 1, a, NULL);
    if (status == CAF_STAT_UNLOCKED_FAILED_IMAGE) {
        CHECK(shmem_long_atomic_fetch_add(&a[3], 1, n - 1) == 0, "a second image is told of the failure");
        snprintf(sentence, sizeof sentence,
                 "lock: image %d, which held the lock on image %d, has failed; this image has the lock now", failed, n);
        expect(status, CAF_STAT_UNLOCKED_FAILED_IMAGE, sentence);
    } else {
        expect(status, CAF_OK, NULL);
        CHECK(shmem_long_atomic_fetch(&a[3], n - 1) == 1, "no image was told of the failure before");
    }
    expect(caf_unlock(n - 1, a), CAF_OK, NULL);
}

/* Image 1 stops or fails while it holds the lock; some images already wait, the others try later. */
static void holder_ends(bool fails)
{
    char sentence[100];
    if (me == 1) {
        expect(caf_lock(n - 1, a, NULL), CAF_OK, NULL);
        for (int i = 1; i < n; i++)
            shmem_int64_p(&a[2], 1, i);
        usleep(20000); /* late on purpose */
        if (fails)
            caf_fail_image();
        return;
    }
    shmem_int64_wait_until(&a[2], SHMEM_CMP_EQ, 1);
    if (me % 2)
        wait_until_ended(1);
    if (fails) {
        lock_after_failure(1);
        return;
    }
    snprintf(sentence, sizeof sentence, "lock: image 1, which holds the lock on image %d, has stopped", n);
    expect(caf_lock(n - 1, a, NULL), CAF_STAT_STOPPED_IMAGE, sentence);
    bool acquired = true;
    expect(caf_lock(n - 1, a, &acquired), CAF_OK, NULL);
    CHECK(!acquired, "LOCK acquired a lock that a stopped image holds");
}

/* Image 2 dies inside its LOCK when it has acquired the lock. Or it enters the queue while image 1 holds the lock, and
 * does not check the lock until image 1 has unlocked and stopped: it pauses after its own swap or, if another processor
 * made the swap, when it begins to wait. */
static bool dies_as_holder, looks_away;

static void look_away(void)
{
    looks_away = false;
    shmem_int64_p(&a[2], 1, 0);
    wait_until_ended(1);
}

uint64_t shmem_ulong_atomic_compare_swap(uint64_t *dest, uint64_t cond, uint64_t value, int pe)
{
    const uint64_t was = pshmem_ulong_atomic_compare_swap(dest, cond, value, pe), holder = value & 0x1fffff;
    if (dies_as_holder && was == cond && holder == (uint64_t)me)
        kill(getpid(), SIGKILL);
    if (looks_away && was == cond && holder == 1)
        look_away();
    return was;
}

void shmem_uint64_wait_until(uint64_t *ivar, int cmp, uint64_t value)
{
    if (looks_away)
        look_away();
    pshmem_uint64_wait_until(ivar, cmp, value);
}

/* Image 1 fails while it holds the lock, image 2 while it acquires the lock: the next image must still be notified. */
static void heir_fails(void)
{
    if (n < 3)
        return; /* no image is left to be notified */
    if (me == 1) {
        expect(caf_lock(n - 1, a, NULL), CAF_OK, NULL);
        shmem_int64_p(&a[2], 1, 1);
        while (shmem_long_atomic_fetch(a, n - 1) == 1)
            sched_yield(); /* until image 2 waits */
        for (int i = 2; i < n; i++)
            shmem_int64_p(&a[2], 1, i);
        usleep(20000); /* late on purpose */
        caf_fail_image();
    }
    shmem_int64_wait_until(&a[2], SHMEM_CMP_EQ, 1);
    dies_as_holder = me == 2;
    lock_after_failure(2);
}

/* The holder unlocks and then stops: a waiting image acquires the lock, however late the image checks. */
static void holder_goes(void)
{
    if (me == 1) {
        expect(caf_lock(n - 1, a, NULL), CAF_OK, NULL);
        shmem_int64_p(&a[2], 1, 1);
        shmem_int64_wait_until(&a[2], SHMEM_CMP_EQ, 1);
        expect(caf_unlock(n - 1, a), CAF_OK, NULL);
    } else if (me == 2) {
        shmem_int64_wait_until(&a[2], SHMEM_CMP_EQ, 1);
        looks_away = true;
        expect(caf_lock(n - 1, a, NULL), CAF_OK, NULL);
        CHECK(!looks_away, "image 2 has not waited for the lock");
        expect(caf_unlock(n - 1, a), CAF_OK, NULL);
    }
}

/* Four images on two nodes: image 4 holds the lock on image 2, detects by its connection that image 2 has failed, and
 * stops. Image 1, on the node of image 2, waits for the lock, and the launcher notifies it of the failure later. */
static void late_news(void)
{
    const pid_t launcher = getppid();
    if (me == 1) {
        shmem_int64_wait_until(&a[2], SHMEM_CMP_EQ, 1);
        expect(caf_lock(1, a, NULL), CAF_STAT_FAILED_IMAGE, "lock: image 2, which owns the lock, has failed");
    } else if (me == 2) {
        while (((uint64_t)shmem_int64_atomic_fetch(a, 1) & INT64_MAX) <= 4)
            sched_yield(); /* until image 1 waits */
        kill(launcher, SIGSTOP);
        kill(getpid(), SIGKILL);
    } else if (me == 3) {
        wait_until_ended(4);
        sleep(1); /* time for an error of image 1 */
        kill(launcher, SIGCONT);
    } else {
        expect(caf_lock(1, a, NULL), CAF_OK, NULL);
        shmem_int64_p(&a[2], 1, 0);
        wait_until_ended(2);
        expect(caf_unlock(1, a), CAF_STAT_FAILED_IMAGE, "unlock: image 2, which owns the lock, has failed");
    }
}

/* Four images on nodes of 3 and 1, without progress threads, after image 3 has failed: image 1 waits in SYNC ALL for
 * image 2, which waits for an event from image 4, which needs image 1's processor for the lock. */
static void waiting_serves(void)
{
    if (me == 3)
        kill(getpid(), SIGKILL);
    while (caf_image_status(NULL, 3) == CAF_OK || (me == 2 && __atomic_load_n(&a[1], __ATOMIC_RELAXED) == 0))
        shmem_fence(); /* serves */
    if (me == 4) {
        expect(caf_lock(0, a, NULL), CAF_OK, NULL);
        expect(caf_unlock(0, a), CAF_OK, NULL);
        expect(caf_event_post(1, &a[1]), CAF_OK, NULL);
    }
    expect(caf_sync_all(), CAF_STAT_FAILED_IMAGE, NULL);
}

/* Image 1 fails. Image 2 notices this at a lock, and stops while it holds the lock of CRITICAL on image 1: on one node,
 * the others must learn that image 2 has stopped. */
static void critical_holder_stops(void)
{
    struct caf_coarray *c;
    expect(caf_allocate(sizeof *a, true, &c), CAF_OK, NULL);
    c->is_critical = true;
    if (me == 1)
        caf_fail_image();
    wait_until_ended(1);
    if (me == 2) {
        expect(caf_lock(0, a, NULL), CAF_STAT_FAILED_IMAGE, NULL);
        expect(caf_lock(0, c->base, NULL), CAF_OK, NULL);
        return;
    }
    wait_until_ended(2);
    expect(caf_lock(0, c->base, NULL), CAF_STAT_STOPPED_IMAGE, NULL);
}

/* If no image waits, LOCK with ACQUIRED_LOCK= acquires the lock that a failed image held. */
static void trial_after_failure(void)
{
    if (me == 1) {
        expect(caf_lock(n - 1, a, NULL), CAF_OK, NULL);
        caf_fail_image();
    }
    wait_until_ended(1);
    bool acquired = false;
    const int status = me == 2 ? caf_lock(n - 1, a, &acquired) : CAF_OK;
    if (me == 2) {
        CHECK(acquired, "LOCK did not acquire the lock of a failed image");
        expect(status, n > 1 ? CAF_STAT_UNLOCKED_FAILED_IMAGE : CAF_OK, NULL);
        expect(caf_unlock(n - 1, a), CAF_OK, NULL);
        expect(caf_unlock(n - 1, a), CAF_STAT_UNLOCKED, NULL);
        expect(caf_lock(0, a, NULL), CAF_STAT_FAILED_IMAGE, "lock: image 1, which owns the lock, has failed");
    }
}

/* Image 1 fails while the others wait for events: each failure is reported once. */
static void event_failure(void)
{
    if (me == 1) {
        usleep(20000); /* late on purpose */
        caf_fail_image();
    }
    expect(caf_event_wait(&a[1], 1), CAF_STAT_ERROR, "event wait: image 1 has failed");
    expect(caf_event_post(0, &a[1]), CAF_STAT_FAILED_IMAGE, "event post: image 1 has failed");
    int64_t value = 3;
    expect(caf_atomic_op(0, &a[3], 8, CAF_ADD, &value, NULL), CAF_STAT_FAILED_IMAGE, "atomic_add: image 1 has failed");
    if (n > 2) { /* the others continue as before */
        const int next = me == n ? 1 : me;
        expect(caf_event_post(next, &a[0]), CAF_OK, NULL);
        expect(caf_event_post(next, &a[0]), CAF_OK, NULL);
        expect(caf_event_wait(&a[0], 2), CAF_OK, NULL);
        expect(caf_atomic_op(next, &a[3], 8, CAF_ADD, &value, NULL), CAF_OK, NULL);
        return;
    }
    expect(caf_event_wait(&a[1], 1), CAF_STAT_ERROR, NULL); /* no other image could post any more */
}

/* All images except n stop; image n waits. */
static void event_all_stopped(void)
{
    if (me < n) {
        expect(caf_event_post(n - 1, &a[1]), CAF_OK, NULL);
        return;
    }
    expect(caf_event_wait(&a[1], n - 1), CAF_OK, NULL);
    expect(caf_event_wait(&a[1], 1), CAF_STAT_ERROR, "event wait: all other images of the team have stopped");
    expect(caf_event_post(0, &a[1]), CAF_STAT_STOPPED_IMAGE, "event post: image 1 has stopped");
    int64_t value = 3, old = 0;
    expect(caf_atomic_op(0, &a[3], 8, CAF_ADD, &value, &old), CAF_OK, NULL); /* image n's memory still exists */
    expect(caf_lock(0, a, NULL), CAF_OK, NULL);
    expect(caf_unlock(0, a), CAF_OK, NULL);
}

int main(int argc, char **argv)
{
    start();
    const char *part = argc > 1 ? argv[1] : "";
    struct caf_coarray *c;
    expect(caf_allocate(4 * sizeof *a, true, &c), CAF_OK, NULL);
    a = (int64_t *)(void *)c->base;
    if (strcmp(part, "stop") == 0)
        holder_ends(false);
    else if (strcmp(part, "fail") == 0)
        holder_ends(true);
    else if (strcmp(part, "late") == 0)
        holder_goes();
    else if (strcmp(part, "trial") == 0)
        trial_after_failure();
    else if (strcmp(part, "late-news") == 0)
        late_news();
    else if (strcmp(part, "serves") == 0)
        waiting_serves();
    else if (strcmp(part, "critical") == 0)
        critical_holder_stops();
    else if (strcmp(part, "heir") == 0)
        heir_fails();
    else if (strcmp(part, "event-fail") == 0)
        event_failure();
    else if (strcmp(part, "event-stop") == 0)
        event_all_stopped();
    else
        caf_fatal("usage: lock_ends stop|fail|late|late-news|trial|serves|critical|heir|event-fail|event-stop");
    printf("image %d is through\n", me);
    fflush(stdout);
    caf_stop(check_result());
}
