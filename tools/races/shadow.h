/* The last accesses of each unit (8 bytes) of symmetric memory: four cells with actor, epoch, place in the program,
 * kind and bytes. They are replaced as in ThreadSanitizer: a new access replaces earlier accesses that are ordered
 * before it and that it covers. If four others remain, it replaces one of them, so a race may be missed.
 *
 * Large puts and gets access many units in the same way. A block of units has one set of cells for all its units. If
 * some of the units are accessed separately, the block is split, until all of its units are alike again.
 *
 * All PEs share the cells. If two accesses are simultaneous, one finds the other: an access of several units takes
 * their blocks, and an access of a single unit, the usual case, replaces its first cell by an atomic operation. If
 * three accesses are simultaneous, one may be lost. */
#pragma once

#include "races/actor.h"

/* From the lowest bit: mask 8, kind 2, site 16, actor 12, epoch 26. */
typedef uint64_t cell;
enum { CELLS = 4, UNIT = 8, BLOCK = 512, GROUP = 8, GROUP_BYTES = GROUP * UNIT };
enum access { ACCESS_READ = 0, ACCESS_WRITE = 1, ACCESS_ATOMIC = 2 /* or-ed with either */ };
#define CELL_SITE ((cell)0xffff << 10)
#define CELL_MASK ((cell)0xff)
#define CELL_ACTOR ((cell)0xfff << 26)

static inline cell cell_make(const struct doer *d, enum access kind, uint32_t site)
{
    return (cell)d->epoch << 38 | (cell)d->actor << 26 | (cell)site << 10 | (cell)kind << 8;
}
static inline uint32_t cell_mask(cell c)
{
    return (uint32_t)c & 0xff;
}
static inline enum access cell_kind(cell c)
{
    return (enum access)(c >> 8 & 3);
}
static inline uint32_t cell_site(cell c)
{
    return (uint32_t)(c >> 10) & 0xffff;
}
static inline uint32_t cell_actor(cell c)
{
    return (uint32_t)(c >> 26) & 0xfff;
}
static inline uint32_t cell_epoch(cell c)
{
    return (uint32_t)(c >> 38);
}

/* CELLS cells for each unit of the window, then for each block. The first cells of all of them are adjacent. Then, for
 * each GROUP of units, come their second cells, their third cells and so on. The first cell is the last access, and
 * usually no other cell is read; empty cells are last. */
struct cells {
    _Atomic cell *first, *others;
};
extern _Atomic cell *shadow __attribute__((visibility("hidden")));
extern _Atomic cell *shadow_others __attribute__((visibility("hidden")));

static inline struct cells cells_of(size_t unit)
{
    return (struct cells){shadow + unit, shadow_others + unit / GROUP * GROUP * (CELLS - 1) + unit % GROUP};
}
static inline struct cells shadow_unit(size_t offset)
{
    return cells_of(offset / UNIT);
}
static inline _Atomic cell *cell_at(struct cells cells, int i)
{
    return i == 0 ? cells.first : cells.others + (i - 1) * GROUP;
}
static inline cell cell_load(struct cells cells, int i)
{
    return atomic_load_explicit(cell_at(cells, i), memory_order_relaxed);
}

/* The state of each block, in the lowest bits; the bits above count how often the block was taken. */
enum { SHADOW_WHOLE, SHADOW_SPLIT, SHADOW_TAKEN, SHADOW_STATE = 3, SHADOW_ONCE = 4 };
extern _Atomic uint8_t *shadow_states;
bool shadow_open(size_t window_bytes);

/* Records an access; mine is its cell without the mask. Returns false, with *other and *at, if it races. */
bool shadow_access(size_t offset, size_t bytes, cell mine, const struct doer *d, cell *other, size_t *at);

/* The same for an access of the PE itself in one unit. */
bool shadow_own(size_t offset, cell mine, cell *other);

/* Gives each unit of a block its own cells. */
void shadow_split(size_t block);

/* Whether all accesses of these bytes, except by collectives, happen before this clock. Records nothing. */
bool shadow_ready(size_t offset, size_t bytes, const uint32_t *clock, cell *other, size_t *at);

/* The next part of [*from, end) that may have cells. Access to other parts would allocate memory. */
bool shadow_used(size_t *from, size_t *to, size_t end);

void shadow_clear(size_t from, size_t to);                /* records that no actor has accessed it */
void shadow_freed(size_t from, size_t to, uint32_t site); /* records that no actor may access it */

/* The actor `by` awaited a change of these bytes, or fetched them: other actors' changes of them are over. */
void shadow_seen(size_t offset, size_t bytes, uint32_t by);
