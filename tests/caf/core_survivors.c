/* pes: 3 4 8 */
/* args: 1 1 */
/* args: 2 2 */
/* args: 3 3 */
/* Random statements while images are killed or execute FAIL IMAGE. No statement may hang or give a wrong status, and
 * the values of a statement without an error must be right. When SYNC ALL reports a failure, the others form a team and
 * continue in it.
 *
 * Arguments: a seed and the number of images that fail (at least one is left). */
#include "core.h"

#include <pshmem.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LOCKS = 3, WORDS = 4000, ROUNDS_AFTER = 20, TEAMS = 64 };

/* mine: random decisions of this image; common: those that all images make equally, also if some have failed. */
static unsigned mine, common;
static int current_round;
static int64_t *lock[LOCKS]; /* word 0: the lock; word 1: the image that holds it. Lock 0 is of a CRITICAL construct */
static int64_t *event, *slots, *words;

static unsigned below(unsigned *state, unsigned limit)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) % limit;
}

/* --- death -------------------------------------------------------------------------------------------------------- */

static unsigned steps_left; /* before death; 0: this image does not die */

static void step(bool by_statement)
{
    if (!steps_left || --steps_left)
        return;
    if (by_statement && me % 2)
        caf_fail_image();
    kill(getpid(), SIGKILL);
}

uint64_t shmem_ulong_atomic_compare_swap(uint64_t *dest, uint64_t cond, uint64_t value, int pe)
{
    step(false);
    const uint64_t was = pshmem_ulong_atomic_compare_swap(dest, cond, value, pe);
    step(false);
    return was;
}

void shmem_uint64_p(uint64_t *dest, uint64_t value, int pe)
{
    step(false);
    pshmem_uint64_p(dest, value, pe);
    step(false);
}

void shmem_uint64_wait_until(uint64_t *ivar, int cmp, uint64_t value)
{
    step(false);
    pshmem_uint64_wait_until(ivar, cmp, value);
}

/* --- statuses ----------------------------------------------------------------------------------------------------- */

static int failed_images(const struct caf_team *team)
{
    int failed[TEAMS];
    return caf_images_with_status(team, CAF_STAT_FAILED_IMAGE, failed);
}

static int may_fail(int status, const char *what)
{
    CHECK(!status || (status == CAF_STAT_FAILED_IMAGE && failed_images(NULL)), "%s: status %d, %s", what, status,
          status ? caf_message() : "");
    return status;
}

/* If an image on another node has failed, its memory no longer exists. */
static bool is_gone(int pe)
{
    return !shmem_ptr(lock[0], pe) && caf_pe_state(pe) == CAF_STAT_FAILED_IMAGE;
}

static int any_pe(void)
{
    return caf_pe(NULL, 1 + (int)below(&mine, (unsigned)caf_num_images(NULL)));
}

/* --- statements --------------------------------------------------------------------------------------------------- */

static int use_locks(void)
{
    for (unsigned times = below(&mine, 6); times > 0; times--) {
        const unsigned which = below(&mine, LOCKS);
        const int home = which ? any_pe() : 0;
        bool acquired = true;
        const int status = caf_lock(home, lock[which], which && below(&mine, 4) == 0 ? &acquired : NULL);
        if (status != CAF_STAT_UNLOCKED_FAILED_IMAGE)
            CHECK(!status || caf_pe_state(home) == CAF_STAT_FAILED_IMAGE, "lock: status %d, %s", status, caf_message());
        if (status == CAF_STAT_FAILED_IMAGE || !acquired)
            continue;
        const int64_t inside = shmem_int64_g(&lock[which][1], home);
        CHECK(!inside || is_gone(home) || caf_pe_state((int)inside - 1), "image %d is inside as well", (int)inside);
        shmem_int64_p(&lock[which][1], me, home);
        step(true);
        shmem_int64_p(&lock[which][1], 0, home);
        const int end = caf_unlock(home, lock[which]);
        CHECK(!end || caf_pe_state(home) == CAF_STAT_FAILED_IMAGE, "unlock: status %d, %s", end, caf_message());
    }
    return CAF_OK;
}

/* Each image posts to every other image, and waits for all posts to it. */
static int use_events(void)
{
    const int images = caf_num_images(NULL);
    for (int i = 1; i <= images; i++)
        if (i != caf_this_image(NULL))
            may_fail(caf_event_post(caf_pe(NULL, i), event), "event post");
    const int status = images == 1 ? CAF_OK : caf_event_wait(event, images - 1);
    CHECK(!status || (status == CAF_STAT_ERROR && failed_images(NULL)), "event wait: status %d, %s", status,
          caf_message());
    return CAF_OK;
}

static struct caf_section some_words(void)
{
    static const size_t counts[] = {1, 3, 100, 600, WORDS};
    static int64_t local[WORDS];
    return (struct caf_section){.base = (char *)(below(&common, 2) ? local : words), .type = CAF_INTEGER, .kind = 8,
                                .size = 8, .rank = 1,
                                .dim = {{.count = counts[below(&common, 5)], .step = sizeof(int64_t)}}};
}

