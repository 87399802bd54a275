/* Broadcast (SHCOLL, 5.3). dest is ready on every member before any member enters the broadcast, so a member that has
 * the data can put it to others immediately. source is ready at the root only after the root has entered.
 *
 * Members are ranked from the root: the root has rank 0, the position r places behind it has rank r. */
#include "cost.h"
#include "../group/ring.h"

static int rank_of(const struct shcoll_group *g, const struct shcoll_call *c)
{
    return g->me >= c->root ? g->me - c->root : g->me - c->root + g->size;
}

static int position_of(const struct shcoll_group *g, const struct shcoll_call *c, int64_t rank)
{
    const int64_t position = rank + c->root;
    return (int)(position < g->size ? position : position - g->size);
}

/* With a pSync, the root's dest stays unchanged (1.6, 9.10.7). */
static bool root_copies(const struct shcoll_group *g, const struct shcoll_call *c)
{
    return !g->is_pSync && c->dest != c->source && call_bytes(c);
}

static void copy_at_root(const struct shcoll_group *g, const struct shcoll_call *c)
{
    if (g->me == c->root && root_copies(g, c))
        memmove(c->dest, c->source, call_bytes(c));
}

/* The address of the data on a member that sends it to others. */
static const void *data_at(const struct shcoll_call *c, int position)
{
    return position == c->root ? c->source : c->dest;
}

/* --- passing on --------------------------------------------------------------------------------------------------- */

/* Puts the data to a member, then signals. */
static void pass_on(const struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int position,
                    uint64_t number)
{
    const void *data = data_at(c, g->me);
    const size_t bytes = call_bytes(c);
    if (g->is_pSync) {
        deliver(g, form, (int)number, position, c->dest, data, bytes);
        return;
    }
    add_children(g, 1);
    void *dest = form == FORM_SLOTS ? ring_flag(g) + 1 : c->dest;
    if (form != FORM_PUT) {
        put_numbered(dest, data, bytes, ring_flag(g), number, pe_of(g, position));
        return;
    }
    if (bytes)
        shmem_putmem(dest, data, bytes, pe_of(g, position));
    tell_in_ring(g, position, number);
}

/* --- by get ------------------------------------------------------------------------------------------------------- */

/* One member, the holder, has the data. The others get it, so that the data is then in the readers' caches. If the data
 * is larger than the caches, this is no advantage: a holder that would be idle then puts the tail of the data to each
 * of the others. With 2 PEs whose reader uses the data afterwards, the puts make the broadcast 1.3 to 1.6 times as fast
 * from 2 MiB on, but only 0.7 times as fast at 1 MiB. */
#define SHARED_FROM ((size_t)2 << 20)

static size_t tail_bytes(const struct shcoll_group *g, const struct shcoll_call *c, int holder, int members)
{
    if (call_bytes(c) < SHARED_FROM || (holder == c->root && root_copies(g, c)))
        return 0;
    return call_bytes(c) / (size_t)members / LINE * LINE;
}

/* The holder's side, for positions first to end - 1. Readers send their completion signals only to a holder that has
 * entered, and the holder waits for all of them, so these counted signals never mix with others. */
static void serve(struct shcoll_group *g, const struct shcoll_call *c, int first, int end, uint64_t number)
{
    const size_t tail = tail_bytes(g, c, g->me, end - first), head = call_bytes(c) - tail;
    add_children(g, end - first - 1);
    for (int i = first; i < end; i++)
        if (i != g->me)
            tell_in_ring(g, i, number - 1);
    for (int i = first; i < end && tail; i++)
        if (i != g->me) {
            shmem_putmem((char *)c->dest + head, (const char *)data_at(c, g->me) + head, tail, pe_of(g, i));
            tell_in_ring(g, i, number);
        }
    copy_at_root(g, c);
    expect(g, FLAG_DONE, ANYBODY, (uint64_t)(end - first - 1));
}

static void get_from(struct shcoll_group *g, const struct shcoll_call *c, int holder, int members, uint64_t number)
{
    const size_t tail = tail_bytes(g, c, holder, members), head = call_bytes(c) - tail;
    hear_in_ring(g, holder, number - 1);
    if (head)
        shmem_getmem(c->dest, data_at(c, holder), head, pe_of(g, holder));
    notify(g, FLAG_DONE, holder);
    if (tail)
        hear_in_ring(g, holder, number);
}

