/* man: shmemx shmemx_put_blocks */
/* run: oshrun -n 2 ./shmemx */
/* prints: the column is there: 1 4 7 */
#include <shmemx.h>
#include <stdio.h>

static int matrix[3][3];

int main(void)
{
    const int column[] = {1, 4, 7};

    shmem_init();
    /* three blocks of one int; at the target they are one row apart */
    if (shmem_my_pe() == 0)
        shmemx_put_blocks(&matrix[0][0], column, sizeof matrix[0],
                          sizeof column[0], sizeof column[0], 3, 1);
    shmem_barrier_all();
    if (shmem_my_pe() == 1)
        printf("the column is there: %d %d %d\n",
               matrix[0][0], matrix[1][0], matrix[2][0]);
    shmem_finalize();
}
