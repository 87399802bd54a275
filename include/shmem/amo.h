/* Atomic memory operations (9.7).
 *
 * An operation accesses one object on PE pe.  It is atomic with respect to the other operations of this chapter on
 * objects of that type.  It is not atomic with respect to puts or ordinary loads and stores: while other PEs may use
 * the object, PE pe must access it by these routines, too.  Each routine exists for each type (shmem_long_atomic_add),
 * and with a context (shmem_ctx_long_atomic_add).
 *
 * dest: symmetric; the object on PE pe, aligned to its size
 * source: symmetric; the object on PE pe, aligned to its size
 *
 * Fortran: TYPE is integer(int32) or integer(int64); for atomic_fetch, atomic_set and atomic_swap, also real(real32)
 * or real(real64). */

/* atomic_fetch: load an object of another PE (9.7.1.1).
 *
 * Loads the object at source on PE pe.
 *
 * On return: the operation is complete.
 *
 * Returns: the value of the object. */
#define COPAL_FETCH(T, N) COPAL_DECL_CTX(T, N##_atomic_fetch, const T *source, int pe)
COPAL_TYPES_AMO_EXT(COPAL_FETCH)
#undef COPAL_FETCH

/* atomic_set: store to an object of another PE (9.7.1.2).
 *
 * Stores value to the object at dest on PE pe.  A PE that sleeps in shmem_wait_until for it wakes up.
 *
 * value: what is stored
 *
 * On return: the store may still be pending: shmem_quiet completes it. */
#define COPAL_SET(T, N) COPAL_DECL_CTX(void, N##_atomic_set, T *dest, T value, int pe)
COPAL_TYPES_AMO_EXT(COPAL_SET)
#undef COPAL_SET

/* atomic_compare_swap: store to an object of another PE if it has a certain value (9.7.1.3).
 *
 * Compares the object at dest on PE pe with cond, and if they are equal stores value there.
 *
 * cond: value is stored only if the object equals cond
 * value: what is stored
 *
 * On return: the operation is complete.
 *
 * Returns: the value that the object had before; if it equals cond, value was stored. */
#define COPAL_COMPARE_SWAP(T, N) COPAL_DECL_CTX(T, N##_atomic_compare_swap, T *dest, T cond, T value, int pe)
COPAL_TYPES_AMO(COPAL_COMPARE_SWAP)
#undef COPAL_COMPARE_SWAP

/* atomic_swap: store to an object of another PE, and get its old value (9.7.1.4).
 *
 * Stores value to the object at dest on PE pe, and returns its old value.
 *
 * value: what is stored
 *
 * On return: the operation is complete.
 *
 * Returns: the value that the object had before. */
#define COPAL_SWAP(T, N) COPAL_DECL_CTX(T, N##_atomic_swap, T *dest, T value, int pe)
COPAL_TYPES_AMO_EXT(COPAL_SWAP)
#undef COPAL_SWAP

/* atomic_inc, atomic_fetch_inc: add 1 to an object of another PE (9.7.1.6, 9.7.1.5).
 *
 * Add 1 to the object at dest on PE pe; shmem_atomic_fetch_inc also returns its old value.
 *
 * On return: shmem_atomic_fetch_inc is complete; shmem_atomic_inc may still be pending: shmem_quiet completes it.
 *
 * Returns: shmem_atomic_fetch_inc, the value that the object had before. */
#define COPAL_INC(T, N) COPAL_DECL_CTX(void, N##_atomic_inc, T *dest, int pe)
#define COPAL_FETCH_INC(T, N) COPAL_DECL_CTX(T, N##_atomic_fetch_inc, T *dest, int pe)
COPAL_TYPES_AMO(COPAL_INC)
COPAL_TYPES_AMO(COPAL_FETCH_INC)
#undef COPAL_INC
#undef COPAL_FETCH_INC

/* atomic_add, atomic_fetch_add: add to an object of another PE (9.7.1.8, 9.7.1.7).
 *
 * Add value to the object at dest on PE pe; shmem_atomic_fetch_add also returns its old value.  Sums wrap around, also
 * for signed types.
 *
 * value: what is added
 *
 * On return: shmem_atomic_fetch_add is complete; shmem_atomic_add may still be pending: shmem_quiet completes it.
 *
 * Returns: shmem_atomic_fetch_add, the value that the object had before. */
#define COPAL_ADD(T, N) COPAL_DECL_CTX(void, N##_atomic_add, T *dest, T value, int pe)
#define COPAL_FETCH_ADD(T, N) COPAL_DECL_CTX(T, N##_atomic_fetch_add, T *dest, T value, int pe)
COPAL_TYPES_AMO(COPAL_ADD)
COPAL_TYPES_AMO(COPAL_FETCH_ADD)
#undef COPAL_ADD
#undef COPAL_FETCH_ADD

