/* The keys that each PE ranks: a bucket is a range of keys, and each PE owns a contiguous range of buckets. These
 * functions do not communicate: the caller adds up the counts of all PEs. */
#pragma once

#include "problem.h"

#include <stdint.h>

struct buckets {
    int me, n_pes, n, shift; /* key >> shift is its bucket */
    int64_t n_keys;          /* of all PEs */
    int64_t *counts;         /* my keys in each of n buckets, then TEST_KEYS test keys; the caller's memory */
    int64_t *totals;         /* the sums of counts over all PEs; the caller's memory */
    int *owner;              /* the PE that owns each bucket */

    /* The results of buckets_assign. */
    int64_t n_received, n_lesser; /* keys I own; keys owned by PEs below me, all less than mine */
    uint32_t first_key, end_key;  /* I own the keys in [first_key, end_key) */
};

void buckets_count(struct buckets *b, const uint32_t *key, int64_t count);

/* Computes owner, n_received and the following members from the totals. */
void buckets_assign(struct buckets *b);

/* The largest number of keys that a PE receives in any iteration. */
int64_t buckets_most_received(const struct buckets *b);

/* The number of this PE's keys for each PE. */
void buckets_send_counts(const struct buckets *b, int64_t *send_count);
