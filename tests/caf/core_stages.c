/* pes: 4 6 7 */
/* Some members of a team are still in a child team or in DEALLOCATE, while the others call a collective subroutine and
 * put its data into stages of all members (collective.c), or form a team and put their wishes into all members'
 * memory (change_team.c). The data must not overwrite coarrays. */
#include "core.h"
#include "caf/control/team.h"

#include <sched.h>
#include <string.h>

enum { COARRAY = 512 << 10, TURNS = 500, ROUNDS = 3 };

static uint64_t ready; /* an event of image 1 */

static void change_to(int64_t number)
{
    caf_team_name variable = 0;
    ok(caf_form_team(number, NULL, &variable));
    ok(caf_change_team(caf_team_in(&variable)));
}

static void end(void)
{
    ok(caf_end_team());
}

static void broadcast(int round)
{
    char text[64];
    memset(text, caf_this_image(NULL) == 1 ? 'a' + round : ' ', sizeof text);
    const struct caf_section a = {.base = text, .type = CAF_CHARACTER, .kind = 1, .size = sizeof text};
    ok(caf_co_broadcast(&a, 1));
    for (size_t i = 0; i < sizeof text; i++)
        CHECK(text[i] == 'a' + round, "byte %zu is %d", i, text[i]);
}

static void watch(struct caf_coarray *c)
{
    size_t wrong = 0;
    for (int turn = 0; turn < TURNS && !wrong; turn++) {
        sched_yield();
        for (size_t i = 0; i < COARRAY; i += 8)
            wrong += c->base[i] != 0;
    }
    CHECK(!wrong, "%zu words of a coarray were overwritten", wrong);
}

/* The members of child team 2 check a coarray, while image 1 continues to the broadcast. */
static void stay(void)
{
    struct caf_coarray *c;
    ok(caf_allocate(COARRAY, true, &c));
    ok(caf_event_post(0, &ready));
    watch(c);
}

/* Called between the synchronization of DEALLOCATE and its return, in which the library for gfortran frees the
 * coarray's components. */
static void be_late(struct caf_coarray *c)
{
    if (me == n)
        watch(c);
}

/* In a new team: DEALLOCATE, then a statement that needs memory (FORM TEAM if forms, otherwise co_broadcast). */
static void deallocate(int round, bool forms)
{
    struct caf_coarray *c;
    change_to(100 + 2 * round + forms);
    ok(caf_allocate(COARRAY, true, &c));
    caf_coarray_ended = be_late;
    ok(caf_deallocate(c));
    caf_coarray_ended = NULL;
    if (forms) {
        change_to(1);
        end();
    } else {
        broadcast(round);
    }
    end();
}

int main(void)
{
    start();
    for (int round = 0; round < ROUNDS; round++) {
        const int in_team_1 = me <= n / 2;
        change_to(1);
        change_to(in_team_1 ? 1 : 2);
        if (!in_team_1)
            stay();
        else if (me == 1)
            ok(caf_event_wait(&ready, n - n / 2));
        end();
        broadcast(round);
        end();
        deallocate(round, true);
        deallocate(round, false);
    }
    caf_stop(check_result());
}
