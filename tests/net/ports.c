/* Threads on private contexts that have their own ports, with all kinds of operations between nodes.
 *
 *     ports [ROUNDS]      2 to 8 PEs, on some nodes; PE p's threads communicate with those of PE p + n / 2
 *     ports killed        for oshrun --outlive -n 4: PE 3 is killed while two PEs' threads put to it and get from it */
#include <pthread.h>
#include <shmemx.h>
#include <signal.h>
#include <unistd.h>

#include "../api/fill.h"

enum { THREADS = 4, WORDS = 40, LARGE = 40000 /* words */, CONTEXTS = 2 };

static int me, n_pes, to, from, rounds = 20;
static pthread_barrier_t all_threads;

static uint64_t small[THREADS][WORDS];
static uint64_t *large[THREADS]; /* symmetric: LARGE words */
static uint64_t counter[THREADS], told[THREADS], heard[THREADS];

static uint64_t word(int pe, int t, size_t i, int round)
{
    return pattern(pe * THREADS + t, i, (unsigned)round);
}

static void check_words(const uint64_t *words, size_t n, int pe, int t, int round, const char *what)
{
    for (size_t i = 0; i < n; i++)
        if (words[i] != word(pe, t, i, round)) {
            CHECK(false, "%s: thread %d, round %d: word %zu is of something else", what, t, round, i);
            return;
        }
}

/* After a context's quiet, gets return the data put on it, by every protocol; a second context is used beside it. */
static void puts_and_gets(shmem_ctx_t *ctx, int t, int round, uint64_t *mine, uint64_t *back)
{
    for (size_t i = 0; i < LARGE; i++)
        mine[i] = word(me, t, i, round);
    memset(back, 0, LARGE * sizeof *back);
    if (round % 2)
        shmem_ctx_uint64_put(ctx[0], large[t], mine, LARGE, to);
    else
        shmem_ctx_uint64_put_nbi(ctx[0], large[t], mine, LARGE, to);
    for (size_t i = 0; i < WORDS; i++)
        shmem_ctx_uint64_p(ctx[1], &small[t][i], mine[i], to);
    shmem_ctx_uint64_atomic_add(ctx[1], &counter[t], 1, to);
    shmem_ctx_quiet(ctx[0]);
    if (round % 3)
        shmem_ctx_uint64_get_nbi(ctx[0], back, large[t], LARGE, to);
    else
        shmem_ctx_uint64_get(ctx[0], back, large[t], LARGE, to);
    shmem_ctx_quiet(ctx[1]);
    uint64_t few[WORDS];
    shmem_ctx_uint64_get(ctx[1], few, small[t], WORDS, to);
    check_words(few, WORDS, me, t, round, "small");
    shmem_ctx_uint64_iget(ctx[1], few, small[t], 1, 2, WORDS / 2, to);
    for (size_t i = 0; i < WORDS / 2; i++)
        CHECK(few[i] == word(me, t, 2 * i, round), "strided: thread %d, round %d: word %zu", t, round, i);
    CHECK(shmem_ctx_uint64_atomic_fetch(ctx[1], &counter[t], to) == (uint64_t)round + 1, "the counter of thread %d", t);
    shmem_ctx_quiet(ctx[0]);
    check_words(back, LARGE, me, t, round, "large");
}

/* A thread starts operations, then only waits for another thread. The operations still complete: a signal after small
 * and large data, and a signal after a fence. The wait ends when the peer has all data. */
static void goes_on(shmem_ctx_t ctx, int t, int round, const uint64_t *mine)
{
    const uint64_t n = (uint64_t)round + 1;
    pthread_barrier_wait(&all_threads);
    shmem_ctx_uint64_put_signal_nbi(ctx, large[t], mine, round % 2 ? LARGE : WORDS, &told[t], n, SHMEM_SIGNAL_SET, to);
    pthread_barrier_wait(&all_threads);
    if (t == 0) {
        for (int i = 0; i < THREADS; i++) {
            shmem_signal_wait_until(&told[i], SHMEM_CMP_EQ, n);
            check_words(large[i], round % 2 ? LARGE : WORDS, from, i, round, "with a signal");
        }
        for (int i = 0; i < THREADS; i++)
            shmem_uint64_atomic_set(&heard[i], n, from);
        for (int i = 0; i < THREADS; i++)
            shmem_uint64_wait_until(&heard[i], SHMEM_CMP_EQ, n);
    }
    pthread_barrier_wait(&all_threads);
    shmem_ctx_quiet(ctx);
}

