/* Checks and records one access of the program, or of an operation that the program has started. */
#pragma once

#include "races/map.h"
#include "races/pending.h"
#include "races/shadow.h"
#include "races/site.h"
#include "races/used.h"

/* Code that uses agents runs between these two calls, in only one thread of a PE. access_enter returns whether this
 * thread is the PE's only thread, as is usual: then no lock is needed, which would take as long as a small put. */
bool access_enter(void);
void access_leave(bool alone);

/* An access of symmetric memory, at an offset in the window. */
void access_symmetric(size_t offset, size_t bytes, enum access kind, const struct doer *d, uint32_t site);

/* An access of memory that this PE can address: its own, symmetric or not, or another PE's mapped memory. */
void access_local(const volatile void *at, size_t bytes, enum access kind, const struct doer *d, uint32_t site);

/* A nonblocking operation begins, and its local buffer is not symmetric. */
void access_pending(const struct pending *p);

/* Whether there are records of memory that is not symmetric. A record is valid until its memory is freed. */
static inline bool access_remembers(void)
{
    return pendings.n_ended > 0 || used_by_any;
}
static inline void access_forget(uintptr_t from, uintptr_t to)
{
    pending_forget(from, to);
    used_forget(from, to);
}
void access_forget_stack(void); /* called in a new thread, whose stack may have been another thread's */

/* A collective has written this memory: all earlier accesses must be over by this clock. */
void access_ready(const void *at, size_t bytes, const uint32_t *clock, uint32_t site);

/* A load or store of few bytes by the PE itself. */
void access_slowly(size_t offset, size_t bytes, enum access kind, const void *caller);
void access_ordinary(const volatile void *at, size_t bytes, bool writes, const void *caller);
void access_range(const volatile void *at, size_t bytes, enum access kind, const void *caller); /* of any memory */

/* Whether an access is recorded already: a repeated access of the PE in one epoch, or a load of a value that the
 * PE has stored in this epoch. This check causes most of the detector's cost; it reads only the two newest cells.
 * While a block is whole, accesses do not change the cells of its units. The check is still correct: each other access
 * of the block in this epoch has found this PE's record. */
static inline bool access_is_known(size_t offset, size_t bytes, enum access kind)
{
    if (bytes == (size_t)2 * UNIT)
        return access_is_known(offset, UNIT, kind) && access_is_known(offset + UNIT, UNIT, kind);
    if (offset % UNIT + bytes > UNIT)
        return false;
    const cell mine = actor_now | (cell)kind << 8 | CELL_MASK;
    /* The access is new if it differs from the cell in these bits, or has bytes that the cell's mask lacks. */
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
