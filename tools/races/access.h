/* Checks and records one access of the program, or of an operation that the program has started. */
#ifndef COPAL_RACES_ACCESS_H
#define COPAL_RACES_ACCESS_H

#include "races/map.h"
#include "races/pending.h"
#include "races/shadow.h"
#include "races/site.h"
#include "races/used.h"

/* Threads of one PE take turns: code that uses agents runs between these two. access_enter returns whether this thread
 * is the PE's only one, as usual; then there is no lock, which would take as long as a small put. */
bool access_enter(void);
void access_leave(bool alone);

/* Of symmetric memory, at an offset in the window. */
void access_symmetric(size_t offset, size_t bytes, enum access kind, const struct doer *d, uint32_t site);

/* Of memory of this PE, or of another PE's that is mapped here; symmetric or not. */
void access_local(const volatile void *at, size_t bytes, enum access kind, const struct doer *d, uint32_t site);

/* A nonblocking operation begins whose buffer is not symmetric. */
void access_pending(const struct pending *p);

/* Whether anything is recorded about memory that is not symmetric; the record holds until this memory is freed. */
static inline bool access_remembers(void)
{
    return pendings.n_ended > 0 || used_by_any;
}
static inline void access_forget(uintptr_t from, uintptr_t to)
{
    pending_forget(from, to);
    used_forget(from, to);
}
void access_forget_stack(void); /* of this thread, which is new: its stack may have been another thread's */

/* A collective has written there: all earlier accesses must be over by this clock. */
void access_ready(const void *at, size_t bytes, const uint32_t *clock, uint32_t site);

/* A load or store of few bytes by the PE itself; also of memory that is not symmetric, if that may matter. */
void access_slowly(size_t offset, size_t bytes, enum access kind, const void *caller);
void access_ordinary(const volatile void *at, size_t bytes, bool writes, const void *caller);
void access_range(const volatile void *at, size_t bytes, enum access kind, const void *caller); /* of any memory */

/* A repeated access of the PE in one epoch is known already, and so is a load of its own store. This check is nearly
 * all of the cost: it only reads the cells that were changed last. The cells stay unchanged while their block is whole,
 * and are right: each access of the block in the same epoch has then found this PE's record. */
static inline bool access_is_known(size_t offset, size_t bytes, enum access kind)
{
    if (bytes == (size_t)2 * UNIT)
        return access_is_known(offset, UNIT, kind) && access_is_known(offset + UNIT, UNIT, kind);
    if (offset % UNIT + bytes > UNIT)
        return false;
    const cell mine = actor_now | (cell)kind << 8 | CELL_MASK;
    /* A difference in these bits means a new access; in the mask, only bits that the cell lacks. */
    const cell told = ~(CELL_SITE | CELL_MASK | (kind == ACCESS_READ ? (cell)ACCESS_WRITE << 8 : 0)) |
                      (cell)(0xffu >> (UNIT - bytes)) << offset % UNIT;
    const struct cells cells = shadow_unit(offset);
    return ((cell_load(cells, 0) ^ mine) & told) == 0 || ((cell_load(cells, 1) ^ mine) & told) == 0;
}

static inline void access_store(const volatile void *at, size_t bytes, enum access kind, const void *caller)
{
    size_t offset;
    if (map_offset(at, &offset)) {
        if (!access_is_known(offset, bytes, kind))
            access_slowly(offset, bytes, kind, caller);
    } else if (__builtin_expect(pendings.to > 0 || actor_has_strands, 0)) {
        access_ordinary(at, bytes, kind & ACCESS_WRITE, caller);
    }
}

#endif
