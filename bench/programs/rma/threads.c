/* pes: 2 4 */
/* args: check */
/* Several threads communicate with one remote PE at the same time, each on a private context, or all on the default
 * context: windows of nonblocking puts of a word, each with a quiet; blocking gets of a word; blocking gets of 64 KiB,
 * which NICs transfer without the target's processor.  PE i of the first half communicates with PE i + n/2.  The result
 * is the time per operation over all threads and PEs.  4 PEs with one thread each do the same work as
 * 2 PEs with two threads each, but over two connections instead of one. */
#include "../../timing/pes.h"

#include <pthread.h>

enum { MOST = 16, WINDOW = 64, LARGE = 8192 /* words */ };

typedef void step(shmem_ctx_t ctx, int thread);

static int other;              /* the target PE, or -1 if this PE is a target */
static uint64_t *local;        /* private */
static uint64_t *remote;       /* symmetric: LARGE words for each thread */
static pthread_barrier_t turn; /* threads and main thread, before and after each batch */
static bool is_private;        /* the current row uses private contexts */
static step *todo;             /* the current row's operation */
static long times;             /* steps of each thread in the batch; 0 ends the threads */

static void put_windows(shmem_ctx_t ctx, int thread)
{
    for (long i = 0; i < times; i++) {
        for (int k = thread * WINDOW; k < (thread + 1) * WINDOW; k++)
            shmem_ctx_uint64_put_nbi(ctx, &remote[k], &local[k], 1, other);
        shmem_ctx_quiet(ctx);
    }
}

static void get_words(shmem_ctx_t ctx, int thread)
{
    for (long i = 0; i < times; i++) {
        const int k = thread * WINDOW + (int)(i % WINDOW);
        shmem_ctx_uint64_get(ctx, &local[k], &remote[k], 1, other);
    }
}

static void get_large(shmem_ctx_t ctx, int thread)
{
    for (long i = 0; i < times; i++)
        shmem_ctx_uint64_get(ctx, &local[thread * LARGE], &remote[thread * LARGE], LARGE, other);
}

static const struct kind {
    const char *name;
    step *todo;
    int words;    /* words of an operation */
    int messages; /* messages of a thread's step */
    bool is_get;
} kinds[] = {{"threads", put_windows, 1, WINDOW, false},
             {"threads_get", get_words, 1, 1, true},
             {"threads_large", get_large, LARGE, 1, true}};

static void *work(void *number)
{
    shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;
    if (is_private && shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx) != 0) {
        fprintf(stderr, "threads: no context is left\n");
        shmem_global_exit(1);
    }
    for (;;) {
        pthread_barrier_wait(&turn);
        if (times == 0)
            break;
        todo(ctx, (int)(intptr_t)number);
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
        times = n;
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
    times = 0;
    pthread_barrier_wait(&turn);
    for (int i = 0; i < threads; i++)
        pthread_join(thread[i], NULL);
    pthread_barrier_destroy(&turn);
}

/* Checks the targets of puts and the destinations of gets. */
static void row(const struct kind *k, bool private, int threads)
{
    pthread_t thread[MOST];
    char name[40], fields[40];
    const uint64_t seed = (uint64_t)((k - kinds) * 100 + 2 * threads + private);
    const size_t bytes = (size_t)threads * (k->words == LARGE ? LARGE : WINDOW) * sizeof *local;
    snprintf(name, sizeof name, "%s_%s", k->name, private ? "private" : "shared");
    snprintf(fields, sizeof fields, "\"threads\": %d, ", threads);
    is_private = private;
    todo = k->todo;
    bench.fields = fields;
    bench.messages = threads * k->messages * (bench.pes / 2);
    bench_fill(k->is_get ? remote : local, bytes, seed);
    if (k->is_get)
        memset(local, 0, bytes);
    if (other >= 0)
        begin_threads(thread, threads);
    measure(name, (size_t)k->words * sizeof *local, batch);
    if (k->is_get)
        batch(WINDOW, 0); /* covers all words of each thread */
    if (other >= 0)
        end_threads(thread, threads);
    if (k->is_get ? other >= 0 : other < 0)
        bench_expect_filled(name, k->is_get ? local : remote, bytes, seed);
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
    const int most = bench.emulated ? MOST : 4; /* each emulated thread has a processor */
    other = bench.pe < bench.pes / 2 ? bench.pe + bench.pes / 2 : -1;
    local = bench_alloc(MOST * LARGE * sizeof *local);
    remote = pes_alloc(MOST * LARGE * sizeof *remote);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (int threads = 1; threads <= most; threads *= 2)
            for (int private = 0; private < 2; private++)
                row(&kinds[k], private, threads);
    return pes_end();
}
