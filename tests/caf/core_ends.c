/* pes: 2 3 4 8 */
/* args: kill all */
/* args: kill images */
/* args: kill ring */
/* args: kill random */
/* args: kill team */
/* args: kill form */
/* args: kill allocate */
/* args: stop all */
/* args: stop images */
/* args: stop ring */
/* args: stop random */
/* args: stop team */
/* args: stop form */
/* args: stop allocate */
/* args: both all */
/* args: both random */
/* args: both form */
/* args: both allocate */
/* Images end, killed at any instant or by STOP, while all images repeat one synchronizing statement. The other images
 * get the statement's status from the same execution of the statement. They continue, and then use sync images, puts
 * and gets, and locks among themselves.
 *
 * Arguments: how the last images end (both: of two images, the first stops), the statement, a seed. */
#include "core.h"
#include "caf/control/team.h"

#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

enum { MOST = 64, ROUNDS = 200, AFTER = 50 };
static int victims;
static bool all_stop, one_stops;
static unsigned random_state;
static int64_t *come; /* a coarray: each image's round, put twice because puts between nodes are held */
static struct caf_coarray *shared;

static unsigned random_below(unsigned below)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (random_state >> 8) % below;
}

static bool is_victim(int image)
{
    return image > n - victims;
}

static bool is_stop(int image)
{
    return is_victim(image) && (all_stop || (one_stops && image < n));
}

/* The status of a statement that involves these images, of which some have ended. */
static int status_with(const int *images, int count)
{
    bool stop = false;
    for (int i = 0; i < count; i++)
        stop |= is_stop(images[i]);
    return stop ? CAF_STAT_STOPPED_IMAGE : CAF_STAT_FAILED_IMAGE;
}

static void die(int signal)
{
    (void)signal;
    kill(getpid(), SIGKILL);
}

/* --- the statements: each returns its status and the images with which it has synchronized ------------------------ */

static int everybody(int *images)
{
    for (int i = 0; i < n; i++)
        images[i] = i + 1;
    return n;
}

static int by_all(int round, int *images, int *count)
{
    (void)round;
    *count = everybody(images);
    return caf_sync_all();
}

static int by_images(int round, int *images, int *count)
{
    (void)round;
    *count = everybody(images);
    return caf_sync_images(-1, NULL);
}

static int by_ring(int round, int *images, int *count)
{
    (void)round;
    images[0] = me % n + 1;
    images[1] = (me + n - 2) % n + 1;
    *count = n > 2 ? 2 : 1;
    return caf_sync_images(*count, images);
}

static int by_random(int round, int *images, int *count)
{
    *count = 0;
    for (int i = 1; i <= n; i++)
        if (((unsigned)(i * me + round * (i + me)) * 2654435761u >> 16) % 3)
            images[(*count)++] = i;
    return caf_sync_images(*count, images);
}

/* The teams of odd and even images, formed before any image ends. */
static int by_team(int round, int *images, int *count)
{
    static caf_team_name half;
    if (round == 0)
        ok(caf_form_team(1 + me % 2, 0, &half));
    int change = caf_change_team(caf_team_in(&half));
    const int sync = caf_sync_team(caf_current), end = caf_end_team();
    *count = 0;
    for (int i = 2 - me % 2; i <= n; i += 2)
        images[(*count)++] = i;
    change = sync > change ? sync : change;
    return end > change ? end : change;
}

static int by_form(int round, int *images, int *count)
{
    caf_team_name variable = 0;
    const int form = caf_form_team(1 + (me + round) % 3, 0, &variable);
    struct caf_team *t = caf_team_in(&variable);
    CHECK(t != NULL, "no team: %s", caf_message());
    const int change = t ? caf_change_team(t) : CAF_OK, end = t ? caf_end_team() : CAF_OK;
    const int rest = end > change ? end : change;
    *count = everybody(images);
    return rest > form ? rest : form;
}

static int by_allocate(int round, int *images, int *count)
{
    struct caf_coarray *c = NULL;
    const int first = caf_allocate(100 + (size_t)round, true, &c);
    CHECK(c != NULL, "no coarray: %s", caf_message());
    if (!c)
        return first;
    const int second = caf_deallocate(c);
    *count = everybody(images);
    return second > first ? second : first;
}

static const struct {
    const char *name;
    int (*run)(int round, int *images, int *count);
} statements[] = {{"all", by_all}, {"images", by_images}, {"ring", by_ring}, {"random", by_random}, {"team", by_team},
                  {"form", by_form}, {"allocate", by_allocate}};
static int (*run)(int round, int *images, int *count);

/* --- the rounds of all images ------------------------------------------------------------------------------------- */

static void check_status(int round, int status, const int *images, int count)
{
    if (status == CAF_OK)
        return;
    const int with = status_with(images, count);
    const bool before_end = one_stops && round < ROUNDS && status == CAF_STAT_FAILED_IMAGE;
    const int expected = before_end ? CAF_STAT_FAILED_IMAGE : with;
    CHECK(status == expected, "the status is %d, expected %d: %s", status, expected, caf_message());
    if (!one_stops)
        CHECK(strstr(caf_message(), all_stop ? "has stopped" : "has failed"), "the sentence is \"%s\"", caf_message());
    bool was_with_victim = false;
    for (int i = 0; i < count; i++)
        was_with_victim |= is_victim(images[i]);
    CHECK(was_with_victim, "none of the images that this one synchronizes with has ended");
}