static void *work(void *number)
{
    const int t = (int)(intptr_t)number;
    uint64_t *mine = malloc(LARGE * sizeof *mine), *back = malloc(LARGE * sizeof *back);
    for (int round = 0; round < rounds; round++) {
        shmem_ctx_t ctx[CONTEXTS];
        for (int i = 0; i < CONTEXTS; i++)
            CHECK(shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx[i]) == 0, "a context of thread %d", t);
        puts_and_gets(ctx, t, round, mine, back);
        if (t == 0)
            shmem_barrier_all();
        goes_on(ctx[0], t, round, mine);
        shmem_ctx_uint64_p(ctx[0], &small[t][0], word(me, t, 0, rounds), to);
        shmem_ctx_fence(ctx[0]);
        shmem_ctx_uint64_p(ctx[0], &small[t][1], word(me, t, 1, rounds), to);
        shmem_ctx_pe_quiet(ctx[0], &to, 1);
        CHECK(shmem_uint64_g(&small[t][1], to) == word(me, t, 1, rounds), "after a quiet of one PE");
        for (int i = 0; i < CONTEXTS; i++)
            shmem_ctx_destroy(ctx[i]);
    }
    free(mine);
    free(back);
    return NULL;
}

/* --- a PE is killed ----------------------------------------------------------------------------------------------- */

enum { VICTIM = 3, OTHER = 2 };

static void *talk(void *number)
{
    const int t = (int)(intptr_t)number;
    shmem_ctx_t ctx;
    uint64_t *back = calloc(LARGE, sizeof *back), few[WORDS] = {0};
    CHECK(shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx) == 0, "a context of thread %d", t);
    for (int i = 0; shmemx_pe_state(VICTIM) != SHMEMX_PE_DEAD; i++) {
        shmem_ctx_uint64_put_nbi(ctx, small[t], few, WORDS, VICTIM);
        shmem_ctx_uint64_get(ctx, few, small[t], WORDS, VICTIM);
        if (i % 3 == t % 3)
            shmem_ctx_uint64_get_nbi(ctx, back, large[t], LARGE, VICTIM);
        shmem_ctx_quiet(ctx);
    }
    for (int i = 0; i < 50; i++) { /* messages to the dead PE have no effect, and the other PEs live */
        shmem_ctx_uint64_put_nbi(ctx, large[t], back, LARGE, i % 2 ? VICTIM : OTHER);
        shmem_ctx_uint64_p(ctx, &small[t][me], (uint64_t)i, VICTIM);
        shmem_ctx_uint64_p(ctx, &small[t][me], (uint64_t)i, OTHER);
        shmem_ctx_quiet(ctx);
        CHECK(shmem_ctx_uint64_g(ctx, &small[t][me], OTHER) == (uint64_t)i, "PE %d, which lives", OTHER);
    }
    shmem_ctx_destroy(ctx);
    free(back);
    return NULL;
}

/* --- -------------------------------------------------------------------------------------------------------------- */

int main(int argc, char **argv)
{
    int provided;
    pthread_t thread[THREADS];
    const bool killed = argc > 1 && strcmp(argv[1], "killed") == 0;
    if (argc > 1 && !killed)
        rounds = atoi(argv[1]);
    setenv("SHMEM_NET_PORTS", "3", 0); /* fewer ports than contexts */
    shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
    me = shmem_my_pe();
    n_pes = shmem_n_pes();
    to = (me + n_pes / 2) % n_pes;
    from = (me - n_pes / 2 + n_pes) % n_pes;
    for (int t = 0; t < THREADS; t++)
        large[t] = shmem_malloc(LARGE * sizeof **large);
    pthread_barrier_init(&all_threads, NULL, THREADS);
    shmem_barrier_all();
    if (killed && me == VICTIM) {
        usleep(30000); /* late on purpose */
        kill(getpid(), SIGKILL);
    }
    const int threads = killed && me > 1 ? 0 : THREADS;
    for (int t = 0; t < threads; t++)
        pthread_create(&thread[t], NULL, killed ? talk : work, (void *)(intptr_t)t);
    for (int t = 0; t < threads; t++)
        pthread_join(thread[t], NULL);
    shmem_finalize();
    return check_result();
}
