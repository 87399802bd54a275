/* pes: 2 */
/* Private contexts of several threads, on their own ports, created and destroyed, used and unused. */
#include <pthread.h>
#include <shmem.h>
#include <stdlib.h>
#include "growth.h"

enum { THREADS = 3 };

static long to[THREADS];

static void *use_one(void *number)
{
    const long t = (long)number, next = (shmem_my_pe() + 1) % shmem_n_pes();
    shmem_ctx_t ctx;
    shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx);
    shmem_ctx_long_put_nbi(ctx, &to[t], &t, 1, (int)next);
    if (shmem_ctx_long_g(ctx, &to[t], (int)next) < 0)
        shmem_global_exit(1);
    shmem_ctx_destroy(ctx);
    return NULL;
}

int main(void)
{
    int provided;
    setenv("SHMEM_NET_PORTS", "2", 0);
    shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
    shmem_ctx_t ctx;
    for (growth_begin("a private context", 20000); growth_goes_on();) {
        shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx);
        shmem_ctx_destroy(ctx);
    }
    for (growth_begin("a private context and a get", 4000); growth_goes_on();)
        use_one(NULL);
    for (growth_begin("threads with a private context each", 1000); growth_goes_on();) {
        pthread_t thread[THREADS];
        for (long t = 0; t < THREADS; t++)
            pthread_create(&thread[t], NULL, use_one, (void *)t);
        for (long t = 0; t < THREADS; t++)
            pthread_join(thread[t], NULL);
    }
    shmem_barrier_all();
    shmem_finalize();
    return growth_result();
}
