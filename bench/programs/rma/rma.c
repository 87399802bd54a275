/* Put and get between two PEs: blocking, nonblocking, single elements, to the heap and to a static variable.
 *
 * A put is timed with the quiet that makes it complete at the target.  A get is timed as a latency: where the next get
 * reads depends on what this one brought, as it does in any program that uses the value. */
#include "../../timing/pes.h"

enum { CHAIN = 8, WINDOW = 256, STATIC_BYTES = 64 << 10 };

static long *remote;  /* symmetric */
static long *local;   /* private */
static uint64_t seed; /* of the row being measured: what a former row left behind does not pass its check */

static void put_quiet(long n, size_t bytes)
{
    if (bench.pe == 0)
        for (long i = 0; i < n; i++) {
            shmem_long_put(remote, local, bytes / 8, 1);
            shmem_quiet();
        }
}

static void put_nbi(long n, size_t bytes)
{
    (void)bytes;
    if (bench.pe != 0)
        return;
    for (long i = 0; i < n; i++) {
        unsigned long slot = (unsigned long)i % WINDOW;
        shmem_long_put_nbi(&remote[slot], &local[slot], 1, 1);
        if (slot == WINDOW - 1)
            shmem_quiet();
    }
    shmem_quiet();
}

static void p_quiet(long n, size_t bytes)
{
    (void)bytes;
    if (bench.pe == 0)
        for (long i = 0; i < n; i++) {
            shmem_long_p(remote, local[0], 1);
            shmem_quiet();
        }
}

static void p_alone(long n, size_t bytes)
{
    (void)bytes;
    if (bench.pe != 0)
        return;
    for (long i = 0; i < n; i++)
        shmem_long_p(remote, local[0], 1);
    shmem_quiet();
}

static void get(long n, size_t bytes)
{
    if (bench.pe != 0)
        return;
    local[0] = 0;
    for (long i = 0; i < n; i++)
        shmem_long_get(local, remote + local[0], bytes / 8, 1);
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

static void p_quiet_static(long n, size_t bytes)
{
    (void)bytes;
    if (bench.pe == 0)
        for (long i = 0; i < n; i++) {
            shmem_long_p(static_words, local[0], 1);
            shmem_quiet();
        }
}

static void put_quiet_static(long n, size_t bytes)
{
    if (bench.pe == 0)
        for (long i = 0; i < n; i++) {
            shmem_long_put(static_words, local, bytes / 8, 1);
            shmem_quiet();
        }
}
#endif

/* PE 0 writes its pattern into target on PE 1 by op, PE 1 looks at what arrived. */
static void write_row(const char *row, long *target, size_t bytes, bench_op *op)
{
    seed++;
    bench_fill((uint64_t *)local, bytes > WINDOW * 8 ? bytes : WINDOW * 8, seed);
    measure(row, bytes, op);
    if (op == put_nbi)
        op(WINDOW, bytes); /* a whole window, however slow */
    bench.agree(0, 0);
    if (bench.pe == 1)
        bench_expect_filled(row, (uint64_t *)target, op == put_nbi ? WINDOW * 8 : bytes, seed);
    bench.agree(0, 0);
}

/* What a get chain reads: word 0 says that the next get starts at word CHAIN, which says word 0. */
static uint64_t chain_word(size_t i)
{
    return i == 0 ? CHAIN : i == CHAIN ? 0 : bench_pattern(seed, i);
}

static void read_row(const char *row, size_t bytes, bench_op *op)
{
    seed++;
    if (bench.pe == 1)
        for (size_t i = 0; i < bytes / 8 + CHAIN + 1; i++)
            remote[i] = (long)chain_word(i);
    measure(row, bytes, op);
    if (bench.pe == 0) {
        size_t start = local[0] == CHAIN ? 0 : CHAIN;
        for (size_t i = 0; i < bytes / 8; i++)
            bench_expect(row, i, (uint64_t)local[i], chain_word(start + i));
    }
    bench.agree(0, 0);
}

int main(int argc, char **argv)
{
    pes_start(argc, argv, 2);
    remote = pes_alloc(BENCH_MAX_BYTES + 4096);
    local = bench_alloc(BENCH_MAX_BYTES + 4096);

    for (size_t bytes = 8; bytes <= BENCH_MAX_BYTES; bytes = bench_next_size(bytes))
        write_row("put_quiet", remote, bytes, put_quiet);
    for (size_t bytes = 8; bytes <= BENCH_MAX_BYTES; bytes = bench_next_size(bytes))
        read_row("get", bytes, get);
    write_row("put_nbi", remote, 8, put_nbi);
    write_row("p_quiet", remote, 8, p_quiet);
    write_row("p", remote, 8, p_alone);
    read_row("g", 8, g);
#ifndef BENCH_IS_FLOOR
    write_row("p_quiet_static", static_words, 8, p_quiet_static);
    write_row("put_quiet_static", static_words, 8, put_quiet_static);
    write_row("put_quiet_static", static_words, STATIC_BYTES, put_quiet_static);
#endif
    return pes_end();
}
