/* run: oshrun -n 4 ./context */
/* Two streams of puts: the bulk has a context of its own, so that the wait for the small put excludes the bulk. */
#include <shmem.h>
#include <stdio.h>

enum { N = 100000 };
static double bulk[N];
static int small = -1;

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), right = (me + 1) % n, left = (me + n - 1) % n;
    static double source[N];
    for (int i = 0; i < N; i++)
        source[i] = me + i * 0.001;

    shmem_ctx_t ctx;
    if (shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx) != 0) /* used by this thread alone */
        ctx = SHMEM_CTX_DEFAULT;
    shmem_put_nbi(ctx, bulk, source, N, right);
    shmem_p(&small, me, right);
    shmem_pe_quiet(&right, 1);  /* the small put is complete; the bulk may be pending */
    shmem_ctx_quiet(ctx);   /* now the bulk is complete, too */
    shmem_sync_all();

    int wrong = small != left;
    for (int i = 0; i < N; i++)
        wrong += bulk[i] != left + i * 0.001;
    printf("PE %d: small %d and %d values from PE %d, %d wrong\n", me, small, N, left, wrong);
    if (ctx != SHMEM_CTX_DEFAULT)
        shmem_ctx_destroy(ctx);
    shmem_finalize();
    return wrong != 0;
}
