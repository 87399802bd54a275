/* pes: 2 3 4 8 */
/* args: 1 1 1 */
/* args: 14 1 1 */
/* args: 45 1 1 */
/* args: 2 1 2 */
/* args: 3 2 1 */
/* args: 4 2 3 */
/* args: 5 6 1 */
/* args: 6 6 2 */
/* args: 7 2 3 critical */
/* args: 15 6 1 critical */
/* Images are killed while they use a few locks: after a random time, or before or after a random step of a lock
 * operation. The remaining images must always make progress, must never hold a lock together with a living image, and
 * must be notified if the image that held the lock has failed, because its work is incomplete.
 *
 * Arguments: a seed, the number of images to kill (at least one is left), the number of locks, and whether they are
 * those of CRITICAL constructs: on one node, these also outlive their images. */
#include "core.h"

#include <sched.h>
#include <pshmem.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static unsigned random_state;

static unsigned next_random(void)
{
    random_state = random_state * 1664525u + 1013904223u;
    return random_state >> 8;
}

static void die(int signal)
{
    (void)signal;
    kill(getpid(), SIGKILL);
}

/* Steps before death; 0: steps cause no death. All of the core's OpenSHMEM calls pass through these functions. */
static unsigned steps_left;

static void step(void)
{
    if (steps_left && --steps_left == 0)
        die(0);
}

uint64_t shmem_ulong_atomic_compare_swap(uint64_t *dest, uint64_t cond, uint64_t value, int pe)
{
    step();
    const uint64_t was = pshmem_ulong_atomic_compare_swap(dest, cond, value, pe);
    step();
    return was;
}

void shmem_uint64_p(uint64_t *dest, uint64_t value, int pe)
{
    step();
    pshmem_uint64_p(dest, value, pe);
    step();
}

/* If an image on another node ends, its memory no longer exists. */
static bool is_gone(int home, const int64_t *a)
{
    return !shmem_ptr(a, home) && caf_image_status(NULL, home + 1) == CAF_STAT_FAILED_IMAGE;
}

/* This image holds the lock on image `home`, with that status; a[1] is the image that holds it. */
static void work_inside(int home, int64_t *a, int me, int status)
{
    const int64_t inside = shmem_int64_g(&a[1], home);
    if (inside && !is_gone(home, a)) {
        CHECK(caf_image_status(NULL, (int)inside) == CAF_STAT_FAILED_IMAGE, "image %d is inside as well", (int)inside);
        CHECK(status == CAF_STAT_UNLOCKED_FAILED_IMAGE, "image %d has failed inside, and the status is %d", (int)inside,
              status);
    }
    shmem_int64_p(&a[1], me, home);
    for (unsigned turns = next_random() % 8; turns > 0; turns--)
        sched_yield();
    const int64_t last = shmem_int64_g(&a[1], home);
    CHECK(last == me || is_gone(home, a), "image %d is inside, too", (int)last);
    shmem_int64_p(&a[1], 0, home);
}

static bool outlive; /* the locks outlive their images */

static void use(int home, int64_t *a, int me)
{
    bool acquired = true;
    const bool try = next_random() % 4 == 0;
    const int status = caf_lock(home, a, try ? &acquired : NULL);
    if (status == CAF_STAT_FAILED_IMAGE) {
        CHECK(!outlive && caf_image_status(NULL, home + 1) == CAF_STAT_FAILED_IMAGE, "%s", caf_message());
        step();
        return;
    }
    CHECK(status == CAF_OK || status == CAF_STAT_UNLOCKED_FAILED_IMAGE, "status %d: %s", status, caf_message());
    if (!acquired)
        return;
    work_inside(home, a, me, status);
    const int end = caf_unlock(home, a);
    CHECK(end == CAF_OK || (!outlive && end == CAF_STAT_FAILED_IMAGE), "status %d: %s", end, caf_message());
}

int main(int argc, char **argv)
{
    start();
    const int wanted = argc > 2 ? atoi(argv[2]) : 1, victims = wanted < n ? wanted : n - 1;
    enum { MOST = 3 };
    const int given = argc > 3 ? atoi(argv[3]) : 1, locks = given < MOST ? given : MOST;
    const unsigned seed = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
    random_state = seed * 7919u + (unsigned)me * 104729u;
    struct caf_coarray *c[MOST];
    outlive = argc > 4;
    for (int i = 0; i < locks; i++) {
        ok(caf_allocate(2 * sizeof(int64_t), true, &c[i]));
        c[i]->is_critical = argc > 4;
        for (int home = 0; home < n; home++)
            outlive &= shmem_ptr(c[i]->base, home) != NULL;
    }
    const bool victim = me > n - victims;
    if (victim && next_random() % 4) {
        steps_left = 1 + next_random() % 100;
    } else if (victim) {
        signal(SIGALRM, die);
        const struct itimerval when = {.it_value.tv_usec = 500 + (int)(next_random() % 20000)};
        setitimer(ITIMER_REAL, &when, NULL);
    }
    int failed[64], gone = 0, rounds_after = 0;
    while (victim || rounds_after < 20) {
        const unsigned which = next_random() % (unsigned)locks;
        use((int)(which + seed) % n, (int64_t *)(void *)c[which]->base, me);
        gone = caf_images_with_status(NULL, CAF_STAT_FAILED_IMAGE, failed);
        if (gone >= victims)
            rounds_after++;
    }
    CHECK(gone == victims, "%d images have failed, and %d were to", gone, victims);
    end_of_survivor();
}
