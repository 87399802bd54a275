/* man: shmem_ibput */
/* run: oshrun -n 2 ./ibput */
/* prints: 1 2 0 4 5 0 */
#include <shmem.h>
#include <stdio.h>

static int numbers[6];

int main(void)
{
    shmem_init();
    const int mine[] = {1, 2, 3, 4, 5, 6};
    if (shmem_my_pe() == 0) {
        /* two blocks of two; they begin three apart */
        shmem_ibput(numbers, mine, 3, 3, 2, 2, 1);
    }
    shmem_barrier_all();
    if (shmem_my_pe() == 1)
        for (int i = 0; i < 6; i++)
            printf("%d%c", numbers[i], i < 5 ? ' ' : '\n');
    shmem_finalize();
}
