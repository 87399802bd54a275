/* fcollect and collect in rounds: a member forwards others' contributions, from its own dest to the same offset in
 * another member's dest. */
#include "pieces.h"

/* The exchanging members: all members of a group, each with its own contribution, or the leaders, each with the
 * contributions of its node. A block is what one exchanging member has at first. */
struct exchange {
    struct shcoll_group *g, *among;
    const struct shcoll_call *c;
    enum shcoll_form form;
};

/* The first position of a block; for the block number after the last, the size of the group. */
static int first_in(const struct exchange *x, int block)
{
    if (x->among == x->g)
        return block;
    return block < x->among->size ? shcoll_leader_of(x->g, block) : x->g->size;
}

static struct shcoll_extent extent_of(const struct exchange *x, int block, int count)
{
    const int first = first_in(x, block), last = first_in(x, block + count) - 1;
    const struct shcoll_extent from = shcoll_piece(x->g, x->c, first);
    const struct shcoll_extent to = first == last ? from : shcoll_piece(x->g, x->c, last);
    return (struct shcoll_extent){from.offset, to.offset + to.bytes - from.offset};
}

/* A flag below ROUNDS may be numbered, which needs no atomic. FLAG_ROUND + r has the same single writer as in a
 * dissemination sync (the member 2^r before its owner), and each use takes the next number of the group's syncs, so the
 * numbers only grow. A fence between two uses (begin_rounds) keeps the later number from arriving first: the owner may
 * have read neither yet. */
static void send(const struct exchange *x, int flag, int position, void *dest, const void *source, size_t bytes)
{
    const struct shcoll_group *g = x->among;
    if (flag >= ROUNDS || !has_numbers(g)) {
        deliver(g, x->form, flag, position, dest, source, bytes);
        return;
    }
#if SHCOLL_HAVE_1_5
    if (x->form == FORM_SIGNAL) {
        shmem_putmem_signal(dest, source, bytes, numbered_flag(g, flag), g->syncs, SHMEM_SIGNAL_SET,
                            pe_of(g, position));
        return;
    }
#endif
    if (bytes)
        shmem_putmem(dest, source, bytes, pe_of(g, position));
    post(g, flag, position, g->syncs);
}

/* The exchange of all members' contributions. A member copies its own contribution to its dest after its first send,
 * while the signal travels. In a group of one member, it copies immediately. */
static struct exchange exchange_of(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form)
{
    if (g->size == 1)
        shcoll_copy_piece(g, c);
    return (struct exchange){.g = g, .among = g, .c = c, .form = form};
}

/* Puts data whose arrival is also reported by the flag of the next message. A put with signal does not order earlier
 * puts, so a fence separates them. */
static void put_ahead(const struct exchange *x, int flag, int position, char *at, size_t bytes)
{
    const int pe = pe_of(x->among, position);
#if SHCOLL_HAVE_1_5
    if (x->form == FORM_SIGNAL) {
        shmem_putmem_signal(at, at, bytes, counted_flag(x->among, flag), 0, SHMEM_SIGNAL_ADD, pe);
        fence(); /* MUTANT pieces around the end */
        return;
    }
#endif
    (void)flag;
    shmem_putmem(at, at, bytes, pe);
}

/* Sends count consecutive blocks; in two messages if they wrap around the end of the group. */
static void pass_on(const struct exchange *x, int flag, int position, int first, int count)
{
    char *const dest = x->c->dest;
    if (x->among == x->g && count == 1 && first == x->g->me) {
        send(x, flag, position, dest + shcoll_piece(x->g, x->c, first).offset, x->c->source, x->c->n);
        shcoll_copy_piece(x->g, x->c);
        return;
    }
    const int straight = count < x->among->size - first ? count : x->among->size - first;
    if (straight < count) {
        const struct shcoll_extent extent = extent_of(x, 0, count - straight);
        if (extent.bytes)
            put_ahead(x, flag, position, dest + extent.offset, extent.bytes);
    }
    const struct shcoll_extent extent = extent_of(x, first, straight);
    send(x, flag, position, dest + extent.offset, dest + extent.offset, extent.bytes);
}

