/* The classes of the NAS IS benchmark, and the ranks with which its answers are compared. */
#pragma once

#include <stdint.h>

enum { ITERATIONS = 10, TEST_KEYS = 5, VERIFICATIONS = ITERATIONS * TEST_KEYS + 1 };

struct problem {
    char class;
    int log_keys, log_max_key, log_buckets;
    int64_t test_index[TEST_KEYS]; /* the places of the test keys in the sequence */
    /* Key test_index[i] has rank test_rank[i] + slope[i] * iteration + shift[i]. */
    int64_t test_rank[TEST_KEYS];
    int slope[TEST_KEYS], shift[TEST_KEYS];
};

/* NULL when there is no such class. */
const struct problem *problem_find(const char *class);

static inline int64_t problem_keys(const struct problem *p)
{
    return INT64_C(1) << p->log_keys;
}

static inline int64_t problem_expected_rank(const struct problem *p, int test, int iteration)
{
    return p->test_rank[test] + p->slope[test] * iteration + p->shift[test];
}
