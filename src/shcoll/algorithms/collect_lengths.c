/* The lengths of the contributions to a collect, and their offsets.
 *
 * In a large group, or with a pSync, each member writes its length to words at other members: the pSync's words for
 * values, or words of a lasting work area that serve nothing else. Zero means that the word has not arrived, so the
 * word holds the length plus one and is its own flag. Each word has one writer, and its owner makes it zero again
 * before it returns from the collect.
 *
 * In a small group with a lasting work area, each member puts a line to all members, or in two levels to its leader,
 * which distributes it. The line has space for small data beside the length; its flag is the number of the collect.
 *
 * A lasting work area has two sets of words and of lines, used alternately: a member that writes to a set for collect n
 * + 2 has returned from collect n + 1, so the set's owner has entered collect n + 1 and no longer uses the set of
 * collect n. */
#include "pieces.h"
#include "../group/ring.h"

/* Up to SHCOLL_DIRECT members send their lengths to all members: one hop, after which each knows all offsets. In larger
 * groups a member receives only from its children and its parent in a tree. */
enum {
    OFFSET = ROUNDS, /* the words before OFFSET are the sums of subtrees, one for each child */
    TOTAL,
    EXTENT, /* two words that other members read: offset and length of this member's contribution */
    WORDS = EXTENT + 2,
    SET_BYTES = 4 * LINE,
    TURN_AT = TREE_AT + 2 * SET_BYTES, /* the number of collects so far; the step of the last collect in a tree */
};
_Static_assert(WORDS <= (int)COUNTER && (int)SHCOLL_DIRECT <= (int)COUNTER, "words for values in a pSync");
_Static_assert(WORDS * 8 <= SET_BYTES && TURN_AT + 16 <= SLOTS_AT, "the work area's pieces do not overlap");

struct line {
    uint64_t number, length;
    char data[SHCOLL_BESIDE_LENGTH];
};
_Static_assert(sizeof(struct line) == LINE && LENGTHS_AT + 2 * SHCOLL_DIRECT * LINE <= VALUES_AT, "lines fit");

/* The number of the group's current collect. */
static uint64_t *turn_of(const struct shcoll_group *g)
{
    return g->work + TURN_AT / 8;
}

static struct line *lines_of(const struct shcoll_group *g)
{
    /* MUTANT two sets of lines: *turn_of(g) % 2 => 0 */
    return (struct line *)((char *)g->work + LENGTHS_AT) + *turn_of(g) % 2 * SHCOLL_DIRECT;
}

static uint64_t *words_of(const struct shcoll_group *g)
{
    /* MUTANT two sets of words for lengths: *turn_of(g) % 2 => 0 */
    return g->is_pSync ? value_word(g, 0) : g->work + (TREE_AT + *turn_of(g) % 2 * SET_BYTES) / 8;
}

static bool is_direct(const struct shcoll_group *g)
{
    return g->size <= SHCOLL_DIRECT;
}

static bool has_lines(const struct shcoll_group *g)
{
    return is_direct(g) && !g->is_pSync;
}

static void tell(const struct shcoll_group *g, uint64_t *word, uint64_t value, int position)
{
    shmem_uint64_p(word, value + 1, pe_of(g, position));
}

static uint64_t hear(const struct shcoll_group *g, uint64_t *word, int from)
{
    wait_for_member(g, from);
    shmem_uint64_wait_until(word, SHMEM_CMP_NE, 0); /* MUTANT lengths are waited for */
    return *word - 1;
}

static uint64_t take(const struct shcoll_group *g, uint64_t *word, int from)
{
    const uint64_t value = hear(g, word, from);
    *word = 0;
    return value;
}

/* Word i belongs to member i. */
static void tell_everybody(struct shcoll_group *g, struct shcoll_call *c, uint64_t *words)
{
    for (int i = 1; i < g->size; i++)
        tell(g, &words[g->me], c->n, position_after(g, i));
    words[g->me] = c->n + 1;
    for (int i = 0; i < g->size; i++) {
        if (i == g->me)
            c->offset = c->total;
        c->total += hear(g, &words[i], i);
    }
    c->lengths = words;
}

