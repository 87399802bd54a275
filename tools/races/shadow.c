#include "races/shadow.h"

#include <sched.h>
#include <string.h>

_Atomic cell *shadow, *shadow_others;
static size_t units; /* number of units in the window */

_Atomic uint8_t *shadow_states;

bool shadow_open(size_t window_bytes)
{
    const size_t blocks = window_bytes / BLOCK;
    units = window_bytes / UNIT;
    shadow_states = board_map(BOARD_STATES_AT, blocks);
    shadow = board_map(BOARD_SHADOW_AT, (units + blocks) * CELLS * sizeof(cell));
    shadow_others = shadow + units + blocks;
    return shadow_states && shadow;
}

/* --- cells -------------------------------------------------------------------------------------------------------- */

static inline void cell_store(struct cells cells, int i, cell c)
{
    atomic_store_explicit(cell_at(cells, i), c, memory_order_relaxed);
}

/* Copies all cells. Empty cells are last. */
static void copy(struct cells to, struct cells from)
{
    for (int i = 0; i < CELLS; i++) {
        const cell c = cell_load(from, i);
        if (!c && !cell_load(to, i))
            break;
        cell_store(to, i, c);
    }
}

static bool are_alike(struct cells a, struct cells b)
{
    for (int i = 0; i < CELLS; i++) {
        const cell c = cell_load(a, i);
        if (c != cell_load(b, i))
            return false;
        if (!c)
            break;
    }
    return true;
}

static inline struct cells further(struct cells cells, size_t groups)
{
    return (struct cells){cells.first + groups * GROUP, cells.others + groups * GROUP * (CELLS - 1)};
}

/* Whether all units of a group, which starts with this unit, have these cells. Reads them without atomics, so that one
 * instruction compares several cells. */
static inline bool has_only(struct cells group, const cell these[CELLS])
{
    for (int i = 0; i < CELLS; i++) {
        const cell *all = (const cell *)cell_at(group, i);
        cell differ = 0;
        for (int unit = 0; unit < GROUP; unit++)
            differ |= all[unit] ^ these[i];
        if (differ)
            return false;
        if (!these[i])
            break;
    }
    return true;
}

static void spread(struct cells groups, size_t n, int i, cell c)
{
    for (size_t at = 0; at < n; at++) {
        cell *all = (cell *)cell_at(further(groups, at), i);
        for (int unit = 0; unit < GROUP; unit++)
            all[unit] = c;
    }
}

/* The number of groups, up to `most`, that the PE has accessed in the same way in this epoch: note would not change
 * their cells. */
static size_t known_groups(struct cells cells, cell mine, size_t most)
{
    const cell *first = (const cell *)cells.first;
    for (size_t n = 0; n < most; n++, first += GROUP) {
        cell differ = 0;
        for (int unit = 0; unit < GROUP; unit++)
            differ |= first[unit] ^ mine;
        if (differ & ~CELL_SITE)
            return n;
    }
    return most;
}

static void only(struct cells cells, cell first)
{
    if (cell_load(cells, 0))
        for (int i = 1; i < CELLS && cell_load(cells, i); i++)
            cell_store(cells, i, 0);
    cell_store(cells, 0, first);
}

/* --- blocks ------------------------------------------------------------------------------------------------------- */

static struct cells head(size_t block)
{
    return cells_of(units + block);
}

enum { TOGETHER = sizeof(uint64_t) }; /* states in one word */
#define EACH UINT64_C(0x0101010101010101)
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the first state is in a word's lowest byte");

static inline uint8_t state_of(size_t block)
{
    return atomic_load(&shadow_states[block]);
}

static uint8_t taken_once_more(uint8_t state)
{
    return (uint8_t)((state & ~SHADOW_STATE) + SHADOW_ONCE) | SHADOW_TAKEN;
}

/* Takes a block, to read or change many of its cells, and returns its former state. */
static uint8_t take(size_t block)
{
    enum { YIELDS = 1000, SLEEPS = 200 };
    for (int n = 0;; n++) {
        uint8_t was = state_of(block);
        const uint8_t state = was & SHADOW_STATE;
        if (state == SHADOW_TAKEN && n < YIELDS)
            sched_yield();
        else if (state == SHADOW_TAKEN && n < YIELDS + SLEEPS)
            board_sleep(1000);
        else if (atomic_compare_exchange_strong(&shadow_states[block], &was, taken_once_more(was))) {
            state_of(block); /* a load that orders later loads after the exchange, on all processors */
            return state == SHADOW_TAKEN ? SHADOW_SPLIT : state; /* its holder was killed: records are lost */
        }
    }
}