static void one_round(int round)
{
    int images[MOST], count = 0;
    const int64_t mine = INT64_MIN + round + 1, twice[] = {mine, mine};
    for (int image = 1; image <= n; image++)
        caf_put_bytes(image - 1, &come[2 * (me - 1)], twice, sizeof twice);
    const int status = run(round, images, &count);
    check_status(round, status, images, count);
    for (int i = 0; i < count; i++) {
        const int64_t theirs = __atomic_load_n(&come[2 * (images[i] - 1)], __ATOMIC_RELAXED);
        CHECK(theirs >= mine || (is_victim(images[i]) && status != CAF_OK), "round %d: image %d is in round %d",
              round, images[i], (int)(theirs - INT64_MIN) - 1);
    }
}

static void end_some_time(int round)
{
    static int last = -1;
    if (last < 0)
        last = (int)random_below(ROUNDS / 2) + 1;
    if (round != last)
        return;
    if (is_stop(me))
        caf_stop(0);
    signal(SIGALRM, die);
    const struct itimerval when = {.it_value.tv_usec = 1 + (int)random_below(400)};
    setitimer(ITIMER_REAL, &when, NULL);
}

/* Teams of the remaining images have no ended members, so their statements must return no error status. */
static void check_teams_of_survivors(void)
{
    caf_team_name variable = 0, half;
    int images[MOST];
    const int count = n - victims, from_behind = count - me + 1;
    const int status = caf_form_team(5, &from_behind, &variable);
    struct caf_team *t = caf_team_in(&variable);
    CHECK(status == status_with(images, everybody(images)) && t, "the status is %d", status);
    if (!t)
        return;
    ok(caf_change_team(t));
    CHECK(caf_num_images(NULL) == count && caf_this_image(NULL) == count - me + 1, "image %d of %d in the team",
          caf_this_image(NULL), caf_num_images(NULL));
    struct caf_coarray *c = NULL;
    CHECK(caf_allocate(MOST * sizeof(int64_t), true, &c) == CAF_OK && c, "%s", caf_message());
    for (int64_t round = 1; round <= AFTER; round++) {
        const int64_t v = INT64_MIN + round * me;
        for (int i = 1; i <= count; i++)
            caf_put_bytes(caf_pe(NULL, i), c->base + 8 * me, &v, sizeof v);
        ok(caf_sync_all());
        for (int i = 1; i <= count; i++)
            CHECK(((int64_t *)(void *)c->base)[i] == INT64_MIN + round * i, "round %d: image %d has put something else",
                  (int)round, i);
        ok(caf_sync_team(t));
    }
    CHECK(caf_form_team(1 + me % 2, 0, &half) == CAF_OK && caf_change_team(caf_team_in(&half)) == CAF_OK &&
          caf_end_team() == CAF_OK, "%s", caf_message());
    ok(caf_end_team());
}

/* --- the remaining images ----------------------------------------------------------------------------------------- */

static void work_among_survivors(void)
{
    int left[MOST];
    const int count = n - victims, next = me % count;
    for (int i = 0; i < count; i++)
        left[i] = i + 1;
    int64_t *a = (int64_t *)(void *)shared->base; /* a lock, the data that it protects, memory for puts */
    for (int round = 1; round <= AFTER; round++) {
        const int64_t v = INT64_MIN + round * 1000 + me;
        int64_t got;
        caf_put_bytes(next, &a[2 + me], &v, sizeof v);
        ok(caf_sync_images(count, left));
        const int previous = (me + count - 2) % count + 1;
        CHECK(a[2 + previous] == INT64_MIN + round * 1000 + previous, "round %d: image %d has put %llx", round,
              previous, (long long)a[2 + previous]);
        caf_get_bytes(next, &got, &a[2 + me], sizeof got);
        CHECK(got == v, "round %d: this image gets %llx", round, (long long)got);
        ok(caf_lock(0, a, NULL));
        caf_get_bytes(0, &got, &a[1], sizeof got);
        got += me;
        caf_put_bytes(0, &a[1], &got, sizeof got);
        ok(caf_unlock(0, a));
        ok(caf_sync_images(count, left));
    }
    CHECK(me > 1 || a[1] == AFTER * (int64_t)count * (count + 1) / 2, "under the lock %lld were counted",
          (long long)a[1]);
}

int main(int argc, char **argv)
{
    start();
    victims = n > 3 ? 2 : 1;
    all_stop = argc > 1 && strcmp(argv[1], "stop") == 0;
    one_stops = argc > 1 && strcmp(argv[1], "both") == 0 && victims > 1;
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
        if (argc > 2 && strcmp(argv[2], statements[i].name) == 0)
            run = statements[i].run;
    if (!run)
        caf_fatal("usage: core_ends kill|stop|both STATEMENT [SEED]");
    random_state = (unsigned)(argc > 3 ? atoi(argv[3]) : getpid()) * 7919u + (unsigned)me * 104729u;
    ok(caf_allocate((3 * MOST + 2) * sizeof *come, true, &shared));
    come = (int64_t *)(void *)shared->base + MOST + 2;

    for (int round = 0; round < ROUNDS; round++) {
        if (is_victim(me))
            end_some_time(round);
        one_round(round);
    }
    while (is_victim(me))
        pause();
    int ended[MOST];
    while (caf_images_with_status(NULL, CAF_STAT_STOPPED_IMAGE, ended) +
           caf_images_with_status(NULL, CAF_STAT_FAILED_IMAGE, ended) < victims)
        sched_yield();
    for (int round = ROUNDS; round < ROUNDS + 20; round++)
        one_round(round);
    const int status = caf_sync_all();
    CHECK(status != CAF_OK, "sync all does not tell that an image has ended");
    work_among_survivors();
    check_teams_of_survivors();
    caf_stop(check_result());
}
