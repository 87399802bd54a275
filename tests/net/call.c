/* Functions that PEs of other nodes call: arguments and replies of all lengths, the order among calls, puts and gets,
 * completion by quiet, functions that notify PEs, and many calls from several threads.
 *
 *     call [ROUNDS] */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <shmem.h>
#include <shmemx.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "../check.h"

enum { MOST = 3000000, MAX_PES = 16, THREADS = 3 };
static const uint32_t MIX = 0x80000001, STORE = 7, APPEND = 0xffffffff, BIG = 0, DEEP = 5, SPREAD = 6;

static int me, n_pes;

static unsigned char byte_of(uint64_t seed, size_t i)
{
    return (unsigned char)((seed * 131 + i * 7 + (i >> 8) * 13) ^ 0x80);
}

static void fill(unsigned char *to, size_t bytes, uint64_t seed)
{
    for (size_t i = 0; i < bytes; i++)
        to[i] = byte_of(seed, i);
}

static size_t wrong(const unsigned char *at, size_t bytes, uint64_t seed)
{
    size_t n = 0;
    for (size_t i = 0; i < bytes; i++)
        n += at[i] != byte_of(seed, i);
    return n;
}

/* --- what is called ----------------------------------------------------------------------------------------------- */

/* The request, followed by `bytes` bytes of pattern `seed`; the members give the lengths of the reply's parts. */
struct question {
    uint64_t seed, bytes, head, data;
};

static _Atomic long asked, released, running, overlaps, misaligned, damaged;

static void enter(const void *args)
{
    overlaps += running++ != 0;
    misaligned += (uintptr_t)args % 16 != 0;
}

static void release(void *data)
{
    enter(NULL);
    sched_yield(); /* for processes that share the core */
    released++;
    free(data);
    running--;
}

static void mix(int pe, void *args, size_t bytes, shmemx_reply *reply)
{
    enter(args);
    const struct question *q = args;
    damaged += bytes != sizeof *q + q->bytes || wrong((unsigned char *)(q + 1), q->bytes, q->seed + (uint64_t)pe);
    fill(reply->head, q->head, q->seed + 1);
    reply->head_bytes = q->head;
    if (q->data) {
        reply->data = malloc(q->data);
        reply->bytes = q->data;
        reply->release = release;
        fill(reply->data, q->data, q->seed + 2);
    }
    asked++;
    running--;
}

/* The last number that each PE has put here by calls. */
static uint64_t stored[MAX_PES], put_before[MAX_PES], late[MAX_PES];
static unsigned char *area; /* MOST bytes for each PE */

struct store {
    uint64_t number, put, bytes;
};

/* Expects the successor of the last number; earlier puts must have arrived. */
static void store(int pe, void *args, size_t bytes, shmemx_reply *reply)
{
    enter(args);
    const struct store *s = args;
    damaged += bytes != sizeof *s || reply;
    late[pe] += stored[pe] + 1 != s->number || put_before[pe] != s->put;
    late[pe] += wrong(area + (size_t)pe * MOST, s->bytes, s->number) != 0;
    stored[pe] = s->number;
    running--;
}

/* The arguments go to the caller's area. */
static void big(int pe, void *args, size_t bytes, shmemx_reply *reply)
{
    enter(args);
    damaged += reply != NULL;
    memcpy(area + (size_t)pe * MOST, args, bytes);
    running--;
}

/* The number of calls from all threads of all PEs. */
static uint64_t count;

static void append(int pe, void *args, size_t bytes, shmemx_reply *reply)
{
    (void)pe;
    enter(args);
    uint64_t *const sum = args;
    damaged += bytes < 8;
    *sum += 1; /* the function may change the arguments */
    count += *sum - 1;
    if (reply) {
        memcpy(reply->head, sum, 8);
        reply->head_bytes = 8;
        reply->data = malloc(reply->bytes = 1);
        reply->release = release;
    }
    running--;
}

/* Uses as much of the stack as a program has by default, but not all of it, in the thread that runs the function. */
static __attribute__((noinline)) void deep(int pe, void *args, size_t bytes, shmemx_reply *reply)
{
    (void)pe;
    volatile char much[6 << 20];
    enter(args);
    for (size_t i = 0; i < sizeof much; i += 4096)
        much[i] = (char)(i >> 12);
    damaged += bytes != 0 || much[4096 * 1000] != (char)1000;
    *(char *)reply->head = much[4096 * 1001];
    reply->head_bytes = 1;
    running--;
}

