/* pes: 2 4 */
/* args: check */
/* Transpose of a sparse matrix whose rows are distributed over the PEs: each element (row, column) becomes an element
 * of row `column`, whose PE keeps them in the order of arrival. Plain: a fetching increment gives the next slot, and a
 * put of one element goes there; nonblocking: all increments, a quiet, all puts, a quiet; buffers: the program collects
 * the elements for their new PE, and that PE finds the slots. */
#include "irregular.h"

enum { IN_A_ROW = 8, MOST = 64 }; /* elements in a row; the limit for a row of the transposed matrix */

static long rows;           /* number of rows on each PE */
static long *column;        /* each element's column; element i is in row i / IN_A_ROW */
static long *filled, *kept; /* symmetric: for each row, the number of elements, and the elements */
static long *place, *source;

static long row_of(long i)
{
    return i / IN_A_ROW * bench.pes + bench.pe;
}

static void clear(void)
{
    memset(filled, 0, (size_t)rows * sizeof *filled);
    shmem_barrier_all();
}

static void plain(void)
{
    clear();
    for (long i = 0; i < irregular_elements; i++) {
        const long row = irregular_place(column[i]);
        const int pe = irregular_owner(column[i]);
        shmem_long_p(&kept[row * MOST + shmem_long_atomic_fetch_inc(&filled[row], pe)], row_of(i), pe);
    }
    shmem_barrier_all();
}

#if BENCH_HAS_1_5
static void nbi(void)
{
    clear();
    for (long i = 0; i < irregular_elements; i++)
        shmem_long_atomic_fetch_inc_nbi(&place[i], &filled[irregular_place(column[i])],
                                        irregular_owner(column[i]));
    shmem_quiet();
    for (long i = 0; i < irregular_elements; i++) {
        source[i] = row_of(i);
        shmem_long_put_nbi(&kept[irregular_place(column[i]) * MOST + place[i]], &source[i], 1,
                           irregular_owner(column[i]));
    }
    shmem_barrier_all();
}
#endif

static void buffers(void)
{
    clear();
    bool any = true;
    for (long i = 0; any;) {
        while (i < irregular_elements &&
               buffers_add(irregular_owner(column[i]), irregular_place(column[i]), row_of(i)))
            i++;
        any = buffers_exchange(i < irregular_elements);
        for (int pe = 0; pe < bench.pes; pe++) {
            const struct irregular_buffer *b = buffers_from(pe);
            for (long k = 0; k < b->n; k++)
                kept[b->item[k][0] * MOST + filled[b->item[k][0]]++] = b->item[k][1];
        }
    }
}

/* Measures op, and checks the number and the sum of the elements in each of this PE's rows. */
static void row(const char *name, void (*solve)(void))
{
    long *others = bench_alloc((size_t)irregular_elements * sizeof *others);
    long *number = bench_alloc((size_t)rows * sizeof *number), *sum = bench_alloc((size_t)rows * sizeof *sum);
    memset(kept, 0, (size_t)rows * MOST * sizeof *kept);
    bench.agree(0, 0);
    irregular_measure(name, solve);
    for (int pe = 0; pe < bench.pes; pe++) {
        irregular_indices(others, irregular_elements, rows * bench.pes, pe);
        for (long i = 0; i < irregular_elements; i++)
            if (irregular_owner(others[i]) == bench.pe) {
                number[irregular_place(others[i])]++;
                sum[irregular_place(others[i])] += i / IN_A_ROW * bench.pes + pe;
            }
    }
    for (long r = 0; r < rows; r++) {
        bench_expect(name, (size_t)r, (uint64_t)filled[r], (uint64_t)number[r]);
        for (long k = 0; k < filled[r]; k++)
            sum[r] -= kept[r * MOST + k];
        bench_expect(name, (size_t)r, (uint64_t)sum[r], 0);
    }
    free(others);
    free(number);
    free(sum);
    bench.agree(0, 0);
}

int main(int argc, char **argv)
{
    irregular_start(argc, argv);
    buffers_start();
    rows = irregular_elements / IN_A_ROW;
    const size_t bytes = (size_t)irregular_elements * sizeof(long);
    column = bench_alloc(bytes);
    place = bench_alloc(bytes);
    source = bench_alloc(bytes);
    filled = pes_alloc((size_t)rows * sizeof *filled);
    kept = pes_alloc((size_t)rows * MOST * sizeof *kept);
    irregular_indices(column, irregular_elements, rows * bench.pes, bench.pe);
    row("transpose_plain", plain);
#if BENCH_HAS_1_5
    row("transpose_nbi", nbi);
#endif
    row("transpose_buffers", buffers);
    return pes_end();
}
