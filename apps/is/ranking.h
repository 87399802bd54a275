/* One PE's part of the ranking: its keys, the ranks of those it owns, and the checks of both. */
#pragma once

#include "buckets.h"
#include "problem.h"

#include <stdbool.h>
#include <stdint.h>

struct ranking {
    const struct problem *problem;
    uint32_t *key;        /* elements first .. first + count of the sequence */
    int64_t first, count;
    uint32_t *up_to;      /* up_to[k - first_key]: how many of the keys I own are at most k */
    int64_t verified;     /* correct answers of this PE */
};

/* The keys of PE me of n_pes; false when there is not enough memory. */
bool ranking_create(struct ranking *r, const struct problem *p, int me, int n_pes);
void ranking_destroy(struct ranking *r);

/* Makes an iteration's changes to the keys; test_key[i] becomes the test key if I hold it, otherwise 0. */
void ranking_change_keys(struct ranking *r, int iteration, int64_t test_key[TEST_KEYS]);

/* Ranks the keys I own, and checks the ranks of the test keys (of all PEs) that are among them. */
void ranking_count(struct ranking *r, const struct buckets *b, const uint32_t *received,
                   const int64_t test_key[TEST_KEYS], int iteration);

/* Sorts the keys I own by the last iteration's ranks, and overwrites the ranks. Returns how many keys are out of
 * order. */
int64_t ranking_sort(struct ranking *r, const struct buckets *b, const uint32_t *received, uint32_t *sorted);

int64_t keys_sum(const uint32_t *key, int64_t count);

/* Prints the benchmark's lines, on one PE. */
void ranking_report(const struct problem *p, int n_pes, const char *path, int64_t verified, double seconds);

double seconds_now(void);
