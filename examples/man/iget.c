/* man: shmem_iget */
/* run: oshrun -n 2 ./iget */
/* prints: a column of PE 1: 2 5 8 */
#include <shmem.h>
#include <stdio.h>

static int matrix[3][3];

int main(void)
{
    int column[3];

    shmem_init();
    for (int i = 0; i < 9; i++)
        matrix[i / 3][i % 3] = shmem_my_pe() * i;
    shmem_barrier_all();
    if (shmem_my_pe() == 0) {
        shmem_iget(column, &matrix[0][2], 1, 3, 3, 1);
        printf("a column of PE 1: %d %d %d\n",
               column[0], column[1], column[2]);
    }
    shmem_finalize();
}
