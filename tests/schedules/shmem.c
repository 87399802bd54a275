/* The OpenSHMEM under the fibres: the routines that SHCOLL and the core of the coarray library call.
 *
 * A put, a signal and an atomic that fetches nothing land (arrive) late (landings.c). A blocking put has read its
 * source on return, a nonblocking put when it lands. A routine that fetches completes immediately, and does not wait
 * for this PE's earlier puts. A fence begins an epoch of this PE's landings; a quiet waits until all have landed. */
#include "world.h"

#define COPAL_NO_GENERICS
#include <shmem.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- PE numbers --------------------------------------------------------------------------------------------------- */

int shmem_my_pe(void)
{
    return world.me;
}

int shmem_n_pes(void)
{
    return world.n_pes;
}

void shmem_init(void)
{
}

void shmem_finalize(void)
{
    shmem_barrier_all();
}

int shmem_addr_accessible(const void *addr, int pe)
{
    return at_pe(addr, pe) != NULL;
}

/* The only team is the team of all PEs. */
int shmem_team_n_pes(shmem_team_t team)
{
    (void)team;
    return world.n_pes;
}

int shmem_team_translate_pe(shmem_team_t src_team, int src_pe, shmem_team_t dest_team)
{
    (void)src_team, (void)dest_team;
    return src_pe;
}

static bool is_near(int pe)
{
    return world.node[pe] == world.node[world.me];
}

static bool is_late(int pe)
{
    return !world.in_thread && (world.near_is_late || !is_near(pe));
}

void *shmem_ptr(const void *dest, int pe)
{
    return is_near(pe) ? at_pe(dest, pe) : NULL;
}

void shmem_global_exit(int status)
{
    fail("PE %d ends the job with %d", world.me, status);
    abort();
}

static void *reach(const char *routine, const void *symmetric, size_t bytes, int pe)
{
    char *const at = pe >= 0 && pe < world.n_pes ? at_pe(symmetric, pe) : NULL;
    if (!at || bytes > (size_t)(arena_of(pe) + ARENA_BYTES - at))
        fail("%s: PE %d is called by PE %d, %zu bytes at %p of its arena's %d", routine, pe, world.me, bytes, symmetric,
             ARENA_BYTES);
    return at;
}

/* --- putting ------------------------------------------------------------------------------------------------------ */

static void put(const char *routine, void *dest, const void *source, size_t bytes, int pe, bool lent,
                bool has_signal)
{
    step(routine);
    void *const to = reach(routine, dest, bytes, pe);
    next_operation();
    if (is_late(pe))
        put_late(to, source, bytes, pe, lent, has_signal);
    else
        memmove(to, source, bytes);
}

void shmem_putmem(void *dest, const void *source, size_t nelems, int pe)
{
    put("shmem_putmem", dest, source, nelems, pe, false, false);
}

void shmem_putmem_nbi(void *dest, const void *source, size_t nelems, int pe)
{
    put("shmem_putmem_nbi", dest, source, nelems, pe, true, false);
}

static void change(const char *routine, enum effect effect, void *dest, int size, uint64_t value, int pe)
{
    step(routine);
    void *const to = reach(routine, dest, (size_t)size, pe);
    next_operation();
    if (is_late(pe))
        word_late(effect, to, size, value, pe, false);
    else
        apply(effect, to, size, value);
}

void shmem_uint64_p(uint64_t *dest, uint64_t value, int pe)
{
    change("shmem_uint64_p", EFFECT_SET, dest, 8, value, pe);
}

void shmem_putmem_signal(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op,
                         int pe)
{
    const enum effect effect = sig_op == SHMEM_SIGNAL_ADD ? EFFECT_ADD : EFFECT_SET;
    put("shmem_putmem_signal", dest, source, nelems, pe, false, true);
    uint64_t *const word = reach("shmem_putmem_signal", sig_addr, sizeof *word, pe);
    if (is_late(pe))
        word_late(effect, word, sizeof *word, signal, pe, true);
    else
        apply(effect, word, sizeof *word, signal);
}

