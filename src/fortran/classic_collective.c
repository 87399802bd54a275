/* The classic interface: barriers and collectives on active sets. */
#include "classic.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/* C's pSync is an array of longs. Fortran's is an array of default integers, which may begin in the middle of a long;
 * therefore the sizes in shmem.fh include one more long. */
static long *sync_of(int *sync)
{
    return (long *)(((uintptr_t)sync + sizeof(long) - 1) & ~(uintptr_t)(sizeof(long) - 1));
}

void shmem_barrier_all_(void)
{
    shmem_barrier_all();
}

#define ACTIVE_SET const int *start, const int *stride, const int *size, int *sync
#define THE_SET *start, *stride, *size, sync_of(sync)

CLASSIC(void, barrier, (ACTIVE_SET))
{
    shmem_barrier(THE_SET);
}

/* X(SIZE, BITS): sizes below 32 count bytes. */
#define SIZES(X) X(4, 32) X(8, 64) X(32, 32) X(64, 64)

/* shmem_collect64, shmem_fcollect64, shmem_broadcast64, shmem_alltoall64, shmem_alltoalls64 ... */
#define GATHER(NAME, OP) CLASSIC(void, NAME, (void *dest, const void *source, const int *n, ACTIVE_SET)) \
    { NAMED("shmem_" #NAME, "shmem_" #OP); shmem_##OP(dest, source, classic_count(n), THE_SET); }
#define COLLECT(S, BITS) GATHER(collect##S, collect##BITS) GATHER(fcollect##S, fcollect##BITS)
#define NAMED_SIZE(NAME, S, BITS) NAMED("shmem_" #NAME #S, "shmem_" #NAME #BITS)
#define FROM_ROOT void *dest, const void *source, const int *n, const int *root
#define BROADCAST(S, BITS) CLASSIC(void, broadcast##S, (FROM_ROOT, ACTIVE_SET)) \
    { NAMED_SIZE(broadcast, S, BITS); shmem_broadcast##BITS(dest, source, classic_count(n), *root, THE_SET); }
#define ALLTOALL(S, BITS) GATHER(alltoall##S, alltoall##BITS)
#define STRIDED void *dest, const void *source, const int *dst, const int *sst, const int *n
#define ALLTOALLS(S, BITS) CLASSIC(void, alltoalls##S, (STRIDED, ACTIVE_SET)) \
    { NAMED_SIZE(alltoalls, S, BITS); shmem_alltoalls##BITS(dest, source, *dst, *sst, classic_count(n), THE_SET); }
SIZES(COLLECT)
SIZES(BROADCAST)
SIZES(ALLTOALL)
SIZES(ALLTOALLS)

/* --- reductions --------------------------------------------------------------------------------------------------- */

/* X(NAME, N, T): Fortran's name, C's name, the type. */
#define BITWISE(X, OP) X(int2, short, short, OP) X(int4, int, int, OP) X(int8, long, long, OP)
#define ORDERED(X, OP) BITWISE(X, OP) X(real4, float, float, OP) X(real8, double, double, OP)
#define ARITHMETIC(X, OP) ORDERED(X, OP) X(comp4, complexf, COPAL_COMPLEXF, OP) X(comp8, complexd, COPAL_COMPLEXD, OP)

/* shmem_int4_and_to_all, shmem_int4_or_to_all, shmem_int4_xor_to_all, shmem_int4_max_to_all, shmem_int4_min_to_all,
 * shmem_int4_sum_to_all, shmem_int4_prod_to_all ... */
#define REDUCED(T) T *dest, const T *source, const int *n, const int *start, const int *stride, const int *size, \
                   T *work, int *sync
#define REDUCE(N, OP, COUNT) \
    shmem_##N##_##OP##_to_all(dest, source, COUNT, *start, *stride, *size, work, sync_of(sync))
#define NAMED_TO_ALL(F, OP, N) NAMED("shmem_" #F "_" #OP "_to_all", "shmem_" #N "_" #OP "_to_all")
#define TO_ALL(F, N, T, OP) CLASSIC(void, F##_##OP##_to_all, (REDUCED(T))) \
    { NAMED_TO_ALL(F, OP, N); REDUCE(N, OP, *n); }
BITWISE(TO_ALL, and)
BITWISE(TO_ALL, or)
BITWISE(TO_ALL, xor)
ORDERED(TO_ALL, max)
ORDERED(TO_ALL, min)
ARITHMETIC(TO_ALL, sum)
ARITHMETIC(TO_ALL, prod)

/* A complex number has as many bits as one or two longs. */
#define COMPLEX_XOR(F, LONGS) CLASSIC(void, F##_xor_to_all, (REDUCED(long))) \
    { NAMED_TO_ALL(F, xor, long); REDUCE(long, xor, *n * LONGS); }
COMPLEX_XOR(comp4, 1)
COMPLEX_XOR(comp8, 2)

/* --- real(16) ----------------------------------------------------------------------------------------------------- */

#if LDBL_MANT_DIG == 113

#define QUADS(X, OP) X(real16, longdouble, long double, OP)
QUADS(TO_ALL, max)
QUADS(TO_ALL, min)
QUADS(TO_ALL, sum)
QUADS(TO_ALL, prod)

#elif defined(__SIZEOF_FLOAT128__)

/* OpenSHMEM in C has no reductions of this type: each PE reads the numbers of all PEs, and combines them in the order
 * of the PEs. */
__extension__ typedef __float128 quad;
typedef quad combine(quad, quad);

static quad quad_max(quad a, quad b)
{
    return a > b ? a : b;
}

static quad quad_min(quad a, quad b)
{
    return a < b ? a : b;
}

static quad quad_sum(quad a, quad b)
{
    return a + b;
}

static quad quad_prod(quad a, quad b)
{
    return a * b;
}

static void reduce_quads(combine *op, quad *dest, const quad *source, size_t n, int start, int stride, int size,
                         long *sync)
{
    quad *mine = malloc((2 * n + 1) * sizeof *mine), *theirs = mine + n;
    if (!mine)
        fortran_fatal(fortran_names->own, "no memory for %zu elements", n);
    shmem_barrier(start, stride, size, sync);
    for (int i = 0; i < size; i++) {
        shmem_get128(i == 0 ? mine : theirs, source, n, start + i * (1 << stride));
        for (size_t j = 0; i > 0 && j < n; j++)
            mine[j] = op(mine[j], theirs[j]);
    }
    /* dest may be source: after this barrier, all PEs have read source. */
    shmem_barrier(start, stride, size, sync);
    memcpy(dest, mine, n * sizeof *mine);
    free(mine);
}

#define QUAD(OP) CLASSIC(void, real16_##OP##_to_all, (REDUCED(quad))) \
    { NAMED("shmem_real16_" #OP "_to_all", "shmem_barrier", "shmem_get128"); (void)work; REDUCE_QUADS(OP); }
#define REDUCE_QUADS(OP) reduce_quads(quad_##OP, dest, source, classic_count(n), *start, *stride, *size, sync_of(sync))
QUAD(max)
QUAD(min)
QUAD(sum)
QUAD(prod)

#endif
