/* man: shmem_wait_until_all_vector */
/* run: oshrun -n 2 ./wait_until_vector */
/* prints: 7 and 8 have arrived */
#include <shmem.h>
#include <stdio.h>

static int numbers[2];

int main(void)
{
    const int wanted[] = {7, 8};

    shmem_init();
    if (shmem_my_pe() == 0) {
        for (int i = 0; i < 2; i++)
            shmem_atomic_set(&numbers[i], wanted[i], 1);
    } else {
        shmem_wait_until_all_vector(numbers, 2, NULL, SHMEM_CMP_EQ,
                                    wanted);
        printf("%d and %d have arrived\n", numbers[0], numbers[1]);
    }
    shmem_finalize();
}