/* --- getting ------------------------------------------------------------------------------------------------------ */

/* Copies in two halves; other PEs may have turns between them. */
void shmem_getmem(void *dest, const void *source, size_t nelems, int pe)
{
    step("shmem_getmem");
    const char *const from = reach("shmem_getmem", source, nelems, pe);
    const size_t half = nelems > 16 ? nelems / 2 / 8 * 8 : nelems;
    memmove(dest, from, half);
    if (half == nelems)
        return;
    step("shmem_getmem");
    memmove((char *)dest + half, from + half, nelems - half);
}

void shmem_getmem_nbi(void *dest, const void *source, size_t nelems, int pe)
{
    step("shmem_getmem_nbi");
    const void *const from = reach("shmem_getmem_nbi", source, nelems, pe);
    next_operation();
    if (is_late(pe))
        put_late(dest, from, nelems, world.me, true, false);
    else
        memmove(dest, from, nelems);
}

uint64_t shmem_uint64_g(const uint64_t *source, int pe)
{
    step("shmem_uint64_g");
    return *(const uint64_t *)reach("shmem_uint64_g", source, sizeof *source, pe);
}

int shmem_int_g(const int *source, int pe)
{
    step("shmem_int_g");
    return *(const int *)reach("shmem_int_g", source, sizeof *source, pe);
}

/* --- strided ------------------------------------------------------------------------------------------------------ */

/* Each element lands separately. */
static void iput(const char *routine, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t n,
                 size_t size, int pe)
{
    step(routine);
    char *const to = reach(routine, dest, n ? ((n - 1) * (size_t)dst + 1) * size : 0, pe);
    next_operation();
    for (size_t i = 0; i < n; i++) {
        void *const element = to + i * (size_t)dst * size;
        const void *const from = (const char *)source + i * (size_t)sst * size;
        if (is_late(pe))
            put_late(element, from, size, pe, false, false);
        else
            memcpy(element, from, size);
    }
}

static void iget(const char *routine, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t n,
                 size_t size, int pe)
{
    step(routine);
    const char *const from = reach(routine, source, n ? ((n - 1) * (size_t)sst + 1) * size : 0, pe);
    for (size_t i = 0; i < n; i++) {
        if (i == n / 2)
            step(routine);
        memcpy((char *)dest + i * (size_t)dst * size, from + i * (size_t)sst * size, size);
    }
}

