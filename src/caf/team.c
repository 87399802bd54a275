/* Teams: FORM TEAM, CHANGE TEAM, END TEAM (teams paper, sections III and IV-B).
 *
 * A FORM TEAM is a formation: what every image of the parent asked for, gathered by all.  From it each image knows
 * its own team and its siblings without talking.  A formation that has been there before with the same wishes gives
 * the same teams again, so that a loop that forms teams does not use up memory; also if it has ended meanwhile with
 * its parent. */
#include "core.h"

#include <stdlib.h>
#include <string.h>

/* What an image asks for. */
struct wish {
    int64_t number;
    int64_t new_index; /* 0: any; LOST: of an image that has ended */
};
enum { LOST = INT32_MIN };

struct caf_formation {
    struct caf_formation *next; /* of the same parent */
    struct caf_team *parent;
    struct wish *wishes; /* of the parent's images, by position */
    struct caf_team **teams; /* of all numbers asked for so far; NULL-terminated */
    struct caf_team *mine;
    void *work; /* symmetric: the team's flags and progress; NULL: ended with the parent */
};

enum { PROGRESS_BYTES = 64, TEAM_BYTES = (int)SHCOLL_WORK_BYTES + PROGRESS_BYTES };
_Static_assert(sizeof(struct caf_progress) <= PROGRESS_BYTES, "the progress of a team has room");

static void place(struct caf_team *t, char *work)
{
    t->progress = (struct caf_progress *)(work + SHCOLL_WORK_BYTES);
    memset(work, 0, TEAM_BYTES);
}

void caf_teams_begin(void)
{
    static struct caf_team initial;
    char *work = caf_heap_allocate(TEAM_BYTES);
    if (!work)
        caf_fatal("start: no memory for the initial team's flags");
    place(&initial, work);
    initial.number = -1;
    initial.me = shmem_my_pe();
    initial.n = shmem_n_pes();
    initial.group = shcoll_group_on(0, 1, initial.n, work, false);
    caf_current = &initial;
}

/* --- forming ------------------------------------------------------------------------------------------------------ */

struct gathering {
    struct shcoll_group *group;
    struct wish *mine, *all;
};

static void gather(void *context)
{
    const struct gathering *g = context;
    shcoll_fcollect(g->group, g->all, g->mine, sizeof *g->mine);
}

static bool is_lost(const struct wish *w)
{
    return w->number == 0 && w->new_index == LOST;
}

/* The sentence that all images of the parent leave for a wish that cannot be granted. */
static int check_wishes(const struct wish *wishes, int n)
{
    for (int i = 0; i < n; i++) {
        int members = 0;
        if (is_lost(&wishes[i]))
            continue;
        if (wishes[i].number < 1)
            return caf_say(CAF_STAT_ERROR, "form team: team number %lld on image %d, allowed are positive numbers",
                           (long long)wishes[i].number, i + 1);
        if (wishes[i].new_index == 0)
            continue;
        for (int j = 0; j < n; j++) {
            if (wishes[j].number != wishes[i].number)
                continue;
            members++;
            if (j < i && wishes[j].new_index == wishes[i].new_index)
                return caf_say(CAF_STAT_ERROR, "form team: new_index %lld on images %d and %d of team %lld",
                               (long long)wishes[i].new_index, j + 1, i + 1, (long long)wishes[i].number);
        }
        if (wishes[i].new_index < 1 || wishes[i].new_index > members)
            return caf_say(CAF_STAT_ERROR, "form team: new_index %lld on image %d, allowed are 1 to %d",
                           (long long)wishes[i].new_index, i + 1, members);
    }
    return CAF_OK;
}

/* The PEs of the team with that number in the order of their indices: first those who asked for one, the others in
 * order of the parent's indices where there is room. */
