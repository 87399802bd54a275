/* run: oshrun -n 4 ./wait_any */
/* PE 0 takes the others' results in the order in which they arrive. */
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), ok = 1;
    int *result = shmem_calloc((size_t)n, sizeof *result); /* on PE 0, one from each PE; 0: not yet arrived */
    shmem_p(&result[me], (me + 1) * (me + 1), 0);

    if (me == 0) {
        int *taken = calloc((size_t)n, sizeof *taken), sum = 0;
        for (int i = 0; i < n; i++) {
            size_t pe = shmem_wait_until_any(result, (size_t)n, taken, SHMEM_CMP_NE, 0);
            taken[pe]++; /* excludes this PE from the next wait */
            sum += result[pe];
            printf("PE %zu sent %d\n", pe, result[pe]);
        }
        ok = sum == n * (n + 1) * (2 * n + 1) / 6;
        ok = ok && shmem_wait_until_any(result, (size_t)n, taken, SHMEM_CMP_NE, 0) == SIZE_MAX; /* none left */
        printf("sum of %d squares is %d: %s\n", n, sum, ok ? "right" : "WRONG");
        free(taken);
    }
    shmem_barrier_all();
    shmem_free(result);
    shmem_finalize();
    return !ok;
}
