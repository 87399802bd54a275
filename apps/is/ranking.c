#define _POSIX_C_SOURCE 200809L
#include "ranking.h"

#include "keys.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

bool ranking_create(struct ranking *r, const struct problem *p, int me, int n_pes)
{
    int64_t share = problem_keys(p) / n_pes, rest = problem_keys(p) % n_pes;
    *r = (struct ranking){.problem = p, .first = me * share + (me < rest ? me : rest), .count = share + (me < rest)};
    r->key = malloc((size_t)(r->count + 1) * sizeof *r->key);
    r->up_to = malloc(sizeof *r->up_to << p->log_max_key);
    if (!r->key || !r->up_to)
        return false;
    keys_generate(r->key, r->first, r->count, p->log_max_key);
    return true;
}

void ranking_destroy(struct ranking *r)
{
    free(r->key);
    free(r->up_to);
}

static bool holds(const struct ranking *r, int64_t index)
{
    return index >= r->first && index < r->first + r->count;
}

static void change_key(struct ranking *r, int64_t index, int64_t value)
{
    if (holds(r, index))
        r->key[index - r->first] = (uint32_t)value;
}

void ranking_change_keys(struct ranking *r, int iteration, int64_t test_key[TEST_KEYS])
{
    change_key(r, iteration, iteration);
    change_key(r, iteration + ITERATIONS, (INT64_C(1) << r->problem->log_max_key) - iteration);
    for (int i = 0; i < TEST_KEYS; i++) {
        int64_t index = r->problem->test_index[i];
        test_key[i] = holds(r, index) ? r->key[index - r->first] : 0;
    }
}

/* The rank of a key is the number of keys less than it. */
static void check_test_keys(struct ranking *r, const struct buckets *b, const int64_t test_key[TEST_KEYS],
                            int iteration)
{
    for (int i = 0; i < TEST_KEYS; i++) {
        int64_t k = test_key[i];
        if (k <= 0 || k < b->first_key || k >= b->end_key)
            continue;
        int64_t rank = b->n_lesser + (k > b->first_key ? r->up_to[k - b->first_key - 1] : 0);
        int64_t expected = problem_expected_rank(r->problem, i, iteration);
        if (rank == expected)
            r->verified++;
        else
            fprintf(stderr, "IS: iteration %d, test key %d (%" PRId64 "): rank %" PRId64 ", expected %" PRId64 "\n",
                    iteration, i + 1, k, rank, expected);
    }
}

void ranking_count(struct ranking *r, const struct buckets *b, const uint32_t *received,
                   const int64_t test_key[TEST_KEYS], int iteration)
{
    uint32_t range = b->end_key - b->first_key, sum = 0;
    memset(r->up_to, 0, range * sizeof *r->up_to);
    for (int64_t i = 0; i < b->n_received; i++)
        r->up_to[received[i] - b->first_key]++;
    for (uint32_t k = 0; k < range; k++)
        r->up_to[k] = sum += r->up_to[k];
    check_test_keys(r, b, test_key, iteration);
}

int64_t ranking_sort(struct ranking *r, const struct buckets *b, const uint32_t *received, uint32_t *sorted)
{
    for (int64_t i = 0; i < b->n_received; i++)
        sorted[--r->up_to[received[i] - b->first_key]] = received[i];
    int64_t n_wrong = 0;
    for (int64_t i = 1; i < b->n_received; i++)
        n_wrong += sorted[i - 1] > sorted[i];
    return n_wrong;
}

int64_t keys_sum(const uint32_t *key, int64_t count)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += key[i];
    return sum;
}

void ranking_report(const struct problem *p, int n_pes, const char *path, int64_t verified, double seconds)
{
    bool right = verified == VERIFICATIONS;
    double rate = ITERATIONS * (double)problem_keys(p) / seconds / 1e6;
    printf(" IS Benchmark Completed\n");
    printf(" Class           = %c\n", p->class);
    printf(" Size            = %" PRId64 "\n", problem_keys(p));
    printf(" Iterations      = %d\n", ITERATIONS);
    printf(" Time in seconds = %.3f\n", seconds);
    printf(" Total PEs       = %d\n", n_pes);
    printf(" Data path       = %s\n", path);
    printf(" Mop/s total     = %.2f\n", rate);
    printf(" Mop/s/PE        = %.2f\n", rate / n_pes);
    printf(" Operation type  = keys ranked\n");
    printf(" Verification    = %s (%" PRId64 "/%d)\n", right ? "SUCCESSFUL" : "UNSUCCESSFUL", verified, VERIFICATIONS);
}
