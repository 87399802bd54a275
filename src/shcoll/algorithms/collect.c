/* fcollect and collect (SHCOLL, 5.2): concatenate the members' contributions.
 *
 * The two differ in the offset of a contribution (shcoll_piece), so each algorithm serves both. dest is ready on every
 * member before any member enters, so a member puts its contribution in place, and only a flag must follow. Members
 * also signal contributions of zero bytes: no member returns before the signals of all others have reached it, directly
 * or through other members, so all have entered. */
#include "pieces.h"

/* A large contribution is put to the members of this node block by block, so the block is still in the cache for the
 * next member. Between nodes, a message for each block costs more than the cache saves. */
#define PUSHED_BLOCK ((size_t)32 << 10)

static void push_part(struct shcoll_group *g, enum shcoll_form form, int position, char *dest, const char *source,
                      size_t bytes, bool last)
{
    if (form == FORM_BARRIER)
        shmem_putmem_nbi(dest, source, bytes, pe_of(g, position));
    else if (last && form == FORM_SIGNAL)
        deliver(g, form, FLAG_DATA, position, dest, source, bytes);
    else
        shmem_putmem(dest, source, bytes, pe_of(g, position));
}

/* Puts bytes to all other members, and copies them to this member's dest if source is not in place there. Signals use
 * FLAG_DATA; with FORM_BARRIER, the caller must synchronize by meet. */
static void push(struct shcoll_group *g, enum shcoll_form form, char *dest, const char *source, size_t bytes)
{
    const bool by_blocks = bytes > PUSHED_BLOCK;
    for (int i = 1; by_blocks && i < g->size; i++)
        if (!shmem_ptr(dest, pe_of(g, position_after(g, i))))
            push_part(g, form, position_after(g, i), dest, source, bytes, true);
    size_t at = 0, n;
    do {
        n = bytes - at < PUSHED_BLOCK ? bytes - at : PUSHED_BLOCK;
        const bool last = at + n == bytes;
        for (int i = 1; i < g->size; i++)
            if (!by_blocks || shmem_ptr(dest, pe_of(g, position_after(g, i))))
                push_part(g, form, position_after(g, i), dest + at, source + at, n, last);
        for (int i = 1; last && i < g->size && form != FORM_BARRIER && form != FORM_SIGNAL; i++)
            notify(g, FLAG_DATA, position_after(g, i));
        if (n && dest != source)
            memcpy(dest + at, source + at, n);
        at += n;
    } while (at < bytes);
}

/* All-linear: each member puts to each other member. Each receiver counts the arrivals, which needs no sync (a quiet
 * and several rounds); only FORM_BARRIER ends with a sync instead. */
static void all_linear(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k)
{
    (void)k;
    push(g, form, (char *)c->dest + shcoll_piece(g, c, g->me).offset, c->source, c->n);
    if (form == FORM_BARRIER)
        meet(g);
    else if (g->size > 1)
        expect(g, FLAG_DATA, ANYBODY, (uint64_t)g->size - 1);
}

/* Small contributions to a collect have arrived with their lengths; if not all are small, all-linear moves them. */
static void beside_lengths(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k)
{
    (void)form;
    if (!shcoll_beside_lengths(g, c))
        all_linear(g, c, FORM_COUNTER, k);
}

/* Puts this member's contribution to the first member, which waits for all. */
static void gather(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, size_t offset)
{
    char *const dest = (char *)c->dest + offset;
    if (g->me > 0)
        deliver(g, form, FLAG_DATA, 0, dest, c->source, c->n);
    else if (c->n)
        memcpy(dest, c->source, c->n);
    if (g->me == 0 && g->size > 1)
        expect(g, FLAG_DATA, ANYBODY, (uint64_t)g->size - 1);
}

/* Linear: each member puts to the first member, which then broadcasts its dest by the best algorithm for its size. */
static void linear(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k)
{
    (void)k;
    gather(g, c, form, shcoll_piece(g, c, g->me).offset);
    shcoll_broadcast(g, c->dest, c->dest, shcoll_whole(g, c), 0);
}

/* Each member gets the contributions of all others after all sources are ready, so each writes only its own memory. */
static void pull(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k)
{
    (void)form, (void)k;
    meet(g);
    for (int i = 1; i < g->size; i++) {
        const int position = position_after(g, i), pe = pe_of(g, position);
        const struct shcoll_extent extent = shcoll_piece(g, c, position);
        char *const dest = (char *)c->dest + extent.offset;
        const void *source = shmem_ptr(c->source, pe);
        if (source && extent.bytes) {
            memcpy(dest, source, extent.bytes);
            charge_load(c->source, extent.bytes, pe);
        } else if (extent.bytes) {
            shmem_getmem_nbi(dest, c->source, extent.bytes, pe);
        }
    }
    shcoll_copy_piece(g, c);
    meet(g);
}

