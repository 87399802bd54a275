/* For each 8 bytes of symmetric memory the last accesses: four cells of who, when, where in the program, how and which
 * of the bytes. They are replaced as ThreadSanitizer does it: what is ordered before a new access that covers it tells
 * nothing more. A fifth that does not takes the place of another one: then a race is found by another pair, or not.
 *
 * Large puts and gets treat many units alike. A block of units has one set of cells for all of them, until some of them
 * are accessed by themselves: then it is split, until all of its units are alike again.
 *
 * All PEs share the cells. Of two accesses at the same instant one finds the other: who notes an access of several
 * units takes their blocks, and who notes one of a single unit, as nearly all are, replaces its first cell by
 * an atomic operation. Of three at the same instant one may get lost. */
#ifndef COPAL_RACES_SHADOW_H
#define COPAL_RACES_SHADOW_H

#include "races/actor.h"

/* From the lowest bit: mask 8, kind 2, site 16, actor 12, epoch 26. */
typedef uint64_t cell;
enum { CELLS = 4, UNIT = 8, BLOCK = 512, GROUP = 8, GROUP_BYTES = GROUP * UNIT };
enum access { ACCESS_READ = 0, ACCESS_WRITE = 1, ACCESS_ATOMIC = 2 /* with either */ };
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

/* CELLS for each UNIT bytes of the window, and then for each of its blocks: the first ones of all, side by side, and
 * behind them of each GROUP the second ones together, the third and so on. The last access comes first, and most often
 * no other need be looked at; empty cells come last. */
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

/* Of each block its state, and above it how many times it was taken. */
enum { SHADOW_WHOLE, SHADOW_SPLIT, SHADOW_TAKEN, SHADOW_STATE = 3, SHADOW_ONCE = 4 };
extern _Atomic uint8_t *shadow_states;
bool shadow_open(size_t window_bytes);

/* Notes an access, of which mine has all but the mask. False, and *other and *at, if it races with another one. */
bool shadow_access(size_t offset, size_t bytes, cell mine, const struct doer *d, cell *other, size_t *at);

/* The same for what the PE itself accesses in one unit. */
bool shadow_own(size_t offset, cell mine, cell *other);

/* So that all units of a block have their own cells. */
void shadow_split(size_t block);

/* Whether all accesses of these bytes are over by this clock: nothing is noted. Collectives may follow each other. */
bool shadow_ready(size_t offset, size_t bytes, const uint32_t *clock, cell *other, size_t *at);

/* The next part of [*from, end) for which there may be cells. To touch others costs memory. */
bool shadow_used(size_t *from, size_t *to, size_t end);

void shadow_clear(size_t from, size_t to);                /* nobody has accessed it */
void shadow_freed(size_t from, size_t to, uint32_t site); /* nobody may */

/* An actor has waited for these bytes to change, or fetched them: what has changed them is over, but for its own. */
void shadow_seen(size_t offset, size_t bytes, uint32_t by);

#endif
