/* run: oshrun -n 4 ./session */
/* A session announces many small operations, which the library may send together. */
#include <shmem.h>
#include <stdio.h>

enum { BINS = 64, SAMPLES = 5000 };
static long histogram[BINS]; /* bin b is on PE b % n */

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), wrong = 0;
    shmem_ctx_t ctx;
    if (shmem_ctx_create(0, &ctx) != 0)
        shmem_global_exit(1);
    shmem_ctx_session_config_t config = {.total_ops = SAMPLES};
    shmem_ctx_session_start(ctx, SHMEM_CTX_SESSION_BATCH, &config, SHMEM_CTX_SESSION_TOTAL_OPS);
    for (int i = 0; i < SAMPLES; i++) {
        int bin = (i * 7 + me) % BINS;
        shmem_atomic_inc(ctx, &histogram[bin], bin % n);
    }
    shmem_ctx_session_stop(ctx);
    shmem_ctx_quiet(ctx);
    shmem_sync_all();

    for (int bin = 0; bin < BINS; bin++) {
        long expected = 0;
        for (int pe = 0; pe < n && bin % n == me; pe++)
            for (int i = 0; i < SAMPLES; i++)
                expected += (i * 7 + pe) % BINS == bin;
        wrong += histogram[bin] != expected;
    }
    printf("PE %d: first bin holds %ld samples, %d bins wrong\n", me, histogram[me % BINS], wrong);
    shmem_ctx_destroy(ctx);
    shmem_finalize();
    return wrong != 0;
}
