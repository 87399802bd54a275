/* pes: 2 */
/* args: check */
/* Atomics on the other PE's memory, uncontended: fetch-add, compare-and-swap, the rate of adds without a result. */
#include "../../timing/pes.h"

static long *word;   /* symmetric */
static long applied; /* operations done so far in this row, counted by PE 0 */

/* Each operation's result is compared with the expected one, in local variables, so that the check needs no memory. */
static void fetch_add_to(const char *row, long *target, long n)
{
    long expected = applied * 3, wrong = 0;
    for (long i = 0; i < n; i++, expected += 3)
        wrong |= shmem_long_atomic_fetch_add(target, 3, 1) ^ expected;
    bench_expect(row, 0, (uint64_t)wrong, 0);
    applied += n;
}

static void fetch_add(long n, size_t bytes)
{
    (void)bytes;
    if (bench.pe == 0)
        fetch_add_to("fetch_add", word, n);
}

static void compare_swap(long n, size_t bytes)
{
    (void)bytes;
    if (bench.pe != 0)
        return;
    long expected = applied * 3, wrong = 0;
    for (long i = 0; i < n; i++, expected += 3)
        wrong |= shmem_long_atomic_compare_swap(word, expected, expected + 3, 1) ^ expected;
    bench_expect("compare_swap", 0, (uint64_t)wrong, 0);
    applied += n;
}

static void add(long n, size_t bytes)
{
    (void)bytes;
    if (bench.pe != 0)
        return;
    for (long i = 0; i < n; i++)
        shmem_long_atomic_add(word, 3, 1);
    shmem_quiet();
    applied += n;
}

#ifndef BENCH_IS_FLOOR /* bare processes share no static variables */
static long static_word;

static void fetch_add_static(long n, size_t bytes)
{
    (void)bytes;
    if (bench.pe == 0)
        fetch_add_to("fetch_add_static", &static_word, n);
}
#endif

static void row(const char *name, long *target, bench_op *op)
{
    *target = 0;
    applied = 0;
    measure(name, 8, op);
    long operations = bench.agree(applied, 0);
    if (bench.pe == 1)
        bench_expect(name, 0, (uint64_t)*target, (uint64_t)operations * 3);
}

int main(int argc, char **argv)
{
    pes_start(argc, argv, 2);
    word = pes_alloc(sizeof *word);
    row("fetch_add", word, fetch_add);
    row("compare_swap", word, compare_swap);
    row("add", word, add);
#ifndef BENCH_IS_FLOOR
    row("fetch_add_static", &static_word, fetch_add_static);
#endif
    return pes_end();
}
