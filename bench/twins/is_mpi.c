/* NAS IS with MPI in place of OpenSHMEM, with the calls of the NAS benchmarks' own MPI version: MPI_Allreduce for the
 * sums, MPI_Alltoall for the numbers of keys, MPI_Alltoallv for the keys.  The rest is the same as in apps/is.
 *   is_mpi CLASS */
#include "../../apps/is/buckets.h"
#include "../../apps/is/problem.h"
#include "../../apps/is/ranking.h"

#include <inttypes.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The buffers that bring every key to its owner. */
struct exchange {
    struct buckets buckets;
    int64_t *send_count;
    int *sent, *run, *received_from, *place; /* arguments of MPI_Alltoallv */
    uint32_t **cursor;                       /* the place in `outgoing` of each bucket's next key */
    uint32_t *outgoing, *received;
};

static void *allocate(size_t n, size_t bytes)
{
    void *p = calloc(n, bytes);
    if (!p) {
        fprintf(stderr, "is_mpi: out of memory\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return p;
}

static void sum_counts(struct buckets *b, const int64_t test_key[TEST_KEYS])
{
    memcpy(b->counts + b->n, test_key, TEST_KEYS * sizeof *test_key);
    MPI_Allreduce(b->counts, b->totals, b->n + TEST_KEYS, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
}

static void agree_on_places(struct exchange *x)
{
    int n_pes = x->buckets.n_pes, run = 0, place = 0;
    buckets_send_counts(&x->buckets, x->send_count);
    for (int pe = 0; pe < n_pes; pe++)
        x->sent[pe] = (int)x->send_count[pe];
    MPI_Alltoall(x->sent, 1, MPI_INT, x->received_from, 1, MPI_INT, MPI_COMM_WORLD);
    for (int pe = 0; pe < n_pes; pe++) {
        x->run[pe] = run;
        x->place[pe] = place;
        run += x->sent[pe];
        place += x->received_from[pe];
    }
}

static void sort_by_bucket(struct exchange *x, const uint32_t *key, int64_t count)
{
    uint32_t *at = x->outgoing;
    for (int i = 0; i < x->buckets.n; i++) {
        x->cursor[i] = at;
        at += x->buckets.counts[i];
    }
    for (int64_t i = 0; i < count; i++)
        *x->cursor[key[i] >> x->buckets.shift]++ = key[i];
}

static void exchange_keys(struct exchange *x, const uint32_t *key, int64_t count, int64_t test_key[TEST_KEYS])
{
    struct buckets *b = &x->buckets;
    buckets_count(b, key, count);
    sum_counts(b, test_key);
    memcpy(test_key, b->totals + b->n, TEST_KEYS * sizeof *test_key);
    buckets_assign(b);
    agree_on_places(x);
    sort_by_bucket(x, key, count);
    MPI_Alltoallv(x->outgoing, x->sent, x->run, MPI_UINT32_T, x->received, x->received_from, x->place, MPI_UINT32_T,
                  MPI_COMM_WORLD);
}

static void exchange_create(struct exchange *x, const struct problem *p, int me, int n_pes, const struct ranking *r)
{
    *x = (struct exchange){.buckets = {.me = me, .n_pes = n_pes, .n = 1 << p->log_buckets,
                                       .shift = p->log_max_key - p->log_buckets, .n_keys = problem_keys(p)}};
    struct buckets *b = &x->buckets;
    size_t pes = (size_t)n_pes, buckets = (size_t)b->n;
    b->counts = allocate(buckets + TEST_KEYS, sizeof *b->counts);
    b->totals = allocate(buckets + TEST_KEYS, sizeof *b->totals);
    b->owner = allocate(buckets, sizeof *b->owner);
    x->send_count = allocate(pes, sizeof *x->send_count);
    x->sent = allocate(pes, sizeof *x->sent);
    x->run = allocate(pes, sizeof *x->run);
    x->received_from = allocate(pes, sizeof *x->received_from);
    x->place = allocate(pes, sizeof *x->place);
    x->cursor = allocate(buckets, sizeof *x->cursor);
    buckets_count(b, r->key, r->count);
    sum_counts(b, (int64_t[TEST_KEYS]){0});
    x->outgoing = allocate((size_t)r->count + 1, sizeof *x->outgoing);
    x->received = allocate((size_t)buckets_most_received(b), sizeof *x->received);
}

static void exchange_destroy(struct exchange *x)
{
    void *all[] = {x->buckets.counts, x->buckets.totals, x->buckets.owner, x->send_count, x->sent, x->run,
                   x->received_from, x->place, x->cursor, x->outgoing, x->received};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        free(all[i]);
}

static void rank_keys(struct ranking *r, struct exchange *x, int iteration)
{
    int64_t test_key[TEST_KEYS];
    ranking_change_keys(r, iteration, test_key);
    exchange_keys(x, r->key, r->count, test_key);
    ranking_count(r, &x->buckets, x->received, test_key, iteration);
}

/* Sorts this rank's keys; true if they are in order, not less than lower ranks' keys, and none was lost or added. */
static bool sorts(struct ranking *r, const struct exchange *x)
{
    const struct buckets *b = &x->buckets;
    uint32_t *sorted = allocate((size_t)b->n_received + 1, sizeof *sorted);
    uint32_t *last = allocate((size_t)b->n_pes, sizeof *last);
    int64_t n_wrong = ranking_sort(r, b, x->received, sorted);
    uint32_t my_last = b->n_received ? sorted[b->n_received - 1] : 0; /* at most the first key of any rank */
    MPI_Allgather(&my_last, 1, MPI_UINT32_T, last, 1, MPI_UINT32_T, MPI_COMM_WORLD);
    for (int pe = 0; pe < b->me && b->n_received; pe++)
        n_wrong += last[pe] > sorted[0];
    int64_t mine[] = {n_wrong, keys_sum(sorted, b->n_received) - keys_sum(r->key, r->count)}, sum[2];
    MPI_Allreduce(mine, sum, 2, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    free(sorted);
    free(last);
    return sum[0] == 0 && sum[1] == 0;
}

static int run(const struct problem *p, int me, int n_pes)
{
    struct ranking r;
    struct exchange x;
    if (!ranking_create(&r, p, me, n_pes)) {
        fprintf(stderr, "is_mpi: rank %d does not have enough memory for class %c\n", me, p->class);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    exchange_create(&x, p, me, n_pes, &r);
    rank_keys(&r, &x, 1); /* not timed: touches all memory once */
    r.verified = 0;

    MPI_Barrier(MPI_COMM_WORLD);
    double start = seconds_now(), slowest;
    for (int iteration = 1; iteration <= ITERATIONS; iteration++)
        rank_keys(&r, &x, iteration);
    double elapsed = seconds_now() - start;
    MPI_Allreduce(&elapsed, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);

    int64_t verified = r.verified, all_verified;
    if (sorts(&r, &x) && me == 0)
        verified++;
    MPI_Allreduce(&verified, &all_verified, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    if (me == 0)
        ranking_report(p, n_pes, "MPI_Alltoallv", all_verified, slowest);
    exchange_destroy(&x);
    ranking_destroy(&r);
    return all_verified == VERIFICATIONS ? 0 : 1;
}

int main(int argc, char **argv)
{
    int me, n_pes, code = 2;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n_pes);
    const struct problem *p = argc == 2 ? problem_find(argv[1]) : NULL;
    if (p && p->class != 'D')
        code = run(p, me, n_pes);
    else if (me == 0)
        fprintf(stderr, "usage: is_mpi CLASS, CLASS being one of S W A B C\n");
    MPI_Finalize();
    return code;
}