/* The same for up to `most` adjacent blocks whose states share a word: one exchange takes all of them or, if one is
 * taken or changes meanwhile, this takes only the first. Returns the number of blocks taken. */
static inline size_t take_some(size_t block, size_t most, uint8_t states[TOGETHER])
{
    const size_t first = block % TOGETHER, n = most < TOGETHER - first ? most : TOGETHER - first;
    const uint64_t each = EACH >> 8 * (TOGETHER - n) << 8 * first, top = each << 7;
    _Atomic uint64_t *word = (_Atomic uint64_t *)(shadow_states + (block - first));
    uint64_t was = atomic_load(word);
    const uint64_t once_more = ((was & ~top) + each * SHADOW_ONCE) ^ (was & top); /* no carry into the next state */
    if (n > 1 && !(was & each * SHADOW_TAKEN) &&
        atomic_compare_exchange_strong(word, &was, (once_more & ~(each * SHADOW_STATE)) | each * SHADOW_TAKEN)) {
        const uint64_t are = was >> 8 * first & EACH * SHADOW_STATE;
        memcpy(states, &are, sizeof are);
        state_of(block); /* as take does */
        return n;
    }
    states[0] = take(block);
    return 1;
}

static void give(size_t block, uint8_t state)
{
    const uint8_t times = atomic_load_explicit(&shadow_states[block], memory_order_relaxed) & ~SHADOW_STATE;
    atomic_store_explicit(&shadow_states[block], times | state, memory_order_release);
}

/* Copies the block's cells to all units of a block that this process has taken. */
static void spread_head(size_t block)
{
    for (size_t unit = block * BLOCK; unit < (block + 1) * BLOCK; unit += UNIT)
        copy(shadow_unit(unit), head(block));
}

void shadow_split(size_t block)
{
    if (take(block) == SHADOW_WHOLE)
        spread_head(block);
    give(block, SHADOW_SPLIT);
}

static bool is_whole(size_t block)
{
    return (state_of(block) & SHADOW_STATE) == SHADOW_WHOLE;
}

/* --- accesses ----------------------------------------------------------------------------------------------------- */

static inline bool is_over(cell c, const struct doer *d)
{
    const uint32_t actor = cell_actor(c), epoch = cell_epoch(c);
    if (__builtin_expect(strand->clock[actor] >= epoch, 1))
        return true;
    for (int i = 0; i < d->n_fenced; i++)
        if (actor == d->fenced[i] && epoch <= d->until[i])
            return true;
    return board->actor[actor].stores && board->actor[actor].pe == board->actor[strand->actor].pe;
}

/* Whether both are atomics of the same size, type and, if known, domain. */
static bool are_atomic_together(cell a, cell b)
{
    const struct board_site *x = &board->site[cell_site(a)], *y = &board->site[cell_site(b)];
    return cell_kind(a) & cell_kind(b) & ACCESS_ATOMIC && cell_mask(a) == cell_mask(b) && x->is_real == y->is_real &&
           (x->domains & y->domains || !x->domains || !y->domains);
}

struct change {
    cell now[CELLS + 1], first; /* the new cells; the first cell before the change */
    int n, used;
    bool is_none;
};

/* The change by an access of one unit; false if it races. The PE's own accesses are in order, and its accesses to bytes
 * of one unit from one place in the program are one access. The last access comes first, where access_is_known reads
 * it. */
