/* pes: 2 4 */
/* args: check */
/* Index gather and scatter: each PE reads, or writes, elements anywhere in a table that is distributed over all PEs.
 * Plain: a blocking get or put (shmem_g, shmem_p) for each element; nonblocking: nonblocking gets or puts, and one
 * quiet; buffers: the program collects requests, or data, for each PE, and that PE reads or writes its own table. */
#include "irregular.h"

static long *table; /* symmetric; the table that is read */
static long *into;  /* symmetric; the table that is written */
static long *index_of, *found, *target; /* target: no two elements of all PEs have the same */

static long value_at(long index)
{
    return index * 7 + 3;
}

static void gather_plain(void)
{
    for (long i = 0; i < irregular_elements; i++)
        found[i] = shmem_long_g(&table[irregular_place(index_of[i])], irregular_owner(index_of[i]));
}

static void gather_nbi(void)
{
    for (long i = 0; i < irregular_elements; i++)
        shmem_long_get_nbi(&found[i], &table[irregular_place(index_of[i])], 1, irregular_owner(index_of[i]));
    shmem_quiet();
}

/* Requests and replies take turns: replies fit, because a PE sends each PE at most one buffer of requests per turn. */
static void gather_buffers(void)
{
    bool any = true;
    for (long i = 0; any;) {
        while (i < irregular_elements &&
               buffers_add(irregular_owner(index_of[i]), irregular_place(index_of[i]), i))
            i++;
        any = buffers_exchange(i < irregular_elements);
        for (int pe = 0; pe < bench.pes; pe++) {
            const struct irregular_buffer *b = buffers_from(pe);
            for (long k = 0; k < b->n; k++)
                buffers_add(pe, table[b->item[k][0]], b->item[k][1]);
        }
        buffers_exchange(false);
        for (int pe = 0; pe < bench.pes; pe++) {
            const struct irregular_buffer *b = buffers_from(pe);
            for (long k = 0; k < b->n; k++)
                found[b->item[k][1]] = b->item[k][0];
        }
    }
}

static void scatter_plain(void)
{
    for (long i = 0; i < irregular_elements; i++)
        shmem_long_p(&into[irregular_place(target[i])], value_at(target[i]), irregular_owner(target[i]));
    shmem_barrier_all();
}

static void scatter_nbi(void)
{
    for (long i = 0; i < irregular_elements; i++) {
        found[i] = value_at(target[i]);
        shmem_long_put_nbi(&into[irregular_place(target[i])], &found[i], 1, irregular_owner(target[i]));
    }
    shmem_barrier_all();
}

static void scatter_buffers(void)
{
    bool any = true;
    for (long i = 0; any;) {
        while (i < irregular_elements &&
               buffers_add(irregular_owner(target[i]), irregular_place(target[i]), value_at(target[i])))
            i++;
        any = buffers_exchange(i < irregular_elements);
        for (int pe = 0; pe < bench.pes; pe++) {
            const struct irregular_buffer *b = buffers_from(pe);
            for (long k = 0; k < b->n; k++)
                into[b->item[k][0]] = b->item[k][1];
        }
    }
}

static void gather_row(const char *name, void (*solve)(void))
{
    memset(found, 0, (size_t)irregular_elements * sizeof *found);
    irregular_measure(name, solve);
    for (long i = 0; i < irregular_elements; i++)
        bench_expect(name, (size_t)i, (uint64_t)found[i], (uint64_t)value_at(index_of[i]));
    bench.agree(0, 0);
}

static void scatter_row(const char *name, void (*solve)(void))
{
    memset(into, 0, (size_t)irregular_elements * sizeof *into);
    bench.agree(0, 0);
    irregular_measure(name, solve);
    for (long i = 0; i < irregular_elements; i++)
        bench_expect(name, (size_t)i, (uint64_t)into[i], (uint64_t)value_at(i * bench.pes + bench.pe));
    bench.agree(0, 0);
}

int main(int argc, char **argv)
{
    irregular_start(argc, argv);
    buffers_start();
    const size_t bytes = (size_t)irregular_elements * sizeof(long);
    table = pes_alloc(bytes);
    into = pes_alloc(bytes);
    index_of = bench_alloc(bytes);
    found = bench_alloc(bytes);
    target = bench_alloc(bytes);
    irregular_indices(index_of, irregular_elements, irregular_elements * bench.pes, bench.pe);
    for (long i = 0; i < irregular_elements; i++) {
        const long all = irregular_elements * bench.pes, element = bench.pe * irregular_elements + i;
        table[i] = value_at(i * bench.pes + bench.pe);
        target[i] = (long)((unsigned long)element * 1000000007u % (unsigned long)all); /* a prime: no element twice */
    }
    bench.agree(0, 0);
    gather_row("gather_plain", gather_plain);
    gather_row("gather_nbi", gather_nbi);
    gather_row("gather_buffers", gather_buffers);
    scatter_row("scatter_plain", scatter_plain);
    scatter_row("scatter_nbi", scatter_nbi);
    scatter_row("scatter_buffers", scatter_buffers);
    return pes_end();
}
