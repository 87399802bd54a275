/* man: shmem_test_all_vector */
/* run: oshrun -n 2 ./test_vector */
/* prints: number 1 has what is wanted */
#include <shmem.h>
#include <stdio.h>

static int numbers[2];

int main(void)
{
    const int wanted[] = {7, 8};

    shmem_init();
    if (shmem_my_pe() == 0)
        shmem_atomic_set(&numbers[1], 8, 1);
    shmem_barrier_all();
    if (shmem_my_pe() == 1)
        printf("number %zu has what is wanted\n",
               shmem_test_any_vector(numbers, 2, NULL, SHMEM_CMP_EQ,
                                     wanted));
    shmem_finalize();
}
