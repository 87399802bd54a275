/* The last PEs to arrive at collectives. A PE's time in a collective until the last PE (in a broadcast, the root) has
 * arrived counts as waiting. Of the time after that, the part above twice the least time for this call and size also
 * counts as waiting, because a processor was busy elsewhere. The rest counts as moving data or, in a barrier, as
 * synchronizing. */
#include "profile.h"

#include <stdlib.h>

/* One collective of a team: the last PE to arrive, and its time. */
struct meeting {
    int32_t start, stride, size, last, root;
    int32_t came;
    uint64_t sequence;
    int64_t last_at, root_at;
};
static struct meeting *meetings;
static uint64_t room;

static struct meeting *meeting_of(const struct piece_arrival *a)
{
    uint64_t hash = a->sequence * UINT64_C(0x9e3779b97f4a7c15);
    hash ^= (uint64_t)(a->start * INT64_C(31) + a->stride * INT64_C(17) + a->size) * UINT64_C(0xff51afd7ed558ccd);
    for (uint64_t i = hash >> 20;; i++) {
        struct meeting *m = &meetings[i % room];
        if (m->size == 0)
            *m = (struct meeting){.start = a->start, .stride = a->stride, .size = a->size, .sequence = a->sequence,
                                  .last = -1, .root = a->root};
        if (m->sequence == a->sequence && m->start == a->start && m->stride == a->stride && m->size == a->size)
            return m;
    }
}

typedef void visit(struct profile *p, int pe, const struct piece_arrival *a);

static void each_of(struct profile *p, int pe, visit *what)
{
    for (uint32_t i = 0; p->pe[pe].head && i < p->pe[pe].head->n_arrivals; i++)
        if (piece_records(p->pe[pe].arrivals[i].sequence, p->every))
            what(p, pe, &p->pe[pe].arrivals[i]);
}

static void each(struct profile *p, visit *what)
{
    for (int pe = 0; pe < p->n_pes; pe++)
        each_of(p, pe, what);
}

static void note_arrival(struct profile *p, int pe, const struct piece_arrival *a)
{
    struct meeting *m = meeting_of(a);
    const int64_t at = a->entered - p->pe[pe].behind;
    if (m->last < 0 || at > m->last_at) {
        m->last = pe;
        m->last_at = at;
    }
    if (pe == m->root)
        m->root_at = at;
    m->came++;
}

/* The least time of a collective of a call and size after all have arrived: a hash table with space for all. */
struct least {
    uint32_t site, range; /* range: the range plus 1; 0: free entry */
    int64_t time;
};
static struct least *quickest;

static struct least *least_of(uint32_t site, uint32_t range)
{
    for (uint64_t i = (site * UINT64_C(65) + range) * UINT64_C(0x9e3779b97f4a7c15) >> 20;; i++) {
        struct least *l = &quickest[i % room];
        if (l->range == 0)
            *l = (struct least){site, range + 1, INT64_MAX};
        if (l->site == site && l->range == range + 1)
            return l;
    }
}

/* The PE's time in the collective until the last PE (in a broadcast, the root) has arrived. */
static int64_t before_last(const struct profile *p, int pe, const struct piece_arrival *a, const struct meeting *m)
{
    const int64_t at = a->entered - p->pe[pe].behind, inside = a->left - a->entered;
    const int64_t waited = (m->root >= 0 ? m->root_at : m->last_at) - at;
    return waited < 0 ? 0 : waited > inside ? inside : waited;
}

static void note_quickest(struct profile *p, int pe, const struct piece_arrival *a)
{
    const struct meeting *m = meeting_of(a);
    struct least *l = least_of(p->pe[pe].site[a->site], a->range);
    const int64_t time = a->left - a->entered - before_last(p, pe, a, m);
    if (m->came == m->size && time > 0 && time < l->time)
        l->time = time;
}

/* Of a PE's call site: the recorded time inside its collectives, and the part of it that is waiting. */
struct recorded {
    uint64_t inside, waiting;
};
static struct recorded *recorded;

