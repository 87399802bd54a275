/* Collectives of the module shmem. Those that only move data count bytes; reductions use the descriptor's type. */
#include "descriptor.h"

#define ARGUMENTS shmem_team_t team, ARRAY *dest, ARRAY *source

/* The bytes of n elements. Some of these routines use more than n elements of dest and source, so C's routine checks
 * the arguments. */
static struct pair bytes_of(const char *routine, ARRAY *dest, ARRAY *source, ARRAY *nelems, size_t *bytes)
{
    const struct pair p = pair_of(dest, source, 0, DEST + SOURCE, routine);
    *bytes = product(count_of(nelems, "nelems", routine), p.size, "nelems", routine);
    return p;
}

#define BYTES(N) NAMED("shmem_" #N, "shmem_" #N "mem"); size_t bytes; \
    const struct pair p = bytes_of("shmem_" #N, dest, source, nelems, &bytes)
/* shmemf_alltoall, shmemf_collect, shmemf_fcollect */
#define GATHER(N) int shmemf_##N(ARGUMENTS, ARRAY *nelems) \
    { BYTES(N); return shmem_##N##mem(team, p.dest, p.source, bytes); }
GATHER(alltoall) GATHER(collect) GATHER(fcollect)

int shmemf_broadcast(ARGUMENTS, ARRAY *nelems, int pe_root)
{
    BYTES(broadcast);
    return shmem_broadcastmem(team, p.dest, p.source, bytes, pe_root);
}

/* An element is divided into units of a size for which C has a routine. Call i moves unit i of all elements, with
 * strides in units. */
int shmemf_alltoalls(ARGUMENTS, ARRAY *dst, ARRAY *sst, ARRAY *nelems)
{
    const char *const routine = "shmem_alltoalls";
    const struct pair p = pair_of(dest, source, 0, DEST + SOURCE, routine);
    const size_t n = count_of(nelems, "nelems", routine);
    const size_t unit = p.size % 8 == 0 ? 8 : p.size % 4 == 0 ? 4 : p.size % 2 == 0 ? 2 : 1;
    const ptrdiff_t units = (ptrdiff_t)(p.size / unit);
    const ptrdiff_t d = integer_of(dst, "dst", routine) * units, s = integer_of(sst, "sst", routine) * units;
    int failed = 0;
    for (ptrdiff_t i = 0; i < units; i++) {
        void *to = (char *)p.dest + i * (ptrdiff_t)unit, *from = (char *)p.source + i * (ptrdiff_t)unit;
        switch (unit) {
        case 8: failed |= shmem_int64_alltoalls(team, to, from, d, s, n); break;
        case 4: failed |= shmem_int32_alltoalls(team, to, from, d, s, n); break;
        case 2: failed |= shmem_int16_alltoalls(team, to, from, d, s, n); break;
        default: failed |= shmem_int8_alltoalls(team, to, from, d, s, n);
        }
    }
    return failed;
}

/* --- reductions and scans ----------------------------------------------------------------------------------------- */

#define BITWISE(X, OP) \
    X(CFI_type_int8_t, int8, OP) X(CFI_type_int16_t, int16, OP) \
    X(CFI_type_int32_t, int32, OP) X(CFI_type_int64_t, int64, OP)
#define ORDERED(X, OP) BITWISE(X, OP) \
    X(CFI_type_float, float, OP) X(CFI_type_double, double, OP) X(CFI_type_long_double, longdouble, OP)
#define ARITHMETIC(X, OP) ORDERED(X, OP) \
    X(CFI_type_float_Complex, complexf, OP) X(CFI_type_double_Complex, complexd, OP)

static _Noreturn void no_such_type(const struct pair *p, const char *routine)
{
    char text[40];
    fortran_fatal(routine, "arguments dest and source are of type %s, which has no such reduction",
                  type_name(p->type, p->size, text));
}

#define CASE(CODE, N, OP) case CODE: return shmem_##N##_##OP(team, p.dest, p.source, n);
#define CHOOSE(OP, TYPES, ROUTINE) switch (p.type) { TYPES(CASE, OP) default: no_such_type(&p, ROUTINE); }
#define COUNT(ROUTINE) const size_t n = count_of(nelems, "nelems", ROUTINE)
#define PAIR(ROUTINE) const struct pair p = pair_of(dest, source, n, DEST + SOURCE, ROUTINE)
#define REDUCTION(OP, TYPES) int shmemf_##OP(ARGUMENTS, ARRAY *nelems) \
    { COUNT("shmem_" #OP); PAIR("shmem_" #OP); CHOOSE(OP, TYPES, "shmem_" #OP) }
REDUCTION(and_reduce, BITWISE)
REDUCTION(or_reduce, BITWISE)
REDUCTION(xor_reduce, BITWISE)
REDUCTION(max_reduce, ORDERED)
REDUCTION(min_reduce, ORDERED)
REDUCTION(sum_reduce, ARITHMETIC)
REDUCTION(prod_reduce, ARITHMETIC)
REDUCTION(sum_inscan, ARITHMETIC)
REDUCTION(sum_exscan, ARITHMETIC)
