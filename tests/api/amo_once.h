/* One atomic of each row from every PE to every PE, each on an element of its own. Both sides check the fetched
 * value, the new value, and that the next element is unchanged. */
#pragma once

#include "amo.h"

enum { MAX_PES = 16, MAX_ROWS = 256, BACKGROUND = 9999 };
typedef char amo_memory[MAX_ROWS][2 * MAX_PES * 8]; /* for each row and PE, an element and a guard */

/* The old value and the operands of PE `from` in its element on PE `at`.  Every second compare-and-swap fails. */
static inline uint64_t amo_before(int from, int at, unsigned r)
{
    return pattern_to(from, at, r, 1);
}
static inline uint64_t amo_value(int from, int at, unsigned r)
{
    return pattern_to(from, at, r, 2);
}
static inline uint64_t amo_cond(int from, int at, unsigned r)
{
    return (from + at + (int)r) % 2 ? amo_before(from, at, r) : ~amo_before(from, at, r);
}

static inline void amo_issue(const struct amo_row *row, unsigned r, const struct place *place, char *dest, char *fetch,
                             int pe)
{
    const int me = shmem_my_pe();
    _Alignas(8) char value[8], cond[8];
    set_elem(&row->elem, value, 0, amo_value(me, pe, r));
    set_elem(&row->elem, cond, 0, amo_cond(me, pe, r));
    const struct amo amo = {place->ctx, fetch, dest + 2 * (size_t)me * row->elem.size, value, cond, pe_in(place, pe)};
    (place->plain ? row->call : row->ctx_call)(&amo);
}

static inline void amo_check(const struct amo_row *row, unsigned r, const struct place *place, const char *dest,
                             const char *fetch, int pe)
{
    const int me = shmem_my_pe();
    const uint64_t before = amo_before(pe, me, r);
    const uint64_t after = amo_result(row->kind, before, amo_value(pe, me, r), amo_cond(pe, me, r));
    CHECK(elem_is(&row->elem, dest, 2 * (size_t)pe, after), "%s of %s from PE %d on %s left the wrong value", row->name,
          row->elem.name, pe, place->name);
    CHECK(elem_is(&row->elem, dest, 2 * (size_t)pe + 1, pattern(me, r, BACKGROUND)),
          "%s of %s from PE %d on %s has changed the next element", row->name, row->elem.name, pe, place->name);
    if (row->fetches)
        CHECK(elem_is(&row->elem, fetch, 0, amo_before(me, pe, r)), "%s of %s on PE %d, on %s, fetched the wrong value",
              row->name, row->elem.name, pe, place->name);
}

static inline void amo_once(const struct amo_row *rows, unsigned n_rows, const struct place *place, amo_memory dest)
{
    static char fetch[MAX_ROWS][MAX_PES][8];
    const int me = shmem_my_pe(), n_pes = shmem_n_pes();
    memset(fetch, 0x5a, sizeof fetch);
    for (unsigned r = 0; r < n_rows; r++)
        for (int pe = 0; pe < n_pes; pe++) {
            set_elem(&rows[r].elem, dest[r], 2 * (size_t)pe, amo_before(pe, me, r));
            set_elem(&rows[r].elem, dest[r], 2 * (size_t)pe + 1, pattern(me, r, BACKGROUND));
        }
    shmem_barrier_all();
    for (unsigned r = 0; r < n_rows; r++)
        for (int k = 0; k < n_pes; k++)
            amo_issue(&rows[r], r, place, dest[r], fetch[r][(me + k) % n_pes], (me + k) % n_pes);
    shmem_ctx_quiet(place->ctx);
    shmem_barrier_all();
    for (unsigned r = 0; r < n_rows; r++)
        for (int pe = 0; pe < n_pes; pe++)
            amo_check(&rows[r], r, place, dest[r], fetch[r][pe], pe);
}
