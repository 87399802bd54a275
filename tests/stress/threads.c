/* SHMEM_THREAD_MULTIPLE: several threads of each PE communicate at the same time. usage: threads [ROUNDS [THREADS]]
 *
 * The threads execute the trials together; between two trials one of them calls shmem_barrier_all. Each trial is
 * free of data races within a PE, so a report of the thread sanitizer is the library's fault. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "../api/fill.h"

enum { MAX_PES = 16, MAX_THREADS = 8, WORDS = 40, MAX_TICKETS = 1 << 16 };

static int me, n_pes, threads, rounds, right, left;
static pthread_barrier_t all_threads;

static uint64_t slots[MAX_PES][MAX_THREADS][WORDS];
static long counter, thread_counter[MAX_THREADS], lock[MAX_THREADS];
static int taken[MAX_TICKETS];
static uint64_t signal_word[MAX_THREADS], acknowledged[MAX_THREADS];
static int turn[MAX_THREADS], local_turn[MAX_THREADS];
static long any_words[MAX_PES * MAX_THREADS];
static shmem_ctx_t shared_ctx;

/* Waits until all threads of all PEs have arrived and all communication is complete. */
static void meet(int t)
{
    shmem_quiet();
    pthread_barrier_wait(&all_threads);
    if (t == 0)
        shmem_barrier_all();
    pthread_barrier_wait(&all_threads);
}

static uint64_t word_of(int from, int t, int to, size_t i, int round)
{
    return pattern_to(from * MAX_THREADS + t, to, i, (unsigned)round);
}

/* Puts this thread's slot to every PE, alternately blocking and nonblocking, and gets it back. */
static void exchange(shmem_ctx_t ctx, const char *what, int t, int round)
{
    uint64_t source[WORDS], back[WORDS];
    for (int k = 0; k < n_pes; k++) {
        const int pe = (me + t + k) % n_pes;
        for (size_t i = 0; i < WORDS; i++)
            source[i] = word_of(me, t, pe, i, round);
        if ((round + k) % 2)
            shmem_ctx_uint64_put(ctx, slots[me][t], source, WORDS, pe);
        else
            shmem_ctx_uint64_put_nbi(ctx, slots[me][t], source, WORDS, pe);
        shmem_ctx_quiet(ctx);
        shmem_ctx_uint64_get(ctx, back, slots[me][t], WORDS, pe);
        CHECK(memcmp(back, source, sizeof back) == 0, "%s: thread %d, round %d: get from PE %d", what, t, round, pe);
    }
}

static void check_slots(const char *what, int t)
{
    for (int from = 0; from < n_pes; from++)
        for (size_t i = 0; i < WORDS; i++)
            CHECK(slots[from][t][i] == word_of(from, t, me, i, rounds - 1), "%s: word %zu from thread %d of PE %d",
                  what, i, t, from);
}

static void private_contexts(int t)
{
    for (int round = 0; round < rounds; round++) {
        shmem_ctx_t ctx;
        CHECK(shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx) == 0, "thread %d cannot create a private context", t);
        exchange(ctx, "private context", t, round);
        shmem_ctx_destroy(ctx);
    }
    meet(t);
    check_slots("private context", t);
}

static void default_context(int t)
{
    for (int round = 0; round < rounds; round++)
        exchange(SHMEM_CTX_DEFAULT, "default context", t, round);
    meet(t);
    check_slots("default context", t);
}

static void shareable_context(int t)
{
    if (t == 0)
        CHECK(shmem_ctx_create(0, &shared_ctx) == 0, "cannot create a shareable context");
    pthread_barrier_wait(&all_threads);
    for (int round = 0; round < rounds; round++)
        exchange(shared_ctx, "shareable context", t, round);
    pthread_barrier_wait(&all_threads);
    if (t == 0)
        shmem_ctx_destroy(shared_ctx);
    meet(t);
    check_slots("shareable context", t);
}