static inline __attribute__((always_inline)) bool plan(struct cells cells, cell mine, const struct doer *d,
                                                       struct change *change, cell *other)
{
    const cell mask = mine & CELL_MASK;
    const enum access kind = cell_kind(mine);
    const bool own = d->actor == strand->actor;
    /* Two puts of an agent in one epoch are not ordered. */
    const bool once = own || kind != ACCESS_WRITE || board->actor[d->actor].stores;
    cell *now = change->now;
    int n = 1, used = 0;
    bool races = false;
    change->is_none = false;
    change->first = 0;
    for (; used < CELLS; used++) {
        cell c = cell_load(cells, used);
        const cell differ = c ^ mine;
        if (used == 0)
            change->first = c;
        if (c == 0)
            break;
        if (once && !(differ & ~(CELL_SITE | CELL_MASK)) && !(mask & ~c) &&
            (!(kind & ACCESS_ATOMIC) || are_atomic_together(c, mine))) {
            change->is_none = true;
            return !races;
        }
        if (own && !(differ & ~CELL_MASK) && !(kind & ACCESS_ATOMIC)) {
            mine |= c;
            continue;
        }
        if (c & mask) {
            const bool reads = !((kind | cell_kind(c)) & ACCESS_WRITE);
            if (!is_over(c, d)) {
                if (!reads && !are_atomic_together(c, mine | mask)) {
                    *other = c;
                    races = true;
                }
            } else if (kind & ACCESS_WRITE || reads) {
                c &= ~mask;
            }
        }
        if (c & CELL_MASK)
            now[n++] = c;
    }
    now[0] = mine;
    if (n > CELLS)
        now[1 + (mine >> 38 ^ mine >> 10) % CELLS] = now[CELLS];
    change->n = n;
    change->used = used;
    return !races;
}

static inline void change_cells(struct cells cells, const struct change *change, int from)
{
    for (int i = from; i < CELLS && (i < change->n || i < change->used); i++)
        cell_store(cells, i, i < change->n ? change->now[i] : 0);
}

/* Records an access in the cells of a block that is taken. */
static bool note(struct cells cells, cell mine, const struct doer *d, cell *other)
{
    struct change change;
    const bool ordered = plan(cells, mine, d, &change, other);
    if (!change.is_none)
        change_cells(cells, &change, 0);
    return ordered;
}

static bool is_among(cell mine, struct cells cells)
{
    for (int i = 0; i < CELLS; i++)
        if (cell_load(cells, i) == mine)
            return true;
    return false;
}

/* Records an access of one unit without taking its block. If two accesses are simultaneous, the second finds that the
 * first cell has changed. If the block has been taken meanwhile, checks that the record was not overwritten. */
static inline __attribute__((always_inline)) bool note_unit(size_t offset, cell mine, const struct doer *d, cell *other)
{
    const size_t block = offset / BLOCK;
    struct change change;
    bool noted = false, ordered = true;
    for (;;) {
        const uint8_t state = state_of(block);
        const struct cells cells = shadow_unit(offset);
        if ((state & SHADOW_STATE) != SHADOW_SPLIT) {
            shadow_split(block);
            continue;
        }
        if (noted && is_among(change.now[0], cells))
            return ordered;
        ordered &= plan(cells, mine, d, &change, other);
        if (change.is_none)
            return ordered;
        if (!atomic_compare_exchange_strong(cells.first, &change.first, change.now[0]))
            continue;
        change_cells(cells, &change, 1);
        if (state_of(block) == state)
            return ordered;
        noted = true;
    }
}

/* The same for a load or store of the PE itself if all other actors' accesses are over, as is usual. Returns false if
 * they are not, or if the cells change meanwhile. */
static inline __attribute__((always_inline)) bool renew(struct cells cells, cell mine)
{
    const cell mask = mine & CELL_MASK, settled = cell_kind(mine) & ACCESS_WRITE ? 0 : (cell)ACCESS_WRITE << 8;
    const uint32_t *clock = strand->clock;
    cell now[CELLS + 1], c, first = cell_load(cells, 0);
    int n = 1, used = 0;
    for (; used < CELLS && (c = cell_load(cells, used)); used++) {
        const cell differ = c ^ mine;
        if (differ & CELL_ACTOR && clock[cell_actor(c)] < cell_epoch(c))
            return false;
        if (!(differ & ~(CELL_SITE | CELL_MASK)) && !(mask & ~c))
            return true;
        if (!(differ & ~CELL_MASK)) {
            mine |= c;
            continue;
        }
        c &= c & settled ? ~(cell)0 : ~mask;
        if (c & CELL_MASK && n == CELLS)
            return false;
        now[n] = c;
        n += (c & CELL_MASK) != 0;
    }
    if (!atomic_compare_exchange_strong(cells.first, &first, mine))
        return false;
    for (int i = 1; i < n; i++)
        cell_store(cells, i, now[i]);
    for (int i = n; i < used; i++)
        cell_store(cells, i, 0);
    return true;
}

static __attribute__((noinline)) bool note_own(size_t offset, cell mine, cell *other)
{
    const struct doer d = actor_pe();
    return note_unit(offset, mine, &d, other);
}

