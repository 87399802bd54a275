/* The classic interface: atomics, waits, locks. */
#include "classic.h"

#include <sched.h>
#include <stdint.h>
#include <time.h>

/* X(NAME, N, T): Fortran's name, C's name, the type. A routine without a type in its name is for default integers. */
#define INTEGERS(X) X(int4_, int32, int32_t) X(int8_, int64, int64_t)
#define NUMBERS(X) INTEGERS(X) X(real4_, float, float) X(real8_, double, double)

/* shmem_int4_swap, shmem_int4_fetch, shmem_int4_set ... */
#define SWAP(F, N, T) T shmem_##F##swap_(T *target, const T *value, const int *pe) \
    { NAMED("shmem_" #F "swap", "shmem_" #N "_atomic_swap"); return shmem_##N##_atomic_swap(target, *value, *pe); }
#define FETCH(F, N, T) T shmem_##F##fetch_(const T *source, const int *pe) \
    { NAMED("shmem_" #F "fetch", "shmem_" #N "_atomic_fetch"); return shmem_##N##_atomic_fetch(source, *pe); }
#define SET(F, N, T) CLASSIC(void, F##set, (T *target, const T *value, const int *pe)) \
    { NAMED("shmem_" #F "set", "shmem_" #N "_atomic_set"); shmem_##N##_atomic_set(target, *value, *pe); }
NUMBERS(SWAP)
NUMBERS(FETCH)
NUMBERS(SET)
SWAP(, int32, int32_t)

/* shmem_int4_cswap, shmem_int4_fadd, shmem_int4_finc, shmem_int4_add, shmem_int4_inc ... */
#define NAMED_CSWAP(F, N) NAMED("shmem_" #F "cswap", "shmem_" #N "_atomic_compare_swap")
#define CSWAP(F, N, T) T shmem_##F##cswap_(T *target, const T *cond, const T *value, const int *pe) \
    { NAMED_CSWAP(F, N); return shmem_##N##_atomic_compare_swap(target, *cond, *value, *pe); }
#define NAMED_FADD(F, N) NAMED("shmem_" #F "fadd", "shmem_" #N "_atomic_fetch_add")
#define FADD(F, N, T) T shmem_##F##fadd_(T *target, const T *value, const int *pe) \
    { NAMED_FADD(F, N); return shmem_##N##_atomic_fetch_add(target, *value, *pe); }
#define FINC(F, N, T) T shmem_##F##finc_(T *target, const int *pe) \
    { NAMED("shmem_" #F "finc", "shmem_" #N "_atomic_fetch_inc"); return shmem_##N##_atomic_fetch_inc(target, *pe); }
#define ADD(F, N, T) CLASSIC(void, F##add, (T *target, const T *value, const int *pe)) \
    { NAMED("shmem_" #F "add", "shmem_" #N "_atomic_add"); shmem_##N##_atomic_add(target, *value, *pe); }
#define INC(F, N, T) CLASSIC(void, F##inc, (T *target, const int *pe)) \
    { NAMED("shmem_" #F "inc", "shmem_" #N "_atomic_inc"); shmem_##N##_atomic_inc(target, *pe); }
INTEGERS(CSWAP)
INTEGERS(FADD)
INTEGERS(FINC)
INTEGERS(ADD)
INTEGERS(INC)

/* shmem_int4_wait, shmem_int4_wait_until ... */
#define WAIT(F, N, T) CLASSIC(void, F##wait, (T *ivar, const T *value)) \
    { NAMED("shmem_" #F "wait", "shmem_" #N "_wait_until"); shmem_##N##_wait_until(ivar, SHMEM_CMP_NE, *value); }
#define WAIT_UNTIL(F, N, T) CLASSIC(void, F##wait_until, (T *ivar, const int *cmp, const T *value)) \
    { NAMED("shmem_" #F "wait_until", "shmem_" #N "_wait_until"); shmem_##N##_wait_until(ivar, *cmp, *value); }
INTEGERS(WAIT)
INTEGERS(WAIT_UNTIL)
WAIT(, int32, int32_t)
WAIT_UNTIL(, int32, int32_t)

/* --- locks -------------------------------------------------------------------------------------------------------- */

/* A Fortran lock is a default integer, half the size of a C lock, so it is a separate ticket lock, which serves PEs in
 * their order. In the word on PE 0, the upper half is the next ticket, and the lower half is the ticket being served.
 * If the upper half overflows, the carry is lost. A carry from the lower half would change the upper half, so the
 * holder sets the lower half from its maximum to 0 itself. */
enum { HOME = 0 };
#define ONE_TICKET (UINT32_C(1) << 16)

static uint16_t served(uint32_t lock)
{
    return (uint16_t)lock;
}

static uint16_t next_ticket(uint32_t lock)
{
    return (uint16_t)(lock >> 16);
}

CLASSIC(void, set_lock, (uint32_t *lock))
{
    enum { LOOKS = 100, TURNS = 1000 };
    NAMED("shmem_set_lock", "shmem_uint32_atomic_fetch_add", "shmem_uint32_atomic_fetch");
    const uint16_t mine = next_ticket(shmem_uint32_atomic_fetch_add(lock, ONE_TICKET, HOME));
    for (int looks = 0; served(shmem_uint32_atomic_fetch(lock, HOME)) != mine; looks++) {
        if (looks > LOOKS + TURNS)
            nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
        else if (looks > LOOKS)
            sched_yield();
    }
}

int shmem_test_lock_(uint32_t *lock)
{
    NAMED("shmem_test_lock", "shmem_uint32_atomic_fetch", "shmem_uint32_atomic_compare_swap");
    const uint32_t is = shmem_uint32_atomic_fetch(lock, HOME);
    if (next_ticket(is) != served(is))
        return 1;
    return shmem_uint32_atomic_compare_swap(lock, is, is + ONE_TICKET, HOME) != is;
}

CLASSIC(void, clear_lock, (uint32_t *lock))
{
    NAMED("shmem_clear_lock", "shmem_uint32_atomic_fetch", "shmem_uint32_atomic_add");
    shmem_quiet();
    const uint32_t is = shmem_uint32_atomic_fetch(lock, HOME);
    if (next_ticket(is) == served(is))
        fortran_fatal("shmem_clear_lock", "argument lock is %p, which no PE holds", (void *)lock);
    shmem_uint32_atomic_add(lock, served(is) == UINT16_MAX ? -(uint32_t)UINT16_MAX : 1, HOME);
}
