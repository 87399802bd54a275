/* Point-to-point synchronization (9.11).
 *
 * The objects belong to the calling PE; other PEs change them by puts of one value, atomics or signals.  If a wait is
 * long, the PE sleeps until another PE wakes it.
 *
 * ivar: symmetric; an object of the calling PE, aligned to its size
 * ivars: symmetric; an array of objects of the calling PE, aligned to their size
 * nelems: number of elements of ivars, and of each other array except indices
 * indices: any memory of the calling PE, with space for nelems elements; gets the positions of the elements that meet
 * the condition
 * status: any memory of the calling PE; an element takes part if its status is 0; if status is a null pointer, all
 * elements take part
 * cmp: one of SHMEM_CMP_EQ, SHMEM_CMP_NE, SHMEM_CMP_GT, SHMEM_CMP_LE, SHMEM_CMP_LT, SHMEM_CMP_GE: the condition is
 * "object cmp value"
 * cmp_value: what the object is compared with
 * cmp_values: any memory of the calling PE: what each element is compared with
 *
 * Fortran: TYPE is integer(int32) or integer(int64).  Positions are numbered from 1; 0 means none. status is optional;
 * use keywords for later arguments. */

/* wait_until: wait for an object to change (9.11.1).
 *
 * Waits until "*ivar cmp cmp_value" holds: with SHMEM_CMP_GT, until *ivar is greater than cmp_value.
 *
 * On return: data that the other PE put before the change, and ordered by shmem_fence or completed by shmem_quiet, has
 * arrived.
 *
 * Classic: shmem_wait_until, shmem_int4_wait_until, shmem_int8_wait_until(ivar, cmp, cmp_value)
 *
 * Deprecated since 1.5: shmem_short_wait_until, shmem_ushort_wait_until. */
#define COPAL_WAIT_UNTIL(T, N) COPAL_DECL(void, N##_wait_until, (T *ivar, int cmp, T cmp_value))
COPAL_TYPES_WAIT(COPAL_WAIT_UNTIL)
#undef COPAL_WAIT_UNTIL

/* wait_until_all, wait_until_any, wait_until_some: wait for objects of an array to change (9.11.2 to 9.11.4; since
 * 1.5).
 *
 * shmem_wait_until_all waits until all elements that take part meet the condition; the other two wait until at least
 * one element meets it.  If no element takes part, they return immediately.  To find each element once by
 * shmem_wait_until_any, set the status of each returned element to 1.
 *
 * On return: for each element that meets the condition, data that the other PE put before the change, and ordered by
 * shmem_fence or completed by shmem_quiet, has arrived.
 *
 * Returns: shmem_wait_until_any, the position of an element that meets the condition, or SIZE_MAX if none takes part;
 * shmem_wait_until_some, the number of positions in indices. */
#define COPAL_WAIT_ALL(T, N) COPAL_DECL(void, N##_wait_until_all, \
    (T *ivars, size_t nelems, const int *status, int cmp, T cmp_value))
#define COPAL_WAIT_ANY(T, N) COPAL_DECL(size_t, N##_wait_until_any, \
    (T *ivars, size_t nelems, const int *status, int cmp, T cmp_value))
#define COPAL_WAIT_SOME(T, N) COPAL_DECL(size_t, N##_wait_until_some, \
    (T *ivars, size_t nelems, size_t *indices, const int *status, int cmp, T cmp_value))
COPAL_TYPES_AMO(COPAL_WAIT_ALL)
COPAL_TYPES_AMO(COPAL_WAIT_ANY)
COPAL_TYPES_AMO(COPAL_WAIT_SOME)
#undef COPAL_WAIT_ALL
#undef COPAL_WAIT_ANY
#undef COPAL_WAIT_SOME

/* wait_until_all_vector, wait_until_any_vector, wait_until_some_vector: wait for objects of an array to change, each
 * with its own value (9.11.5 to 9.11.7; since 1.5).
 *
 * As shmem_wait_until_all, shmem_wait_until_any and shmem_wait_until_some, but element i is compared with element i of
 * cmp_values.
 *
 * On return: for each element that meets the condition, data that the other PE put before the change, and ordered by
 * shmem_fence or completed by shmem_quiet, has arrived.
 *
 * Returns: shmem_wait_until_any_vector, the position of an element that meets the condition, or SIZE_MAX if none takes
 * part; shmem_wait_until_some_vector, the number of positions in indices. */
#define COPAL_WAIT_ALL_VECTOR(T, N) COPAL_DECL(void, N##_wait_until_all_vector, \
    (T *ivars, size_t nelems, const int *status, int cmp, const T *cmp_values))
#define COPAL_WAIT_ANY_VECTOR(T, N) COPAL_DECL(size_t, N##_wait_until_any_vector, \
    (T *ivars, size_t nelems, const int *status, int cmp, const T *cmp_values))
#define COPAL_WAIT_SOME_VECTOR(T, N) COPAL_DECL(size_t, N##_wait_until_some_vector, \
    (T *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const T *cmp_values))
