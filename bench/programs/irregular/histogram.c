/* pes: 2 4 */
/* args: check */
/* Histogram: each PE counts its elements in a table that is distributed over all PEs. Plain: an atomic increment for
 * each element; fetching: a nonblocking fetching increment for each; buffers: the program collects the elements for
 * each PE, and that PE counts them. */
#include "irregular.h"

enum { WORDS = 1 << 12 }; /* words of the table on each PE */

static long *table; /* symmetric */
static long *index_of, *before; /* for each element */
static long turns;  /* runs since the table was empty */

static void plain(void)
{
    for (long i = 0; i < irregular_elements; i++)
        shmem_long_atomic_inc(&table[irregular_place(index_of[i])], irregular_owner(index_of[i]));
    shmem_barrier_all();
    turns++;
}

static void buffers(void)
{
    bool any = true;
    for (long i = 0; any;) {
        while (i < irregular_elements &&
               buffers_add(irregular_owner(index_of[i]), irregular_place(index_of[i]), 0))
            i++;
        any = buffers_exchange(i < irregular_elements);
        for (int pe = 0; pe < bench.pes; pe++) {
            const struct irregular_buffer *b = buffers_from(pe);
            for (long k = 0; k < b->n; k++)
                table[b->item[k][0]]++;
        }
    }
    turns++;
}

#if BENCH_HAS_1_5
static void fetching(void)
{
    for (long i = 0; i < irregular_elements; i++)
        shmem_long_atomic_fetch_inc_nbi(&before[i], &table[irregular_place(index_of[i])],
                                        irregular_owner(index_of[i]));
    shmem_barrier_all();
    turns++;
}
#endif

/* Measures a row; then this PE counts all PEs' elements again, and compares. */
static void row(const char *name, void (*solve)(void))
{
    long *expected = bench_alloc(WORDS * sizeof *expected);
    long *others = bench_alloc((size_t)irregular_elements * sizeof *others);
    memset(table, 0, WORDS * sizeof *table);
    turns = 0;
    bench.agree(0, 0);
    irregular_measure(name, solve);
    for (int pe = 0; pe < bench.pes; pe++) {
        irregular_indices(others, irregular_elements, (long)WORDS * bench.pes, pe);
        for (long i = 0; i < irregular_elements; i++)
            if (irregular_owner(others[i]) == bench.pe)
                expected[irregular_place(others[i])] += turns;
    }
    for (size_t i = 0; i < WORDS; i++)
        bench_expect(name, i, (uint64_t)table[i], (uint64_t)expected[i]);
    free(expected);
    free(others);
    bench.agree(0, 0);
}

int main(int argc, char **argv)
{
    irregular_start(argc, argv);
    buffers_start();
    table = pes_alloc(WORDS * sizeof *table);
    index_of = bench_alloc((size_t)irregular_elements * sizeof *index_of);
    before = bench_alloc((size_t)irregular_elements * sizeof *before);
    irregular_indices(index_of, irregular_elements, (long)WORDS * bench.pes, bench.pe);
    row("histogram_plain", plain);
#if BENCH_HAS_1_5
    row("histogram_fetching", fetching);
#endif
    row("histogram_buffers", buffers);
    return pes_end();
}
