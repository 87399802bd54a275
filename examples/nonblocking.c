/* run: oshrun -n 4 ./nonblocking */
/* Puts to all PEs are started, the PE computes, and shmem_quiet waits for all puts together. */
#include <shmem.h>
#include <stdio.h>

enum { N = 4096 };

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    float *inbox = shmem_calloc((size_t)n * N, sizeof *inbox);
    static float outbox[N];
    for (int i = 0; i < N; i++)
        outbox[i] = (float)(me * 10000 + i);

    for (int pe = 0; pe < n; pe++)
        shmem_put_nbi(inbox + (size_t)me * N, outbox, N, pe);
    double work = 0; /* the loop must not change outbox */
    for (int i = 0; i < N; i++)
        work += outbox[i] * 0.5;
    shmem_quiet();    /* my puts are complete: I may change outbox */
    shmem_sync_all(); /* all other PEs' puts are complete, too */

    int wrong = work <= 0;
    for (int pe = 0; pe < n; pe++)
        for (int i = 0; i < N; i++)
            wrong += inbox[pe * N + i] != (float)(pe * 10000 + i);
    printf("PE %d: %d arrays arrived, %d values wrong\n", me, n, wrong);
    shmem_free(inbox);
    shmem_finalize();
    return wrong != 0;
}
