/* Point-to-point synchronisation (9.11): waiting for, and testing, objects of this PE that other PEs update with puts,
 * atomics or signals.
 *
 * cmp is one of SHMEM_CMP_EQ, NE, GT, LE, LT, GE: the condition is "*ivar cmp cmp_value".  Of the array ivars[nelems],
 * element i takes part if status is NULL or status[i] is 0.  The vector forms compare ivars[i] with cmp_values[i]. */

/* Wait until *ivar meets the condition; for short and unsigned short deprecated since 1.5, as is test (9.11.1). */
#define COPAL_WAIT_UNTIL(T, N) COPAL_DECL(void, N##_wait_until, (T *ivar, int cmp, T cmp_value))
COPAL_TYPES_WAIT(COPAL_WAIT_UNTIL)
#undef COPAL_WAIT_UNTIL

/* Wait until all meet it; until any one does, and return its index (SIZE_MAX if none takes part); until some do, and
 * return how many, with their indices in indices[] (9.11.2 to 9.11.4). */
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

/* The same with a value for each element (9.11.5 to 9.11.7). */
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

/* 1 if *ivar meets the condition now, else 0 (9.11.8). */
#define COPAL_TEST(T, N) COPAL_DECL(int, N##_test, (T *ivar, int cmp, T cmp_value))
COPAL_TYPES_WAIT(COPAL_TEST)
#undef COPAL_TEST

/* 1 if all meet it (also if none takes part), else 0; the index of one that does, or SIZE_MAX; how many do, with their
 * indices in indices[] (9.11.9 to 9.11.11). */
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

/* The same with a value for each element (9.11.12 to 9.11.14). */
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

/* Deprecated since 1.4: wait until *ivar differs from cmp_value; the untyped two are for long. */
#define COPAL_OLD_WAIT(T, N) COPAL_DECL(void, N##_wait, (T *ivar, T cmp_value))
COPAL_TYPES_OLD_WAIT(COPAL_OLD_WAIT)
COPAL_DECL(void, wait, (long *ivar, long cmp_value))
COPAL_DECL(void, wait_until, (long *ivar, int cmp, long cmp_value))
#undef COPAL_OLD_WAIT