/* atomic_and, atomic_or, atomic_xor, atomic_fetch_and, atomic_fetch_or, atomic_fetch_xor: combine an object of another
 * PE with a value, bit by bit (9.7.1.9 to 9.7.1.14).
 *
 * Combine the object at dest on PE pe with value by AND, OR or exclusive OR, bit by bit.
 *
 * value: what the object is combined with
 *
 * On return: those that fetch are complete; the others may still be pending: shmem_quiet completes them.
 *
 * Returns: those that fetch, the value that the object had before.
 *
 * Fortran: The integers of TYPE are signed, although most of C's types for these routines are unsigned.  The bits are
 * the same. */
#define COPAL_AND(T, N) COPAL_DECL_CTX(void, N##_atomic_and, T *dest, T value, int pe)
#define COPAL_OR(T, N) COPAL_DECL_CTX(void, N##_atomic_or, T *dest, T value, int pe)
#define COPAL_XOR(T, N) COPAL_DECL_CTX(void, N##_atomic_xor, T *dest, T value, int pe)
#define COPAL_FETCH_AND(T, N) COPAL_DECL_CTX(T, N##_atomic_fetch_and, T *dest, T value, int pe)
#define COPAL_FETCH_OR(T, N) COPAL_DECL_CTX(T, N##_atomic_fetch_or, T *dest, T value, int pe)
#define COPAL_FETCH_XOR(T, N) COPAL_DECL_CTX(T, N##_atomic_fetch_xor, T *dest, T value, int pe)
COPAL_TYPES_AMO_BIT(COPAL_AND)
COPAL_TYPES_AMO_BIT(COPAL_OR)
COPAL_TYPES_AMO_BIT(COPAL_XOR)
COPAL_TYPES_AMO_BIT(COPAL_FETCH_AND)
COPAL_TYPES_AMO_BIT(COPAL_FETCH_OR)
COPAL_TYPES_AMO_BIT(COPAL_FETCH_XOR)
#undef COPAL_AND
#undef COPAL_OR
#undef COPAL_XOR
#undef COPAL_FETCH_AND
#undef COPAL_FETCH_OR
#undef COPAL_FETCH_XOR

/* atomic_fetch_nbi, atomic_compare_swap_nbi, atomic_swap_nbi, atomic_fetch_inc_nbi, atomic_fetch_add_nbi,
 * atomic_fetch_and_nbi, atomic_fetch_or_nbi, atomic_fetch_xor_nbi: nonblocking atomic operations (9.7.2.1 to 9.7.2.8;
 * since 1.5).
 *
 * Do the same as the routines without _nbi, and store the object's old value in *fetch.
 *
 * fetch: any memory of the calling PE; it gets the value that the object had before; not to be accessed until
 * shmem_quiet
 * cond: value is stored only if the object equals cond
 * value: what is stored, or what the object is combined with
 *
 * On return: the operation may still be pending.  After shmem_quiet it is complete, and *fetch has the value. */
