/* Teams: FORM TEAM, CHANGE TEAM, END TEAM (teams paper, sections III and IV-B).
 *
 * FORM TEAM gathers the wishes of every image of the parent.  From them each image computes its own team and the
 * siblings without communication (formation.c). */
#include "change_team.h"
#include "../memory/heap.h"
#include "attempt.h"
#include "coarray.h"
#include "collective.h"
#include "formation.h"
#include "image.h"
#include "sync.h"

#include <stdlib.h>

void caf_teams_begin(void)
{
    static struct caf_team initial;
    char *work = caf_heap_allocate(CAF_TEAM_BYTES);
    if (!work)
        caf_fatal("start: no memory for the initial team's flags");
    initial.number = -1;
    initial.me = shmem_my_pe();
    initial.n = shmem_n_pes();
    initial.group = shcoll_group_on(0, 1, initial.n, work, false);
    caf_formation_set_work(&initial, work);
    caf_formation_name(&initial);
    caf_enter_team(&initial);
}

/* --- forming ------------------------------------------------------------------------------------------------------ */

struct gathering {
    struct shcoll_group *group;
    struct caf_wish *mine, *all;
    bool waits; /* the memory for the wishes is not yet free on all members */
};

static void gather(void *context)
{
    const struct gathering *g = context;
    if (g->waits)
        shcoll_sync(g->group); /* MUTANT wishes where members have coarrays */
    shcoll_fcollect(g->group, g->all, g->mine, sizeof *g->mine);
}

static bool is_lost(const struct caf_wish *w)
{
    return w->number == 0 && w->new_index == CAF_WISH_LOST;
}

/* If a wish cannot be granted, all images of the parent store the same sentence. */
static int check_wishes(const struct caf_team *t, const struct caf_wish *wishes)
{
    const int n = t->n;
    const char *const of_team = caf_of_initial_team();
    for (int i = 0; i < n; i++) {
        const int image = caf_position_pe(t, i) + 1;
        int members = 0;
        if (is_lost(&wishes[i]))
            continue;
        if (wishes[i].number < 1)
            return caf_say(CAF_STAT_ERROR, "form team: team number %lld on image %d%s, allowed are positive numbers",
                           (long long)wishes[i].number, image, of_team);
        if (wishes[i].new_index == CAF_ANY_INDEX)
            continue;
        for (int j = 0; j < n; j++) {
            if (wishes[j].number != wishes[i].number)
                continue;
            members++;
            if (j < i && wishes[j].new_index == wishes[i].new_index)
                return caf_say(CAF_STAT_ERROR, "form team: new_index %lld of team %lld on images %d and %d%s",
                               (long long)wishes[i].new_index, (long long)wishes[i].number,
                               caf_position_pe(t, j) + 1, image, of_team);
        }
        if (wishes[i].new_index < 1 || wishes[i].new_index > members)
            return caf_say(CAF_STAT_ERROR, "form team: new_index %lld on image %d%s, allowed are 1 to %d",
                           (long long)wishes[i].new_index, image, of_team, members);
    }
    return CAF_OK;
}

/* Memory for the gathered wishes of the team's images. A synchronization follows each gathering; after it another image
 * may overwrite the wishes in the next FORM TEAM. Each image therefore copies what it needs before it enters the
 * synchronization; if an image refuses, all use the wishes once more and synchronize again. One set is enough. The
 * memory is allocated before the first child team is formed: later an image in a child team might have coarrays at the
 * same address (collective.c, staging_begin). */
static struct caf_wish *room_for_wishes(struct caf_team *t)
{
    const size_t bytes = ((size_t)t->n + 1) * sizeof *t->wishes;
    if (!t->wishes && !(t->wishes = caf_heap_allocate(bytes)))
        caf_fatal("form team: no memory for the requests of %d images; increase the symmetric heap "
                  "(SHMEM_SYMMETRIC_SIZE)",
                  t->n);
    return t->wishes;
}

/* Forms the teams, or refuses if status shows that this image lacks some wishes. All images take the same path, even if
 * they know of different ended images. After a synchronization each knows whether any image has refused, and no image
 * signals in memory that its owner has yet to clear. If any has refused, *formed stays NULL. */
static int form_as_wished(struct caf_team *parent, const struct caf_wish *wishes, int status,
                          struct caf_formation **formed)
{
    struct caf_formation *f = status == CAF_OK ? caf_formation_known(parent, wishes) : NULL;
    bool begun = false, refuses = status != CAF_OK;
    if (!refuses && !f && (status = check_wishes(parent, wishes)) == CAF_OK) {
        f = caf_formation_new(parent, wishes);
        begun = f != NULL;
        refuses = !begun;
    }
    caf_formation_listen(parent, wishes);
    if (refuses)
        caf_refuse(parent);
    uint64_t heard;
    /* MUTANT FORM TEAM waits: caf_meet("form team", parent, 0, &heard) => CAF_OK */
    const int met = caf_meet("form team", parent, 0, &heard);
    if (caf_refused(parent)) {
        if (begun)
            caf_formation_end(f);
        return met ? met : caf_say(CAF_STAT_ERROR,
                                   "form team: no memory for a team's flags on an image; increase the "
                                   "symmetric heap (SHMEM_SYMMETRIC_SIZE)");
    }
    *formed = f;
    return status ? status : met;
}

