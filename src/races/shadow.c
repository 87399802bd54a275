#include "races/shadow.h"

#include <sched.h>
#include <unistd.h>

_Atomic cell *shadow;
static size_t units; /* in the window */

_Atomic uint8_t *shadow_states;

bool shadow_open(size_t window_bytes)
{
    const size_t blocks = window_bytes / BLOCK;
    units = window_bytes / UNIT;
    shadow_states = board_map(BOARD_STATES_AT, blocks);
    shadow = board_map(BOARD_SHADOW_AT, (units + blocks) * CELLS * sizeof(cell));
    return shadow_states && shadow;
}

/* --- cells -------------------------------------------------------------------------------------------------------- */

static inline cell cell_load(const _Atomic cell *cells, int i)
{
    return atomic_load_explicit(&cells[i * GROUP], memory_order_relaxed);
}

static inline void cell_store(_Atomic cell *cells, int i, cell c)
{
    atomic_store_explicit(&cells[i * GROUP], c, memory_order_relaxed);
}

/* Behind the first that is empty all are. */
static void copy(_Atomic cell *to, const _Atomic cell *from)
{
    for (int i = 0; i < CELLS; i++) {
        const cell c = cell_load(from, i);
        if (!c && !cell_load(to, i))
            break;
        cell_store(to, i, c);
    }
}

static bool are_alike(const _Atomic cell *a, const _Atomic cell *b)
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

/* Whether all units of a group have these cells. No atomics, so that several are compared at once. */
static inline bool has_only(const _Atomic cell *group, const _Atomic cell *these)
{
    for (int i = 0; i < CELLS; i++) {
        const cell *all = (const cell *)&group[i * GROUP], wanted = cell_load(these, i);
        cell differ = 0;
        for (int unit = 0; unit < GROUP; unit++)
            differ |= all[unit] ^ wanted;
        if (differ)
            return false;
        if (!wanted)
            break;
    }
    return true;
}

/* To all units of some groups, where it is not as it was. */
static void spread(_Atomic cell *groups, size_t n_groups, const _Atomic cell *was, const _Atomic cell *now)
{
    for (int i = 0; i < CELLS; i++) {
        const cell c = cell_load(now, i), before = cell_load(was, i);
        if (!c && !before)
            break;
        for (size_t n = 0; n < n_groups && c != before; n++)
            for (int unit = 0; unit < GROUP; unit++)
                ((cell *)&groups[(n * CELLS + (size_t)i) * GROUP])[unit] = c;
    }
}

/* How many groups, of `most`, the PE has accessed so in this epoch: note would leave them as they are. */
static size_t known_groups(const _Atomic cell *cells, cell mine, size_t most)
{
    for (size_t n = 0; n < most; n++) {
        const cell *first = (const cell *)&cells[n * GROUP * CELLS];
        cell differ = 0;
        for (int unit = 0; unit < GROUP; unit++)
            differ |= first[unit] ^ mine;
        if (differ & ~CELL_SITE)
            return n;
    }
    return most;
}

static void only(_Atomic cell *cells, cell first)
{
    cell_store(cells, 0, first);
    for (int i = 1; i < CELLS && cell_load(cells, i); i++)
        cell_store(cells, i, 0);
}

/* --- blocks ------------------------------------------------------------------------------------------------------- */

static _Atomic cell *head(size_t block)
{
    return shadow + cells_place(units + block);
}

/* Takes the block in one state, to leave it in the other. */
static bool begin_change(size_t block, uint8_t from)
{
    return atomic_compare_exchange_strong(&shadow_states[block], &from, SHADOW_CHANGES);
}

static void end_change(size_t block, uint8_t to)
{
    atomic_store_explicit(&shadow_states[block], to, memory_order_release);
}

