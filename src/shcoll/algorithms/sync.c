/* Synchronization of a group. */
#include "cost.h"
#include "../group/flags.h"

#include <float.h>

/* Linear (SHCOLL, 5.1): each member increments a word of the first member, which then releases each member. */
static void arrive_linear(struct shcoll_group *g)
{
    if (g->me == 0)
        expect(g, FLAG_ARRIVED, ANYBODY, (uint64_t)g->size - 1);
    else
        notify(g, FLAG_ARRIVED, 0);
}

static void release_linear(struct shcoll_group *g)
{
    if (g->me == 0)
        for (int i = 1; i < g->size; i++)
            post(g, FLAG_RELEASED, i, g->syncs);
    else
        await(g, FLAG_RELEASED, 0, g->syncs);
}

static void linear(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k)
{
    (void)c, (void)form, (void)k;
    arrive_linear(g);
    release_linear(g);
}

/* Counter: the last member to arrive releases the others. If PEs are oversubscribed, each member runs only twice, to
 * arrive and to return; rounds would cost a context switch each. */
static void counter(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k)
{
    (void)c, (void)form, (void)k;
    unsigned long long *arrived = atomic_word(value_word(g, COUNTER));
    if (shmem_ulonglong_atomic_fetch_inc(arrived, pe_of(g, 0)) + 1 != (unsigned long long)g->size) {
        await(g, FLAG_RELEASED, ANYBODY, g->syncs);
        return;
    }
    shmem_ulonglong_atomic_swap(arrived, 0, pe_of(g, 0)); /* before released members increment it again */
    for (int i = 1; i < g->size; i++)
        post(g, FLAG_RELEASED, position_after(g, i), g->syncs);
}

/* Trees: arrivals are counted on the way to the root, releases go down. Children of a member in a k-ary tree are the k
 * positions from k * me + 1. */
static void kary(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k)
{
    (void)c, (void)form;
    const int64_t first = (int64_t)g->me * k + 1;
    const int64_t children = first >= g->size ? 0 : g->size - first < k ? g->size - first : k;
    if (children)
        expect(g, FLAG_ARRIVED, ANYBODY, (uint64_t)children);
    if (g->me > 0) {
        const int parent = (g->me - 1) / k;
        notify(g, FLAG_ARRIVED, parent);
        await(g, FLAG_RELEASED, parent, g->syncs);
    }
    for (int64_t i = 0; i < children; i++)
        post(g, FLAG_RELEASED, (int)(first + i), g->syncs);
}

/* In a k-nomial tree, write me to base k: its lowest digit that is not zero has the weight w. The children are me + i *
 * d, 0 < i < k, for each power d of k below w. In the parent, that digit is zero. */
static void knomial(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k)
{
    (void)c, (void)form;
    int64_t low = 1;
    while (low < g->size && g->me / low % k == 0)
        low *= k;
    int children = 0;
    for (int64_t d = 1; d < low; d *= k)
        for (int64_t i = 1; i < k && g->me + i * d < g->size; i++)
            children++;
    if (children)
        expect(g, FLAG_ARRIVED, ANYBODY, (uint64_t)children);
    if (g->me > 0) {
        const int parent = (int)(g->me - g->me / low % k * low);
        notify(g, FLAG_ARRIVED, parent);
        await(g, FLAG_RELEASED, parent, g->syncs);
    }
    for (int64_t d = low / k; d >= 1; d /= k)
        for (int64_t i = 1; i < k && g->me + i * d < g->size; i++)
            post(g, FLAG_RELEASED, (int)(g->me + i * d), g->syncs);
}

/* Dissemination: in round r each member signals the member 2^r positions further on and waits for the member 2^r
 * positions before. A flag has one writer, which writes only after it has left the round before: no number is lost. */
static inline void disseminate_from(struct shcoll_group *g, int round)
{
    for (int distance = 1 << round; distance < g->size; distance *= 2, round++) {
        post(g, FLAG_ROUND + round, position_after(g, distance), g->syncs);
        await(g, FLAG_ROUND + round, position_before(g, distance), g->syncs);
    }
}

static void dissemination(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k)
{
    (void)c, (void)form, (void)k;
    disseminate_from(g, 0);
}

