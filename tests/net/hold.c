/* A job on several nodes to which strangers try to connect until its standard input ends. */
#include <shmem.h>
#include <stdio.h>

int main(void)
{
    static long from;
    shmem_init();
    const int me = shmem_my_pe(), n = shmem_n_pes();
    shmem_long_p(&from, me + 1, (me + 1) % n);
    shmem_barrier_all();
    if (me == 0) {
        printf("ready\n");
        fflush(stdout);
        while (getchar() != EOF) { /* waits for the end of the input */ }
    }
    shmem_barrier_all();
    const int is_wrong = from != (me + n - 1) % n + 1;
    shmem_finalize();
    return is_wrong;
}
