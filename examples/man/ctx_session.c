/* man: shmem_ctx_session_start */
/* run: oshrun -n 2 ./ctx_session */
/* prints: 999 of 1000 */
#include <shmem.h>
#include <stdio.h>

static int numbers[1000];

int main(void)
{
    const shmem_ctx_session_config_t config = {.total_ops = 1000};

    shmem_init();
    if (shmem_my_pe() == 0) {
        shmem_ctx_session_start(SHMEM_CTX_DEFAULT, SHMEM_CTX_SESSION_BATCH,
                                &config, SHMEM_CTX_SESSION_TOTAL_OPS);
        for (int i = 0; i < 1000; i++)
            shmem_p(&numbers[i], i, 1); /* may be sent together */
        shmem_ctx_session_stop(SHMEM_CTX_DEFAULT);
    }
    shmem_barrier_all();
    if (shmem_my_pe() == 1)
        printf("%d of 1000\n", numbers[999]);
    shmem_finalize();
}