/* A message to a leader, with a word for its memory. A zero word is not sent. */
static void tell(const struct shcoll_group *leaders, int flag, int to, uint64_t *where, uint64_t word)
{
    if (!word) {
        notify(leaders, flag, to);
        return;
    }
    fence(); /* MUTANT a leader's word is fenced */
    deliver(leaders, FORM_SIGNAL, flag, to, where, &word, sizeof word);
}

/* This leader's word for the next leader, in a sync that carries words (shcoll_sync_telling). */
static uint64_t word_of(const struct shcoll_call *c)
{
    return c->source ? *(const uint64_t *)c->source : 0;
}

/* A leader's message to the leader at a distance; the message to the next leader carries the word. */
static void tell_leader(const struct shcoll_group *leaders, const struct shcoll_call *c, int round, int distance)
{
    tell(leaders, FLAG_ROUND + round, position_after(leaders, distance), c->dest, distance == 1 ? word_of(c) : 0);
}

/* Each leader signals each other leader: one round, but more messages. */
static void direct_among(struct shcoll_group *leaders, const struct shcoll_call *c)
{
    for (int i = 1; i < leaders->size; i++)
        tell_leader(leaders, c, 0, i);
    if (leaders->size > 1)
        expect(leaders, FLAG_ROUND, ANYBODY, (uint64_t)leaders->size - 1);
}

static void disseminate_among(struct shcoll_group *leaders, const struct shcoll_call *c)
{
    for (int distance = 1, round = 0; distance < leaders->size; distance *= 2, round++) {
        tell_leader(leaders, c, round, distance);
        expect(leaders, FLAG_ROUND + round, position_before(leaders, distance), 1);
    }
}

/* The mailbox, where a member receives a carried word, after `syncs` syncs. Two mailboxes alternate, because the
 * previous member is at most one sync ahead. They are on the cache line of the first round's flag, so a word that
 * travels with this flag costs nothing. */
static uint64_t *mailbox_after(const struct shcoll_group *g, uint64_t syncs)
{
    return g->work + 1 + syncs % 2; /* MUTANT two mailboxes: syncs % 2 => 0 */
}

/* The word of the child at a distance of 2^level, on the line of that round's flag; zero between syncs. */
static uint64_t *word_from_child(const struct shcoll_group *leaders, int level)
{
    return leaders->work + level * (LINE / 8) + 5;
}

/* A binomial tree, up and down: 2 (n - 1) messages. A subtree is a range of leaders that begins with the child. The
 * child's message up carries the word of the subtree's last leader. That word is for the first leader of the next
 * child's subtree, and the message down to it carries the word. Each message therefore has one word at most. A leader
 * whose own sync carries no word forwards the words of others. */
static void tree_among(struct shcoll_group *leaders, const struct shcoll_call *c)
{
    const int me = leaders->me, size = leaders->size;
    int levels = 0;
    while (1 << levels < size - me && !(me >> levels & 1))
        levels++;
    if (levels)
        expect(leaders, FLAG_ARRIVED, ANYBODY, (uint64_t)levels);
    uint64_t words[ROUNDS + 1] = {word_of(c)}; /* for each child, nearest first; then for the next leader */
    for (int level = 0; !leaders->is_pSync && level < levels; level++) {
        words[level + 1] = *word_from_child(leaders, level);
        *word_from_child(leaders, level) = 0;
    }
    if (me > 0) {
        const int up = __builtin_ctz((unsigned)me), parent = me - (1 << up);
        tell(leaders, FLAG_ARRIVED, parent, word_from_child(leaders, up), words[levels]);
        expect(leaders, FLAG_RELEASED, parent, 1);
    } else if (c->source) {
        *(uint64_t *)c->dest = words[levels];
    }
    while (levels-- > 0)
        tell(leaders, FLAG_RELEASED, me + (1 << levels), mailbox_after(leaders, leaders->syncs - 1), words[levels]);
}

typedef void among_function(struct shcoll_group *leaders, const struct shcoll_call *c);

static inline void in_two_levels(struct shcoll_group *g, const struct shcoll_call *c, among_function *among)
{
    struct shcoll_group node = shcoll_part_node(g);
    arrive_linear(&node);
    if (node.me == 0) {
        struct shcoll_group leaders = shcoll_part_leaders(g);
        among(&leaders, c);
    }
    release_linear(&node);
}