/* Copies a member's decision, even if the member has ended after its decision. */
static bool take_over(const struct caf_team *t, int pe, struct caf_wish *wishes)
{
    uint64_t decided = 0;
    caf_get_bytes(pe, &decided, &t->progress->decided, sizeof decided);
    __atomic_thread_fence(__ATOMIC_ACQUIRE); /* MUTANT the decision is complete */
    if (decided == t->syncs)
        caf_get_bytes(pe, wishes, wishes, (size_t)t->n * sizeof *wishes);
    return decided == t->syncs;
}

/* The wishes of the survivors, the same on all: the first member decides which images survive; if it ends before
 * that, the second decides, and so on. All have entered the previous synchronization, so their wishes are available. */
static void agree_on_wishes(struct caf_team *t, struct caf_wish *wishes)
{
    bool known = false;
    for (int i = 0; i < t->me && !known; i++) {
        const int pe = caf_position_pe(t, i);
        unsigned turns = 0;
        int state;
        do {
            caf_pause(&turns);
            state = caf_pe_state(pe);
        } while (!(known = take_over(t, pe, wishes)) && state == CAF_OK);
    }
    for (int i = 0; i < t->n && !known; i++) {
        wishes[i] = (struct caf_wish){.new_index = CAF_WISH_LOST};
        if (caf_pe_state(caf_position_pe(t, i)) == CAF_OK)
            caf_get_bytes(caf_position_pe(t, i), &wishes[i], &wishes[t->n], sizeof *wishes);
    }
    __atomic_store_n(&t->progress->decided, t->syncs, __ATOMIC_RELEASE);
}

int caf_form_team(int64_t number, const int *new_index, caf_team_name *variable)
{
    struct caf_team *parent = caf_current;
    struct caf_formation *formed = NULL;
    const bool is_first = !parent->wishes;
    struct caf_wish *room = room_for_wishes(parent), *mine = &room[parent->n];
    *mine = (struct caf_wish){number, new_index ? *new_index : CAF_ANY_INDEX, caf_formation_news(parent)};
    struct gathering g = {&parent->group, mine, room, is_first && parent->has_deallocated};
    int status = caf_collective("form team", parent, false, gather, &g);
    status = form_as_wished(parent, room, status, &formed);
    if (CAF_UNLIKELY(caf_refused(parent))) {
        agree_on_wishes(parent, room);
        status = form_as_wished(parent, room, CAF_OK, &formed);
    }
    caf_formation_heard(parent, formed);
    if (formed) {
        caf_formation_hold(formed, variable);
        *variable = formed->mine->name;
    }
    return status;
}

/* --- changing ----------------------------------------------------------------------------------------------------- */

int caf_change_team(struct caf_team *team)
{
    if (team && team == caf_current)
        return caf_say(CAF_STAT_ERROR, "change team: the team is the current team already");
    if (!team || team->parent != caf_current || team->me < 0)
        return caf_say(CAF_STAT_ERROR, "change team: the team was not formed by FORM TEAM in the current team");
    caf_enter_team(team);
    return caf_sync_as("change team", team); /* MUTANT CHANGE TEAM synchronizes: return CAF_OK; */
}

void caf_stay_in_team(void)
{
    caf_current->stays++;
}

int caf_end_team(void)
{
    struct caf_team *t = caf_current;
    if (t->stays) {
        t->stays--;
        return CAF_OK;
    }
    if (!t->parent)
        return caf_say(CAF_STAT_ERROR, "end team: the current team is the initial team");
    shmem_quiet(); /* an acknowledgement of a broadcast may be outstanding, and the team's memory is reused */
    const int status = caf_sync_as("end team", t); /* MUTANT END TEAM synchronizes: const int status = CAF_OK; */
    caf_coarrays_end(t);
    caf_formations_end(t);
    caf_heap_free(t->wishes);
    t->wishes = NULL;
    free(t->news);
    t->news = NULL;
    caf_staging_end(t);
    caf_enter_team(t->parent);
    return status;
}

/* --- queries ------------------------------------------------------------------------------------------------------ */

struct caf_team *caf_get_team(enum caf_team_level level)
{
    struct caf_team *t = caf_current;
    if (level == CAF_PARENT_TEAM && t->parent)
        return t->parent;
    while (level == CAF_INITIAL_TEAM && t->parent)
        t = t->parent;
    return t;
}

caf_team_name caf_name_of_team(const struct caf_team *team)
{
    return team->name;
}

int64_t caf_team_number(const struct caf_team *team)
{
    return (team ? team : caf_current)->number;
}

struct caf_team *caf_sibling_team(int64_t number)
{
    struct caf_team *t = caf_current;
    if (number == t->number)
        return t;
    if (number == -1)
        return caf_get_team(CAF_INITIAL_TEAM);
    struct caf_formation *f = t->formation;
    for (int i = 0; f && i < f->parent->n; i++)
        if (f->wishes[i].number == number)
            return caf_formation_team(f, number);
    caf_say(CAF_STAT_ERROR, "team number %lld, allowed are those of the current team and its siblings",
            (long long)number);
    return NULL;
}
