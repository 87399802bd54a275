/* man: shmem_iput */
/* run: oshrun -n 2 ./iput */
/* prints: 1 0 3 0 5 0 */
#include <shmem.h>
#include <stdio.h>

static int numbers[6];

int main(void)
{
    shmem_init();
    const int mine[] = {1, 2, 3, 4, 5, 6};
    if (shmem_my_pe() == 0) {
        /* every second element, to every second element */
        shmem_iput(numbers, mine, 2, 2, 3, 1);
    }
    shmem_barrier_all();
    if (shmem_my_pe() == 1)
        for (int i = 0; i < 6; i++)
            printf("%d%c", numbers[i], i < 5 ? ' ' : '\n');
    shmem_finalize();
}