/* Ignores a collective if the record of one of its PEs is missing, because that PE was killed. */
static void charge(struct profile *p, int pe, const struct piece_arrival *a)
{
    const struct meeting *m = meeting_of(a);
    if (m->came != m->size)
        return;
    const int whom = m->root >= 0 ? m->root : m->last;
    struct piece *one = &p->pe[pe];
    const int64_t waited = before_last(p, pe, a, m), rest = a->left - a->entered - waited;
    const int64_t least = least_of(one->site[a->site], a->range)->time;
    const uint64_t time = (uint64_t)waited * p->every;
    recorded[a->site].inside += (uint64_t)(waited + rest);
    recorded[a->site].waiting += (uint64_t)(waited + (least < rest / 2 ? rest - 2 * least : 0));
    if (whom == pe) {
        one->late += p->every;
        return;
    }
    p->pe[whom].late_cost += time;
    if (p->waits_time) {
        p->waits_time[(size_t)pe * (size_t)p->n_pes + (size_t)whom] += time;
        p->waits[(size_t)pe * (size_t)p->n_pes + (size_t)whom] += p->every;
    }
}

/* If not all collectives are recorded, the recorded share of waiting stands for all calls of the call site. */
static void charge_all(struct profile *p, int pe)
{
    struct piece *one = &p->pe[pe];
    const uint32_t n = one->head ? one->head->n_sites : 0;
    recorded = zeroed(n, sizeof *recorded);
    each_of(p, pe, charge);
    for (uint32_t i = 0; i < n; i++) {
        struct site *site = &p->sites[one->site[i]];
        uint64_t *const from = site->class == PIECE_BARRIER ? &one->synchronizing : &one->communication;
        const double share = recorded[i].inside ? (double)recorded[i].waiting / (double)recorded[i].inside : 0;
        uint64_t time = p->every > 1 ? (uint64_t)(share * (double)one->sites[i].time) : recorded[i].waiting;
        time = time < *from ? time : *from;
        site->waiting += time;
        one->waiting += time;
        *from -= time;
    }
    free(recorded);
}

/* Compares the nodes' clocks by the times at which the last PE of each node leaves the barrier at the start. Clocks of
 * different machines differ by seconds, because each counts from its own boot; smaller differences are ignored. */
static void compare_clocks(struct profile *p)
{
    enum { ONE_MACHINE = 500000000 };
    int64_t *met = zeroed((size_t)p->n_pes, sizeof *met);
    int zero = -1;
    for (int pe = 0; pe < p->n_pes; pe++) {
        const struct piece_head *h = p->pe[pe].head;
        if (h && (met[h->node] == 0 || h->met > met[h->node]))
            met[h->node] = h->met;
        zero = zero < 0 && h ? h->node : zero;
    }
    for (int pe = 0; pe < p->n_pes; pe++)
        if (p->pe[pe].head && llabs(met[p->pe[pe].head->node] - met[zero]) > ONE_MACHINE)
            p->pe[pe].behind = met[p->pe[pe].head->node] - met[zero];
    free(met);
}

void find_waits(struct profile *p)
{
    enum { MOST_PAIRS = 2048 };
    uint64_t n = 0;
    for (int pe = 0; pe < p->n_pes; pe++)
        n += p->pe[pe].head ? p->pe[pe].head->n_arrivals : 0;
    compare_clocks(p);
    room = 2 * n + 1;
    meetings = zeroed(room, sizeof *meetings);
    if (p->n_pes <= MOST_PAIRS) {
        p->waits_time = zeroed((size_t)p->n_pes * (size_t)p->n_pes, sizeof *p->waits_time);
        p->waits = zeroed((size_t)p->n_pes * (size_t)p->n_pes, sizeof *p->waits);
    }
    each(p, note_arrival);
    quickest = zeroed(room, sizeof *quickest);
    each(p, note_quickest);
    for (int pe = 0; pe < p->n_pes; pe++)
        charge_all(p, pe);
    free(quickest);
    free(meetings);
    for (int pe = 0; pe < p->n_pes; pe++) {
        struct piece *one = &p->pe[pe];
        const uint64_t inside = one->communication + one->synchronizing + one->waiting;
        one->computing = one->total > inside ? one->total - inside : 0;
        if (one->late_cost > p->pe[p->latest].late_cost)
            p->latest = pe;
    }
}