/* Linear: every member gets from the root. */
static void linear(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k)
{
    (void)form, (void)k;
    const uint64_t number = begin_in_ring(g, RING_LINEAR, c->root, 0, 0);
    if (g->me == c->root)
        serve(g, c, 0, g->size, number);
    else
        get_from(g, c, c->root, g->size, number);
    end_in_ring(g);
}

/* --- trees -------------------------------------------------------------------------------------------------------- */

/* k-ary tree: children of a rank are the k ranks from k * rank + 1. */
static void kary(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k)
{
    const uint64_t number = begin_in_ring(g, RING_KARY, c->root, k, form == FORM_SLOTS ? call_bytes(c) : 0);
    const int rank = rank_of(g, c);
    if (rank != 0) {
        hear_in_ring(g, position_of(g, c, (rank - 1) / k), number);
        if (form == FORM_SLOTS)
            memcpy(c->dest, ring_flag(g) + 1, call_bytes(c));
    }
    const int64_t first = (int64_t)rank * k + 1;
    for (int64_t child = first; child < first + k && child < g->size; child++)
        pass_on(g, c, form, position_of(g, c, child), number);
    copy_at_root(g, c);
    end_in_ring(g);
}

/* The ranks of a k-nomial tree (sync.c): all members; or one member of each node, which is the root on its own node and
 * the leader on each other node. */
struct ranks {
    int mine, size;
    bool of_nodes;
};

static int leader_from(const struct shcoll_group *g, const struct shcoll_call *c, int node)
{
    return node == shcoll_node_of(g, c->root) ? c->root : shcoll_leader_of(g, node);
}

static int ranked(const struct shcoll_group *g, const struct shcoll_call *c, const struct ranks *ranks, int64_t rank)
{
    if (!ranks->of_nodes)
        return position_of(g, c, rank);
    return leader_from(g, c, (int)((rank + shcoll_node_of(g, c->root)) % ranks->size));
}

/* Receives from the parent and sends to the children, those with the largest subtrees first. */
static void down_knomial(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k,
                         const struct ranks *ranks, uint64_t number)
{
    const int rank = ranks->mine;
    int64_t low = 1;
    while (low < ranks->size && rank / low % k == 0)
        low *= k;
    if (rank != 0)
        hear_in_ring(g, ranked(g, c, ranks, rank - rank / low % k * low), number);
    for (int64_t d = low / k; d >= 1; d /= k)
        for (int64_t i = 1; i < k && rank + i * d < ranks->size; i++)
            pass_on(g, c, form, ranked(g, c, ranks, rank + i * d), number);
}

static void knomial(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k)
{
    const uint64_t number = begin_in_ring(g, RING_KNOMIAL, c->root, k, 0);
    down_knomial(g, c, form, k, &(struct ranks){rank_of(g, c), g->size, false}, number);
    copy_at_root(g, c);
    end_in_ring(g);
}

/* Two levels: a k-nomial tree over the nodes. On each node the member that has the data then puts it to the others, or
 * the others get it. */
static void two_level(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k)
{
    const uint64_t number = begin_in_ring(g, form == FORM_GET ? RING_TWO_LEVEL_GET : RING_TWO_LEVEL, c->root, k, 0);
    const int nodes = shcoll_node_of(g, g->size - 1) + 1, node = shcoll_node_of(g, g->me);
    const int first = shcoll_leader_of(g, node), end = node < nodes - 1 ? shcoll_leader_of(g, node + 1) : g->size;
    const int leader = leader_from(g, c, node);
    if (g->me == leader) {
        const int rank = (node - shcoll_node_of(g, c->root) + nodes) % nodes;
        down_knomial(g, c, form == FORM_GET ? FORM_SIGNAL : form, k, &(struct ranks){rank, nodes, true}, number);
    }
    if (form == FORM_GET && g->me == leader) {
        serve(g, c, first, end, number);
    } else if (form == FORM_GET) {
        get_from(g, c, leader, end - first, number);
    } else if (g->me == leader) {
        for (int i = first; i < end; i++)
            if (i != leader)
                pass_on(g, c, form, i, number);
        copy_at_root(g, c);
    } else {
        hear_in_ring(g, leader, number);
    }
    end_in_ring(g);
}

