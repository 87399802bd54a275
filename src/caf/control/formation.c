/* Formations.
 *
 * If FORM TEAM is repeated with the same wishes, it returns the teams of the existing formation, so a loop that forms
 * teams takes no more memory. A formation ends with its parent, or earlier if no variable on any image names one of its
 * teams. FORM TEAM defines an image's variables, so the image knows which formations they name; it sends changes (news)
 * with its next wish. All images therefore have the same news and end formations in the same order. (A failed image
 * sends no news: its formations last until the parent ends.)
 *
 * A later formation reuses the memory (flags and progress) of an ended one.  By then all images of the parent know that
 * no image is in the teams, and all signals in that memory have arrived.  Each image clears the memory before the
 * synchronization in FORM TEAM, and signals there only after it.
 *
 * A program can copy its variables without a call.  Formations without a variable are therefore kept for a while, and a
 * use of a copy makes the copy a variable of the formation.  A variable holds its team's name, which is unique, so an
 * undefined or outdated variable is detected. */
#include "formation.h"
#include "../memory/heap.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(struct caf_progress) <= CAF_PROGRESS_BYTES, "the progress of a team has room");

/* A team variable: its address, its formation, and the formation's next variable. */
struct caf_team_variable {
    uintptr_t address;
    struct caf_formation *formation;
    struct caf_team_variable *next;
};

/* Trees; the key is the first word of each item. */
static void *named;     /* struct caf_team, by name */
static void *variables; /* struct caf_team_variable, by address */

/* --- trees -------------------------------------------------------------------------------------------------------- */

static int by_first_word(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Orders the formations of one parent. */
static int by_wishes(const void *a, const void *b)
{
    const struct caf_formation *f = a, *g = b;
    if (f->hash != g->hash)
        return f->hash < g->hash ? -1 : 1;
    for (int i = 0; i < f->parent->n; i++) {
        const struct caf_wish *w = &f->wishes[i], *v = &g->wishes[i];
        if (w->number != v->number)
            return w->number < v->number ? -1 : 1;
        if (w->new_index != v->new_index)
            return w->new_index < v->new_index ? -1 : 1;
    }
    return 0;
}

static void *find(const void *key, void *const *root, int (*order)(const void *, const void *))
{
    void **item = tfind(key, root, order);
    return item ? *item : NULL;
}

static void insert(const void *item, void **root, int (*order)(const void *, const void *))
{
    if (!tsearch(item, root, order))
        caf_fatal("form team: no memory for a team's record");
}

static uint64_t hash_of(const struct caf_wish *wishes, int n)
{
    uint64_t hash = 0;
    for (int i = 0; i < n; i++) {
        hash = (hash ^ (uint64_t)wishes[i].number) * 0x9e3779b97f4a7c15;
        hash = (hash ^ hash >> 32 ^ (uint64_t)wishes[i].new_index) * 0x9e3779b97f4a7c15;
    }
    return hash;
}

/* --- queues ------------------------------------------------------------------------------------------------------- */

static void dequeue(struct caf_formation *f, enum caf_formation_queues which)
{
    struct caf_formation *const next = f->in[which].next, *const previous = f->in[which].previous;
    struct caf_formation_queue *q = &f->parent->queues[which];
    if (!f->in[which].is_in)
        return;
    *(previous ? &previous->in[which].next : &q->first) = next;
    *(next ? &next->in[which].previous : &q->last) = previous;
    q->length--;
    f->in[which].is_in = false;
}

static void enqueue(struct caf_formation *f, enum caf_formation_queues which)
{
    struct caf_formation_queue *q = &f->parent->queues[which];
    if (f->in[which].is_in)
        return;
    f->in[which].is_in = true;
    f->in[which].next = NULL;
    f->in[which].previous = q->last;
    *(q->last ? &q->last->in[which].next : &q->first) = f;
    q->last = f;
    q->length++;
}

/* --- records ------------------------------------------------------------------------------------------------------ */

void caf_formation_set_work(struct caf_team *t, char *work)
{
    t->progress = (struct caf_progress *)(work + SHCOLL_WORK_BYTES);
    memset(work, 0, CAF_TEAM_BYTES);
    t->only_other = shcoll_sync_is_paired(&t->group) ? caf_position_pe(t, 1 - t->me) : -1;
}

/* The PEs of the team, by index: wishes with an index first; the others fill the gaps in the parent's order. */
static int *members_of(const struct caf_team *parent, const struct caf_wish *wishes, int64_t number, int *n)
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
        if (wishes[i].number == number && wishes[i].new_index != CAF_ANY_INDEX)
            pes[wishes[i].new_index - 1] = caf_position_pe(parent, i);
    int free_index = 0;
    for (int i = 0; i < parent->n; i++) {
        if (wishes[i].number != number || wishes[i].new_index != CAF_ANY_INDEX)
            continue;
        while (pes[free_index] >= 0)
            free_index++;
        pes[free_index] = caf_position_pe(parent, i);
    }
    return pes;
}

