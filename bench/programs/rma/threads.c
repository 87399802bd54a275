/* pes: 2 4 */
/* args: check */
/* Several threads that put words to another PE at the same time: windows of nonblocking puts, each with a quiet, on a
 * private context of each thread's own, or all on the default context.  Each PE of the first half puts to one of the
 * second; the figure is the time between two puts of all of them.  So 4 PEs with one thread each show what the same
 * work takes through two connections where 2 PEs with two threads have one. */
#include "../../timing/pes.h"

#include <pthread.h>

enum { MOST = 4, WINDOW = 64 };

static int other;              /* whom this PE puts to, or -1 */
static uint64_t *local;        /* private */
static uint64_t *remote;       /* symmetric: WINDOW words for each thread */
static pthread_barrier_t turn; /* of the threads and who measures: before a batch, and behind it */
static bool is_private;        /* the row's contexts */
static long windows;           /* in the batch, of each thread; 0: the row is over */

static void put_windows(shmem_ctx_t ctx, int thread)
{
    for (long i = 0; i < windows; i++) {
        for (int k = thread * WINDOW; k < (thread + 1) * WINDOW; k++)
            shmem_ctx_uint64_put_nbi(ctx, &remote[k], &local[k], 1, other);
        shmem_ctx_quiet(ctx);
    }
}

static void *work(void *number)
{
    shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;
    if (is_private && shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx) != 0) {
        fprintf(stderr, "threads: no context is left\n");
        shmem_global_exit(1);
    }
    for (;;) {
        pthread_barrier_wait(&turn);
        if (windows == 0)
            break;
        put_windows(ctx, (int)(intptr_t)number);
        pthread_barrier_wait(&turn);
    }
    if (is_private)
        shmem_ctx_destroy(ctx);
    return NULL;
}

static void batch(long n, size_t bytes)
{
    (void)bytes;
    if (other >= 0) {
        windows = n;
        pthread_barrier_wait(&turn);
        pthread_barrier_wait(&turn);
    }
    shmem_barrier_all();
}

static void begin_threads(pthread_t *thread, int threads)
{
    pthread_barrier_init(&turn, NULL, (unsigned)threads + 1);
    for (int i = 0; i < threads; i++)
        if (pthread_create(&thread[i], NULL, work, (void *)(intptr_t)i) != 0) {
            fprintf(stderr, "threads: no thread is left\n");
            shmem_global_exit(1);
        }
}

static void end_threads(pthread_t *thread, int threads)
{
    windows = 0;
    pthread_barrier_wait(&turn);
    for (int i = 0; i < threads; i++)
        pthread_join(thread[i], NULL);
    pthread_barrier_destroy(&turn);
}

static void row(const char *name, int threads, uint64_t seed)
{
    pthread_t thread[MOST];
    char fields[40];
    const size_t bytes = (size_t)threads * WINDOW * sizeof *local;
    snprintf(fields, sizeof fields, "\"threads\": %d, ", threads);
    bench.fields = fields;
    bench.messages = threads * WINDOW * (bench.pes / 2);
    bench_fill(local, bytes, seed);
    if (other >= 0)
        begin_threads(thread, threads);
    measure(name, sizeof *local, batch);
    if (other >= 0)
        end_threads(thread, threads);
    else
        bench_expect_filled(name, remote, bytes, seed);
    bench.agree(0, 0);
}

int main(int argc, char **argv)
{
    int level;
    if (shmem_init_thread(SHMEM_THREAD_MULTIPLE, &level) != 0 || level != SHMEM_THREAD_MULTIPLE) {
        fprintf(stderr, "%s: this job's OpenSHMEM has no SHMEM_THREAD_MULTIPLE\n", argv[0]);
        shmem_global_exit(2);
    }
    pes_started(argc, argv, 2);
    bench.batch_us = 5000; /* threads begin one after the other */
    other = bench.pe < bench.pes / 2 ? bench.pe + bench.pes / 2 : -1;
    local = bench_alloc(MOST * WINDOW * sizeof *local);
    remote = pes_alloc(MOST * WINDOW * sizeof *remote);
    for (int threads = 1; threads <= MOST; threads *= 2)
        for (int private = 0; private < 2; private++) {
            is_private = private;
            row(private ? "threads_private" : "threads_shared", threads, (uint64_t)(2 * threads + private));
        }
    return pes_end();
}