static int *members_of(const struct caf_team *parent, const struct wish *wishes, int64_t number, int *n)
{
    *n = 0;
    for (int i = 0; i < parent->n; i++)
        *n += wishes[i].number == number;
    int *pes = malloc(((size_t)*n + 1) * sizeof *pes);
    if (!pes)
        caf_fatal("form team: no memory for a list of %d images", *n);
    for (int i = 0; i < *n; i++)
        pes[i] = -1;
    for (int i = 0; i < parent->n; i++)
        if (wishes[i].number == number && wishes[i].new_index)
            pes[wishes[i].new_index - 1] = caf_position_pe(parent, i);
    int free_index = 0;
    for (int i = 0; i < parent->n; i++) {
        if (wishes[i].number != number || wishes[i].new_index)
            continue;
        while (pes[free_index] >= 0)
            free_index++;
        pes[free_index] = caf_position_pe(parent, i);
    }
    return pes;
}

static struct caf_team *team_new(struct caf_formation *f, int64_t number)
{
    struct caf_team *t = calloc(1, sizeof *t);
    if (!t)
        caf_fatal("form team: no memory for a team's record");
    t->parent = f->parent;
    t->formation = f;
    t->number = number;
    t->depth = f->parent->depth + 1;
    t->pes = members_of(f->parent, f->wishes, number, &t->n);
    t->me = -1;
    for (int i = 0; i < t->n; i++)
        if (t->pes[i] == caf_my_pe)
            t->me = i;

    size_t known = 0;
    while (f->teams && f->teams[known])
        known++;
    struct caf_team **teams = realloc(f->teams, (known + 2) * sizeof *teams);
    if (!teams)
        caf_fatal("form team: no memory for a team's record");
    teams[known] = t;
    teams[known + 1] = NULL;
    f->teams = teams;
    return t;
}

static struct caf_formation *known_formation(struct caf_team *parent, const struct wish *wishes)
{
    for (struct caf_formation *f = parent->formed; f; f = f->next)
        if (memcmp(f->wishes, wishes, (size_t)parent->n * sizeof *wishes) == 0)
            return f;
    return NULL;
}

static struct caf_formation *formation_new(struct caf_team *parent, const struct wish *wishes)
{
    const size_t bytes = (size_t)parent->n * sizeof *wishes;
    struct caf_formation *f = calloc(1, sizeof *f);
    struct wish *copy = malloc(bytes);
    if (!f || !copy)
        caf_fatal("form team: no memory for the record of %d images", parent->n);
    memcpy(copy, wishes, bytes);
    *f = (struct caf_formation){.next = parent->formed, .parent = parent, .wishes = copy};
    parent->formed = f;
    f->mine = team_new(f, wishes[parent->me].number);
    return f;
}

/* All images of the parent take memory at once, though they need not be in the same team: so it stays the same on
 * all. */
static bool formation_begin(struct caf_formation *f)
{
    struct caf_team *t = f->mine;
    f->work = caf_heap_allocate(TEAM_BYTES);
    if (!f->work)
        return false;
    place(t, f->work);
    t->syncs = t->collectives = 0;
    t->group = shcoll_group_on_pes(t->pes, t->n, t->me, f->work);
    for (struct caf_team **known = f->teams; *known; known++)
        (*known)->ended = false;
    return true;
}

/* The records stay: a team variable may still stand for one of the teams, and FORM TEAM may form them again. */
static void formation_end(struct caf_formation *f)
{
    for (struct caf_team **known = f->teams; *known; known++)
        (*known)->ended = true;
    caf_heap_free(f->work);
    f->work = NULL;
}

/* Where the wishes of the team's images are gathered. */
static struct wish *room_for_wishes(struct caf_team *t)
{
    const size_t bytes = ((size_t)t->n + 1) * sizeof *t->wishes;
    if (!t->wishes && !(t->wishes = caf_heap_allocate(bytes)))
        caf_fatal("form team: no memory to ask %d images; a larger symmetric heap (SHMEM_SYMMETRIC_SIZE) would have it",
                  t->n);
    return t->wishes;
}

/* Forms the teams, or refuses to if status says that this image does not know the wishes of all.  Whatever each
 * image has seen of others that end meanwhile, all go the same way: a synchronization tells them whether one has
 * refused, and nobody signals in memory that its owner has yet to clear.  *team stays NULL if one has. */
