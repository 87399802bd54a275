/* run: oshrun -n 4 ./wait_some */
/* Each PE sends to all PEs. wait_until_some returns the arrived entries; _vector takes the expected value of each. */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), calls = 0, wrong = 0;
    long *from = shmem_calloc((size_t)n, sizeof *from);
    long *expected = calloc((size_t)n, sizeof *expected);
    size_t *index = calloc((size_t)n, sizeof *index);
    int *taken = calloc((size_t)n, sizeof *taken);
    for (int pe = 0; pe < n; pe++)
        shmem_p(&from[me], 100L * me + pe + 1, pe);

    for (int pe = 0; pe < n; pe++)
        expected[pe] = 100L * pe + me + 1;
    for (size_t left = (size_t)n, some; left > 0; left -= some, calls++) {
        some = shmem_wait_until_some_vector(from, (size_t)n, index, taken, SHMEM_CMP_EQ, expected);
        for (size_t i = 0; i < some; i++)
            wrong += from[index[i]] != expected[index[i]] || taken[index[i]]++;
    }
    printf("PE %d: %d values in %d waits, %d wrong\n", me, n, calls, wrong);
    free(expected);
    free(index);
    free(taken);
    shmem_free(from);
    shmem_finalize();
    return wrong != 0;
}
