/* args: S */
/* args: -m shmem_ptr S */
/* args: W */
/* NAS IS, the integer sort benchmark: ranks a fixed sequence of keys ten times and checks 51 answers. */
#define _POSIX_C_SOURCE 200809L
#include "exchange.h"
#include "keys.h"
#include "problem.h"

#include <inttypes.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* This PE's part of the benchmark. */
struct sort {
    const struct problem *problem;
    struct exchange exchange;
    uint32_t *key;        /* elements first .. first + count of the sequence */
    int64_t first, count;
    uint32_t *up_to;      /* up_to[k - first_key]: how many of the keys I own are at most k */
    int64_t verified;     /* answers of this PE that were right */
};

static const char *const path_name[] = {[PATH_PUT] = "put", [PATH_SHMEM_PTR] = "shmem_ptr"};

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- ranking ---- */

static bool holds(const struct sort *s, int64_t index)
{
    return index >= s->first && index < s->first + s->count;
}

static void change_key(struct sort *s, int64_t index, int64_t value)
{
    if (holds(s, index))
        s->key[index - s->first] = (uint32_t)value;
}

/* The rank of a key is the number of keys less than it. */
static void check_test_keys(struct sort *s, const int64_t test_key[TEST_KEYS], int iteration)
{
    const struct exchange *x = &s->exchange;
    for (int i = 0; i < TEST_KEYS; i++) {
        int64_t k = test_key[i];
        if (k <= 0 || k < x->first_key || k >= x->end_key)
            continue;
        int64_t rank = x->n_lesser + (k > x->first_key ? s->up_to[k - x->first_key - 1] : 0);
        int64_t expected = problem_expected_rank(s->problem, i, iteration);
        if (rank == expected)
            s->verified++;
        else
            fprintf(stderr, "IS: iteration %d, test key %d (%" PRId64 "): rank %" PRId64 ", expected %" PRId64 "\n",
                    iteration, i + 1, k, rank, expected);
    }
}

static void rank_keys(struct sort *s, int iteration)
{
    struct exchange *x = &s->exchange;
    change_key(s, iteration, iteration);
    change_key(s, iteration + ITERATIONS, (INT64_C(1) << s->problem->log_max_key) - iteration);
    int64_t test_key[TEST_KEYS] = {0};
    for (int i = 0; i < TEST_KEYS; i++)
        if (holds(s, s->problem->test_index[i]))
            test_key[i] = s->key[s->problem->test_index[i] - s->first];

    exchange_keys(x, s->key, s->count, test_key);
    uint32_t range = x->end_key - x->first_key, sum = 0;
    memset(s->up_to, 0, range * sizeof *s->up_to);
    for (int64_t i = 0; i < x->n_received; i++)
        s->up_to[x->received[i] - x->first_key]++;
    for (uint32_t k = 0; k < range; k++)
        s->up_to[k] = sum += s->up_to[k];
    check_test_keys(s, test_key, iteration);
}

/* ---- verification of the sort ---- */

static int64_t checksum(const uint32_t *key, int64_t count)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += key[i];
    return sum;
}

/* Sorts the keys I own by the last iteration's ranks; true when they are in order, among themselves and with the PEs
 * before, and when no key was lost or invented.  Uses up the ranks. */
static bool sorted(struct sort *s)
{
    struct exchange *x = &s->exchange;
    size_t n_pes = (size_t)x->n_pes;
    uint32_t *order = malloc((size_t)(x->n_received + 1) * sizeof *order);
    uint32_t *last = shmem_calloc(n_pes + 1, sizeof *last);
    int64_t *sum = shmem_calloc(4, sizeof *sum);
    if (!order || !last || !sum) {
        fprintf(stderr, "IS: out of memory for the full verification on PE %d\n", x->me);
        shmem_global_exit(1);
    }

    for (int64_t i = 0; i < x->n_received; i++)
        order[--s->up_to[x->received[i] - x->first_key]] = x->received[i];
    int64_t n_wrong = 0;
    for (int64_t i = 1; i < x->n_received; i++)
        n_wrong += order[i - 1] > order[i];

    /* A PE without keys says 0, which is never greater than anybody's first key. */
    last[n_pes] = x->n_received ? order[x->n_received - 1] : 0;
    shmem_uint32_fcollect(SHMEM_TEAM_WORLD, last, last + n_pes, 1);
    for (int pe = 0; pe < x->me && x->n_received; pe++)
        n_wrong += last[pe] > order[0];
    if (n_wrong)
        fprintf(stderr, "IS: PE %d: %" PRId64 " keys out of order\n", x->me, n_wrong);

    sum[2] = n_wrong;
    sum[3] = checksum(order, x->n_received) - checksum(s->key, s->count);
    shmem_int64_sum_reduce(SHMEM_TEAM_WORLD, sum, sum + 2, 2);
    if (sum[1] && x->me == 0)
        fprintf(stderr, "IS: the sorted keys are not the original ones\n");
    bool in_order = sum[0] == 0 && sum[1] == 0;
    free(order);
    shmem_free(sum);
    shmem_free(last);
    return in_order;
}