static int form_as_wished(struct caf_team *parent, const struct wish *wishes, int status, struct caf_team **team)
{
    struct caf_formation *f = status == CAF_OK ? known_formation(parent, wishes) : NULL;
    bool begun = false, refuses = status != CAF_OK;
    if (!refuses && !f && (status = check_wishes(wishes, parent->n)) == CAF_OK)
        f = formation_new(parent, wishes);
    if (f && !f->work)
        refuses = !(begun = formation_begin(f));
    if (refuses)
        caf_refuse(parent);
    uint64_t heard;
    const int met = caf_meet("form team", parent, 0, &heard);
    if (caf_refused(parent)) {
        if (begun)
            formation_end(f);
        return met ? met : caf_say(CAF_STAT_ERROR,
                                   "form team: no memory for a team's flags on an image; a larger symmetric "
                                   "heap (SHMEM_SYMMETRIC_SIZE) would have it");
    }
    *team = f ? f->mine : NULL;
    return status ? status : met;
}

/* Takes over what a member has decided, be it that it has ended since. */
static bool take_over(const struct caf_team *t, int pe, struct wish *wishes)
{
    uint64_t decided = 0;
    caf_get_bytes(pe, &decided, &t->progress->decided, sizeof decided);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if (decided == t->syncs)
        caf_get_bytes(pe, wishes, wishes, (size_t)t->n * sizeof *wishes);
    return decided == t->syncs;
}

/* The wishes of those who are left, the same for all of them: the first member decides who is; if it ends before it
 * has, the second, and so on.  All have come to the synchronization before, so what they wish is there. */
static void agree_on_wishes(struct caf_team *t, struct wish *wishes)
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
        wishes[i] = (struct wish){0, LOST};
        if (caf_pe_state(caf_position_pe(t, i)) == CAF_OK)
            caf_get_bytes(caf_position_pe(t, i), &wishes[i], &wishes[t->n], sizeof *wishes);
    }
    __atomic_store_n(&t->progress->decided, t->syncs, __ATOMIC_RELEASE);
}

int caf_form_team(int64_t number, int new_index, struct caf_team **team)
{
    struct caf_team *parent = caf_current, *formed = NULL;
    struct wish *room = room_for_wishes(parent), *mine = &room[parent->n];
    *mine = (struct wish){number, new_index};
    struct gathering g = {&parent->group, mine, room};
    int status = caf_collective("form team", parent, gather, &g);
    status = form_as_wished(parent, room, status, &formed);
    if (CAF_UNLIKELY(caf_refused(parent))) {
        agree_on_wishes(parent, room);
        status = form_as_wished(parent, room, CAF_OK, &formed);
    }
    if (formed)
        *team = formed;
    return status;
}

/* --- changing ----------------------------------------------------------------------------------------------------- */

int caf_change_team(struct caf_team *team)
{
    if (team && team == caf_current)
        return caf_say(CAF_STAT_ERROR, "change team: the team is the current team already");
    if (!team || team->ended || team->parent != caf_current || team->me < 0)
        return caf_say(CAF_STAT_ERROR, "change team: the team was not formed by FORM TEAM in the current team");
    caf_current = team;
    return caf_sync_as("change team", team);
}

int caf_end_team(void)
{
    struct caf_team *t = caf_current;
    if (!t->parent)
        return caf_say(CAF_STAT_ERROR, "end team: the current team is the initial team");
    const int status = caf_sync_as("end team", t);
    caf_coarrays_end(t);
    for (struct caf_formation *f = t->formed; f; f = f->next)
        formation_end(f);
    caf_heap_free(t->wishes);
    t->wishes = NULL;
    caf_staging_end(t);
    caf_current = t->parent;
    return status;
}

/* --- asking ------------------------------------------------------------------------------------------------------- */

struct caf_team *caf_get_team(enum caf_team_level level)
{
    struct caf_team *t = caf_current;
    if (level == CAF_PARENT_TEAM && t->parent)
        return t->parent;
    while (level == CAF_INITIAL_TEAM && t->parent)
        t = t->parent;
    return t;
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
    for (struct caf_team **known = f ? f->teams : NULL; known && *known; known++)
        if ((*known)->number == number)
            return *known;
    for (int i = 0; f && i < f->parent->n; i++)
        if (f->wishes[i].number == number)
            return team_new(f, number);
    caf_say(CAF_STAT_ERROR, "team number %lld, allowed are those of the current team and its siblings",
            (long long)number);
    return NULL;
}