/* The last number of each calling PE. */
static uint64_t spread_by[MAX_PES];

static void spread(int pe, void *args, size_t bytes, shmemx_reply *reply)
{
    enter(args);
    damaged += bytes != sizeof(uint64_t) || reply;
    for (int to = 0; to < n_pes; to++)
        shmemx_notify(&spread_by[pe], *(uint64_t *)args, to);
    running--;
}

/* --- callers ------------------------------------------------------------------------------------------------------ */

struct answer {
    const struct question *q;
    unsigned char *data;
    int times;
};

static void *receive(void *context, void *head, size_t head_bytes, size_t bytes)
{
    struct answer *a = context;
    a->times++;
    CHECK(head_bytes == a->q->head && bytes == a->q->data, "a reply of %zu and %zu bytes", head_bytes, bytes);
    CHECK(wrong(head, head_bytes, a->q->seed + 1) == 0, "the head of %zu bytes is damaged", head_bytes);
    return a->data = bytes && a->q->seed % 5 ? malloc(bytes) : NULL; /* sometimes NULL: the data is dropped */
}

static void call_one(int pe, const struct question *q)
{
    unsigned char *pattern = malloc(q->bytes + 1);
    fill(pattern, q->bytes, q->seed + (uint64_t)me);
    const size_t half = q->bytes / 3;
    const struct iovec args[] = {
        {(void *)(uintptr_t)q, sizeof *q}, {pattern, half}, {NULL, 0}, {pattern + half, q->bytes - half}};
    struct answer a = {.q = q};
    const int status = shmemx_call(pe, MIX, args, 4, receive, &a);
    CHECK(status == 0 && a.times == 1, "a call of PE %d: %d, errno %d, %d replies", pe, status, errno, a.times);
    if (a.data)
        CHECK(wrong(a.data, q->data, q->seed + 2) == 0, "a reply of %zu bytes is damaged", (size_t)q->data);
    free(a.data);
    free(pattern);
}

static bool is_far(int pe)
{
    return !shmem_ptr(stored, pe);
}

static void lengths(int pe)
{
    static const size_t sizes[] = {0, 1, 7, 8, 9, 500, 8000, 8085, 8100, 8200, 20000, 1000001, MOST};
    enum { N = sizeof sizes / sizeof *sizes };
    uint64_t seed = (uint64_t)me * 1000;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++, seed++)
            call_one(pe, &(struct question){seed, sizes[i], (seed % 3) * (SHMEMX_REPLY_HEAD / 2), sizes[j]});
}

/* Calls, small puts and large ones between them, and gets. */
static void order(int pe, long rounds)
{
    static uint64_t number;
    static unsigned char data[MOST];
    for (long i = 0; i < rounds; i++) {
        number++;
        const size_t bytes = number % 7 == 0 ? 100000 : number % 3 == 0 ? 20000 : 64;
        fill(data, bytes, number);
        shmem_fence(); /* later puts do not overtake the last call */
        shmem_putmem(area + (size_t)me * MOST, data, bytes, pe);
        if (number % 4)
            shmem_uint64_p(&put_before[me], number, pe);
        else
            shmem_putmem(&put_before[me], &number, 8, pe);
        const struct store s = {number, number, bytes};
        const struct iovec args = {(void *)(uintptr_t)&s, sizeof s};
        shmemx_post(pe, STORE, &args, 1);
        if (number % 5 == 0) { /* a small get comes after it */
            const uint64_t seen = shmem_uint64_g(&stored[me], pe);
            CHECK(shmemx_in_order() < 8 || seen == number, "a get after call %lu sees %lu", number, seen);
        }
        if (number % 11 == 0) {
            shmem_quiet();
            CHECK(shmem_uint64_g(&stored[me], pe) == number, "after a quiet call %lu has not been run", number);
        }
    }
    shmem_quiet();
    CHECK(shmem_uint64_g(&stored[me], pe) == number, "after the last quiet call %lu has not been run", number);
    CHECK(shmem_uint64_g(&late[me], pe) == 0, "%lu calls came out of order", shmem_uint64_g(&late[me], pe));
}

