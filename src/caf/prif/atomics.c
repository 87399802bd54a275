/* Atomic subroutines on words of 8 bytes, in coarrays or at addresses of images (indirect). */
#include "local.h"

enum { WORD = sizeof(int64_t) };

/* old may be NULL. */
static inline void operate(const char *procedure, struct prif_place a, enum caf_atomic_op op, const int64_t *value,
                           int64_t *old, int *stat)
{
    struct prif_location p;
    const int status = prif_find_variable(procedure, &p, &a, WORD);
    prif_report(status ? status : caf_atomic_op(p.pe, p.address, WORD, op, value, old), stat, NULL, NULL);
}

static inline void define(const char *procedure, struct prif_place a, const int64_t *value, int *stat)
{
    struct prif_location p;
    const int status = prif_find_variable(procedure, &p, &a, WORD);
    prif_report(status ? status : caf_atomic_define(p.pe, p.address, WORD, value), stat, NULL, NULL);
}

static inline void refer(const char *procedure, struct prif_place a, int64_t *value, int *stat)
{
    struct prif_location p;
    const int status = prif_find_variable(procedure, &p, &a, WORD);
    prif_report(status ? status : caf_atomic_ref(p.pe, p.address, WORD, value), stat, NULL, NULL);
}

static inline void swap(const char *procedure, struct prif_place a, int64_t *old, const int64_t *compare,
                        const int64_t *new_value, int *stat)
{
    struct prif_location p;
    const int status = prif_find_variable(procedure, &p, &a, WORD);
    prif_report(status ? status : caf_atomic_cas(p.pe, p.address, WORD, compare, new_value, old), stat, NULL, NULL);
}

/* A procedure N and its indirect form. */
#define BOTH(FORM, N, X) FORM(N, PRIF_DIRECT, PRIF_IN_COARRAY, X) \
    FORM(N##_indirect, PRIF_INDIRECT, PRIF_AT(remote_ptr), X)

/* prif_atomic_add, prif_atomic_and, prif_atomic_or, prif_atomic_xor */
#define UPDATE(N, PLACE, ATOM, OP) PRIF(N)(PLACE, const int64_t *value, int *stat) \
    { operate("prif_" #N, ATOM, OP, value, NULL, stat); }
BOTH(UPDATE, atomic_add, CAF_ADD)
BOTH(UPDATE, atomic_and, CAF_AND)
BOTH(UPDATE, atomic_or, CAF_OR)
BOTH(UPDATE, atomic_xor, CAF_XOR)

/* prif_atomic_fetch_add, prif_atomic_fetch_and, prif_atomic_fetch_or, prif_atomic_fetch_xor */
#define FETCH(N, PLACE, ATOM, OP) PRIF(N)(PLACE, const int64_t *value, int64_t *old, int *stat) \
    { operate("prif_" #N, ATOM, OP, value, old, stat); }
BOTH(FETCH, atomic_fetch_add, CAF_ADD)
BOTH(FETCH, atomic_fetch_and, CAF_AND)
BOTH(FETCH, atomic_fetch_or, CAF_OR)
BOTH(FETCH, atomic_fetch_xor, CAF_XOR)

/* The next three exist for integers and logicals, in the same form. */
#define LOGICAL(N) PRIF_AS(prif_##N##_, N); PRIF_AS(prif_##N##_indirect_, N##_indirect);
LOGICAL(atomic_cas_logical) LOGICAL(atomic_define_logical) LOGICAL(atomic_ref_logical)

#define SWAP(N, PLACE, ATOM, TYPE) \
    PRIF(N)(PLACE, TYPE *old, const TYPE *compare, const TYPE *new_value, int *stat) \
    { swap("prif_" #N, ATOM, old, compare, new_value, stat); }
BOTH(SWAP, atomic_cas_int, int64_t)
BOTH(SWAP, atomic_cas_logical, int64_t)

#define DEFINE(N, PLACE, ATOM, TYPE) PRIF(N)(PLACE, const TYPE *value, int *stat) \
    { define("prif_" #N, ATOM, value, stat); }
BOTH(DEFINE, atomic_define_int, int64_t)
BOTH(DEFINE, atomic_define_logical, int64_t)

#define REFER(N, PLACE, ATOM, TYPE) PRIF(N)(PLACE, TYPE *value, int *stat) { refer("prif_" #N, ATOM, value, stat); }
BOTH(REFER, atomic_ref_int, int64_t)
BOTH(REFER, atomic_ref_logical, int64_t)