static int sum(void)
{
    const struct caf_section s = some_words();
    int64_t *v = (int64_t *)(void *)s.base;
    const int to = (int)below(&common, (unsigned)caf_num_images(NULL) + 1);
    for (size_t i = 0; i < s.dim[0].count; i++)
        v[i] = 1 + (int64_t)i;
    const int status = caf_co_reduce_intrinsic(CAF_CO_SUM, &s, to);
    for (size_t i = 0; i < s.dim[0].count && !status && (!to || to == caf_this_image(NULL)); i++)
        if (v[i] != (1 + (int64_t)i) * caf_num_images(NULL))
            CHECK(false, "element %zu of a sum is %lld", i, (long long)v[i]);
    return status;
}

static int broadcast(void)
{
    const struct caf_section s = some_words();
    int64_t *v = (int64_t *)(void *)s.base;
    const int from = 1 + (int)below(&common, (unsigned)caf_num_images(NULL));
    for (size_t i = 0; i < s.dim[0].count; i++)
        v[i] = me * 10000 + (int64_t)i;
    const int status = caf_co_broadcast(&s, from);
    for (size_t i = 0; i < s.dim[0].count && !status; i++)
        if (v[i] != (caf_pe(NULL, from) + 1) * 10000 + (int64_t)i)
            CHECK(false, "element %zu of a broadcast is %lld", i, (long long)v[i]);
    return status;
}

static int allocate(void)
{
    struct caf_coarray *c = NULL;
    may_fail(caf_allocate(100, true, &c), "allocate");
    return c ? caf_deallocate(c) : CAF_OK;
}

static int use_teams(void)
{
    caf_team_name name = 0;
    may_fail(caf_form_team(1 + (caf_this_image(NULL) + current_round) % 2, NULL, &name), "form team");
    if (!name)
        return CAF_OK;
    may_fail(caf_change_team(caf_team_in(&name)), "change team");
    may_fail(caf_sync_all(), "sync all in a team");
    return caf_end_team();
}

static int put_slots(void)
{
    const int64_t value = current_round;
    for (int i = 1; i <= caf_num_images(NULL); i++) {
        caf_put_bytes(caf_pe(NULL, i), &slots[me - 1], &value, sizeof value);
        step(true);
    }
    return CAF_OK;
}

/* After a synchronization the puts of this round are complete; the next round's may have arrived, too. */
static void check_slots(void)
{
    for (int i = 1; i <= caf_num_images(NULL); i++) {
        const int pe = caf_pe(NULL, i);
        CHECK(caf_pe_state(pe) || slots[pe] >= current_round, "slot %d has %d, round %d", pe + 1, (int)slots[pe],
              current_round);
    }
}

static int sync_with_all(void)
{
    return caf_sync_images(-1, NULL);
}

/* --- rounds ------------------------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    int (*run)(void);
} statements[] = {
    {"sync all", caf_sync_all}, {"sync images", sync_with_all}, {"locks", use_locks}, {"events", use_events},
    {"co_sum", sum}, {"co_broadcast", broadcast}, {"allocate", allocate}, {"teams", use_teams},
};

/* The images that are left form a team. Late posts of events may arrive before its first synchronization. */
static void go_on_without(caf_team_name *name)
{
    may_fail(caf_form_team(1, NULL, name), "form team of those left");
    if (!*name)
        caf_fatal("no team of those left: %s", caf_message());
    may_fail(caf_change_team(caf_team_in(name)), "change team of those left");
    may_fail(caf_sync_all(), "sync all of those left");
    *event = 0;
    may_fail(caf_sync_all(), "sync all of those left");
}

/* The least number, of all images, of rounds since all intended failures; 0 if an image fails meanwhile. */
static int least(int after)
{
    int64_t value = after;
    const struct caf_section s = {.base = (char *)&value, .type = CAF_INTEGER, .kind = 8, .size = 8};
    return may_fail(caf_co_reduce_intrinsic(CAF_CO_MIN, &s, 0), "co_min") ? 0 : (int)value;
}

static struct caf_coarray *words_of(size_t n_words)
{
    struct caf_coarray *c = NULL;
    ok(caf_allocate(n_words * sizeof(int64_t), true, &c));
    return c;
}

int main(int argc, char **argv)
{
    static caf_team_name names[TEAMS];
    start();
    const unsigned seed = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
    const int wanted = argc > 2 ? atoi(argv[2]) : 1, victims = wanted < n ? wanted : n - 1;
    common = seed * 2654435761u;
    mine = seed * 7919u + (unsigned)me * 104729u;
    for (int i = 0; i < LOCKS; i++) {
        struct caf_coarray *c = words_of(2);
        c->is_critical = i == 0;
        lock[i] = (int64_t *)(void *)c->base;
    }
    event = (int64_t *)(void *)words_of(1)->base;
    slots = (int64_t *)(void *)words_of((size_t)n)->base;
    words = (int64_t *)(void *)words_of(WORDS)->base;
    const int first = (int)below(&common, (unsigned)n);
    if ((me - 1 - first + n) % n < victims)
        steps_left = 1 + below(&mine, 400);
    for (int after = 0, teams = 0; after < ROUNDS_AFTER; current_round++) {
        const unsigned which = below(&common, sizeof statements / sizeof *statements);
        const bool puts = below(&common, 2);
        step(true);
        may_fail(statements[which].run(), statements[which].name);
        if (puts)
            put_slots();
        const int status = may_fail(caf_sync_all(), "sync all");
        if (status)
            go_on_without(&names[teams++]);
        else if (puts)
            check_slots();
        after = least(failed_images(caf_get_team(CAF_INITIAL_TEAM)) < victims ? 0 : after + 1);
    }
    end_of_survivor();
}