/* --- in segments -------------------------------------------------------------------------------------------------- */

/* Chain: each rank sends the data to the next rank in segments, so that members receive and send at the same time. With
 * small segments, the last rank starts early; large segments need few signals. A single segment is a broadcast in a
 * 1-ary tree: each member then sends one message only, which matters if nodes share processors. */
#define PIECE_BYTES ((size_t)32 << 10)

static void chain(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k)
{
    (void)k;
    const size_t bytes = call_bytes(c);
    const int rank = rank_of(g, c);
    if (bytes <= PIECE_BYTES) {
        kary(g, c, form, 1);
        return;
    }
    for (size_t at = 0; at < bytes; at += PIECE_BYTES) {
        if (rank > 0)
            expect(g, FLAG_DATA, position_of(g, c, rank - 1), 1);
        if (rank + 1 < g->size)
            deliver(g, form, FLAG_DATA, position_of(g, c, rank + 1), (char *)c->dest + at,
                    (const char *)data_at(c, g->me) + at, bytes - at < PIECE_BYTES ? bytes - at : PIECE_BYTES);
    }
    copy_at_root(g, c);
    shcoll_leave(g);
}

/* Scatter and ring (van de Geijn): block r of the data belongs to rank r. A binomial tree gives each rank its own block
 * and the blocks of the ranks below it. Then the blocks circulate in a ring until all ranks have them. In the ring, a
 * rank receives only the blocks that it has not received from the tree, so the root receives none. */
struct blocks {
    size_t bytes, block; /* of all data, and of a block; the last blocks may be smaller or empty */
    int size;
};

static size_t block_at(const struct blocks *b, int64_t i)
{
    const size_t at = (size_t)i * b->block;
    return at < b->bytes ? at : b->bytes;
}

/* The number of consecutive blocks that a rank receives from the tree, beginning with its own. */
static int64_t held_by(const struct blocks *b, int64_t rank)
{
    const int64_t below = rank ? rank & -rank : b->size;
    return below < b->size - rank ? below : b->size - rank;
}

static void pass_blocks(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int flag,
                        const struct blocks *b, int64_t first, int64_t count, int64_t rank)
{
    const size_t from = block_at(b, first), bytes = block_at(b, first + count) - from;
    const char *data = (const char *)data_at(c, g->me) + from;
    deliver(g, form, flag, position_of(g, c, rank), (char *)c->dest + from, data, bytes);
}

static void scatter_ring(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k)
{
    (void)k;
    const size_t bytes = call_bytes(c), size = (size_t)g->size;
    const struct blocks b = {bytes, (bytes / size + (bytes % size != 0) + LINE - 1) / LINE * LINE, g->size};
    const int rank = rank_of(g, c), next = rank + 1 < g->size ? rank + 1 : 0;
    const int64_t held = held_by(&b, rank);
    if (rank != 0)
        expect(g, FLAG_READY, position_of(g, c, rank & (rank - 1)), 1);
    for (int64_t d = (int64_t)1 << 31; d > 0; d /= 2)
        if (d < held)
            pass_blocks(g, c, form, FLAG_READY, &b, rank + d, held_by(&b, rank + d), rank + d);

    /* In turn i, a rank sends the block of the rank i positions before it to the next rank. */
    const int64_t sent = g->size - held_by(&b, next), received = g->size - held;
    for (int64_t i = 0; i < sent || i <= received; i++) {
        if (i > 0 && i <= received)
            expect(g, FLAG_DATA, position_of(g, c, rank - 1), 1);
        if (i < sent)
            pass_blocks(g, c, form, FLAG_DATA, &b, i <= rank ? rank - i : rank - i + g->size, 1, next);
    }
    copy_at_root(g, c);
    shcoll_leave(g);
}

/* --- costs -------------------------------------------------------------------------------------------------------- */

/* The holder signals all members, which read at the same time: they share the bandwidth of its memory, and access each
 * of its cache lines one after the other. */