static void await_line(const struct shcoll_group *g, struct line *line, uint64_t number, int from)
{
    wait_for_member(g, from);
    shmem_uint64_wait_until(&line->number, SHMEM_CMP_EQ, number); /* MUTANT lines of lengths are waited for */
}

/* Puts consecutive lines to the same offset at another PE. The first line's number is stored last and is the flag for
 * all. */
static void put_lines(const struct line *first, int count, int pe)
{
    struct line *to = (struct line *)first;
    put_numbered(&to->length, &first->length, (size_t)count * sizeof *first - sizeof first->number, &to->number,
                 first->number, pe);
}

/* In two levels: the leader gathers its node's lines, the leaders exchange their lines, and each leader puts all lines
 * to its node's members. */
static void lines_by_nodes(struct shcoll_group *g, struct line *lines, uint64_t number)
{
    const struct shcoll_group node = shcoll_part_node(g), leaders = shcoll_part_leaders(g);
    struct line *const of_node = &lines[g->me - node.me];
    if (node.me > 0) {
        put_lines(&of_node[node.me], 1, pe_of(&node, 0));
        await_line(&node, lines, number, 0);
        return;
    }
    for (int i = 1; i < node.size; i++)
        await_line(&node, &of_node[i], number, i);
    for (int i = 1; i < leaders.size; i++)
        put_lines(of_node, node.size, pe_of(&leaders, position_after(&leaders, i)));
    for (int i = 0; i < leaders.size; i++)
        await_line(&leaders, &lines[shcoll_leader_of(g, i)], number, i);
    for (int i = 1; i < node.size; i++)
        put_lines(lines, g->size, pe_of(&node, i));
}

/* Line i belongs to member i. */
static void send_lines(struct shcoll_group *g, struct shcoll_call *c)
{
    const uint64_t number = *turn_of(g);
    struct line *lines = lines_of(g), *mine = &lines[g->me];
    const size_t beside = c->n <= SHCOLL_BESIDE_LENGTH ? c->n : 0;
    mine->length = c->n;
    if (beside)
        memcpy(mine->data, c->source, beside);
    mine->number = number;
    if (has_two_levels(g)) {
        lines_by_nodes(g, lines, number);
    } else {
        for (int i = 1; i < g->size; i++) {
            const int pe = pe_of(g, position_after(g, i));
            put_numbered(&mine->length, &mine->length, sizeof mine->length + beside, &mine->number, number, pe);
        }
        for (int i = 0; i < g->size; i++)
            await_line(g, &lines[i], number, i);
    }
    for (int i = 0; i < g->size; i++) {
        if (i == g->me)
            c->offset = c->total;
        c->total += lines[i].length;
    }
    c->lengths = &lines->length;
}

bool shcoll_beside_lengths(const struct shcoll_group *g, const struct shcoll_call *c)
{
    if (!c->lengths || !has_lines(g))
        return false;
    const struct line *lines = lines_of(g);
    for (int i = 0; i < g->size; i++)
        if (lines[i].length > SHCOLL_BESIDE_LENGTH)
            return false;
    char *to = c->dest;
    for (int i = 0; i < g->size; to += lines[i].length, i++)
        if (lines[i].length)
            memcpy(to, lines[i].data, lines[i].length);
    return true;
}

/* Prefix sums in a binomial tree. The members below me are the positions behind mine up to the next multiple of my
 * lowest set bit; child i and its subtree start at me + 2^i. Sums go up; offsets and the total come down. */
static void tell_in_tree(struct shcoll_group *g, struct shcoll_call *c, uint64_t *words)
{
    uint64_t sums[ROUNDS], all = c->n;
    int children = 0, low = 1;
    for (; low < g->size && !(g->me & low); low *= 2, children++) {
        sums[children] = g->me + low < g->size ? take(g, &words[children], g->me + low) : 0;
        all += sums[children];
    }
    c->total = all;
    if (g->me > 0) {
        const int parent = g->me - low;
        tell(g, &words[children], all, parent);
        c->total = take(g, &words[TOTAL], parent); /* arrives last */
        c->offset = take(g, &words[OFFSET], parent);
    }
    words[EXTENT] = c->offset;
    words[EXTENT + 1] = c->n;
    c->lengths = &words[EXTENT];
    uint64_t at = c->offset + all;
    while (children-- > 0) {
        low /= 2;
        at -= sums[children];
        if (g->me + low < g->size) {
            const uint64_t offset = at + 1;
            put_numbered(&words[OFFSET], &offset, sizeof offset, &words[TOTAL], c->total + 1, pe_of(g, g->me + low));
        }
    }
}

