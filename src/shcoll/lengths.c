/* What the members of a collect bring, and where it goes.
 *
 * The words in which lengths are told are the places for values of a pSync, or a piece of a lasting work area that
 * nobody else uses.  Zero says that nothing has come yet, so a length is told plus one, and the word is its own flag.
 * Each word has one writer, and its owner makes it zero again once it has read it.  A lasting work area has two sets,
 * used in turn: a member that writes to a set for collect n + 2 has left collect n + 1, so the set's owner has entered
 * it and is done with collect n. */
#include "collect.h"

/* Up to so many members tell each other everything: one hop, and all places are known without another look.  Of larger
 * groups each member is told by its children and its parent in a tree.  (Two PEs, 8 bytes: 470 ns for a collect with a
 * barrier; 600 in a tree; 580 where each writes its length down, and looks at the others' after a sync.) */
enum { DIRECT_MEMBERS = 16 };

enum {
    OFFSET = ROUNDS, /* words before it: the sums of subtrees, one for each child */
    TOTAL,
    PLACE, /* two words, for others to read: where this member's piece goes, and its length */
    WORDS = PLACE + 2,
    SET_BYTES = 4 * LINE,
    SETS_AT = HAD_AT + 4 * FLAGS * 8,
    TURN_AT = SETS_AT + 2 * SET_BYTES, /* how many collects there have been */
};
_Static_assert(WORDS <= (int)COUNTER && DIRECT_MEMBERS <= (int)COUNTER, "places for values in a pSync");
_Static_assert(WORDS * 8 <= SET_BYTES && TURN_AT + 8 <= SLOTS_AT, "the work area's pieces do not overlap");

static uint64_t *next_words(const struct shcoll_group *g)
{
    if (g->is_pSync)
        return value_place(g, 0);
    uint64_t *turn = g->work + TURN_AT / 8;
    return g->work + (SETS_AT + ++*turn % 2 * SET_BYTES) / 8;
}

static bool is_direct(const struct shcoll_group *g)
{
    return g->size <= DIRECT_MEMBERS;
}

static void tell(const struct shcoll_group *g, uint64_t *word, uint64_t value, int position)
{
    shmem_uint64_p(word, value + 1, pe_of(g, position));
}

static uint64_t hear(const struct shcoll_group *g, uint64_t *word, int from)
{
    wait_for_member(g, from);
    shmem_uint64_wait_until(word, SHMEM_CMP_NE, 0);
    return *word - 1;
}

static uint64_t take(const struct shcoll_group *g, uint64_t *word, int from)
{
    const uint64_t value = hear(g, word, from);
    *word = 0;
    return value;
}

/* Word i is member i's. */
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

/* Prefix sums in a binomial tree: the members below me are the positions that follow mine up to the next multiple of
 * its lowest bit that is set, child i with its own being those from me + 2^i.  Sums go up; offsets and the total come
 * down. */
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
        c->offset = take(g, &words[OFFSET], parent);
        c->total = take(g, &words[TOTAL], parent);
    }
    words[PLACE] = c->offset;
    words[PLACE + 1] = c->n;
    c->lengths = &words[PLACE];
    uint64_t at = c->offset + all;
    while (children-- > 0) {
        low /= 2;
        at -= sums[children];
        if (g->me + low < g->size) {
            tell(g, &words[OFFSET], at, g->me + low);
            tell(g, &words[TOTAL], c->total, g->me + low);
        }
    }
}

void shcoll_lengths(struct shcoll_group *g, struct shcoll_call *c)
{
    c->offset = c->total = 0;
    if (is_direct(g))
        tell_everybody(g, c, next_words(g));
    else
        tell_in_tree(g, c, next_words(g));
}

void shcoll_lengths_end(struct shcoll_group *g, const struct shcoll_call *c)
{
    uint64_t *words = (uint64_t *)c->lengths;
    if (is_direct(g)) {
        memset(words, 0, (size_t)g->size * sizeof *words);
    } else if (g->is_pSync) {
        shcoll_sync(g); /* nobody looks any more */
        words[0] = words[1] = 0;
    }
}

struct shcoll_place shcoll_piece(const struct shcoll_group *g, const struct shcoll_call *c, int position)
{
    if (!c->lengths)
        return (struct shcoll_place){(size_t)position * c->n, c->n};
    if (position == g->me)
        return (struct shcoll_place){c->offset, c->n};
    if (!is_direct(g)) {
        uint64_t place[2];
        shmem_getmem(place, c->lengths, sizeof place, pe_of(g, position));
        return (struct shcoll_place){place[0], place[1]};
    }
    size_t offset = 0;
    for (int i = 0; i < position; i++)
        offset += c->lengths[i] - 1;
    return (struct shcoll_place){offset, c->lengths[position] - 1};
}
