/* Threads of a PE in emulated time (SHMEM_THREAD_MULTIPLE), on flat.fabric with 2 nodes of one PE. Simultaneous
 * operations take the time of one operation, except on shared resources. The clock must neither stop nor advance too
 * far while the threads synchronize in ways that the library cannot observe.
 *
 * threads [PORTS]: the number of the threads' own endpoints (SHMEM_NET_PORTS) */
#include "../check.h"

#include <math.h>
#include <pthread.h>
#include <shmem.h>
#include <shmemx.h>
#include <stdatomic.h>
#include <string.h>

enum { MOST = 8, ROUNDS = 20, PUTS = 200, WORDS = 2048 };
static const double get = 0.3e-6, put = 0.4e-6, latency = 4.5e-6, gap = 50e-9, byte = 0.1e-9; /* flat.fabric */

static int me, threads, ports;
static pthread_barrier_t all;
static uint64_t table[MOST][WORDS], words[MOST][PUTS], signal_word[MOST];
static double began[MOST], ended[MOST];

static double most(const double *times)
{
    double last = times[0];
    for (int t = 1; t < threads; t++)
        last = fmax(last, times[t]);
    return last;
}

static uint64_t value(int pe, int t, int i)
{
    return (uint64_t)pe << 40 | (uint64_t)t << 20 | (uint64_t)(unsigned)i;
}

/* Each thread computes and gets data; the other PE's NIC reads it without a processor. */
static void apart(shmem_ctx_t ctx, int t)
{
    uint64_t got[WORDS];
    for (int i = 0; i < ROUNDS; i++) {
        shmemx_compute(100e-6);
        shmem_ctx_uint64_get(ctx, got, table[t], WORDS, !me);
        CHECK(got[0] == value(!me, t, 0) && got[WORDS - 1] == value(!me, t, WORDS - 1), "thread %d gets %#lx", t,
              (unsigned long)got[0]);
    }
}

/* Each thread posts operations with short transfers to the NIC: the processor needs most of the time. */
static void posts(shmem_ctx_t ctx, int t)
{
    uint64_t source[PUTS];
    for (int i = 0; i < PUTS; i++) {
        source[i] = value(me, t, i);
        shmem_ctx_uint64_put_nbi(ctx, &words[t][i], &source[i], 1, !me);
    }
    shmem_ctx_quiet(ctx);
}

/* Each thread passes a token between the PEs. */
static void waits(shmem_ctx_t ctx, int t)
{
    for (uint64_t i = 1; i <= ROUNDS; i++) {
        if (me == 1)
            shmem_signal_wait_until(&signal_word[t], SHMEM_CMP_GE, i);
        shmem_ctx_uint64_put_signal(ctx, &words[t][0], &(uint64_t){value(me, t, 0)}, 1, &signal_word[t], i,
                                    SHMEM_SIGNAL_SET, !me);
        if (me == 0)
            shmem_signal_wait_until(&signal_word[t], SHMEM_CMP_GE, i);
    }
}

/* The first thread works for a while. All threads then synchronize without the library, and continue simultaneously. */
static void meet(shmem_ctx_t ctx, int t)
{
    static double work_ended;
    (void)ctx;
    for (int i = 0; i < ROUNDS; i++) {
        if (t == i % threads) {
            shmemx_compute(7e-6);
            work_ended = shmemx_clock();
        }
        pthread_barrier_wait(&all);
        const double here = shmemx_clock();
        CHECK(fabs(here - work_ended) < 1e-9, "round %d: thread %d is there %g us after the last", i, t,
              (here - work_ended) * 1e6);
        pthread_barrier_wait(&all);
    }
}

static struct trial {
    const char *name;
    void (*run)(shmem_ctx_t ctx, int t);
    double took;
} trials[] = {{"apart", apart, 0}, {"posts", posts, 0}, {"waits", waits, 0}, {"meet", meet, 0}};
enum { N_TRIALS = sizeof trials / sizeof *trials };

