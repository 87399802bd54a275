/* Fences that must wait for operations whose arrival the peer cannot detect, or that use another port.
 *
 *     fences threads|atomics|calls
 *
 * threads: another thread's quiet on its own context has requested the flush of the put that the fence must follow.
 * atomics: NICs execute them (SHMEM_NET_ATOMICS=adapter).  calls: a function that runs at the target holds back the
 * records of this PE, also the records of a context with its own port (SHMEM_NET_PORTS=1). */
#include "../check.h"

#include <pthread.h>
#include <shmem.h>
#include <shmemx.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/uio.h>

enum { N = 8192, CALL = 7 };
static long data[N], source[N], other[N], zeros[N], counter, flag, small;
static atomic_bool over;
static atomic_int runs;
static shmem_ctx_t mine, its;

static void *quiets(void *unused)
{
    while (!over) {
        shmem_ctx_long_put_nbi(its, other, zeros, N, 1);
        shmem_ctx_quiet(its);
    }
    return unused;
}

static void put_and_fence(long round)
{
    for (int i = 0; i < N; i++)
        source[i] = round;
    shmem_ctx_long_put_nbi(mine, data, source, N, 1);
    shmem_ctx_fence(mine);
    shmem_ctx_long_p(mine, &flag, round, 1);
    shmem_ctx_quiet(mine);
}

static void add_and_fence(long round)
{
    shmem_long_atomic_add(&counter, 1, 1);
    shmem_fence();
    shmem_long_p(&flag, round, 1);
    shmem_quiet();
}

static void compute(double seconds)
{
    for (const double end = shmemx_clock() + seconds; shmemx_clock() < end;) {
    }
}

/* Runs long enough for later records to arrive. */
static void hold(int pe, void *args, size_t bytes, shmemx_reply *reply)
{
    (void)pe, (void)args, (void)bytes, (void)reply;
    runs++;
    compute(0.02);
}

static void call_and_fence(long round)
{
    for (int i = 0; i < N; i++)
        source[i] = round;
    shmemx_post(1, CALL, &(struct iovec){&round, sizeof round}, 1);
    shmem_long_p(&counter, round, 1);
    compute(0.003); /* lets the call begin */
    shmem_ctx_long_p(mine, &small, round, 1);
    shmem_ctx_fence(mine);
    shmem_ctx_long_put(mine, data, source, N, 1);
    shmem_ctx_quiet(mine);
}

static long seen(const long *word)
{
    return *(const volatile long *)word;
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "threads";
    const bool calls = strcmp(mode, "calls") == 0, atomics = strcmp(mode, "atomics") == 0;
    int level;
    shmem_init_thread(SHMEM_THREAD_MULTIPLE, &level);
    const int me = shmem_my_pe();
    shmemx_register(CALL, hold);
    shmem_ctx_create(calls ? SHMEM_CTX_PRIVATE : 0, &mine);
    shmem_ctx_create(0, &its);
    shmem_barrier_all();
    pthread_t thread;
    if (me == 0 && !calls && !atomics)
        pthread_create(&thread, NULL, quiets, NULL);
    for (long round = 1; round <= (calls ? 10 : 500); round++) {
        if (me == 0)
            (calls ? call_and_fence : atomics ? add_and_fence : put_and_fence)(round);
        else if (me == 1 && calls) {
            while (runs < round) {
            }
            shmem_long_wait_until(&data[N - 1], SHMEM_CMP_GE, round);
        }
        else if (me == 1)
            shmem_long_wait_until(&flag, SHMEM_CMP_GE, round);
        if (me == 1) {
            const long first = seen(calls ? &small : atomics ? &counter : &data[0]);
            CHECK(first >= round, "round %ld: what is before the fence is not there", round);
            CHECK(calls || atomics || seen(&data[N - 1]) >= round, "round %ld: nor is its end", round);
        }
        shmem_barrier_all();
    }
    over = true;
    if (me == 0 && !calls && !atomics)
        pthread_join(thread, NULL);
    shmem_barrier_all();
    shmem_finalize();
    return check_result();
}