/* ---- the program ---- */

static bool report(const struct sort *s, int64_t verified, double time)
{
    const struct problem *p = s->problem;
    bool right = verified == VERIFICATIONS;
    if (s->exchange.me == 0) {
        printf(" IS Benchmark Completed\n");
        printf(" Class           = %c\n", p->class);
        printf(" Size            = %" PRId64 "\n", problem_keys(p));
        printf(" Iterations      = %d\n", ITERATIONS);
        printf(" Time in seconds = %.3f\n", time);
        printf(" Total PEs       = %d\n", s->exchange.n_pes);
        printf(" Data path       = %s\n", path_name[s->exchange.path]);
        printf(" Mop/s total     = %.2f\n", ITERATIONS * (double)problem_keys(p) / time / 1e6);
        printf(" Mop/s/PE        = %.2f\n", ITERATIONS * (double)problem_keys(p) / time / 1e6 / s->exchange.n_pes);
        printf(" Operation type  = keys ranked\n");
        printf(" Verification    = %s (%" PRId64 "/%d)\n", right ? "SUCCESSFUL" : "UNSUCCESSFUL", verified, VERIFICATIONS);
    }
    return right;
}

/* False after a message from PE 0; it ends the whole job then, as all PEs find the same. */
static bool set_up(struct sort *s, enum path path)
{
    const struct problem *p = s->problem;
    int64_t me = shmem_my_pe(), n_pes = shmem_n_pes(), share = problem_keys(p) / n_pes, rest = problem_keys(p) % n_pes;
    s->first = me * share + (me < rest ? me : rest);
    s->count = share + (me < rest);
    s->key = malloc((size_t)(s->count + 1) * sizeof *s->key);
    s->up_to = malloc(sizeof *s->up_to << p->log_max_key);
    if (!s->key || !s->up_to) {
        fprintf(stderr, "IS: PE %d has not enough memory for class %c on %" PRId64 " PEs\n", (int)me, p->class, n_pes);
        shmem_global_exit(1);
    }
    keys_generate(s->key, s->first, s->count, p->log_max_key);
    if (!exchange_create(&s->exchange, p, path, s->key, s->count)) {
        if (me == 0)
            fprintf(stderr, "IS: not enough symmetric memory for class %c on %" PRId64 " PEs (SHMEM_SYMMETRIC_SIZE)\n",
                    p->class, n_pes);
        return false;
    }
    for (int pe = 0; path == PATH_SHMEM_PTR && pe < n_pes; pe++) {
        if (!shmem_ptr(s->exchange.received, pe)) {
            fprintf(stderr, "IS: PE %d cannot reach the memory of PE %d by shmem_ptr; use -m put\n", (int)me, pe);
            shmem_global_exit(1);
        }
    }
    return true;
}

static int run(const struct problem *p, enum path path)
{
    static int64_t verified, all_verified;
    static double elapsed, slowest;
    struct sort s = {.problem = p};
    if (!set_up(&s, path))
        return 1;
    rank_keys(&s, 1); /* not timed: touches all memory once */
    s.verified = 0;

    shmem_barrier_all();
    double start = seconds();
    for (int iteration = 1; iteration <= ITERATIONS; iteration++)
        rank_keys(&s, iteration);
    elapsed = seconds() - start;
    shmem_double_max_reduce(SHMEM_TEAM_WORLD, &slowest, &elapsed, 1);

    verified = s.verified;
    if (sorted(&s) && s.exchange.me == 0)
        verified++;
    shmem_int64_sum_reduce(SHMEM_TEAM_WORLD, &all_verified, &verified, 1);
    bool right = report(&s, all_verified, slowest);
    exchange_destroy(&s.exchange);
    free(s.key);
    free(s.up_to);
    return right ? 0 : 1;
}

/* The first PE speaks for all. */
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