/* Tickets from one counter: each ticket is taken once. */
static void atomics(int t)
{
    const int home = n_pes / 2, total = n_pes * threads * rounds;
    for (int round = 0; round < rounds; round++) {
        const long ticket = shmem_long_atomic_fetch_add(&counter, 1, home);
        CHECK(ticket >= 0 && ticket < total, "ticket %ld of %d", ticket, total);
        if (ticket >= 0 && ticket < MAX_TICKETS)
            shmem_int_atomic_inc(&taken[ticket], home);
        for (int pe = 0; pe < n_pes; pe++)
            shmem_long_atomic_add(&thread_counter[t], round + 1, pe);
    }
    meet(t);
    const long sum = (long)n_pes * rounds * (rounds + 1) / 2;
    CHECK(thread_counter[t] == sum, "sum of thread %d is %ld, not %ld", t, thread_counter[t], sum);
    for (int i = t; i < total && i < MAX_TICKETS && me == home; i += threads)
        CHECK(taken[i] == 1, "ticket %d was taken %d times", i, taken[i]);
}

/* Each thread has its own ring through all PEs; even threads wait, odd threads test. */
static void rings(int t)
{
    for (int round = 1; round <= rounds; round++) {
        const int expected = me == 0 ? round - 1 : round;
        if (t % 2 == 0)
            shmem_int_wait_until(&turn[t], SHMEM_CMP_GE, expected);
        else
            while (!shmem_int_test(&turn[t], SHMEM_CMP_GE, expected))
                sched_yield();
        shmem_int_atomic_set(&turn[t], round, right);
    }
    meet(t);
    CHECK(shmem_int_atomic_fetch(&turn[t], me) == rounds, "the ring of thread %d stopped", t);
}

/* The same among the threads of one PE: a wait is ended by another thread of the same process. */
static void local_rings(int t)
{
    for (int round = 1; round <= rounds; round++) {
        shmem_int_wait_until(&local_turn[t], SHMEM_CMP_GE, t == 0 ? round - 1 : round);
        shmem_int_atomic_set(&local_turn[(t + 1) % threads], round, me);
    }
    meet(t);
    CHECK(shmem_int_atomic_fetch(&local_turn[t], me) == rounds, "the local ring stopped at thread %d", t);
}

/* Each thread puts data with a signal for the right PE's thread of the same number, which acknowledges by a signal. */
static void signals(int t)
{
    uint64_t source[WORDS];
    for (int round = 0; round < rounds; round++) {
        for (size_t i = 0; i < WORDS; i++)
            source[i] = word_of(me, t, right, i, round);
        shmem_uint64_put_signal(slots[me][t], source, WORDS, &signal_word[t], 1, SHMEM_SIGNAL_ADD, right);
        shmem_signal_wait_until(&signal_word[t], SHMEM_CMP_GE, (uint64_t)round + 1);
        for (size_t i = 0; i < WORDS; i++)
            CHECK(slots[left][t][i] == word_of(left, t, me, i, round), "round %d: word %zu with a signal from PE %d",
                  round, i, left);
        shmem_signal_set(&acknowledged[t], (uint64_t)round + 1, left);
        shmem_signal_wait_until(&acknowledged[t], SHMEM_CMP_EQ, (uint64_t)round + 1);
    }
    meet(t);
    CHECK(shmem_signal_fetch(&signal_word[t]) == (uint64_t)rounds, "thread %d has not got %d signals", t, rounds);
}

/* Thread t of every PE contends for lock t. */
static void locks(int t)
{
    const int home = t % n_pes;
    for (int round = 0; round < rounds; round++) {
        if (round % 3)
            shmem_set_lock(&lock[t]);
        else
            while (shmem_test_lock(&lock[t]))
                sched_yield();
        const long count = shmem_long_g(&thread_counter[t], home);
        shmem_long_p(&thread_counter[t], count + 1, home);
        shmem_clear_lock(&lock[t]);
    }
    meet(t);
    CHECK(me != home || thread_counter[t] == (long)rounds * n_pes, "lock %d: count is %ld", t, thread_counter[t]);
}

