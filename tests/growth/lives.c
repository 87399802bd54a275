/* pes: 2 */
/* Threads that start, communicate and end; children; the library itself, initialized and finalized. */
#include <malloc.h>
#include <pthread.h>
#include <shmem.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include "growth.h"

static long word[2];

static void *communicate(void *arg)
{
    const int next = *(int *)arg;
    shmem_ctx_t ctx;
    shmem_long_p(word, 1, next);
    shmem_long_atomic_inc(word + 1, next);
    shmem_quiet();
    if (shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx) == 0) {
        shmem_ctx_long_p(ctx, word, 2, next);
        shmem_ctx_destroy(ctx);
    }
    return NULL;
}

int main(void)
{
    int provided;
    /* The large blocks of each life are returned to the system. Otherwise the C library keeps freed blocks of this size
     * for its threads, until several MiB of them are resident. */
    mallopt(M_MMAP_THRESHOLD, 128 * 1024);
    shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
    int next = (shmem_my_pe() + 1) % shmem_n_pes();
    for (growth_begin("a thread that communicates and ends", 1000); growth_goes_on();) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, communicate, &next) == 0)
            pthread_join(thread, NULL);
    }
    for (growth_begin("fork and wait", 200); growth_goes_on();) {
        const pid_t child = fork();
        if (child == 0)
            _exit(0);
        waitpid(child, NULL, 0);
    }
    for (growth_begin("shmem_init, shmem_finalize, counted", 10000); growth_goes_on();) {
        shmem_init();
        shmem_finalize();
    }
    shmem_finalize();
    for (growth_begin("a life from shmem_init to shmem_finalize", 1000); growth_goes_on();) {
        shmem_init();
        shmem_ctx_t ctx;
        for (int i = 0; i < 100; i++)
            shmem_ctx_create(0, &ctx); /* shmem_finalize ends them */
        shmem_long_p(word, 3, next);
        shmem_barrier_all();
        shmem_finalize();
    }
    return growth_result();
}