/* Ring: in round r each member sends the contribution of the member r positions before it to the next member. A round
 * has a number like a sync. If data and flag are one message, flags are counted, since numbers would need a fence. */
void shcoll_collect_ring(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k)
{
    (void)k;
    const struct exchange x = exchange_of(g, c, form);
    for (int r = 0; r < g->size - 1; r++) {
        g->syncs++;
        pass_on(&x, form == FORM_SIGNAL ? FLAG_DATA : FLAG_ROUND, position_after(g, 1), position_before(g, r), 1);
        if (form == FORM_SIGNAL)
            expect(g, FLAG_DATA, position_before(g, 1), 1);
        else
            await(g, FLAG_ROUND, position_before(g, 1), g->syncs);
    }
}

/* Recursive doubling: in round r, two members whose positions differ in bit r exchange all they have: each has the
 * contributions of the 2^r positions that differ from its own in lower bits only. */
void shcoll_collect_doubling(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k)
{
    (void)k;
    const struct exchange x = exchange_of(g, c, form);
    for (int have = 1, round = 0; have < g->size; have *= 2, round++) {
        pass_on(&x, FLAG_READY + round, g->me ^ have, g->me & ~(have - 1), have);
        expect(g, FLAG_READY + round, g->me ^ have, 1);
    }
}

/* Orders the numbers that this member has stored without a fence before all numbers that it stores from now on. */
static void begin_rounds(struct shcoll_group *g, enum shcoll_form form)
{
    g->syncs++;
    if (form == FORM_SIGNAL && has_numbers(g))
        fence();
}

/* In round r of Bruck's algorithm, a member has the blocks of the 2^r members up to and including itself (have).
 * Returns how many of them it sends. */
static int bruck_count(const struct shcoll_group *g, int have)
{
    return have < g->size - have ? have : g->size - have;
}

/* Bruck: a member sends the blocks that it has, or as many as are missing, to the member 2^r positions further on.
 * (The SHCOLL paper has the opposite direction. Here a member receives from the same members as in dissemination.) */
static void bruck(const struct exchange *x)
{
    struct shcoll_group *g = x->among;
    begin_rounds(g, x->form);
    for (int have = 1, round = 0; have < g->size; have *= 2, round++) {
        const int count = bruck_count(g, have);
        pass_on(x, FLAG_ROUND + round, position_after(g, have), position_before(g, count - 1), count);
        await(g, FLAG_ROUND + round, position_before(g, have), g->syncs);
    }
}

void shcoll_collect_bruck(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k)
{
    (void)k;
    const struct exchange x = exchange_of(g, c, form);
    bruck(&x);
}

/* If there are few leaders, they put directly to each other: as many bytes as in rounds, but only one wait. */
void shcoll_collect_nodes(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form)
{
    struct shcoll_group leaders = shcoll_part_leaders(g);
    const struct exchange x = {.g = g, .among = &leaders, .c = c, .form = form};
    if (!shcoll_is_direct(leaders.size)) {
        bruck(&x);
        return;
    }
    for (int i = 1; i < leaders.size; i++)
        pass_on(&x, FLAG_DATA, position_after(&leaders, i), leaders.me, 1);
    if (leaders.size > 1)
        expect(&leaders, FLAG_DATA, ANYBODY, (uint64_t)leaders.size - 1);
}

/* Bytes of count consecutive blocks, which may wrap around the end of the group. */
static size_t bytes_around(const struct exchange *x, int first, int count)
{
    const int straight = count < x->among->size - first ? count : x->among->size - first;
    return extent_of(x, first, straight).bytes + (straight < count ? extent_of(x, 0, count - straight).bytes : 0);
}

static void swap(char *a, char *b, size_t bytes)
{
    char block[BLOCK_BYTES];
    for (size_t at = 0; at < bytes; at += BLOCK_BYTES) {
        const size_t n = bytes - at < BLOCK_BYTES ? bytes - at : BLOCK_BYTES;
        memcpy(block, a + at, n);
        memcpy(a + at, b + at, n);
        memcpy(b + at, block, n);
    }
}

