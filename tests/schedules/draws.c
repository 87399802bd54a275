/* Draws programs. */
#include "programs.h"

static uint64_t seed, draws;

static uint64_t any_of(uint64_t n)
{
    return value(seed, -7, draws++) % n;
}

/* Sizes are mostly small, because errors between two calls also happen with short calls. */
static size_t any_size(void)
{
    switch (any_of(40)) {
    case 0: return 8180 + any_of(30);
    case 1: case 2: case 3: return 500 + any_of(600);
    case 4: case 5: return 1 + any_of(4000);
    case 6: return any_of(5) ? any_of(130) : 32700 + any_of(40000); /* several pieces */
    default: return any_of(130);
    }
}

static int rows_of(int what)
{
    static int rows[SHCOLL_COLLECTIVES];
    if (what >= SHCOLL_COLLECTIVES)
        return 0;
    while (shcoll_algorithm_number((enum shcoll_collective)what, rows[what]).algorithm)
        rows[what]++;
    return rows[what];
}

/* A call by an algorithm; the index after the last one means the library's choice. */
static struct call call_by(int what, int row, size_t bytes)
{
    struct call c = {.what = what, .trial = {.n = bytes, .size = 1, .dst = 1, .sst = 1}};
    struct trial *t = &c.trial;
    t->what = what < SHCOLL_COLLECTIVES ? (enum shcoll_collective)what : SHCOLL_SYNC;
    if (row < rows_of(what))
        t->by = shcoll_algorithm_number(t->what, row);
    t->root = (int)any_of(MOST_PES);
    t->shift = any_of(3) * 8;
    if (t->what == SHCOLL_ALLTOALLS) {
        t->size = (size_t)1 << any_of(5);
        t->dst = 1 + (ptrdiff_t)any_of(3), t->sst = 1 + (ptrdiff_t)any_of(3);
        t->shift = 0;
        t->n = t->n / t->size % 32; /* each element arrives separately */
    } else if (is_reduction(t->what)) {
        c.kind = (int)any_of(KINDS);
        t->in_place = any_of(8) == 0;
        t->to_root = t->what == SHCOLL_REDUCE && any_of(4) == 0;
        t->shift = 0;
    }
    return c;
}

static struct call any_call(void)
{
    const int what = (int)any_of(CALLS);
    return call_by(what, (int)any_of((uint64_t)rows_of(what) + 1), any_size());
}

/* In scans and collectives with a root, members can run many calls ahead: repeats one, with other calls between. */
static void draw_long(struct program *p)
{
    const int what = any_of(4) ? SHCOLL_BROADCAST : SHCOLL_INSCAN, root = (int)any_of(MOST_PES);
    const uint64_t rows = (uint64_t)rows_of(what) + 1, row = any_of(rows), others = any_of(4) * 8;
    p->n = 4 + (int)any_of(MOST_CALLS - 4);
    for (int i = 0; i < p->n; i++) {
        const bool same = any_of(40) >= others;
        p->call[i] = any_of(40) ? call_by(what, (int)(same ? row : any_of(rows)), any_of(200)) : any_call();
        p->call[i].trial.root = same ? root : (int)any_of(MOST_PES);
    }
}

static void draw_surroundings(struct program *p)
{
    const int syncs = rows_of(SHCOLL_SYNC), sync = (int)any_of(2 * (uint64_t)syncs);
    if (sync < syncs)
        shcoll_name(shcoll_algorithm_number(SHCOLL_SYNC, sync), p->sync);
    p->near_is_late = any_of(2);
    p->in_order = any_of(2);
    p->crowded = any_of(2);
    p->from = (unsigned)any_of(300);
    p->group = any_of(3) ? GROUP_WORLD : (enum group_kind)any_of(GROUPS);
    if (any_of(6) == 0) /* SHCOLL's nodes may be larger or smaller than the real nodes */
        p->node_size = 1 + (int)any_of(MOST_PES);
}

void program_draw(struct program *p, const char *layout, uint64_t number)
{
    seed = number, draws = 0;
    *p = (struct program){.n = 0};
    snprintf(p->layout, sizeof p->layout, "%s", layout);
    draw_surroundings(p);
    if (any_of(7) == 0 && p->group != GROUP_PSYNC) {
        draw_long(p);
        return;
    }
    p->n = 2 + (int)any_of(2) + (any_of(8) ? 0 : p->group == GROUP_PSYNC ? 1 : (int)any_of(4));
    for (int i = 0; i < p->n; i++)
        p->call[i] = any_call();
}

/* --- pairs -------------------------------------------------------------------------------------------------------- */

/* Algorithms, each collective's choice, and the calls that are not SHCOLL's collectives. */
static unsigned all_calls(void)
{
    unsigned n = 0;
    for (int what = 0; what < CALLS; what++)
        n += (unsigned)rows_of(what) + 1;
    return n;
}

static struct call call_number(unsigned i)
{
    int what = 0;
    while (i > (unsigned)rows_of(what))
        i -= (unsigned)rows_of(what++) + 1;
    return call_by(what, (int)i, any_size());
}

unsigned pairs(void)
{
    return all_calls() * all_calls();
}

void program_pair(struct program *p, const char *layout, unsigned i)
{
    seed = i, draws = 1000;
    *p = (struct program){.n = 2};
    snprintf(p->layout, sizeof p->layout, "%s", layout);
    draw_surroundings(p);
    p->call[0] = call_number(i / all_calls());
    p->call[1] = call_number(i % all_calls());
}
