/* args: S */
/* args: -m shmem_ptr S */
/* args: W */
/* NAS IS, the integer sort benchmark: ranks a fixed sequence of keys ten times and checks 51 answers. */
#define _POSIX_C_SOURCE 200809L
#include "exchange.h"
#include "portable.h"
#include "problem.h"
#include "ranking.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const path_name[] = {[PATH_PUT] = "put", [PATH_SHMEM_PTR] = "shmem_ptr"};

static void rank_keys(struct ranking *r, struct exchange *x, int iteration)
{
    int64_t test_key[TEST_KEYS];
    ranking_change_keys(r, iteration, test_key);
    exchange_keys(x, r->key, r->count, test_key);
    ranking_count(r, &x->buckets, x->received, test_key, iteration);
}

/* Sorts this PE's keys; true if they are in order and not less than lower PEs' keys, and no key was lost or added. */
static bool sorts(struct ranking *r, const struct exchange *x)
{
    const struct buckets *b = &x->buckets;
    size_t n_pes = (size_t)b->n_pes;
    uint32_t *sorted = malloc((size_t)(b->n_received + 1) * sizeof *sorted);
    uint32_t *last = shmem_calloc(n_pes + 1, sizeof *last);
    int64_t *sum = shmem_calloc(4, sizeof *sum);
    if (!sorted || !last || !sum) {
        fprintf(stderr, "IS: out of memory for the full verification on PE %d\n", b->me);
        shmem_global_exit(1);
    }
    int64_t n_wrong = ranking_sort(r, b, x->received, sorted);

    /* A PE without keys uses 0, which is never greater than another PE's first key. */
    last[n_pes] = b->n_received ? sorted[b->n_received - 1] : 0;
    shmem_uint32_fcollect(SHMEM_TEAM_WORLD, last, last + n_pes, 1);
    for (int pe = 0; pe < b->me && b->n_received; pe++)
        n_wrong += last[pe] > sorted[0];
    if (n_wrong)
        fprintf(stderr, "IS: PE %d: %" PRId64 " keys out of order\n", b->me, n_wrong);

    sum[2] = n_wrong;
    sum[3] = keys_sum(sorted, b->n_received) - keys_sum(r->key, r->count);
    shmem_int64_sum_reduce(SHMEM_TEAM_WORLD, sum, sum + 2, 2);
    if (sum[1] && b->me == 0)
        fprintf(stderr, "IS: the sorted keys are not the original ones\n");
    bool in_order = sum[0] == 0 && sum[1] == 0;
    free(sorted);
    shmem_free(sum);
    shmem_free(last);
    return in_order;
}

/* All PEs return the same: false, after a message from PE 0, if there is not enough symmetric memory. */
static bool set_up(struct ranking *r, struct exchange *x, const struct problem *p, enum path path)
{
    int me = shmem_my_pe(), n_pes = shmem_n_pes();
    if (!ranking_create(r, p, me, n_pes)) {
        fprintf(stderr, "IS: PE %d does not have enough memory for class %c on %d PEs\n", me, p->class, n_pes);
        shmem_global_exit(1);
    }
    if (!exchange_create(x, p, path, r->key, r->count)) {
        if (me == 0)
            fprintf(stderr, "IS: not enough symmetric memory for class %c on %d PEs (SHMEM_SYMMETRIC_SIZE)\n", p->class,
                    n_pes);
        return false;
    }
    for (int pe = 0; path == PATH_SHMEM_PTR && pe < n_pes; pe++) {
        if (!shmem_ptr(x->received, pe)) {
            fprintf(stderr, "IS: PE %d cannot reach the memory of PE %d by shmem_ptr; use -m put\n", me, pe);
            shmem_global_exit(1);
        }
    }
    return true;
}

static int run(const struct problem *p, enum path path)
{
    static int64_t verified, all_verified;
    static double elapsed, slowest;
    struct ranking r;
    struct exchange x;
    if (!set_up(&r, &x, p, path))
        return 1;
    rank_keys(&r, &x, 1); /* not timed: touches all memory once */
    r.verified = 0;

    shmem_barrier_all();
    double start = seconds_now();
    for (int iteration = 1; iteration <= ITERATIONS; iteration++)
        rank_keys(&r, &x, iteration);
    elapsed = seconds_now() - start;
    shmem_double_max_reduce(SHMEM_TEAM_WORLD, &slowest, &elapsed, 1);

    verified = r.verified;
    if (sorts(&r, &x) && x.buckets.me == 0)
        verified++;
    shmem_int64_sum_reduce(SHMEM_TEAM_WORLD, &all_verified, &verified, 1);
    bool right = all_verified == VERIFICATIONS;
    if (x.buckets.me == 0)
        ranking_report(p, x.buckets.n_pes, path_name[path], all_verified, slowest);
    exchange_destroy(&x);
    ranking_destroy(&r);
    return right ? 0 : 1;
}

/* Only the first PE prints. */
static int usage(const char *what, const char *value)
{
    if (shmem_my_pe() == 0)
        fprintf(stderr, "IS: %s%s%s\nusage: is [-m put|shmem_ptr] CLASS, CLASS being one of S W A B C D\n", what,
                *value ? " " : "", value);
    return 2;
}

static int parse_and_run(int argc, char **argv)
{
    enum path path = PATH_PUT;
    for (int option; (option = getopt(argc, argv, ":m:")) != -1;) {
        char letter[] = {'-', (char)optopt, '\0'};
        if (option == '?')
            return usage("unknown option", letter);
        if (option == ':')
            return usage("no value for option", letter);
        if (strcmp(optarg, path_name[PATH_SHMEM_PTR]) == 0)
            path = PATH_SHMEM_PTR;
        else if (strcmp(optarg, path_name[PATH_PUT]) != 0)
            return usage("unknown data path", optarg);
    }
    if (optind == argc)
        return usage("no class given", "");
    if (optind + 1 < argc)
        return usage("unexpected argument", argv[optind + 1]);
    const struct problem *p = problem_find(argv[optind]);
    return p ? run(p, path) : usage("unknown class", argv[optind]);
}

int main(int argc, char **argv)
{
    opterr = 0;
    shmem_init();
    int code = parse_and_run(argc, argv);
    shmem_finalize();
    return code;
}