/* Several large calls at once; the caller reuses the source buffers immediately. */
static void large(int pe)
{
    static unsigned char data[MOST];
    for (uint64_t i = 1; i <= 20; i++) {
        fill(data, MOST, i);
        const struct iovec args[] = {{data, 1}, {data + 1, MOST - 1}};
        shmemx_post(pe, BIG, args, 2);
        memset(data, 0, MOST);
    }
    shmem_quiet();
    shmem_getmem(data, area + (size_t)me * MOST, MOST, pe);
    CHECK(wrong(data, MOST, 20) == 0, "a call with large arguments has damaged them");
}

/* Each PE waits until the functions that run for all PEs have notified it. */
static void notify(int pe)
{
    for (uint64_t number = 1; number <= 100; number++) {
        if (number % 25 == 0 && me == 0)
            usleep(30000); /* so that the other PEs fall asleep in their waits */
        shmemx_post(pe, SPREAD, &(struct iovec){&number, sizeof number}, 1);
        for (int by = 0; by < n_pes; by++) {
            shmem_uint64_wait_until(&spread_by[by], SHMEM_CMP_GE, number);
            const uint64_t seen = spread_by[by];
            CHECK(seen <= number + 1, "PE %d has notified %lu, and not %lu", by, seen, number);
        }
    }
}

static void *counted(void *context, void *head, size_t head_bytes, size_t bytes)
{
    CHECK(head_bytes == 8 && bytes == 1, "a reply of %zu and %zu bytes", head_bytes, bytes);
    memcpy(context, head, 8);
    return NULL;
}

static void *received(void *context, void *head, size_t head_bytes, size_t bytes)
{
    CHECK(head_bytes == 1 && *(char *)head == (char)1001 && bytes == 0, "a reply of %zu bytes", head_bytes);
    return context;
}

static long calls;

static void *caller(void *whom)
{
    const int to_pe = *(const int *)whom;
    static _Atomic uint64_t state;
    unsigned char more[20000] = {0};
    for (long i = 0; i < calls; i++) {
        uint64_t one = 1, got = 0;
        const struct iovec args[] = {{&one, 8}, {more, state++ % 50 ? 0 : sizeof more}};
        if (i % 3 == 0)
            CHECK(shmemx_call(to_pe, APPEND, args, 2, counted, &got) == 0 && got == 2, "a reply of %lu", got);
        else
            shmemx_post(to_pe, APPEND, args, 2);
    }
    return NULL;
}

/* One PE calls itself. */
static void threads(int pe, long rounds)
{
    pthread_t thread[THREADS];
    calls = rounds;
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, caller, i ? &pe : &me);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    shmem_barrier_all();
    CHECK(count == (uint64_t)THREADS * (uint64_t)rounds, "%lu calls have arrived of %ld", count, THREADS * rounds);
}

int main(int argc, char **argv)
{
    int provided;
    shmemx_register(MIX, mix);
    shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
    shmemx_register(STORE, append);
    shmemx_register(STORE, store);
    shmemx_register(BIG, big);
    shmemx_register(DEEP, deep);
    shmemx_register(APPEND, append);
    shmemx_register(SPREAD, spread);
    const long rounds = argc > 1 ? atol(argv[1]) : 500;
    me = shmem_my_pe();
    n_pes = shmem_n_pes();
    area = shmem_malloc((size_t)n_pes * MOST);
    shmem_barrier_all();
    int pe = (me + n_pes / 2) % n_pes; /* each PE has one caller */
    if (!is_far(pe))
        pe = me;
    lengths(pe);
    shmem_barrier_all();
    const long wanted = 13 * 13, left = 13 * 12;
    CHECK(asked == wanted && (released == left || pe != me), "%ld calls, and %ld replies released", asked, released);
    shmemx_call(pe, DEEP, NULL, 0, received, NULL);
    order(pe, rounds);
    large(pe);
    notify(pe);
    shmem_barrier_all();
    threads(pe, rounds);
    CHECK(!damaged && !overlaps && !misaligned, "%ld calls had other arguments, %ld were not alone, %ld not aligned",
          damaged, overlaps, misaligned);
    shmem_barrier_all();
    shmem_free(area);
    shmem_finalize();
    return check_result();
}
