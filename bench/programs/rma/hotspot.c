/* pes: 2 4 */
/* args: check */
/* A contended word: fetch-adds on PE 0's word by one PE of another node, and by all other PEs at once. In the second
 * case the figure is the time between two operations on the word, not the time of one operation. */
#include "../../timing/pes.h"

static long *word;   /* symmetric */
static long applied; /* operations of this PE in this row so far */

static void add(long n)
{
    for (long i = 0; i < n; i++)
        (void)shmem_long_atomic_fetch_add(word, 3, 0);
    applied += n;
}

static void one(long n, size_t bytes)
{
    (void)bytes;
    if (bench.pe == bench.pes - 1)
        add(n);
    shmem_barrier_all();
}

static void all(long n, size_t bytes)
{
    (void)bytes;
    if (bench.pe != 0)
        add(n);
    shmem_barrier_all();
}

static void row(const char *name, int messages, bench_op *op)
{
    *word = applied = 0;
    bench.messages = messages;
    measure(name, 8, op);
    long total = 0;
    for (int pe = 0; pe < bench.pes; pe++)
        total += bench.agree(applied, pe);
    if (bench.pe == 0)
        bench_expect(name, 0, (uint64_t)*word, (uint64_t)total * 3);
}

int main(int argc, char **argv)
{
    pes_start(argc, argv, 2);
    bench.operations = 64; /* the barrier after 64 operations is short in comparison */
    word = pes_alloc(sizeof *word);
    row("hotspot_one", 1, one);
    row("hotspot_all", bench.pes - 1, all);
    return pes_end();
}
