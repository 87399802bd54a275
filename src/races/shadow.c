#include "races/shadow.h"

#include <sched.h>

_Atomic cell *shadow;

_Atomic uint8_t *shadow_states;
static _Atomic cell *heads; /* CELLS for each block that is whole */

bool shadow_open(size_t window_bytes)
{
    const size_t blocks = window_bytes / BLOCK;
    shadow_states = board_map(BOARD_STATES_AT, blocks);
    heads = board_map(BOARD_HEADS_AT, blocks * CELLS * sizeof(cell));
    shadow = board_map(BOARD_SHADOW_AT, window_bytes / UNIT * CELLS * sizeof(cell));
    return shadow_states && heads && shadow;
}

/* --- blocks ------------------------------------------------------------------------------------------------------- */

static void copy(_Atomic cell *to, const _Atomic cell *from)
{
    for (int i = 0; i < CELLS; i++)
        atomic_store_explicit(&to[i], atomic_load_explicit(&from[i], memory_order_relaxed), memory_order_relaxed);
}

static bool are_alike(const _Atomic cell *a, const _Atomic cell *b)
{
    cell differ = 0;
    for (int i = 0; i < CELLS; i++)
        differ |= atomic_load_explicit(&a[i], memory_order_relaxed) ^ atomic_load_explicit(&b[i], memory_order_relaxed);
    return differ == 0;
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
    _Atomic cell *units = shadow + block * (BLOCK / UNIT) * CELLS;
    if (begin_change(block, SHADOW_WHOLE)) {
        for (int i = 0; i < BLOCK / UNIT; i++)
            copy(units + i * CELLS, heads + block * CELLS);
        end_change(block, SHADOW_SPLIT);
    }
    while (atomic_load_explicit(&shadow_states[block], memory_order_acquire) == SHADOW_CHANGES)
        sched_yield();
}

static void unite(size_t block)
{
    if (!begin_change(block, SHADOW_SPLIT))
        return;
    copy(heads + block * CELLS, shadow + block * (BLOCK / UNIT) * CELLS);
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
    if (__builtin_expect(actor_clock[actor] >= epoch, 1))
        return true;
    for (int i = 0; i < d->n_fenced; i++)
        if (actor == d->fenced[i] && epoch <= d->until[i])
            return true;
    return board->actor[actor].stores && board->actor[actor].pe == (int)actor_me;
}

/* Atomics of one size and type, or two of which nobody says the type. */
static bool are_atomic_together(cell a, cell b)
{
    return cell_kind(a) & cell_kind(b) & ACCESS_ATOMIC && cell_mask(a) == cell_mask(b) &&
           board->site[cell_site(a)].is_real == board->site[cell_site(b)].is_real;
}

bool shadow_unit(_Atomic cell *cells, cell mine, const struct doer *d, cell *other)
{
    const uint32_t mask = cell_mask(mine);
    const enum access kind = cell_kind(mine);
    /* Two puts of an epoch are two, and not ordered. */
    const bool once = kind != ACCESS_WRITE || d->actor == actor_me || board->actor[d->actor].stores;
    int place = -1;
    bool races = false;
    for (int i = 0; i < CELLS; i++) {
        const cell c = atomic_load_explicit(&cells[i], memory_order_relaxed);
        if (((c ^ mine) & ~CELL_SITE) == 0 && once)
            return !races;
        if (c == 0) {
            place = place < 0 ? i : place;
            continue;
        }
        if (!(cell_mask(c) & mask))
            continue;
        const bool covered = (cell_mask(c) & ~mask) == 0, reads = !((kind | cell_kind(c)) & ACCESS_WRITE);
        if (is_over(c, d)) {
            if (covered && (kind & ACCESS_WRITE || reads)) {
                if (place >= 0)
                    atomic_store_explicit(&cells[i], 0, memory_order_relaxed);
                else
                    place = i;
            }
        } else if (!reads && !are_atomic_together(c, mine)) {
            *other = c;
            races = true;
        }
    }
    if (place < 0)
        place = (int)((mine >> 38 ^ mine >> 10) % CELLS);
    atomic_store_explicit(&cells[place], mine, memory_order_relaxed);
    return !races;
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

static void look_at_units(size_t offset, size_t bytes, cell mine, const struct doer *d, struct clash *clash)
{
    const size_t block = offset / BLOCK;
    const _Atomic cell *first = shadow_cells(offset);
    bool alike = bytes == BLOCK;
    cell other;
    for (size_t unit = offset / UNIT * UNIT; unit < offset + bytes; unit += UNIT) {
        _Atomic cell *cells = shadow + unit / UNIT * CELLS;
        const uint32_t mask = mask_of(unit, offset, bytes);
        if (!shadow_unit(cells, mine | mask, d, &other) && !clash->found)
            *clash = (struct clash){true, other, unit};
        alike = alike && are_alike(first, cells);
    }
    if (alike)
        unite(block);
}

bool shadow_access(size_t offset, size_t bytes, cell mine, const struct doer *d, cell *other, size_t *at)
{
    struct clash clash = {.found = false};
    const size_t end = offset + bytes;
    for (size_t next; offset < end; offset = next) {
        const size_t block = offset / BLOCK;
        next = (block + 1) * BLOCK < end ? (block + 1) * BLOCK : end;
        if (next - offset < BLOCK || !is_whole(block))
            look_at_units(offset, next - offset, mine, d, &clash);
        else if (!shadow_unit(heads + block * CELLS, mine | 0xff, d, other) && !clash.found)
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
        const _Atomic cell *cells = is_whole(block) ? heads + block * CELLS : shadow + unit / UNIT * CELLS;
        for (int i = 0; i < CELLS; i++) {
            const cell c = atomic_load_explicit(&cells[i], memory_order_relaxed);
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

/* These bytes, and what else is in their units, have this cell and no others. */
static void fill(size_t from, size_t to, cell first)
{
    const cell all[CELLS] = {first};
    for (size_t at = from / UNIT * UNIT; at < to;) {
        const bool whole = at % BLOCK == 0 && to - at >= BLOCK;
        if (whole && !is_whole(at / BLOCK))
            unite(at / BLOCK);
        _Atomic cell *cells = whole ? heads + at / BLOCK * CELLS : shadow_cells(at);
        for (int i = 0; i < CELLS; i++)
            atomic_store_explicit(&cells[i], all[i], memory_order_relaxed);
        at += whole ? BLOCK : UNIT;
    }
}

bool shadow_used(size_t *from, size_t *to, size_t end)
{
    const uint64_t head = CELLS * sizeof(cell);
    uint64_t first, behind;
    if (*from >= end ||
        !board_written(BOARD_HEADS_AT + *from / BLOCK * head, BOARD_HEADS_AT + (end + BLOCK - 1) / BLOCK * head, &first,
                       &behind))
        return false;
    const size_t begins = (first - BOARD_HEADS_AT) / head * BLOCK, ends = (behind - BOARD_HEADS_AT) / head * BLOCK;
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

void shadow_seen(size_t offset, size_t bytes)
{
    for (size_t unit = offset / UNIT * UNIT; unit < offset + bytes; unit += UNIT)
        for (int i = 0; i < CELLS; i++) {
            _Atomic cell *at = shadow_cells(unit) + i;
            const cell c = atomic_load_explicit(at, memory_order_relaxed);
            if (cell_kind(c) & ACCESS_WRITE && cell_mask(c) & mask_of(unit, offset, bytes) &&
                cell_actor(c) != BOARD_FREED && cell_actor(c) != actor_me)
                atomic_store_explicit(at, 0, memory_order_relaxed);
        }
}