bool shadow_own(size_t offset, cell mine, cell *other)
{
    const uint8_t state = state_of(offset / BLOCK);
    const bool is_plain = (state & SHADOW_STATE) == SHADOW_SPLIT && !(cell_kind(mine) & ACCESS_ATOMIC);
    if (is_plain && renew(shadow_unit(offset), mine) && state_of(offset / BLOCK) == state)
        return true;
    return note_own(offset, mine, other);
}

/* Which of a unit's bytes are among [offset, offset + bytes). */
static inline uint32_t mask_of(size_t unit, size_t offset, size_t bytes)
{
    const size_t from = offset > unit ? offset - unit : 0;
    const size_t to = offset + bytes - unit < UNIT ? offset + bytes - unit : UNIT;
    return (0xffu >> (UNIT - (to - from))) << from;
}

struct clash {
    bool found;
    cell other;
    size_t at;
};

/* Records an access of whole groups, up to `most`, as long as all units have equal cells. Returns their number. */
static size_t note_groups(struct cells cells, size_t most, cell mine, const struct doer *d, bool *races, cell *other)
{
    struct change change;
    cell was[CELLS] = {0};
    size_t n = 0;
    for (int i = 0; i < CELLS && most && (i == 0 || was[i - 1]); i++)
        was[i] = cell_load(cells, i);
    while (n < most && has_only(further(cells, n), was))
        n++;
    if (n == 0)
        return 0;
    *races = !plan(cells, mine, d, &change, other);
    for (int i = 0; i < CELLS && !change.is_none && (i < change.n || i < change.used); i++)
        if (was[i] != (i < change.n ? change.now[i] : 0))
            spread(cells, n, i, i < change.n ? change.now[i] : 0);
    return n;
}

/* Records an access of units of a taken, split block. Returns whether all units of the block are now alike. */
static bool look_at_units(size_t offset, size_t bytes, cell mine, const struct doer *d, struct clash *clash)
{
    const struct cells first = shadow_unit(offset);
    bool alike = bytes == BLOCK;
    for (size_t unit = offset / UNIT * UNIT, step; unit < offset + bytes; unit += step) {
        const struct cells cells = shadow_unit(unit);
        const cell here = mine | mask_of(unit, offset, bytes);
        const size_t whole = unit % GROUP_BYTES || unit < offset ? 0 : (offset + bytes - unit) / GROUP_BYTES;
        const size_t known = d->actor == strand->actor ? known_groups(cells, here, whole) : 0;
        bool races = false;
        cell other;
        step = (known ? known : note_groups(cells, whole, here, d, &races, &other)) * GROUP_BYTES;
        if (step == 0) {
            races = !note(cells, here, d, &other);
            step = UNIT;
        }
        if (races && !clash->found)
            *clash = (struct clash){true, other, unit};
        alike = alike && known == 0 && are_alike(first, cells);
    }
    return alike;
}

/* Whether the PE has accessed all of a block in the same way in this epoch: then the block need not be taken. */
static bool is_known(size_t offset, size_t bytes, cell mine, const struct doer *d, struct clash *clash)
{
    const size_t block = offset / BLOCK;
    struct change change;
    cell other = 0;
    if (d->actor != strand->actor || bytes < BLOCK || !is_whole(block))
        return false;
    const bool ordered = plan(head(block), mine | CELL_MASK, d, &change, &other);
    if (change.is_none && !ordered && !clash->found)
        *clash = (struct clash){true, other, offset};
    return change.is_none;
}

static void look_at_block(size_t offset, size_t bytes, uint8_t state, cell mine, const struct doer *d,
                          struct clash *clash)
{
    const size_t block = offset / BLOCK;
    bool whole = state == SHADOW_WHOLE;
    cell other;
    if (whole && bytes < BLOCK)
        spread_head(block);
    if (!whole || bytes < BLOCK) {
        whole = look_at_units(offset, bytes, mine, d, clash);
        if (whole)
            copy(head(block), shadow_unit(offset));
    } else if (!note(head(block), mine | CELL_MASK, d, &other) && !clash->found) {
        *clash = (struct clash){true, other, offset};
    }
    give(block, whole ? SHADOW_WHOLE : SHADOW_SPLIT);
}

/* The number of bytes from offset to end that are in the block of offset. */
static inline size_t within_block(size_t offset, size_t end)
{
    const size_t most = BLOCK - offset % BLOCK;
    return end - offset < most ? end - offset : most;
}

