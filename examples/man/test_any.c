/* man: shmem_test_all */
/* run: oshrun -n 2 ./test_any */
/* prints: 1 of 2 has arrived: number 1 */
#include <shmem.h>
#include <stdio.h>

static int flags[2];

int main(void)
{
    size_t which[2];

    shmem_init();
    if (shmem_my_pe() == 0)
        shmem_atomic_set(&flags[1], 1, 1);
    shmem_barrier_all();
    if (shmem_my_pe() == 1) {
        const size_t n = shmem_test_some(flags, 2, which, NULL,
                                         SHMEM_CMP_EQ, 1);
        if (!shmem_test_all(flags, 2, NULL, SHMEM_CMP_EQ, 1))
            printf("%zu of 2 has arrived: number %zu\n", n, which[0]);
    }
    shmem_finalize();
}