/* Two levels, the teams paper's TDLB: linear to the leader of each node, dissemination among leaders, linear back. If
 * there are few leaders, they signal each other directly: three leaders then send as many messages as in dissemination,
 * but wait once instead of twice. */
static void two_level(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k)
{
    (void)form, (void)k;
    const int leaders = shcoll_node_of(g, g->size - 1) + 1;
    in_two_levels(g, c, shcoll_is_direct_briefly(leaders) ? direct_among : disseminate_among);
}

/* The same with a tree of leaders, which has the fewest messages but twice the rounds. It is best if nodes share
 * processors, because each message then costs time of these processors. */
static void two_level_tree(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k)
{
    (void)form, (void)k;
    in_two_levels(g, c, tree_among);
}

/* --- costs -------------------------------------------------------------------------------------------------------- */

/* `count` members, up to that distance, increment a word of one member, which then releases them. */
static double fan_cost(const struct shcoll_cost *m, double count, double distance)
{
    return cost_funnel(m, count, distance, 0, true) + cost_fan(m, count, distance, 0, false);
}

static double linear_cost(const struct shcoll_cost *m)
{
    const double distant = m->size - m->per_node;
    const double posts = (m->per_node - 1) * cost_near(m, 0, false).busy;
    return m->nodes <= 1 ? fan_cost(m, m->size - 1, 1)
                         : posts + cost_larger(fan_cost(m, distant, m->size), cost_work(m, 2 * distant));
}

/* No member waits for a particular other member, which halves the context switches if PEs share processors. Between
 * nodes, the last member's increment and its clearing of the word take a round trip each before it releases the others;
 * the owner of the word handles the arrivals one by one. */
static double counter_cost(const struct shcoll_cost *m)
{
    if (m->nodes <= 1)
        return cost_fan(m, m->size - 1, 1, 0, false) * 1.5 + m->size * m->atomic;
    const double distant = m->size - m->per_node, gaps = 2 * (distant - 1) * m->net.gap;
    return cost_larger(5 * m->net.alpha + gaps, cost_work(m, 3 * distant)) +
           (m->per_node - 1) * cost_near(m, 0, false).busy;
}

static double kary_cost(const struct shcoll_cost *m)
{
    const struct cost_message far = cost_far(m, 0);
    const double total = cost_kary(m, cost_near(m, 0, true), far) + cost_kary(m, cost_near(m, 0, false), far);
    return m->nodes <= 1 ? total : cost_larger(total, cost_work(m, 2 * (m->size - m->per_node)));
}

static double knomial_cost(const struct shcoll_cost *m)
{
    double near = 0, far = 0, crossings = 0;
    for (double d = 1; d < m->size; d *= m->k) {
        const double distance = d * (m->k - 1), level = fan_cost(m, cost_children(m, d), distance);
        if (cost_is_near(m, distance)) {
            near += level;
        } else {
            far += level;
            crossings += cost_floor((m->size - 1) / d) - cost_floor((m->size - 1) / (d * m->k));
        }
    }
    return near + cost_larger(far, cost_work(m, 2 * crossings));
}

/* The larger of: the path to the leader with the most ones in its binary number, and back; the first leader's messages,
 * one for each level. */
static double two_level_tree_cost(const struct shcoll_cost *m)
{
    struct shcoll_cost leaders = cost_leaders(m);
    double ones = 0;
    for (double reach = 2; reach <= m->nodes; reach *= 2)
        ones++;
    if (m->nodes <= 1)
        return DBL_MAX;
    if (m->processors > 0) {
        leaders.net.alpha -= m->node.alpha;
        leaders.net.gap = leaders.net.alpha / 2;
    }
    const double way = 2 * ones * leaders.net.alpha, first = fan_cost(&leaders, cost_rounds(m->nodes, 2), m->nodes);
    return cost_node_sync(m) + cost_larger(cost_larger(way, first), cost_work(m, 2 * (m->nodes - 1)));
}

static double dissemination_cost(const struct shcoll_cost *m)
{
    double crossings = 0;
    for (double distance = 1; m->nodes > 1 && distance < m->size; distance *= 2)
        crossings += m->nodes * (distance < m->per_node ? distance : m->per_node);
    return cost_larger(cost_dissemination(m), cost_work(m, crossings));
}

