/* pes: 2 */
/* args: check */
/* Single elements between two PEs, and static variables: p and g, and puts to memory outside the heap. As in pairs.c, a
 * put is timed with its quiet, and the address of a g depends on the result of the previous one. */
#include "../../timing/pes.h"

enum { CHAIN = 8, STATIC_BYTES = 64 << 10 };

static long *remote;  /* symmetric */
static long *local;   /* private */
static uint64_t seed; /* differs in each row, so that data of an earlier row fails the check */

BENCH_LOOP(p_quiet, bench.pe == 0, shmem_long_p(remote, local[0], 1); shmem_quiet())

static void p_alone(long n, size_t bytes)
{
    (void)bytes;
    if (bench.pe != 0)
        return;
    for (long i = 0; i < n; i++)
        shmem_long_p(remote, local[0], 1);
    shmem_quiet();
}

static void g(long n, size_t bytes)
{
    (void)bytes;
    if (bench.pe != 0)
        return;
    long next = 0;
    for (long i = 0; i < n; i++)
        next = shmem_long_g(remote + next, 1);
    local[0] = next;
}

#ifndef BENCH_IS_FLOOR /* bare processes share no static variables */
_Alignas(4096) static long static_words[STATIC_BYTES / sizeof(long)];

BENCH_LOOP(p_quiet_static, bench.pe == 0, shmem_long_p(static_words, local[0], 1); shmem_quiet())
BENCH_LOOP(put_quiet_static, bench.pe == 0, shmem_long_put(static_words, local, bytes / 8, 1); shmem_quiet())
#endif

/* PE 0 writes its pattern into target on PE 1 by op, PE 1 checks what has arrived. */
static void write_row(const char *row, long *target, size_t bytes, bench_op *op)
{
    seed++;
    bench_fill((uint64_t *)local, bytes, seed);
    measure(row, bytes, op);
    if (bench.pe == 1)
        bench_expect_filled(row, (uint64_t *)target, bytes, seed);
    bench.agree(0, 0);
}

/* Word 0 contains the index CHAIN of the next g's word, which contains 0. */
static void read_row(void)
{
    remote[0] = CHAIN;
    remote[CHAIN] = 0;
    measure("g", 8, g);
    if (bench.pe == 0)
        bench_expect("g", 0, (uint64_t)(local[0] == 0 || local[0] == CHAIN), 1);
    bench.agree(0, 0);
}

int main(int argc, char **argv)
{
    pes_start(argc, argv, 2);
    remote = pes_alloc(4096);
    local = bench_alloc(STATIC_BYTES);
    write_row("p_quiet", remote, 8, p_quiet);
    write_row("p", remote, 8, p_alone);
    read_row();
#ifndef BENCH_IS_FLOOR
    write_row("p_quiet_static", static_words, 8, p_quiet_static);
    write_row("put_quiet_static", static_words, 8, put_quiet_static);
    write_row("put_quiet_static", static_words, STATIC_BYTES, put_quiet_static);
#endif
    return pes_end();
}