COPAL_TYPES_AMO(COPAL_WAIT_ALL_VECTOR)
COPAL_TYPES_AMO(COPAL_WAIT_ANY_VECTOR)
COPAL_TYPES_AMO(COPAL_WAIT_SOME_VECTOR)
#undef COPAL_WAIT_ALL_VECTOR
#undef COPAL_WAIT_ANY_VECTOR
#undef COPAL_WAIT_SOME_VECTOR

/* test: whether an object has changed (9.11.8; since 1.4).
 *
 * Reads the object without waiting.
 *
 * On return: if the condition holds, data that the other PE put before the change, and ordered by shmem_fence or
 * completed by shmem_quiet, has arrived.
 *
 * Returns: 1 if "*ivar cmp cmp_value" holds now, else 0.
 *
 * Deprecated since 1.5: shmem_short_test, shmem_ushort_test. */
#define COPAL_TEST(T, N) COPAL_DECL(int, N##_test, (T *ivar, int cmp, T cmp_value))
COPAL_TYPES_WAIT(COPAL_TEST)
#undef COPAL_TEST

/* test_all, test_any, test_some: whether objects of an array have changed (9.11.9 to 9.11.11; since 1.5).
 *
 * Read the elements that take part without waiting.
 *
 * On return: for each element that meets the condition, data that the other PE put before the change, and ordered by
 * shmem_fence or completed by shmem_quiet, has arrived.
 *
 * Returns: shmem_test_all, 1 if all elements that take part meet the condition now, also if none takes part, else 0;
 * shmem_test_any, the position of an element that meets it, or SIZE_MAX; shmem_test_some, the number of elements that
 * meet it, with their positions in indices. */
#define COPAL_TEST_ALL(T, N) COPAL_DECL(int, N##_test_all, \
    (T *ivars, size_t nelems, const int *status, int cmp, T cmp_value))
#define COPAL_TEST_ANY(T, N) COPAL_DECL(size_t, N##_test_any, \
    (T *ivars, size_t nelems, const int *status, int cmp, T cmp_value))
#define COPAL_TEST_SOME(T, N) COPAL_DECL(size_t, N##_test_some, \
    (T *ivars, size_t nelems, size_t *indices, const int *status, int cmp, T cmp_value))
COPAL_TYPES_AMO(COPAL_TEST_ALL)
COPAL_TYPES_AMO(COPAL_TEST_ANY)
COPAL_TYPES_AMO(COPAL_TEST_SOME)
#undef COPAL_TEST_ALL
#undef COPAL_TEST_ANY
#undef COPAL_TEST_SOME

/* test_all_vector, test_any_vector, test_some_vector: whether objects of an array have changed, each with its own
 * value (9.11.12 to 9.11.14; since 1.5).
 *
 * Element i is compared with element i of cmp_values.
 *
 * On return: for each element that meets the condition, data that the other PE put before the change, and ordered by
 * shmem_fence or completed by shmem_quiet, has arrived.
 *
 * Returns: shmem_test_all_vector, 1 if all elements that take part meet the condition now, also if none takes part,
 * else 0; shmem_test_any_vector, the position of an element that meets it, or SIZE_MAX; shmem_test_some_vector, the
 * number of elements that meet it, with their positions in indices. */
#define COPAL_TEST_ALL_VECTOR(T, N) COPAL_DECL(int, N##_test_all_vector, \
    (T *ivars, size_t nelems, const int *status, int cmp, const T *cmp_values))
#define COPAL_TEST_ANY_VECTOR(T, N) COPAL_DECL(size_t, N##_test_any_vector, \
    (T *ivars, size_t nelems, const int *status, int cmp, const T *cmp_values))
#define COPAL_TEST_SOME_VECTOR(T, N) COPAL_DECL(size_t, N##_test_some_vector, \
    (T *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const T *cmp_values))
COPAL_TYPES_AMO(COPAL_TEST_ALL_VECTOR)
COPAL_TYPES_AMO(COPAL_TEST_ANY_VECTOR)
COPAL_TYPES_AMO(COPAL_TEST_SOME_VECTOR)
#undef COPAL_TEST_ALL_VECTOR
#undef COPAL_TEST_ANY_VECTOR
#undef COPAL_TEST_SOME_VECTOR

/* wait: wait for an object to differ from a value (9.11.1).
 *
 * They wait until "*ivar != cmp_value" holds, as shmem_wait_until does with SHMEM_CMP_NE.  The routines without a type
 * in their names are for long.
 *
 * On return: data that the other PE put before the change, and ordered by shmem_fence or completed by shmem_quiet, has
 * arrived.
 *
 * Fortran: shmem_wait of shmem.fh is for default integers.  The module shmem has shmem_wait_until.
 *
 * Classic: shmem_wait, shmem_int4_wait, shmem_int8_wait(ivar, cmp_value)
 *
 * Deprecated since 1.4.  The type-generic shmem_wait_until is not. */
#define COPAL_OLD_WAIT(T, N) COPAL_DECL(void, N##_wait, (T *ivar, T cmp_value))
COPAL_TYPES_OLD_WAIT(COPAL_OLD_WAIT)
COPAL_DECL(void, wait, (long *ivar, long cmp_value))
COPAL_DECL(void, wait_until, (long *ivar, int cmp, long cmp_value))
#undef COPAL_OLD_WAIT