void shadow_split(size_t block)
{
    enum { YIELDS = 1000, SLEEPS = 200 };
    if (begin_change(block, SHADOW_WHOLE)) {
        for (size_t unit = block * BLOCK; unit < (block + 1) * BLOCK; unit += UNIT)
            copy(shadow_unit(unit), head(block));
        end_change(block, SHADOW_SPLIT);
    }
    for (int n = 0; atomic_load_explicit(&shadow_states[block], memory_order_acquire) == SHADOW_CHANGES; n++) {
        if (n < YIELDS)
            sched_yield();
        else if (n < YIELDS + SLEEPS)
            usleep(1000);
        else /* who changes it was killed: what is lost is notes of accesses */
            end_change(block, SHADOW_SPLIT);
    }
}

static void unite(size_t block)
{
    if (!begin_change(block, SHADOW_SPLIT))
        return;
    copy(head(block), shadow_unit(block * BLOCK));
    end_change(block, SHADOW_WHOLE);
}

static bool is_whole(size_t block)
{
    return atomic_load_explicit(&shadow_states[block], memory_order_acquire) == SHADOW_WHOLE;
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

/* Atomics of one size and type, or two of which nobody says the type. */
static bool are_atomic_together(cell a, cell b)
{
    return cell_kind(a) & cell_kind(b) & ACCESS_ATOMIC && cell_mask(a) == cell_mask(b) &&
           board->site[cell_site(a)].is_real == board->site[cell_site(b)].is_real;
}

/* Notes an access of one unit. The PE itself is in order with all that it has done, and what it does in one line to
 * bytes side by side is one access. The last access comes first, where access_is_known looks for it. */
static inline __attribute__((always_inline)) bool note(_Atomic cell *cells, cell mine, const struct doer *d,
                                                       cell *other)
{
    const cell mask = mine & CELL_MASK;
    const enum access kind = cell_kind(mine);
    const bool own = d->actor == strand->actor;
    /* Two puts of an epoch are two, and not ordered. */
    const bool once = own || kind != ACCESS_WRITE || board->actor[d->actor].stores;
    cell now[CELLS + 1];
    int n = 1, used = 0;
    bool races = false;
    for (; used < CELLS; used++) {
        cell c = cell_load(cells, used);
        const cell differ = c ^ mine;
        if (c == 0)
            break;
        if (once && !(differ & ~(CELL_SITE | CELL_MASK)) && !(mask & ~c) &&
            !(kind & ACCESS_ATOMIC && differ & CELL_MASK))
            return !races;
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
    for (int i = 0; i < CELLS && (i < n || i < used); i++)
        cell_store(cells, i, i < n ? now[i] : 0);
    return !races;
}

static bool note_unit(_Atomic cell *cells, cell mine, const struct doer *d, cell *other)
{
    return note(cells, mine, d, other);
}

bool shadow_own(size_t offset, cell mine, cell *other)
{
    const struct doer d = actor_pe();
    return note(shadow_cells(offset), mine, &d, other);
}

/* Which of a unit's bytes are among [offset, offset + bytes). */
static inline uint32_t mask_of(size_t unit, size_t offset, size_t bytes)
{
    const size_t from = offset > unit ? offset - unit : 0;
    const size_t to = offset + bytes - unit < UNIT ? offset + bytes - unit : UNIT;
    return (0xffu >> (UNIT - (to - from))) << from;
}

/* What is found first is told. */
struct clash {
    bool found;
    cell other;
    size_t at;
};

/* Notes an access of whole groups, as many of `most` as have the same cells in all units, and returns how many. It goes
 * by copies: what another PE notes of one unit meanwhile may get lost, but is not said of others. */
static size_t note_groups(_Atomic cell *cells, size_t most, cell mine, const struct doer *d, bool *races, cell *other)
{
    _Atomic cell was[CELLS * GROUP], now[CELLS * GROUP]; /* of one unit */
    size_t n = 0;
    for (int i = 0; i < CELLS && most; i++) {
        const cell c = cell_load(cells, i);
        cell_store(was, i, c);
        cell_store(now, i, c);
    }
    while (n < most && has_only(cells + n * GROUP * CELLS, was))
        n++;
    *races = n && !note_unit(now, mine, d, other);
    if (n)
        spread(cells, n, was, now);
    return n;
}

static void look_at_units(size_t offset, size_t bytes, cell mine, const struct doer *d, struct clash *clash)
{
    const size_t block = offset / BLOCK;
    const _Atomic cell *first = shadow_cells(offset);
    bool alike = bytes == BLOCK;
    for (size_t unit = offset / UNIT * UNIT, step; unit < offset + bytes; unit += step) {
        _Atomic cell *cells = shadow_unit(unit);
        const cell here = mine | mask_of(unit, offset, bytes);
        const size_t whole = unit % GROUP_BYTES || unit < offset ? 0 : (offset + bytes - unit) / GROUP_BYTES;
        const size_t known = d->actor == strand->actor ? known_groups(cells, here, whole) : 0;
        bool races = false;
        cell other;
        step = (known ? known : note_groups(cells, whole, here, d, &races, &other)) * GROUP_BYTES;
        if (step == 0) {
            races = !note_unit(cells, here, d, &other);
            step = UNIT;
        }
        if (races && !clash->found)
            *clash = (struct clash){true, other, unit};
        alike = alike && known == 0 && are_alike(first, cells);
    }
    if (alike)
        unite(block);
}

bool shadow_access(size_t offset, size_t bytes, cell mine, const struct doer *d, cell *other, size_t *at)
{
    struct clash clash = {.found = false};
    const size_t end = offset + bytes;
    if (bytes - 1 < UNIT - offset % UNIT) { /* of one unit, and not of none */
        *at = offset / UNIT * UNIT;
        return note_unit(shadow_cells(offset), mine | mask_of(*at, offset, bytes), d, other);
    }
    for (size_t next; offset < end; offset = next) {
        const size_t block = offset / BLOCK;
        next = (block + 1) * BLOCK < end ? (block + 1) * BLOCK : end;
        if (next - offset < BLOCK || !is_whole(block))
            look_at_units(offset, next - offset, mine, d, &clash);
        else if (!note_unit(head(block), mine | 0xff, d, other) && !clash.found)
            clash = (struct clash){true, *other, offset};
    }
    *other = clash.other;
    *at = clash.at;
    return !clash.found;
}

bool shadow_ready(size_t offset, size_t bytes, const uint32_t *clock, cell *other, size_t *at)
{
    for (size_t unit = offset / UNIT * UNIT; unit < offset + bytes; unit += UNIT) {
        const size_t block = unit / BLOCK;
        const _Atomic cell *cells = is_whole(block) ? head(block) : shadow_unit(unit);
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

/* These bytes, and what else is in their units, have this cell and no others. What the PE has done there in this epoch
 * is not known any more. */
static void fill(size_t from, size_t to, cell first)
{
    for (size_t at = from / UNIT * UNIT; at < to;) {
        const bool whole = at % BLOCK == 0 && to - at >= BLOCK;
        if (whole && !is_whole(at / BLOCK))
            unite(at / BLOCK);
        _Atomic cell *cells = whole ? head(at / BLOCK) : shadow_cells(at);
        only(cells, first);
        at += whole ? BLOCK : UNIT;
    }
    actor_next_epoch();
}

bool shadow_used(size_t *from, size_t *to, size_t end)
{
    const uint64_t each = CELLS * sizeof(cell), heads_at = BOARD_SHADOW_AT + units * each;
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

/* The PEs' own accesses of other bytes are not over. */
void shadow_seen(size_t offset, size_t bytes)
{
    for (size_t unit = offset / UNIT * UNIT; unit < offset + bytes; unit += UNIT) {
        _Atomic cell *cells = shadow_cells(unit);
        const cell seen = mask_of(unit, offset, bytes);
        int left = 0, used = 0;
        for (; used < CELLS; used++) {
            cell c = cell_load(cells, used);
            if (c == 0)
                break;
            const uint32_t actor = cell_actor(c);
            if (cell_kind(c) & ACCESS_WRITE && c & seen && actor != BOARD_FREED && actor != strand->actor)
                c &= board->actor[actor].is_agent ? ~CELL_MASK : ~seen;
            if (c & CELL_MASK)
                cell_store(cells, left++, c);
        }
        for (; left < used; left++)
            cell_store(cells, left, 0);
    }
}