bool shadow_access(size_t offset, size_t bytes, cell mine, const struct doer *d, cell *other, size_t *at)
{
    struct clash clash = {.found = false};
    const size_t end = offset + bytes;
    if (bytes - 1 < UNIT - offset % UNIT) { /* within one unit, and not empty */
        *at = offset / UNIT * UNIT;
        return note_unit(*at, mine | mask_of(*at, offset, bytes), d, other);
    }
    while (offset < end) {
        if (is_known(offset, within_block(offset, end), mine, d, &clash)) {
            offset += BLOCK;
            continue;
        }
        uint8_t states[TOGETHER];
        const size_t n = take_some(offset / BLOCK, (end - 1) / BLOCK - offset / BLOCK + 1, states);
        for (size_t i = 0, here; i < n; i++, offset += here) {
            here = within_block(offset, end);
            look_at_block(offset, here, states[i], mine, d, &clash);
        }
    }
    *other = clash.other;
    *at = clash.at;
    return !clash.found;
}

bool shadow_ready(size_t offset, size_t bytes, const uint32_t *clock, cell *other, size_t *at)
{
    for (size_t unit = offset / UNIT * UNIT; unit < offset + bytes; unit += UNIT) {
        const size_t block = unit / BLOCK;
        const struct cells cells = is_whole(block) ? head(block) : shadow_unit(unit);
        for (int i = 0; i < CELLS; i++) {
            const cell c = cell_load(cells, i);
            if (cell_mask(c) & mask_of(unit, offset, bytes) && clock[cell_actor(c)] < cell_epoch(c) &&
                !board->site[cell_site(c)].is_collective) {
                *other = c;
                *at = unit;
                return false;
            }
        }
    }
    return true;
}

/* Gives the units of these bytes this cell and no others, which removes the PE's own records of this epoch. */
static void fill(size_t from, size_t to, cell first)
{
    for (size_t at = from / UNIT * UNIT; at < to;) {
        const size_t block = at / BLOCK;
        const bool whole = at % BLOCK == 0 && to - at >= BLOCK;
        if (take(block) == SHADOW_WHOLE && !whole)
            spread_head(block);
        if (whole)
            only(head(block), first);
        for (; !whole && at < to && at / BLOCK == block; at += UNIT)
            only(shadow_unit(at), first);
        give(block, whole ? SHADOW_WHOLE : SHADOW_SPLIT);
        at += whole ? BLOCK : 0;
    }
    actor_next_epoch();
}

bool shadow_used(size_t *from, size_t *to, size_t end)
{
    const uint64_t each = sizeof(cell), heads_at = BOARD_SHADOW_AT + units * each;
    uint64_t first, behind;
    if (*from >= end || !board_written(heads_at + *from / BLOCK * each, heads_at + (end + BLOCK - 1) / BLOCK * each,
                                       &first, &behind))
        return false;
    const size_t begins = (first - heads_at) / each * BLOCK, ends = (behind - heads_at) / each * BLOCK;
    *from = *from > begins ? *from : begins;
    *to = end < ends ? end : ends;
    return true;
}

void shadow_clear(size_t from, size_t to)
{
    fill(from, to, 0);
}

void shadow_freed(size_t from, size_t to, uint32_t site)
{
    const struct doer nobody = {.actor = BOARD_FREED, .epoch = 1};
    fill(from, to, cell_make(&nobody, ACCESS_WRITE, site) | 0xff);
}

/* Removes accesses that are over; a PE's own accesses of other bytes are not over. */
static void unit_seen(struct cells cells, cell seen, uint32_t by)
{
    int left = 0, used = 0;
    for (; used < CELLS; used++) {
        cell c = cell_load(cells, used);
        if (c == 0)
            break;
        const uint32_t actor = cell_actor(c);
        if (cell_kind(c) & ACCESS_WRITE && c & seen && actor != BOARD_FREED && actor != by)
            c &= board->actor[actor].is_agent ? ~CELL_MASK : ~seen;
        if (c & CELL_MASK)
            cell_store(cells, left++, c);
    }
    for (; left < used; left++)
        cell_store(cells, left, 0);
}

void shadow_seen(size_t offset, size_t bytes, uint32_t by)
{
    for (size_t unit = offset / UNIT * UNIT; unit < offset + bytes; unit += UNIT) {
        const size_t block = unit / BLOCK;
        if (take(block) == SHADOW_WHOLE)
            spread_head(block);
        unit_seen(shadow_unit(unit), mask_of(unit, offset, bytes), by);
        give(block, SHADOW_SPLIT);
    }
}
