/* man: shmem_ibget */
/* run: oshrun -n 2 ./ibget */
/* prints: two columns of PE 1: 1 2, 4 5, 7 8 */
#include <shmem.h>
#include <stdio.h>

static int matrix[3][3];

int main(void)
{
    int part[3][2];

    shmem_init();
    for (int i = 0; i < 9; i++)
        matrix[i / 3][i % 3] = shmem_my_pe() * i;
    shmem_barrier_all();
    if (shmem_my_pe() == 0) {
        /* three blocks of two */
        shmem_ibget(&part[0][0], &matrix[0][1], 2, 3, 2, 3, 1);
        printf("two columns of PE 1: %d %d, %d %d, %d %d\n",
               part[0][0], part[0][1], part[1][0], part[1][1],
               part[2][0], part[2][1]);
    }
    shmem_finalize();
}