#define STRIDED(BITS) \
    void shmem_iput##BITS(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t n, int pe) \
    { iput("shmem_iput" #BITS, dest, source, dst, sst, n, BITS / 8, pe); }
STRIDED(8) STRIDED(16) STRIDED(32) STRIDED(64) STRIDED(128)
#undef STRIDED
#define STRIDED(BITS) \
    void shmem_iget##BITS(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t n, int pe) \
    { iget("shmem_iget" #BITS, dest, source, dst, sst, n, BITS / 8, pe); }
STRIDED(8) STRIDED(16) STRIDED(32) STRIDED(64) STRIDED(128)

/* --- atomics ------------------------------------------------------------------------------------------------------ */

#define CHANGES(NAME, ARGS, EFFECT, VALUE) void shmem_##NAME ARGS \
    { change("shmem_" #NAME, EFFECT, dest, 8, VALUE, pe); }
CHANGES(ulonglong_atomic_inc, (unsigned long long *dest, int pe), EFFECT_ADD, 1)
CHANGES(ulonglong_atomic_add, (unsigned long long *dest, unsigned long long value, int pe), EFFECT_ADD, value)
CHANGES(ulong_atomic_add, (unsigned long *dest, unsigned long value, int pe), EFFECT_ADD, value)
CHANGES(ulong_atomic_inc, (unsigned long *dest, int pe), EFFECT_ADD, 1)
CHANGES(uint64_atomic_or, (uint64_t *dest, uint64_t value, int pe), EFFECT_OR, value)

static uint64_t fetch(const char *routine, enum effect effect, void *dest, uint64_t value, int pe)
{
    step(routine);
    uint64_t *const word = reach(routine, dest, sizeof *word, pe);
    const uint64_t old = *word;
    apply(effect, word, sizeof *word, value);
    return old;
}

#define FETCHES(T, NAME, ARGS, EFFECT, VALUE) T shmem_##NAME ARGS \
    { return (T)fetch("shmem_" #NAME, EFFECT, (void *)(uintptr_t)dest, VALUE, pe); }
FETCHES(unsigned long, ulong_atomic_fetch, (const unsigned long *dest, int pe), EFFECT_ADD, 0)
FETCHES(unsigned long, ulong_atomic_fetch_add, (unsigned long *dest, unsigned long value, int pe), EFFECT_ADD, value)
FETCHES(long, long_atomic_fetch, (const long *dest, int pe), EFFECT_ADD, 0)
FETCHES(unsigned long long, ulonglong_atomic_swap, (unsigned long long *dest, unsigned long long value, int pe),
        EFFECT_SET, value)
FETCHES(unsigned long long, ulonglong_atomic_fetch_inc, (unsigned long long *dest, int pe), EFFECT_ADD, 1)
FETCHES(unsigned long long, ulonglong_atomic_fetch_add, (unsigned long long *dest, unsigned long long value, int pe),
        EFFECT_ADD, value)

unsigned long shmem_ulong_atomic_compare_swap(unsigned long *dest, unsigned long cond, unsigned long value, int pe)
{
    step("shmem_ulong_atomic_compare_swap");
    uint64_t *const word = reach("shmem_ulong_atomic_compare_swap", dest, sizeof *word, pe);
    const uint64_t old = *word;
    if (old == cond)
        *word = value;
    return old;
}

long shmem_long_atomic_compare_swap(long *dest, long cond, long value, int pe)
{
    return (long)shmem_ulong_atomic_compare_swap((unsigned long *)dest, (unsigned long)cond, (unsigned long)value, pe);
}

/* --- order, waits and barriers ------------------------------------------------------------------------------------ */

void shmem_fence(void)
{
    world.pe[world.me].epoch++;
}

void shmem_quiet(void)
{
    struct pe *const me = &world.pe[world.me];
    me->epoch++;
    if (me->landing)
        wait_for("shmem_quiet", &me->landing, SHMEM_CMP_EQ, 0);
}

void shmem_uint64_wait_until(uint64_t *ivar, int cmp, uint64_t cmp_value)
{
    wait_for("shmem_uint64_wait_until", ivar, cmp, cmp_value);
}

int shmem_uint64_test(uint64_t *ivar, int cmp, uint64_t cmp_value)
{
    if (compares(*ivar, cmp, cmp_value))
        return 1;
    look_again("shmem_uint64_test");
    return compares(*ivar, cmp, cmp_value);
}

void shmem_barrier_all(void)
{
    struct pe *const me = &world.pe[world.me];
    if (world.in_thread)
        return;
    shmem_quiet();
    step("shmem_barrier_all");
    me->barriers++;
    for (int i = 0; i < world.n_pes; i++)
        wait_for("shmem_barrier_all", &world.pe[i].barriers, SHMEM_CMP_GE, me->barriers);
}

/* --- the heap ----------------------------------------------------------------------------------------------------- */

void *shmem_align(size_t alignment, size_t size)
{
    struct pe *const me = &world.pe[world.me];
    const size_t at = (me->allocated + alignment - 1) / alignment * alignment;
    const bool fits = size <= ARENA_BYTES && at + size <= ARENA_BYTES;
    if (fits)
        me->latest = at, me->allocated = at + size;
    shmem_barrier_all();
    return fits ? arena_of(world.me) + at : NULL;
}

/* Blocks older than the latest are never used again. */
void shmem_free(void *ptr)
{
    struct pe *const me = &world.pe[world.me];
    shmem_barrier_all();
    if (ptr == arena_of(world.me) + me->latest)
        me->allocated = me->latest;
}
