/* Threads of a PE that call at the same time, each with its own context: test_profile.py counts them. */
#include <pthread.h>
#include <shmem.h>
#include <stdlib.h>

enum { THREADS = 3, TIMES = 500 };
static long cell[THREADS], sum, done;

static void *work(void *number)
{
    long *const mine = &cell[*(int *)number];
    const int next = (shmem_my_pe() + 1) % shmem_n_pes();
    shmem_ctx_t ctx;
    if (shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx))
        abort();
    for (long i = 0; i < TIMES; i++) {
        shmem_ctx_long_p(ctx, mine, i, next);
        shmem_ctx_long_atomic_inc(ctx, &sum, next);
        shmem_ctx_quiet(ctx);
    }
    shmem_ctx_destroy(ctx);
    return NULL;
}

int main(void)
{
    int provided, number[THREADS];
    pthread_t thread[THREADS];
    if (shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided) || provided != SHMEM_THREAD_MULTIPLE)
        return 1;
    shmem_barrier_all();
    for (int i = 0; i < THREADS; i++) {
        number[i] = i;
        if (pthread_create(&thread[i], NULL, work, &number[i]))
            return 1;
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    shmem_long_p(&done, 1, (shmem_my_pe() + 1) % shmem_n_pes());
    shmem_long_wait_until(&done, SHMEM_CMP_EQ, 1);
    shmem_barrier_all();
    const int wrong = sum != THREADS * TIMES;
    shmem_finalize();
    return wrong;
}