static double two_level_cost(const struct shcoll_cost *m)
{
    const double others = shcoll_is_direct_briefly((int)m->nodes) ? m->nodes - 1 : cost_rounds(m->nodes, 2);
    const double among = cost_larger(cost_among_nodes(m), cost_work(m, m->nodes * others));
    return cost_node_sync(m) + (m->nodes > 1 ? among : 0);
}

const struct shcoll_algorithm shcoll_sync_rows[] = {
    {.name = "dissemination", .form = FORM_NONE, .run = dissemination, .cost = dissemination_cost},
    {.name = "counter", .form = FORM_NONE, .run = counter, .cost = counter_cost},
    {.name = "two_level_tree", .form = FORM_NONE, .run = two_level_tree, .cost = two_level_tree_cost},
    {.name = "linear", .form = FORM_NONE, .run = linear, .cost = linear_cost},
    {.name = "kary", .form = FORM_NONE, .run = kary, .cost = kary_cost, .k = 4},
    {.name = "knomial", .form = FORM_NONE, .run = knomial, .cost = knomial_cost, .k = 4},
    {.name = "two_level", .form = FORM_NONE, .run = two_level, .cost = two_level_cost},
    {.name = NULL},
};

/* --- the word ----------------------------------------------------------------------------------------------------- */

/* A zero word is not sent. If the sync sends a message to the next member, this message carries the word: between nodes
 * an additional message would double the time. Otherwise this function writes the word to the mailbox (by a store, or
 * by a put and quiet) before this member signals its arrival. What SHCOLL treats as one node may be several nodes
 * (SHCOLL_NODE_SIZE), so each member checks whether it can store. */
static void leave_word(uint64_t *mailbox, uint64_t word, int pe)
{
    uint64_t *const there = shmem_ptr(mailbox, pe);
    if (there) {
        *there = word;
        charge_store(mailbox, sizeof word, pe);
    } else {
        shmem_uint64_p(mailbox, word, pe);
        shmem_quiet(); /* MUTANT a carried word arrives */
    }
}

static void tell_in_rounds(struct shcoll_group *g, uint64_t word, uint64_t *mailbox)
{
    g->syncs++;
    g->number++;
    fence(); /* MUTANT a sync with a word is fenced */
    put_numbered(mailbox, &word, sizeof word, numbered_flag(g, FLAG_ROUND), g->syncs, pe_of(g, position_after(g, 1)));
    await(g, FLAG_ROUND, position_before(g, 1), g->syncs);
    disseminate_from(g, 1);
}

/* The last member of a node gives its word to the leader, whose message to the next leader carries it. */
static void tell_in_two_levels(struct shcoll_group *g, shcoll_function *run, uint64_t word, uint64_t *mailbox)
{
    const struct shcoll_group node = shcoll_part_node(g);
    uint64_t *const handed_on = mailbox + 2;
    if (word && node.me + 1 < node.size)
        leave_word(mailbox, word, pe_of(&node, node.me + 1));
    else if (word && node.me > 0)
        shmem_uint64_p(handed_on, word, pe_of(&node, 0));
    else if (word)
        *handed_on = word;
    g->syncs++;
    g->number++;
    run(g, &(struct shcoll_call){.dest = mailbox, .source = handed_on}, FORM_NONE, 0);
    *handed_on = 0;
}

/* A counter does not pair: its last member knows that the others have arrived, but not that their puts have. */
bool shcoll_sync_pairs(shcoll_function *run)
{
    return run != counter;
}

uint64_t shcoll_sync_telling_by(shcoll_function *run, struct shcoll_group *g, uint64_t word)
{
    uint64_t *const mailbox = mailbox_after(g, g->syncs);
    if ((run == two_level || run == two_level_tree) && shcoll_node_of(g, g->size - 1) > 0) {
        tell_in_two_levels(g, run, word, mailbox);
    } else if (word && run == dissemination && g->size > 1) {
        tell_in_rounds(g, word, mailbox);
    } else {
        if (word)
            leave_word(mailbox, word, pe_of(g, g->size > 1 ? position_after(g, 1) : 0));
        shcoll_sync(g);
    }
    const uint64_t told = *mailbox; /* arrives before the signal for which the sync waits */
    *mailbox = 0;
    return told;
}