void shcoll_lengths(struct shcoll_group *g, struct shcoll_call *c)
{
    c->offset = c->total = 0;
    if (!g->is_pSync)
        ++*turn_of(g);
    if (has_lines(g))
        send_lines(g, c);
    else if (is_direct(g))
        tell_everybody(g, c, words_of(g));
    else
        tell_in_tree(g, c, words_of(g));
}

void shcoll_lengths_end(struct shcoll_group *g, const struct shcoll_call *c)
{
    uint64_t *words = (uint64_t *)c->lengths;
    if (has_lines(g))
        return; /* lines have numbers, which need not be reset */
    if (is_direct(g)) {
        memset(words, 0, (size_t)g->size * sizeof *words);
    } else if (g->is_pSync) {
        shcoll_sync(g); /* after this, no member reads the words */
        words[0] = words[1] = 0;
    } else {
        turn_of(g)[1] = g->number;
    }
}

/* After a member has returned from its last collective, other members access its work area in two cases only: they may
 * still read its extent, if the collective was a collect in a tree; and they acknowledge broadcasts (ring.h). There are
 * no other accesses, because the member has waited for each signal, and releases others only after all counting or
 * combining in its words has ended. */
void shcoll_group_end(struct shcoll_group *g)
{
    const uint64_t *turn = turn_of(g);
    if (!is_direct(g) && *turn > 0 && turn[1] == g->number)
        shcoll_sync(g); /* MUTANT extents are read */
    shcoll_ring_end(g);
}

struct shcoll_extent shcoll_piece(const struct shcoll_group *g, const struct shcoll_call *c, int position)
{
    if (!c->lengths)
        return (struct shcoll_extent){(size_t)position * c->n, c->n};
    if (position == g->me)
        return (struct shcoll_extent){c->offset, c->n};
    if (!is_direct(g)) {
        uint64_t extent[2];
        shmem_getmem(extent, c->lengths, sizeof extent, pe_of(g, position));
        return (struct shcoll_extent){extent[0], extent[1]};
    }
    const size_t step = g->is_pSync ? 1 : LINE / 8, one = g->is_pSync;
    size_t offset = 0;
    for (size_t i = 0; i < (size_t)position; i++)
        offset += c->lengths[i * step] - one;
    return (struct shcoll_extent){offset, c->lengths[(size_t)position * step] - one};
}

/* --- costs -------------------------------------------------------------------------------------------------------- */

static bool is_collect(const struct shcoll_cost *m)
{
    return m->collective == SHCOLL_COLLECT;
}

/* Lines go from all members to all, or between nodes; words go up and down a tree. */
double shcoll_lengths_cost(const struct shcoll_cost *m)
{
    struct shcoll_cost line = *m;
    line.form = FORM_SIGNAL;
    line.bytes = LINE;
    if (!is_collect(m))
        return 0;
    if (m->size > SHCOLL_DIRECT) {
        double total = 0;
        for (double d = 1; d < m->size; d *= 2)
            total += 2 * cost_whole(cost_to(&line, d, sizeof(uint64_t), false));
        return total;
    }
    if (m->nodes <= 1 || m->per_node <= 1)
        return cost_exchange(&line, (struct cost_all){.bytes = LINE});
    line.size = m->nodes;
    line.per_node = 1;
    return cost_whole(cost_near(m, LINE, false)) +
           cost_exchange(&line, (struct cost_all){.bytes = LINE * m->per_node}) +
           (m->per_node - 1) * cost_near(m, LINE * m->size, false).busy + m->node.alpha;
}

double shcoll_look_cost(const struct shcoll_cost *m, bool near)
{
    if (!is_collect(m) || m->size <= SHCOLL_DIRECT)
        return 0;
    return near ? cost_get_near(m, 2 * sizeof(uint64_t)) : 2 * m->net.alpha;
}
