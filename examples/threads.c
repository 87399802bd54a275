/* run: oshrun -n 4 ./threads */
/* Several threads of each PE communicate at the same time. */
#include <pthread.h>
#include <shmem.h>
#include <stdio.h>

enum { THREADS = 4, ROUNDS = 1000 };
static long counter, slot[THREADS];

static void *work(void *arg)
{
    long number = (long *)arg - slot; /* a thread's slot gives its number */
    int right = (shmem_my_pe() + 1) % shmem_n_pes();
    for (int i = 0; i < ROUNDS; i++)
        shmem_atomic_add(&counter, number + 1, right);
    shmem_p(&slot[number], 100L * shmem_my_pe() + number, right);
    return NULL;
}

int main(void)
{
    int provided;
    if (shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided) != 0 || provided != SHMEM_THREAD_MULTIPLE) {
        fprintf(stderr, "this library does not allow several threads at once\n");
        return 1;
    }
    int me = shmem_my_pe(), n = shmem_n_pes(), left = (me + n - 1) % n, wrong = 0;
    pthread_t thread[THREADS];
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&thread[i], NULL, work, &slot[i]) != 0)
            shmem_global_exit(1);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    shmem_barrier_all();

    wrong += counter != ROUNDS * THREADS * (THREADS + 1) / 2;
    for (int i = 0; i < THREADS; i++)
        wrong += slot[i] != 100L * left + i;
    printf("PE %d: counter %ld, %d wrong\n", me, counter, wrong);
    shmem_finalize();
    return wrong != 0;
}