/* All other threads of all PEs set words of each PE; its thread 0 waits until each word has been reported once. */
static void wait_any(int t)
{
    const size_t n = (size_t)n_pes * (size_t)(threads - 1);
    if (t > 0)
        for (int k = 0; k < n_pes; k++)
            shmem_long_atomic_set(&any_words[(size_t)me * (size_t)(threads - 1) + (size_t)t - 1], t, (me + k) % n_pes);
    else {
        int status[MAX_PES * MAX_THREADS] = {0};
        for (size_t i = 0; i < n; i++) {
            const size_t got = shmem_long_wait_until_any(any_words, n, status, SHMEM_CMP_NE, 0);
            CHECK(got < n && !status[got], "wait_until_any reported %zu of %zu", got, n);
            if (got < n)
                status[got] = 1;
        }
        CHECK(shmem_long_wait_until_any(any_words, n, status, SHMEM_CMP_NE, 0) == SIZE_MAX, "wait_until_any found one");
    }
    meet(t);
}

/* Thread 0 allocates, frees and synchronizes while the other threads communicate. */
static void collectives_beside(int t)
{
    if (t == 0)
        for (int round = 0; round < rounds; round++) {
            long *block = shmem_malloc(1000 * sizeof *block);
            CHECK(block != NULL, "shmem_malloc in round %d", round);
            shmem_long_p(&block[999], me + round, right);
            shmem_barrier_all();
            CHECK(block[999] == left + round, "the block's last word in round %d is %ld", round, block[999]);
            shmem_free(block);
        }
    else
        for (int round = 0; round < rounds; round++)
            exchange(SHMEM_CTX_DEFAULT, "beside collectives", t, round);
    meet(t);
    if (t > 0)
        check_slots("beside collectives", t);
}

static void clear(int t)
{
    pthread_barrier_wait(&all_threads);
    for (int pe = 0; pe < n_pes; pe++)
        memset(slots[pe][t], 0, sizeof slots[pe][t]);
    thread_counter[t] = 0;
    meet(t);
}

static void *work(void *argument)
{
    const int t = *(int *)argument;
    void (*const trials[])(int) = {private_contexts, default_context, shareable_context, atomics, rings, local_rings,
                                   signals, locks, wait_any, collectives_beside};
    for (size_t i = 0; i < sizeof trials / sizeof trials[0]; i++) {
        clear(t);
        trials[i](t);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int provided = -1;
    CHECK(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided) == 0, "shmem_init_thread failed");
    CHECK(provided == SHMEM_THREAD_MULTIPLE, "thread level %d provided", provided);
    me = shmem_my_pe();
    n_pes = shmem_n_pes();
    rounds = argc > 1 ? atoi(argv[1]) : 50;
    threads = argc > 2 ? atoi(argv[2]) : n_pes > 5 ? 2 : 4;
    right = (me + 1) % n_pes;
    left = (me + n_pes - 1) % n_pes;
    CHECK(n_pes <= MAX_PES && threads >= 1 && threads <= MAX_THREADS, "%d PEs with %d threads, allowed are %d and %d",
          n_pes, threads, MAX_PES, MAX_THREADS);
    if (check_failures)
        shmem_global_exit(1);
    pthread_barrier_init(&all_threads, NULL, (unsigned)threads);
    pthread_t thread[MAX_THREADS];
    int number[MAX_THREADS];
    for (int t = 0; t < threads; t++) {
        number[t] = t;
        CHECK(pthread_create(&thread[t], NULL, work, &number[t]) == 0, "pthread_create failed");
    }
    for (int t = 0; t < threads; t++)
        pthread_join(thread[t], NULL);
    pthread_barrier_destroy(&all_threads);
    shmem_finalize();
    return check_result();
}