/* Exchanges the first `left` bytes at p with the next `right` bytes (Gries and Mills): each step swaps as many bytes as
 * the shorter part has into their final place, until the shorter part fits in a block. */
static void rotate(char *p, size_t left, size_t right)
{
    while (left > BLOCK_BYTES && right > BLOCK_BYTES) {
        const size_t n = left < right ? left : right;
        swap(p, p + left, n);
        p += n;
        if (left > right)
            left -= n;
        else
            right -= n;
    }
    char block[BLOCK_BYTES];
    if (left <= right) {
        memcpy(block, p, left);
        memmove(p, p + left, right);
        memcpy(p + right, block, left);
    } else {
        memcpy(block, p + left, right);
        memmove(p + right, p, left);
        memcpy(p, block, right);
    }
}

/* Bruck with rotation: a member collects the blocks at the end of its dest, with its own block last, so each message is
 * contiguous. Finally it rotates the blocks, which are in cyclic order, into place. */
void shcoll_collect_bruck_rotate(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k)
{
    (void)k;
    const struct exchange x = {.g = g, .among = g, .c = c, .form = form};
    char *const end = (char *)c->dest + shcoll_whole(g, c);
    if (c->lengths)
        meet(g); /* because members read the extents of contributions that have not arrived yet */
    begin_rounds(g, form);
    if (c->n)
        memcpy(end - c->n, c->source, c->n);
    for (int have = 1, round = 0; have < g->size; have *= 2, round++) {
        const int count = bruck_count(g, have);
        const size_t bytes = bytes_around(&x, position_before(g, count - 1), count);
        const size_t theirs = bytes_around(&x, position_after(g, 1), have);
        send(&x, FLAG_ROUND + round, position_after(g, have), end - theirs - bytes, end - bytes, bytes);
        await(g, FLAG_ROUND + round, position_before(g, have), g->syncs);
    }
    const struct shcoll_extent own = shcoll_piece(g, c, g->me);
    const size_t first = own.offset + own.bytes;
    if (c->dest)
        rotate(c->dest, shcoll_whole(g, c) - first, first);
    charge_load(c->dest, shcoll_whole(g, c), pe_of(g, g->me)); /* the rotation loads and stores the whole dest */
}

/* Neighbour exchange: pairs of an even and an odd member exchange their contributions; then each member sends the pair
 * of blocks that arrived last alternately to its left and right neighbours. Even members begin left, odd members
 * right. */
void shcoll_collect_neighbor(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k)
{
    (void)k;
    enum { FROM_LEFT = FLAG_READY, FROM_RIGHT };
    const struct exchange x = exchange_of(g, c, form);
    const int pairs = g->size / 2;
    const bool even = g->me % 2 == 0;
    int last = g->me / 2; /* the pair that arrived last */
    for (int round = 0; round < pairs; round++) {
        const bool right = even == (round % 2 == 0);
        const int partner = right ? position_after(g, 1) : position_before(g, 1);
        pass_on(&x, right ? FROM_LEFT : FROM_RIGHT, partner, round ? 2 * last : g->me, round ? 2 : 1);
        expect(g, right ? FROM_RIGHT : FROM_LEFT, partner, 1);
        const int step = (round + 1) / 2;
        last = (g->me / 2 + (right ? step : pairs - step)) % pairs;
    }
}

/* --- costs -------------------------------------------------------------------------------------------------------- */

/* Rounds with one message of each member.  Messages of a node's last members go to the next node. */
struct rounds {
    double n, crossings; /* rounds; rounds in which a contribution crosses between nodes */
    double at_once;      /* members of a node that send to another node at the same time */
    double looks;        /* reads of other members' lengths in each round */
    double bytes, longest; /* bytes of a usual message, and of the longest one */
    bool counted;
};

/* If data and flag are separate, a put by a NIC waits until the last round's flag has arrived. */
static double flag_cost(const struct shcoll_cost *m, double bytes)
{
    return m->nodes > 1 && m->form == FORM_PUT && bytes > COST_PUT ? 2 * cost_latency(m) : 0;
}

