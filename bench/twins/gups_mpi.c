/* apps/gups in MPI: the same table, stream and check.
 *
 *     gups_mpi accumulate|buckets LOG2_OF_WORDS
 *
 * accumulate: an MPI_Accumulate with MPI_BXOR for each update.  buckets: numbers gathered for each owner and sent to it
 * by nonblocking messages when there are LOOK_AHEAD of them, as the rules of HPCC allow. */
#include "../../apps/gups/random.h"

#include <inttypes.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOOK_AHEAD = 1024, UPDATES_PER_WORD = 4, PREFETCH = 32, MIN_LOG_WORDS = 4, MAX_LOG_WORDS = 40 };

static struct {
    uint64_t *block;
    uint64_t words, mask; /* words of the whole table; mask of a word's index in its block */
    int log_block, me, ranks;
    MPI_Win window;
} table;

static int owner(uint64_t number)
{
    return (int)((number & (table.words - 1)) >> table.log_block);
}

static void *allocate(size_t bytes)
{
    void *p = malloc(bytes);
    if (!p) {
        fprintf(stderr, "gups_mpi: out of memory allocating %zu bytes\n", bytes);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return p;
}

static void update_accumulate(uint64_t number, uint64_t n)
{
    uint64_t sent[LOOK_AHEAD];
    MPI_Win_lock_all(MPI_MODE_NOCHECK, table.window);
    for (uint64_t i = 0; i < n; i++, number = random_next(number)) {
        uint64_t *from = &sent[i % LOOK_AHEAD]; /* unchanged until the flush */
        *from = number;
        MPI_Accumulate(from, 1, MPI_UINT64_T, owner(number), (MPI_Aint)(number & table.mask), 1, MPI_UINT64_T,
                       MPI_BXOR, table.window);
        if (i % LOOK_AHEAD == LOOK_AHEAD - 1)
            MPI_Win_flush_all(table.window);
    }
    MPI_Win_unlock_all(table.window);
}

static void apply(const uint64_t *number, int n)
{
    for (int i = 0; i < n; i++) {
        __builtin_prefetch(&table.block[number[i + PREFETCH < n ? i + PREFETCH : i] & table.mask], 1);
        table.block[number[i] & table.mask] ^= number[i];
    }
}

static void exchange(uint64_t (*out)[LOOK_AHEAD], const int *n_out, uint64_t (*in)[LOOK_AHEAD], MPI_Request *requests)
{
    int others = table.ranks - 1;
    MPI_Status status;
    for (int i = 0; i < others; i++) {
        int from = (table.me + table.ranks - 1 - i) % table.ranks, to = (table.me + 1 + i) % table.ranks;
        MPI_Irecv(in[i], LOOK_AHEAD, MPI_UINT64_T, from, 0, MPI_COMM_WORLD, &requests[i]);
        MPI_Isend(out[to], n_out[to], MPI_UINT64_T, to, 0, MPI_COMM_WORLD, &requests[others + i]);
    }
    apply(out[table.me], n_out[table.me]);
    for (int i = 0; i < others; i++) {
        int which, n_in;
        MPI_Waitany(others, requests, &which, &status);
        MPI_Get_count(&status, MPI_UINT64_T, &n_in);
        apply(in[which], n_in);
    }
    for (int i = 0; i < others; i++)
        MPI_Wait(&requests[others + i], &status);
}

static void update_buckets(uint64_t number, uint64_t n)
{
    size_t ranks = (size_t)table.ranks;
    uint64_t (*out)[LOOK_AHEAD] = allocate(ranks * sizeof *out), (*in)[LOOK_AHEAD] = allocate(ranks * sizeof *in);
    int *n_out = allocate(ranks * sizeof *n_out);
    MPI_Request *requests = allocate(2 * ranks * sizeof *requests);
    while (n > 0) {
        uint64_t now = n < LOOK_AHEAD ? n : LOOK_AHEAD;
        memset(n_out, 0, ranks * sizeof *n_out);
        for (uint64_t i = 0; i < now; i++, number = random_next(number)) {
            int to = owner(number);
            out[to][n_out[to]++] = number;
        }
        n -= now;
        exchange(out, n_out, in, requests);
    }
    free(requests);
    free(n_out);
    free(in);
    free(out);
}

/* Every rank generates all updates and applies those of its part: the table must have its initial values again. */
static uint64_t count_errors(void)
{
    uint64_t number = random_at(0), errors = 0, all, first_word = (uint64_t)table.me << table.log_block;
    for (uint64_t i = 0; i < UPDATES_PER_WORD * table.words; i++, number = random_next(number))
        if (owner(number) == table.me)
            table.block[number & table.mask] ^= number;
    for (uint64_t i = 0; i <= table.mask; i++)
        errors += table.block[i] != first_word + i;
    MPI_Allreduce(&errors, &all, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

static int run(bool accumulate, int log_words, int log_ranks)
{
    table.words = UINT64_C(1) << log_words;
    table.log_block = log_words - log_ranks;
    table.mask = (UINT64_C(1) << table.log_block) - 1;
    MPI_Win_allocate((MPI_Aint)((table.mask + 1) * 8), 8, MPI_INFO_NULL, MPI_COMM_WORLD, &table.block, &table.window);
    for (uint64_t i = 0; i <= table.mask; i++)
        table.block[i] = ((uint64_t)table.me << table.log_block) + i;

    uint64_t updates = UPDATES_PER_WORD * table.words, share = updates / (uint64_t)table.ranks;
    uint64_t first = random_at((uint64_t)table.me * share);
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    if (accumulate)
        update_accumulate(first, share);
    else
        update_buckets(first, share);
    MPI_Barrier(MPI_COMM_WORLD);
    double time = MPI_Wtime() - start;

    uint64_t errors = count_errors();
    if (table.me == 0) {
        printf(" Time in seconds = %.6f\n", time);
        printf(" GUP/s total     = %.6f\n", (double)updates / time * 1e-9);
        printf(" Wrong words     = %" PRIu64 "\n", errors);
        printf(" Verification    = %s\n", errors == 0 ? "SUCCESSFUL" : "UNSUCCESSFUL");
    }
    MPI_Win_free(&table.window);
    return errors != 0;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &table.me);
    MPI_Comm_size(MPI_COMM_WORLD, &table.ranks);
    bool accumulate = argc == 3 && strcmp(argv[1], "accumulate") == 0;
    int log_words = argc == 3 ? atoi(argv[2]) : 0, log_ranks = __builtin_ctz((unsigned)table.ranks), code = 2;
    if ((accumulate || (argc == 3 && strcmp(argv[1], "buckets") == 0)) && table.ranks == 1 << log_ranks &&
        log_words >= MIN_LOG_WORDS && log_words <= MAX_LOG_WORDS && log_words >= log_ranks)
        code = run(accumulate, log_words, log_ranks);
    else if (table.me == 0)
        fprintf(stderr, "usage, with a power of two of ranks: gups_mpi accumulate|buckets LOG2_OF_WORDS (4 to 40)\n");
    MPI_Finalize();
    return code;
}