/* All threads of both PEs run, from a common time on. */
static void start_together(int t)
{
    static double start;
    pthread_barrier_wait(&all);
    if (t == 0) {
        static double mine, latest;
        mine = shmemx_clock();
        shmem_barrier_all();
        shmem_double_max_reduce(SHMEM_TEAM_WORLD, &latest, &mine, 1);
        start = latest + 1e-3;
    }
    pthread_barrier_wait(&all);
    shmemx_compute(start - shmemx_clock());
    began[t] = shmemx_clock();
    CHECK(fabs(began[t] - start) < 1e-9, "thread %d begins %g us late", t, (began[t] - start) * 1e6);
}

static void *work(void *number)
{
    const int t = (int)(intptr_t)number;
    shmem_ctx_t ctx;
    CHECK(shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx) == 0, "a context of thread %d", t);
    for (int twice = 0; twice < 2; twice++) /* the first iteration makes the connections */
        for (int i = 0; i < N_TRIALS; i++) {
            memset(signal_word, 0, t ? 0 : sizeof signal_word);
            start_together(t);
            trials[i].run(ctx, t);
            ended[t] = shmemx_clock();
            pthread_barrier_wait(&all);
            if (t == 0)
                trials[i].took = most(ended) - began[0];
        }
    shmem_ctx_destroy(ctx);
    return NULL;
}

static void expect(int trial, double expected, double percent)
{
    const double took = trials[trial].took;
    if (me == 0)
        printf("%-6s %d threads, %d ports: %8.2f us, expected %8.2f\n", trials[trial].name, threads, ports, took * 1e6,
               expected * 1e6);
    CHECK(fabs(took - expected) <= percent / 100 * expected, "%s of %d threads: %g us, not %g us within %g %%",
          trials[trial].name, threads, took * 1e6, expected * 1e6, percent);
}

static void run(int n)
{
    static double alone;
    pthread_t thread[MOST];
    threads = n;
    pthread_barrier_init(&all, NULL, (unsigned)n);
    for (int t = 1; t < n; t++)
        CHECK(pthread_create(&thread[t], NULL, work, (void *)(intptr_t)t) == 0, "thread %d", t);
    work(NULL);
    for (int t = 1; t < n; t++)
        pthread_join(thread[t], NULL);
    pthread_barrier_destroy(&all);
    shmem_barrier_all();
    for (int t = 0; t < n; t++)
        for (int i = 0; i < PUTS; i++)
            CHECK(words[t][i] == value(!me, t, i), "thread %d: word %d is %#lx", t, i, (unsigned long)words[t][i]);
    const double large = get + 2 * latency + byte * sizeof table[0];
    expect(0, ROUNDS * (100e-6 + large) + (n - 1) * byte * sizeof table[0], 1);
    const int at_a_port = ports >= n ? 1 : ports ? (n + ports - 1) / ports : n;
    expect(1, fmax(at_a_port * put, n * gap) * PUTS + 2 * latency, 3);
    alone = n == 1 ? trials[2].took : alone;
    expect(2, alone, 5); /* the other PE's processor handles one message after the other */
}

int main(int argc, char **argv)
{
    int level;
    const char *const text = argc > 1 ? argv[1] : "0";
    ports = atoi(text);
    setenv("SHMEM_NET_PORTS", text, 1);
    setenv("SHMEM_NET_TUNE", "nbi=0", 1);
    shmem_init_thread(SHMEM_THREAD_MULTIPLE, &level);
    CHECK(level == SHMEM_THREAD_MULTIPLE, "level %d", level);
    CHECK(shmemx_time_is_emulated() && shmem_n_pes() == 2, "%d PEs", shmem_n_pes());
    me = shmem_my_pe();
    for (int t = 0; t < MOST; t++)
        for (int i = 0; i < WORDS; i++)
            table[t][i] = value(me, t, i);
    shmem_barrier_all();
    for (int n = 1; n <= MOST; n *= 2)
        run(n);
    shmem_finalize();
    return check_result();
}