static double get_cost(const struct shcoll_cost *m, double members)
{
    const struct cost_message told = cost_near(m, 0, false), counted = cost_near(m, 0, true);
    const double each = cost_larger(told.busy, cost_larger(m->line, counted.turn));
    const double shared = cost_shared_read(m, members - 1, m->bytes);
    const double alone = cost_whole(told) + cost_get_near(m, m->bytes) + cost_whole(counted);
    return members <= 1 ? 0 : cost_larger((members - 2) * each, shared) + alone;
}

/* If nodes share processors, each message of the root takes processor time of both sides before the next broadcast. */
static double root_cost(const struct shcoll_cost *m, double children)
{
    const double bytes = m->bytes < COST_MESSAGE ? m->bytes : COST_MESSAGE;
    return m->processors > 0 ? children * (m->net.alpha + bytes * m->net.beta) : 0;
}

/* Readers on other nodes share the root's network, and the root's processor replies to small gets. */
static double linear_cost(const struct shcoll_cost *m)
{
    if (m->nodes <= 1)
        return get_cost(m, m->size);
    const double distant = m->size - m->per_node, asked = m->bytes > COST_PUT ? 0 : m->bytes * m->copy;
    const double apart = cost_larger(asked, cost_wire(m, 1, m->bytes) - m->net.gap);
    return cost_fan(m, distant, m->size, 0, false) + cost_get_far(m, m->bytes, 1) +
           (distant - 1) * cost_larger(apart, 0) + m->net.alpha + root_cost(m, 2 * distant);
}

/* The messages to the children of one level, which are at that distance. In slots, data and flag together cost as much
 * as a flag. */
static double level_cost(const struct shcoll_cost *m, double count, double distance)
{
    return cost_fan(m, count, distance, m->bytes, false);
}

static long far_children(const struct shcoll_cost *m, long rank, bool is_knomial)
{
    const long size = (long)m->size, per_node = (long)m->per_node, k = m->k;
    long low = is_knomial ? 1 : k, far = 0;
    while (is_knomial && low < size && rank / low % k == 0)
        low *= k;
    for (long d = low / k; d >= 1; d = is_knomial ? d / k : 0)
        for (long i = 1; i < (is_knomial ? k : k + 1); i++) {
            const long child = is_knomial ? rank + i * d : rank * k + i;
            far += child < size && child / per_node != rank / per_node;
        }
    return far;
}

/* If nodes share processors: the time of the processor whose members send most. Consecutive ranks are on different
 * processors, so the first ranks, which send in a k-ary tree, are on all processors. */
static double senders_cost(const struct shcoll_cost *m, bool is_knomial)
{
    const long processors = (long)m->processors;
    long most = 0;
    for (long first = 0; first < processors && first < (long)m->size; first++) {
        long sends = 0;
        for (long rank = first; rank < (long)m->size; rank += processors)
            sends += far_children(m, rank, is_knomial);
        most = sends > most ? sends : most;
    }
    return root_cost(m, (double)most);
}

/* If nodes share processors and have one member each, the root's messages after the first delay this broadcast and the
 * next. */
static double more_cost(const struct shcoll_cost *m, bool is_knomial)
{
    const long more = m->per_node > 1 ? 0 : far_children(m, 0, is_knomial) - 1;
    return root_cost(m, more > 0 ? 2.0 * (double)more : 0);
}

/* The time until the last child of the last parent has the data. Acknowledgements are not counted: there is one for
 * half a ring of broadcasts. */
static double kary_cost(const struct shcoll_cost *m)
{
    return cost_kary(m, cost_near(m, m->bytes, false), cost_far(m, m->bytes)) + senders_cost(m, false) +
           more_cost(m, false);
}

/* A rank sends to k - 1 others in each round. */
static double rounds_cost(const struct shcoll_cost *m)
{
    double total = 0;
    for (double d = 1; d < m->size; d *= m->k)
        total += level_cost(m, cost_children(m, d), d * (m->k - 1));
    return total + senders_cost(m, true);
}

static double knomial_cost(const struct shcoll_cost *m)
{
    return rounds_cost(m) + more_cost(m, true);
}

