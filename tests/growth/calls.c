/* pes: 2 4 */
/* Calls of functions on PEs of other nodes, or, without other nodes, on this PE itself. */
#include <pthread.h>
#include <shmem.h>
#include <shmemx.h>
#include <stdlib.h>

#include "growth.h"

enum { LARGE = 100000, THREADS = 3 };
static char large[LARGE];
static long sum;
static int to;

static void count(int pe, void *args, size_t bytes, shmemx_reply *reply)
{
    (void)pe;
    sum += *(long *)args;
    if (!reply)
        return;
    *(long *)reply->head = sum;
    reply->head_bytes = sizeof sum;
    reply->bytes = bytes > 100 ? LARGE : 0;
    reply->data = malloc(bytes > 100 ? LARGE : 1);
    reply->release = free;
}

static void *receive(void *context, void *head, size_t head_bytes, size_t bytes)
{
    (void)context, (void)head, (void)head_bytes;
    return bytes ? large : NULL;
}

static void *post(void *one)
{
    const struct iovec args[] = {{one, sizeof(long)}, {large, 20000}};
    for (int i = 0; i < 10; i++)
        shmemx_post(to, 1, args, 1 + i / 9);
    return NULL;
}

int main(void)
{
    int provided;
    long one = 1;
    shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
    const int me = shmem_my_pe(), n = shmem_n_pes();
    to = (me + n / 2) % n;
    if (shmem_ptr(&sum, to))
        to = me;
    shmemx_register(1, count);
    shmem_barrier_all();
    const struct iovec args[] = {{&one, sizeof one}, {large, LARGE}};
    for (growth_begin("calls", 5000); growth_goes_on();)
        shmemx_call(to, 1, args, 1, receive, NULL);
    for (growth_begin("calls with arguments and a reply of 100 KB", 400); growth_goes_on();)
        shmemx_call(to, 1, args, 2, receive, NULL);
    /* Calls with an occasional quiet: up to 2 MiB of messages may be pending, and the memory in use varies. */
    long turn = 0;
    for (growth_begin("posted calls", 20000); growth_goes_on();) {
        shmemx_post(to, 1, args, 1);
        if (++turn % 1000 == 0)
            shmem_quiet();
    }
    for (growth_begin("posted calls of 100 KB, and quiet", 400); growth_goes_on();) {
        shmemx_post(to, 1, args, 2);
        shmem_quiet();
    }
    for (growth_begin("posted calls of three threads", 400); growth_goes_on();) {
        pthread_t thread[THREADS];
        for (int i = 0; i < THREADS; i++)
            pthread_create(&thread[i], NULL, post, &one);
        for (int i = 0; i < THREADS; i++)
            pthread_join(thread[i], NULL);
        shmem_quiet();
    }
    for (growth_begin("registrations", 20000); growth_goes_on();)
        shmemx_register(1, count);
    shmem_barrier_all();
    shmem_finalize();
    return growth_result();
}