/* Names are spread over all numbers, so that an undefined variable is unlikely to contain one. */
void caf_formation_name(struct caf_team *t)
{
    static caf_team_name last;
    t->name = last += 0x9e3779b97f4a7c15;
    insert(t, &named, by_first_word);
}

struct caf_team *caf_formation_team(struct caf_formation *f, int64_t number)
{
    size_t known = 0;
    for (; f->teams && f->teams[known]; known++)
        if (f->teams[known]->number == number)
            return f->teams[known];
    struct caf_team *t = calloc(1, sizeof *t), **teams = realloc(f->teams, (known + 2) * sizeof *teams);
    if (!t || !teams)
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
    caf_formation_name(t);
    teams[known] = t;
    teams[known + 1] = NULL;
    f->teams = teams;
    return t;
}

struct caf_formation *caf_formation_known(const struct caf_team *parent, const struct caf_wish *wishes)
{
    const struct caf_formation key = {.hash = hash_of(wishes, parent->n),
                                      .parent = (struct caf_team *)(uintptr_t)parent,
                                      .wishes = (struct caf_wish *)(uintptr_t)wishes};
    return find(&key, &parent->formed, by_wishes);
}

struct caf_formation *caf_formation_new(struct caf_team *parent, const struct caf_wish *wishes)
{
    const size_t bytes = (size_t)parent->n * sizeof *wishes;
    void *work = caf_heap_allocate(CAF_TEAM_BYTES);
    if (!work)
        return NULL;
    struct caf_formation *f = malloc(sizeof *f);
    struct caf_wish *copy = malloc(bytes);
    if (!f || !copy)
        caf_fatal("form team: no memory for the record of %d images", parent->n);
    memcpy(copy, wishes, bytes);
    *f = (struct caf_formation){.number = (int64_t)parent->syncs + 1, .hash = hash_of(wishes, parent->n),
                                .wishes = copy, .parent = parent, .work = work};
    struct caf_team *t = f->mine = caf_formation_team(f, wishes[parent->me].number);
    t->group = shcoll_group_on_pes(t->pes, t->n, t->me, work);
    caf_formation_set_work(t, work);
    insert(f, &parent->formed, by_wishes);
    insert(f, &parent->formed_by_number, by_first_word);
    return f;
}

/* f is in no tree any more. */
static void discard(void *formation)
{
    struct caf_formation *f = formation;
    dequeue(f, CAF_FORMATION_NEWS);
    dequeue(f, CAF_FORMATION_IDLE);
    for (struct caf_team_variable *v = f->variables, *next; v; v = next) {
        next = v->next;
        tdelete(v, &variables, by_first_word);
        free(v);
    }
    for (struct caf_team **t = f->teams; *t; t++) {
        tdelete(*t, &named, by_first_word);
        free((void *)(uintptr_t)(*t)->pes);
        free(*t);
    }
    caf_heap_free(f->work);
    free(f->teams);
    free(f->wishes);
    free(f);
}

