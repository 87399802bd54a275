/* pes: 1 2 4 */
/* args: 12 */
/* args: -m shmem_ptr 20 */
/* args: -m buckets 12 */
/* GUPS, the random access of HPC Challenge: exclusive ors of random words of a table spread over all PEs. */
#define _POSIX_C_SOURCE 200809L
#include "random.h"
#include "table.h"

#include <inttypes.h>
#include <shmem.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    UPDATES_PER_WORD = 4,
    MIN_LOG_WORDS = 4,
    MAX_LOG_WORDS = 40,
    ERRORS_PER_MILLE = 10, /* HPCC's limit of wrong words for updates that are not atomic */
};

static const struct method {
    const char *name;
    update_fn *update;
    bool exact;
} methods[] = {
    {"atomic", update_atomic, true},
    {"shmem_ptr", update_shmem_ptr, false},
    {"buckets", update_buckets, true},
};

enum { METHODS = sizeof methods / sizeof methods[0] };

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The number of wrong words in this PE's block. Each PE generates all updates and applies those of its own block, so no
 * communication error cancels itself: word i, which was i initially, must be i again. */
static uint64_t count_errors(const struct table *t)
{
    uint64_t number = random_at(0), errors = 0, first_word = (uint64_t)t->me << t->log_block;
    for (uint64_t i = 0; i < UPDATES_PER_WORD * t->words; i++, number = random_next(number))
        if (table_owner(t, number) == t->me)
            t->block[table_word(t, number)] ^= number;
    for (uint64_t i = 0; i >> t->log_block == 0; i++)
        errors += t->block[i] != first_word + i;
    return errors;
}

/* The sum over all PEs. */
static uint64_t total(uint64_t mine, const struct table *t)
{
    static uint64_t part;
    uint64_t sum = 0;
    part = mine;
    shmem_barrier_all();
    for (int pe = 0; pe < t->n_pes; pe++)
        sum += shmem_uint64_g(&part, pe);
    shmem_barrier_all();
    return sum;
}

static bool report(const struct table *t, const struct method *m, double time, uint64_t errors)
{
    uint64_t allowed = m->exact ? 0 : t->words * ERRORS_PER_MILLE / 1000, updates = UPDATES_PER_WORD * t->words;
    if (t->me == 0) {
        printf(" RandomAccess\n");
        printf(" Table words     = %" PRIu64 "\n", t->words);
        printf(" Total PEs       = %d\n", t->n_pes);
        printf(" Method          = %s\n", m->name);
        printf(" Updates         = %" PRIu64 "\n", updates);
        printf(" Time in seconds = %.6f\n", time);
        printf(" GUP/s total     = %.6f\n", (double)updates / time * 1e-9);
        printf(" Wrong words     = %" PRIu64 " of %" PRIu64 " allowed\n", errors, allowed);
        printf(" Verification    = %s\n", errors <= allowed ? "SUCCESSFUL" : "UNSUCCESSFUL");
    }
    return errors <= allowed;
}

static bool all_reachable(const struct table *t)
{
    for (int pe = 0; pe < t->n_pes; pe++)
        if (!shmem_ptr(t->block, pe)) {
            fprintf(stderr, "GUPS: PE %d cannot reach the memory of PE %d by shmem_ptr; use -m atomic or -m buckets\n",
                    t->me, pe);
            return false;
        }
    return true;
}

static int run(int log_words, int log_pes, const struct method *m)
{
    struct table t = {.me = shmem_my_pe(), .n_pes = shmem_n_pes(), .log_block = log_words - log_pes,
                      .words = UINT64_C(1) << log_words};
    t.block = shmem_align(4096, sizeof *t.block << t.log_block);
    if (!t.block || (m->update == update_buckets && !buckets_create(&t))) {
        if (t.me == 0)
            fprintf(stderr, "GUPS: not enough symmetric memory for 2^%d words on %d PEs (SHMEM_SYMMETRIC_SIZE)\n",
                    log_words, t.n_pes);
        return 1;
    }
    if (m->update == update_shmem_ptr && !all_reachable(&t))
        shmem_global_exit(1);
    for (uint64_t i = 0; i >> t.log_block == 0; i++)
        t.block[i] = ((uint64_t)t.me << t.log_block) + i;

    uint64_t share = UPDATES_PER_WORD * t.words / (uint64_t)t.n_pes;
    shmem_barrier_all();
    double start = seconds();
    m->update(&t, random_at((uint64_t)t.me * share), share);
    shmem_barrier_all();
    double time = seconds() - start;

    bool right = report(&t, m, time, total(count_errors(&t), &t));
    if (m->update == update_buckets)
        buckets_destroy();
    shmem_free(t.block);
    return right ? 0 : 1;
}

/* Only the first PE prints. */
static int usage(const char *what, const char *value)
{
    if (shmem_my_pe() == 0)
        fprintf(stderr, "GUPS: %s%s%s\nusage: gups [-m atomic|shmem_ptr|buckets] LOG2_OF_WORDS\n", what,
                *value ? " " : "", value);
    return 2;
}

static int parse_and_run(int argc, char **argv)
{
    const struct method *method = methods;
    for (int option; (option = getopt(argc, argv, ":m:")) != -1;) {
        char letter[] = {'-', (char)optopt, '\0'};
        if (option == '?')
            return usage("unknown option", letter);
        if (option == ':')
            return usage("no value for option", letter);
        for (method = methods; method < methods + METHODS && strcmp(method->name, optarg) != 0; method++)
            ;
        if (method == methods + METHODS)
            return usage("unknown method", optarg);
    }
    if (optind == argc)
        return usage("the size of the table is missing", "");
    if (optind + 1 < argc)
        return usage("unexpected argument", argv[optind + 1]);
    char *end;
    long log_words = strtol(argv[optind], &end, 10);
    if (*end || log_words < MIN_LOG_WORDS || log_words > MAX_LOG_WORDS)
        return usage("the logarithm of the table's words has to be between 4 and 40, not", argv[optind]);
    int n_pes = shmem_n_pes(), log_pes = __builtin_ctz((unsigned)n_pes);
    char text[16];
    snprintf(text, sizeof text, "%d", n_pes);
    if (n_pes != 1 << log_pes || log_pes > log_words)
        return usage("the number of PEs has to be a power of two, and no more than words, not", text);
    return run((int)log_words, log_pes, method);
}

int main(int argc, char **argv)
{
    opterr = 0;
    shmem_init();
    int code = parse_and_run(argc, argv);
    shmem_finalize();
    return code;
}