#define COPAL_FETCH_NBI(T, N) COPAL_DECL_CTX(void, N##_atomic_fetch_nbi, T *fetch, const T *source, int pe)
#define COPAL_COMPARE_SWAP_NBI(T, N) \
    COPAL_DECL_CTX(void, N##_atomic_compare_swap_nbi, T *fetch, T *dest, T cond, T value, int pe)
#define COPAL_SWAP_NBI(T, N) COPAL_DECL_CTX(void, N##_atomic_swap_nbi, T *fetch, T *dest, T value, int pe)
#define COPAL_FETCH_INC_NBI(T, N) COPAL_DECL_CTX(void, N##_atomic_fetch_inc_nbi, T *fetch, T *dest, int pe)
#define COPAL_FETCH_ADD_NBI(T, N) COPAL_DECL_CTX(void, N##_atomic_fetch_add_nbi, T *fetch, T *dest, T value, int pe)
#define COPAL_FETCH_AND_NBI(T, N) COPAL_DECL_CTX(void, N##_atomic_fetch_and_nbi, T *fetch, T *dest, T value, int pe)
#define COPAL_FETCH_OR_NBI(T, N) COPAL_DECL_CTX(void, N##_atomic_fetch_or_nbi, T *fetch, T *dest, T value, int pe)
#define COPAL_FETCH_XOR_NBI(T, N) COPAL_DECL_CTX(void, N##_atomic_fetch_xor_nbi, T *fetch, T *dest, T value, int pe)
COPAL_TYPES_AMO_EXT(COPAL_FETCH_NBI)
COPAL_TYPES_AMO(COPAL_COMPARE_SWAP_NBI)
COPAL_TYPES_AMO_EXT(COPAL_SWAP_NBI)
COPAL_TYPES_AMO(COPAL_FETCH_INC_NBI)
COPAL_TYPES_AMO(COPAL_FETCH_ADD_NBI)
COPAL_TYPES_AMO_BIT(COPAL_FETCH_AND_NBI)
COPAL_TYPES_AMO_BIT(COPAL_FETCH_OR_NBI)
COPAL_TYPES_AMO_BIT(COPAL_FETCH_XOR_NBI)
#undef COPAL_FETCH_NBI
#undef COPAL_COMPARE_SWAP_NBI
#undef COPAL_SWAP_NBI
#undef COPAL_FETCH_INC_NBI
#undef COPAL_FETCH_ADD_NBI
#undef COPAL_FETCH_AND_NBI
#undef COPAL_FETCH_OR_NBI
#undef COPAL_FETCH_XOR_NBI

/* fetch, set, swap, cswap, inc, finc, add, fadd: old names of atomic operations (9.7.1.1 to 9.7.1.8).
 *
 * They do what shmem_atomic_fetch, shmem_atomic_set, shmem_atomic_swap, shmem_atomic_compare_swap, shmem_atomic_inc,
 * shmem_atomic_fetch_inc, shmem_atomic_add and shmem_atomic_fetch_add do.
 *
 * cond: value is stored only if the object equals cond
 * value: what is stored or added
 * KIND: int4, int8, real4 or real8
 * INTEGER: int4 or int8
 *
 * On return: those that return a value are complete; the others may still be pending: shmem_quiet completes them.
 *
 * Returns: all but shmem_set, shmem_inc and shmem_add, the value that the object had before.
 *
 * Fortran: TYPE of the functions of shmem.fh is the type of the object, and the program declares these functions;
 * shmem_swap is for default integers.  The module shmem has shmem_atomic_fetch and the other routines above.
 *
 * Classic: TYPE function shmem_KIND_fetch(source, pe); TYPE function shmem_KIND_swap(dest, value, pe); integer function
 * shmem_swap(dest, value, pe); TYPE function shmem_INTEGER_cswap(dest, cond, value, pe); TYPE function
 * shmem_INTEGER_finc(dest, pe); TYPE function shmem_INTEGER_fadd(dest, value, pe); shmem_KIND_set(dest, value, pe);
 * shmem_INTEGER_inc(dest, pe); shmem_INTEGER_add(dest, value, pe)
 *
 * Deprecated since 1.4.  Use shmem_atomic_fetch and the other names above. */
#define COPAL_OLD_FETCH(T, N) COPAL_DECL(T, N##_fetch, (const T *source, int pe))
#define COPAL_OLD_SET(T, N) COPAL_DECL(void, N##_set, (T *dest, T value, int pe))
#define COPAL_OLD_SWAP(T, N) COPAL_DECL(T, N##_swap, (T *dest, T value, int pe))
#define COPAL_OLD_CSWAP(T, N) COPAL_DECL(T, N##_cswap, (T *dest, T cond, T value, int pe))
#define COPAL_OLD_INC(T, N) COPAL_DECL(void, N##_inc, (T *dest, int pe))
#define COPAL_OLD_FINC(T, N) COPAL_DECL(T, N##_finc, (T *dest, int pe))
#define COPAL_OLD_ADD(T, N) COPAL_DECL(void, N##_add, (T *dest, T value, int pe))
#define COPAL_OLD_FADD(T, N) COPAL_DECL(T, N##_fadd, (T *dest, T value, int pe))
COPAL_TYPES_OLD_FETCH(COPAL_OLD_FETCH)
COPAL_TYPES_OLD_FETCH(COPAL_OLD_SET)
COPAL_TYPES_OLD_FETCH(COPAL_OLD_SWAP)
COPAL_TYPES_OLD_ADD(COPAL_OLD_CSWAP)
COPAL_TYPES_OLD_ADD(COPAL_OLD_INC)
COPAL_TYPES_OLD_ADD(COPAL_OLD_FINC)
COPAL_TYPES_OLD_ADD(COPAL_OLD_ADD)
COPAL_TYPES_OLD_ADD(COPAL_OLD_FADD)
#undef COPAL_OLD_FETCH
#undef COPAL_OLD_SET
#undef COPAL_OLD_SWAP
#undef COPAL_OLD_CSWAP
#undef COPAL_OLD_INC
#undef COPAL_OLD_FINC
#undef COPAL_OLD_ADD
#undef COPAL_OLD_FADD