void caf_formation_end(struct caf_formation *f)
{
    tdelete(f, &f->parent->formed, by_wishes);
    tdelete(f, &f->parent->formed_by_number, by_first_word);
    discard(f);
}

static void leave(void *formation)
{
    (void)formation;
}

void caf_formations_end(struct caf_team *t)
{
    tdestroy(t->formed_by_number, leave);
    tdestroy(t->formed, discard);
    t->formed = t->formed_by_number = NULL;
}

/* --- variables ---------------------------------------------------------------------------------------------------- */

void caf_formation_hold(struct caf_formation *f, const void *variable)
{
    const uintptr_t address = (uintptr_t)variable;
    struct caf_team_variable *v = find(&address, &variables, by_first_word);
    if (v && v->formation == f)
        return;
    if (v) {
        struct caf_team_variable **at = &v->formation->variables;
        while (*at != v)
            at = &(*at)->next;
        *at = v->next;
        if (!v->formation->variables)
            enqueue(v->formation, CAF_FORMATION_NEWS);
    } else {
        v = malloc(sizeof *v);
        if (!v)
            caf_fatal("form team: no memory for a team's record");
        v->address = address;
        insert(v, &variables, by_first_word);
    }
    v->formation = f;
    v->next = f->variables;
    f->variables = v;
    if (f->is_told)
        enqueue(f, CAF_FORMATION_NEWS);
}

struct caf_team *caf_team_named(caf_team_name name)
{
    return find(&name, &named, by_first_word);
}

struct caf_team *caf_team_in(const caf_team_name *variable)
{
    struct caf_team *t = caf_team_named(*variable);
    if (t && t->formation && !t->formation->variables)
        caf_formation_hold(t->formation, variable);
    return t;
}

struct caf_team *caf_team_used(caf_team_name name)
{
    enum { KEPT = 64 };
    static caf_team_name copies[KEPT];
    static unsigned n;
    struct caf_team *t = caf_team_named(name);
    if (t && t->formation && !t->formation->variables)
        caf_formation_hold(t->formation, &copies[n++ % KEPT]);
    return t;
}

int64_t caf_formation_news(struct caf_team *parent)
{
    struct caf_formation *f;
    while ((f = parent->queues[CAF_FORMATION_NEWS].first) != NULL) {
        dequeue(f, CAF_FORMATION_NEWS);
        if (f->is_told == !f->variables)
            continue;
        f->is_told = !f->variables;
        return f->is_told ? f->number : -f->number;
    }
    return 0;
}

/* The number of formations without variables to keep; it limits their symmetric memory. */
static size_t most_idle(void)
{
    const size_t most = caf_heap_bytes / 64 / CAF_TEAM_BYTES;
    return most < 1024 ? most : 1024;
}

static void hear(struct caf_team *parent, int64_t news)
{
    const int64_t number = news < 0 ? -news : news;
    struct caf_formation *f = find(&number, &parent->formed_by_number, by_first_word);
    if (!f)
        return;
    f->n_told += news > 0 ? 1 : -1;
    if (f->n_told == parent->n)
        enqueue(f, CAF_FORMATION_IDLE);
    else
        dequeue(f, CAF_FORMATION_IDLE);
}

void caf_formation_listen(struct caf_team *parent, const struct caf_wish *wishes)
{
    if (!parent->news && !(parent->news = malloc((size_t)parent->n * sizeof *parent->news)))
        caf_fatal("form team: no memory for the news of %d images", parent->n);
    for (int i = 0; i < parent->n; i++)
        parent->news[i] = wishes[i].news;
}

void caf_formation_heard(struct caf_team *parent, struct caf_formation *formed)
{
    struct caf_formation_queue *idle = &parent->queues[CAF_FORMATION_IDLE];
    for (int i = 0; i < parent->n; i++)
        if (parent->news[i])
            hear(parent, parent->news[i]);
    if (formed) {
        dequeue(formed, CAF_FORMATION_IDLE);
        formed->n_told = 0;
        formed->is_told = false;
    }
    while (idle->length > most_idle())
        caf_formation_end(idle->first);
}