static double two_level_cost(const struct shcoll_cost *m)
{
    struct shcoll_cost node = *m, leaders = *m;
    node.nodes = 1;
    leaders.size = m->nodes;
    leaders.per_node = 1;
    leaders.form = m->form == FORM_GET ? FORM_SIGNAL : m->form;
    /* The flags to the node's members follow the data one by one. */
    const double flags = m->nodes > 1 && m->turn == 0 ? (m->per_node - 1) * m->node.gap : 0;
    return (m->nodes > 1 ? rounds_cost(&leaders) + more_cost(m, true) : 0) +
           (m->form == FORM_GET ? get_cost(&node, m->per_node)
                                : flags + cost_fan(&node, m->per_node - 1, 1, m->bytes, false));
}

/* Each member must run once for each segment, to forward it. A single segment needs no sync. */
static double chain_cost(const struct shcoll_cost *m)
{
    const bool is_tree = m->bytes <= PIECE_BYTES;
    const double piece = is_tree ? m->bytes : PIECE_BYTES, more = is_tree ? 0 : m->bytes / piece - 1;
    const struct cost_message near = cost_near(m, piece, !is_tree), far = cost_far(m, piece);
    const double slowest = m->nodes > 1 ? cost_larger(far.wire, cost_larger(far.busy, far.take)) : near.busy;
    const double wait = m->nodes > 1 ? m->net.gap : 0; /* for the flag of a segment */
    const double line = (m->size - m->nodes) * cost_whole(near) + (m->nodes - 1) * cost_whole(far);
    struct shcoll_cost tree = *m;
    tree.k = 1;
    return line + (is_tree ? senders_cost(&tree, false)
                           : cost_sync(m) + more * (slowest + wait) + root_cost(m, more + 1));
}

/* The root sends half of the data to the rank in the middle. In each of the p - 1 turns, each rank sends a block to the
 * next rank. For the last rank of a node, the next rank is on another node. The rest of the tree overlaps these turns.
 * If nodes share processors, the same processors send the blocks of all nodes in each turn. */
static double scatter_ring_cost(const struct shcoll_cost *m)
{
    const double block = m->bytes / m->size, crossings = m->nodes > 1 ? m->nodes - 1 : 0;
    const struct cost_message near = cost_near(m, block, true), far = cost_far(m, block);
    const double half = cost_whole(cost_to(m, m->size - 1, m->bytes / 2, true));
    const double turn = cost_larger(cost_whole(far), cost_work(m, m->nodes * (1 + block * m->net.beta / m->net.alpha)));
    return cost_sync(m) + half + (m->size - 1 - crossings) * cost_whole(near) + crossings * turn +
           root_cost(m, m->size - 1);
}

const struct shcoll_algorithm shcoll_broadcast_rows[] = {
    {.name = "linear", .form = FORM_GET, .run = linear, .cost = linear_cost},
    {.name = "kary", .form = FORM_SIGNAL, .run = kary, .cost = kary_cost, .k = 8},
    {.name = "kary", .form = FORM_SLOTS, .run = kary, .cost = kary_cost, .needs = NEEDS_LASTING,
     .most_bytes = BESIDE_FLAG, .k = 8},
    {.name = "knomial", .form = FORM_PUT, .run = knomial, .cost = knomial_cost, .k = 4},
    {.name = "knomial", .form = FORM_SIGNAL, .run = knomial, .cost = knomial_cost, .k = 4},
    {.name = "scatter_ring", .form = FORM_PUT, .run = scatter_ring, .cost = scatter_ring_cost},
    {.name = "scatter_ring", .form = FORM_SIGNAL, .run = scatter_ring, .cost = scatter_ring_cost},
    {.name = "chain", .form = FORM_SIGNAL, .run = chain, .cost = chain_cost},
    {.name = "two_level", .form = FORM_GET, .run = two_level, .cost = two_level_cost, .k = 4},
    {.name = "two_level", .form = FORM_PUT, .run = two_level, .cost = two_level_cost, .k = 4},
    {.name = "two_level", .form = FORM_SIGNAL, .run = two_level, .cost = two_level_cost, .k = 4},
    {.name = NULL},
};