/* The longer of two times: of one contribution's path, and of all messages of one member. */
static double rounds_cost(const struct shcoll_cost *m, struct rounds r)
{
    const double unacknowledged = flag_cost(m, r.bytes);
    const struct cost_message far = cost_far(m, r.bytes);
    const double look = r.looks * shcoll_look_cost(m, false);
    const double near_hop = cost_whole(cost_near(m, r.longest, r.counted)) + r.looks * shcoll_look_cost(m, true);
    const double far_hop = cost_at_once(cost_far(m, r.longest), r.at_once) + unacknowledged + look;
    if (m->nodes <= 1)
        return shcoll_lengths_cost(m) + r.n * near_hop;
    const double way = (r.n - r.crossings) * near_hop + r.crossings * far_hop;
    const double all = r.n * (cost_larger(far.busy + unacknowledged, far.take) + look) + far.after;
    return shcoll_lengths_cost(m) + cost_larger(way, all);
}

double shcoll_collect_ring_cost(const struct shcoll_cost *m)
{
    return rounds_cost(m, (struct rounds){.n = m->size - 1, .crossings = m->per_node > 1 ? m->nodes : m->nodes - 1,
                                          .looks = 1, .bytes = m->bytes, .longest = cost_longest(m)});
}

/* The last member of a node receives from the next node in every other round, then signals its neighbour; the first
 * member receives from the node before at the same time. */
double shcoll_collect_neighbor_cost(const struct shcoll_cost *m)
{
    const double rounds = cost_floor(m->size / 2), far = m->per_node > 1 ? cost_floor(rounds / 2) : rounds;
    return rounds_cost(m, (struct rounds){.n = rounds, .crossings = m->nodes > 1 ? far : 0,
                                          .at_once = m->per_node > 1 ? 2 : 1, .looks = 2, .bytes = 2 * m->bytes,
                                          .longest = 2 * m->bytes, .counted = true});
}

/* Messages and distances double; the last round sends the rest. The rounds with a distance shorter than a node carry a
 * contribution across the node's end once in total, which is counted in the last of these rounds. From the second round
 * on, data that wraps around the group's end needs two messages. */
static double bruck_cost(const struct shcoll_cost *m, double looks, bool rotates)
{
    double total = shcoll_lengths_cost(m);
    for (double have = 1; have < m->size; have *= 2) {
        const double bytes = m->bytes * (have < m->size - have ? have : m->size - have);
        const bool stays = have * 2 < m->per_node;
        const double far = cost_shift(m, have, bytes, false), half = bytes / 2;
        const double in_two = m->nodes > 1 && have > 1 && !rotates
                                  ? cost_far(m, half).busy + cost_shift(m, have, half, false) : 0;
        const double more = m->nodes <= 1 && m->turn > 0 && have > 1 && !rotates ? m->node.gap : 0; /* two messages */
        total += (stays ? cost_whole(cost_near(m, bytes, false)) : cost_larger(far, in_two)) + more +
                 (have > 1 && !stays ? flag_cost(m, bytes) : 0) +
                 (have > 1 ? looks * shcoll_look_cost(m, have * 2 <= m->per_node) : 0);
    }
    return total;
}

double shcoll_collect_bruck_cost(const struct shcoll_cost *m)
{
    return bruck_cost(m, 3, false);
}

double shcoll_collect_doubling_cost(const struct shcoll_cost *m)
{
    double total = shcoll_lengths_cost(m);
    for (double have = 1; have < m->size; have *= 2)
        total += cost_message(m, have, m->bytes * have, true) +
                 (have > 1 ? shcoll_look_cost(m, have <= m->per_node) : 0) +
                 (have > 1 && !cost_is_near(m, have) ? flag_cost(m, m->bytes * have) : 0);
    return total;
}

double shcoll_collect_bruck_rotate_cost(const struct shcoll_cost *m)
{
    return bruck_cost(m, 4, true) + m->size * m->bytes * m->node.beta +
           (m->collective == SHCOLL_COLLECT ? cost_sync(m) : 0);
}
