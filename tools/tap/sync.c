/* Waits and tests (9.11), the order of memory (9.12) and locks (9.13). */
#include "tap/wrap.h"

#define LOOKS(KIND, FLAGS, TYPE, AT, N) .kind = KIND, .flags = FLAGS, NO_PE, .source = AT, .bytes = sizeof(TYPE), \
    .count = N, STEPS(0, 1, sizeof(TYPE)), .operation = cmp

/* --- one object --------------------------------------------------------------------------------------------------- */

/* shmem_int_wait_until, shmem_int_test */
#define COMPARED .value = tap_bits(&cmp_value, sizeof cmp_value)
#define WAIT(T, N) TAP(N##_wait_until, (T *ivar, int cmp, T cmp_value), (ivar, cmp, cmp_value), \
    LOOKS(TAP_WAIT, 0, T, ivar, 1), COMPARED)
#define TEST(T, N) TAP_RETURN(int, N##_test, (T *ivar, int cmp, T cmp_value), (ivar, cmp, cmp_value), FOUND, \
    LOOKS(TAP_TEST, 0, T, ivar, 1), COMPARED)
COPAL_TYPES_WAIT(WAIT)
COPAL_TYPES_WAIT(TEST)

/* shmem_signal_fetch, shmem_signal_wait_until */
TAP_RETURN(uint64_t, signal_wait_until, (uint64_t *sig_addr, int cmp, uint64_t cmp_value), (sig_addr, cmp, cmp_value),
    NOTHING, LOOKS(TAP_WAIT, 0, uint64_t, sig_addr, 1), COMPARED)
TAP_RETURN(uint64_t, signal_fetch, (const uint64_t *sig_addr), (sig_addr), call.found = 1,
    .kind = TAP_TEST, NO_PE, .source = sig_addr, .bytes = sizeof(uint64_t), .count = 1, STEPS(0, 1, sizeof(uint64_t)))

/* shmem_wait_until; shmem_wait and shmem_int_wait wait until the value differs */
TAP(wait_until, (long *ivar, int cmp, long cmp_value), (ivar, cmp, cmp_value), LOOKS(TAP_WAIT, 0, long, ivar, 1),
    COMPARED)
#define OTHER(N, T) TAP(N, (T *ivar, T cmp_value), (ivar, cmp_value), .kind = TAP_WAIT, NO_PE, .source = ivar, \
    .bytes = sizeof(T), .count = 1, STEPS(0, 1, sizeof(T)), .operation = SHMEM_CMP_NE, COMPARED)
#define OLD_WAIT(T, N) OTHER(N##_wait, T)
OTHER(wait, long)
COPAL_TYPES_OLD_WAIT(OLD_WAIT)

/* --- arrays ------------------------------------------------------------------------------------------------------- */

#define LOOKS_AT_ALL(KIND, FLAGS, T) LOOKS(KIND, FLAGS, T, ivars, nelems), .status = status

/* A declares the value with which all elements are compared, or the array of values; V is its name, AGAINST its field.
 *
 * shmem_int_wait_until_all, shmem_int_test_all */
#define WAIT_ALL(N, T, A, V, FLAGS, AGAINST) TAP(N, (T *ivars, size_t nelems, const int *status, int cmp, A), \
    (ivars, nelems, status, cmp, V), LOOKS_AT_ALL(TAP_WAIT, FLAGS, T), AGAINST)
#define TEST_ALL(N, T, A, V, FLAGS, AGAINST) \
    TAP_RETURN(int, N, (T *ivars, size_t nelems, const int *status, int cmp, A), (ivars, nelems, status, cmp, V), \
    FOUND, LOOKS_AT_ALL(TAP_TEST, FLAGS, T), AGAINST)

/* shmem_int_wait_until_any, shmem_int_test_any; shmem_int_wait_until_some, shmem_int_test_some */
#define ANY(N, KIND, T, A, V, FLAGS, AGAINST) \
    TAP_RETURN(size_t, N, (T *ivars, size_t nelems, const int *status, int cmp, A), (ivars, nelems, status, cmp, V), \
    FOUND, LOOKS_AT_ALL(KIND, TAP_ANY | FLAGS, T), AGAINST)
#define SOME(N, KIND, T, A, V, FLAGS, AGAINST) \
    TAP_RETURN(size_t, N, (T *ivars, size_t nelems, size_t *indices, const int *status, int cmp, A), (ivars, nelems, \
    indices, status, cmp, V), FOUND, LOOKS_AT_ALL(KIND, TAP_SOME | FLAGS, T), .indices = indices, AGAINST)

/* All routines on arrays: with one value for all elements, or with a value for each. */
#define ARRAYS(T, N, S, A, V, FLAGS, AGAINST) WAIT_ALL(N##_wait_until_all##S, T, A, V, FLAGS, AGAINST) \
    TEST_ALL(N##_test_all##S, T, A, V, FLAGS, AGAINST) LOOSE(T, N, S, A, V, FLAGS, AGAINST)
#define LOOSE(T, N, S, A, V, FLAGS, AGAINST) ANY(N##_wait_until_any##S, TAP_WAIT, T, A, V, FLAGS, AGAINST) \
    ANY(N##_test_any##S, TAP_TEST, T, A, V, FLAGS, AGAINST) SOME(N##_wait_until_some##S, TAP_WAIT, T, A, V, FLAGS, \
    AGAINST) SOME(N##_test_some##S, TAP_TEST, T, A, V, FLAGS, AGAINST)
#define ONE_FOR_ALL(T, N) ARRAYS(T, N, , T cmp_value, cmp_value, 0, COMPARED)
#define ONE_FOR_EACH(T, N) ARRAYS(T, N, _vector, const T *cmp_values, cmp_values, TAP_VECTOR, \
    .values = cmp_values)
COPAL_TYPES_AMO(ONE_FOR_ALL)
COPAL_TYPES_AMO(ONE_FOR_EACH)

/* --- order -------------------------------------------------------------------------------------------------------- */

TAP(fence, (void), (), .kind = TAP_FENCE, NO_PE, .ctx = SHMEM_CTX_DEFAULT)
TAP(ctx_fence, (shmem_ctx_t ctx), (ctx), .kind = TAP_FENCE, NO_PE, .ctx = ctx)
TAP(quiet, (void), (), .kind = TAP_QUIET, NO_PE, .ctx = SHMEM_CTX_DEFAULT)
TAP(ctx_quiet, (shmem_ctx_t ctx), (ctx), .kind = TAP_QUIET, NO_PE, .ctx = ctx)
#define PE_QUIET .kind = TAP_QUIET, .flags = TAP_PE_QUIET, NO_PE, .pes = target_pes, .count = npes
TAP(pe_quiet, (const int *target_pes, size_t npes), (target_pes, npes), PE_QUIET, .ctx = SHMEM_CTX_DEFAULT)
TAP(ctx_pe_quiet, (shmem_ctx_t ctx, const int *target_pes, size_t npes), (ctx, target_pes, npes), PE_QUIET, .ctx = ctx)

/* --- locks -------------------------------------------------------------------------------------------------------- */

#define LOCKS(KIND) .kind = KIND, NO_PE, .dest = lock, .bytes = sizeof(long), .count = 1
TAP(set_lock, (long *lock), (lock), LOCKS(TAP_LOCK))
TAP_RETURN(int, test_lock, (long *lock), (lock), FOUND, LOCKS(TAP_TEST_LOCK))
TAP(clear_lock, (long *lock), (lock), LOCKS(TAP_UNLOCK))
