/* For each 8 bytes of symmetric memory the last accesses: four cells with actor, epoch, place in the program, kind and
 * bytes. They are replaced as in ThreadSanitizer: a new access that covers an earlier, ordered one replaces it. If four
 * others remain, a new access replaces one of them: then another pair shows the race, or it is missed.
 *
 * Large puts and gets treat many units alike. A block of units has one set of cells for all of them, until some of them
 * are accessed alone: then it is split, until all of its units are alike again.
 *
 * All PEs share the cells. Of two simultaneous accesses one finds the other: an access of several units takes their
 * blocks, and an access of a single unit, the usual case, replaces its first cell by an atomic operation. Of three
 * simultaneous ones, one may be lost. */
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

/* CELLS for each UNIT bytes of the window, and then for each of its blocks: the first cells of all units side by side,
 * followed, for each GROUP, by the second cells together, the third and so on. The last access comes first, and usually
 * no other cell is read; empty cells come last. */
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

/* The state of each block, with a count of its takes above it. */
enum { SHADOW_WHOLE, SHADOW_SPLIT, SHADOW_TAKEN, SHADOW_STATE = 3, SHADOW_ONCE = 4 };
extern _Atomic uint8_t *shadow_states;
bool shadow_open(size_t window_bytes);

/* Records an access; mine lacks only the mask. False, with *other and *at, if it races with another one. */
bool shadow_access(size_t offset, size_t bytes, cell mine, const struct doer *d, cell *other, size_t *at);

/* The same for an access of the PE itself in one unit. */
bool shadow_own(size_t offset, cell mine, cell *other);

/* Gives each unit of a block its own cells. */
void shadow_split(size_t block);

/* Whether all accesses of these bytes are over by this clock: records nothing. Collectives may follow each other. */
bool shadow_ready(size_t offset, size_t bytes, const uint32_t *clock, cell *other, size_t *at);

/* The next part of [*from, end) that may have cells. Touching others would allocate memory. */
bool shadow_used(size_t *from, size_t *to, size_t end);

void shadow_clear(size_t from, size_t to);                /* no actor has accessed it */
void shadow_freed(size_t from, size_t to, uint32_t site); /* no actor may access it */

/* An actor has waited for these bytes to change, or fetched them: their changes are over, except its own. */
void shadow_seen(size_t offset, size_t bytes, uint32_t by);

#endif
