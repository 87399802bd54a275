/* pes: 2 */
/* args: check */
/* The time to run a function on another PE's processor: a call with eight bytes of arguments and a reply of several
 * sizes, beside a get of the same bytes; and posted calls with as many bytes of arguments, completed by a quiet. */
#include <shmemx.h>

#include "../../timing/pes.h"

enum { MOST = 4096 };

static char *data, here[MOST]; /* data: symmetric, the source of gets and replies */
static long *posted;           /* symmetric */

static void reply_bytes(int pe, void *args, size_t bytes, shmemx_reply *reply)
{
    (void)pe, (void)bytes;
    reply->data = data;
    reply->bytes = *(size_t *)args;
}

static void count(int pe, void *args, size_t bytes, shmemx_reply *reply)
{
    (void)pe, (void)bytes, (void)reply;
    *posted += *(char *)args;
}

static void *receive(void *context, void *head, size_t head_bytes, size_t bytes)
{
    (void)head, (void)head_bytes, (void)bytes;
    return context;
}

static void call(long n, size_t bytes)
{
    for (long i = 0; i < n && bench.pe == 0; i++)
        shmemx_call(1, 1, &(struct iovec){&bytes, sizeof bytes}, 1, receive, here);
}

static void get(long n, size_t bytes)
{
    for (long i = 0; i < n && bench.pe == 0; i++)
        shmem_getmem(here, data, bytes, 1);
}

static long posts;

static void post(long n, size_t bytes)
{
    if (bench.pe != 0)
        return;
    here[0] = 1;
    for (long i = 0; i < n; i++)
        shmemx_post(1, 2, &(struct iovec){here, bytes}, 1);
    shmem_quiet();
    posts += n;
}

static void row(const char *name, size_t bytes, bench_op *op)
{
    memset(here, 0, sizeof here);
    measure(name, bytes, op);
    for (size_t i = 0; i < bytes && bench.pe == 0 && op != post; i++)
        bench_expect(name, i, (uint64_t)here[i], (uint64_t)(char)(i * 7 + 129));
}

int main(int argc, char **argv)
{
    pes_start(argc, argv, 2);
    data = pes_alloc(MOST);
    posted = pes_alloc(sizeof *posted);
    for (size_t i = 0; i < MOST; i++)
        data[i] = (char)(i * 7 + 129);
    if (shmem_ptr(data, 1 - bench.pe))
        return pes_end(); /* within a node there are no calls */
    shmemx_register(1, reply_bytes);
    shmemx_register(2, count);
    shmem_barrier_all();
    for (size_t bytes = 8; bytes <= MOST; bytes *= 8) {
        row("get", bytes, get);
        row("call", bytes, call);
        row("post", bytes, post);
    }
    const long all = bench.agree(posts, 0);
    if (bench.pe == 1)
        bench_expect("post", 0, (uint64_t)*posted, (uint64_t)all);
    return pes_end();
}
