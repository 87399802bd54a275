/* man: shmem_ctx_create shmem_ctx_destroy */
/* run: oshrun -n 2 ./ctx_create */
/* prints: 1 2 */
#include <shmem.h>
#include <stdio.h>

static int a, b;

int main(void)
{
    shmem_ctx_t ctx;

    shmem_init();
    if (shmem_ctx_create(SHMEM_CTX_SERIALIZED, &ctx) != 0)
        ctx = SHMEM_CTX_DEFAULT; /* does not separate the puts */
    if (shmem_my_pe() == 0) {
        shmem_p(ctx, &a, 1, 1);
        shmem_p(&b, 2, 1);
        shmem_ctx_quiet(ctx); /* completes a; the barrier completes b */
    }
    shmem_barrier_all();
    if (shmem_my_pe() == 1)
        printf("%d %d\n", a, b);
    if (ctx != SHMEM_CTX_DEFAULT)
        shmem_ctx_destroy(ctx);
    shmem_finalize();
}