/* Two levels: the leader's dest gathers the contributions of its node; the leaders exchange them, then put the result
 * to the members of their nodes or let them get it. */
static void two_level(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k)
{
    (void)k;
    struct shcoll_group node = shcoll_part_node(g);
    const size_t bytes = shcoll_whole(g, c);
    const enum shcoll_form to_leader = form == FORM_GET ? FORM_SIGNAL : form;
    gather(&node, c, to_leader, shcoll_piece(g, c, g->me).offset);
    if (node.me == 0)
        shcoll_collect_nodes(g, c, to_leader);
    if (form != FORM_GET) {
        if (node.me == 0)
            push(&node, form, c->dest, c->dest, bytes);
        else
            expect(&node, FLAG_DATA, 0, 1);
        return;
    }
    if (node.me > 0) {
        expect(&node, FLAG_READY, 0, 1);
        if (bytes)
            shmem_getmem(c->dest, c->dest, bytes, pe_of(&node, 0));
        notify(&node, FLAG_DONE, 0);
        return;
    }
    for (int i = 1; i < node.size; i++)
        notify(&node, FLAG_READY, i);
    if (node.size > 1)
        expect(&node, FLAG_DONE, ANYBODY, (uint64_t)node.size - 1);
}

/* --- costs -------------------------------------------------------------------------------------------------------- */

static double all_linear_cost(const struct shcoll_cost *m)
{
    const bool meets = m->form == FORM_BARRIER;
    const struct cost_all all = {.bytes = m->bytes, .longest = cost_longest(m), .counted = !meets,
                                 .order = COST_SHIFTED, .asks = meets};
    return shcoll_lengths_cost(m) + cost_exchange(m, all) + (meets ? cost_sync(m) : 0);
}

/* Data in the same message as the lengths costs nothing. */
static double beside_lengths_cost(const struct shcoll_cost *m)
{
    struct shcoll_cost counter = *m;
    counter.form = FORM_COUNTER;
    const bool is_beside = m->bytes <= SHCOLL_BESIDE_LENGTH && m->size <= SHCOLL_DIRECT;
    return is_beside ? shcoll_lengths_cost(m) + m->bytes * m->node.beta : all_linear_cost(&counter);
}

/* The first member receives all contributions one after the other; then the result passes down a tree. */
static double linear_cost(const struct shcoll_cost *m)
{
    const double senders = m->size - (m->nodes > 1 ? m->per_node : 1);
    double total = shcoll_lengths_cost(m) + cost_funnel(m, senders, m->size, m->bytes, true);
    for (double reach = 1; reach < m->size; reach *= 2)
        total += cost_whole(cost_to(m, reach, m->size * m->bytes, false));
    return total;
}

static double pull_cost(const struct shcoll_cost *m)
{
    const double looks = (m->size - m->per_node) * shcoll_look_cost(m, false) +
                         (m->per_node - 1) * shcoll_look_cost(m, true);
    return shcoll_lengths_cost(m) + 2 * cost_sync(m) + cost_pull(m) + looks;
}

/* The gather, the exchange of the leaders (direct or in Bruck's rounds), and the result to all members of the node: one
 * after the other by puts, at the same time by gets. */
static double two_level_cost(const struct shcoll_cost *m)
{
    struct shcoll_cost leaders = cost_leaders(m);
    leaders.bytes = m->per_node * m->bytes;
    leaders.form = m->form == FORM_GET ? FORM_SIGNAL : m->form;
    const double others = m->per_node - 1, whole = m->size * m->bytes;
    double total = shcoll_lengths_cost(m) + (others < 1 ? 0 : cost_whole(cost_near(m, m->bytes, true)));
    leaders.collective = SHCOLL_FCOLLECT;
    if (m->nodes > 1)
        total += shcoll_is_direct((int)m->nodes)
                   ? cost_exchange(&leaders, (struct cost_all){.bytes = leaders.bytes})
                   : shcoll_collect_bruck_cost(&leaders) +
                     3 * (cost_rounds(m->nodes, 2) - 1) * shcoll_look_cost(m, false);
    if (others < 1)
        return total;
    if (m->form == FORM_GET)
        return total + cost_release(m, 0, true) + cost_get_near(m, whole) + cost_whole(cost_near(m, 0, true));
    return total + cost_release(m, whole, true);
}

/* --- tables ------------------------------------------------------------------------------------------------------- */

const struct shcoll_algorithm shcoll_fcollect_rows[] = {
#include "collect_rows.h"
};

const struct shcoll_algorithm shcoll_collect_rows[] = {
    {.name = "all_linear", .form = FORM_SLOTS, .run = beside_lengths, .cost = beside_lengths_cost,
     .needs = NEEDS_LASTING},
#include "collect_rows.h"
};
