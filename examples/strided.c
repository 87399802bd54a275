/* run: oshrun -n 4 ./strided */
/* A local row becomes a remote column: iput takes every sst-th element and stores it in every dst-th. */
#include <shmem.h>
#include <stdio.h>

enum { ROWS = 6, COLUMNS = 4 };
static int matrix[ROWS][COLUMNS], copy[COLUMNS];

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), right = (me + 1) % n, left = (me + n - 1) % n, wrong = 0;
    int row[ROWS];
    for (int i = 0; i < ROWS; i++)
        row[i] = 100 * me + i;
    shmem_iput(&matrix[0][2], row, COLUMNS, 1, ROWS, right); /* into column 2 */
    shmem_barrier_all();
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            wrong += matrix[i][j] != (j == 2 ? 100 * left + i : 0);

    shmem_iget(copy, &matrix[0][2], 1, 2 * COLUMNS, ROWS / 2, right); /* every second row of column 2 */
    for (int i = 0; i < ROWS / 2; i++)
        wrong += copy[i] != 100 * me + 2 * i;
    printf("PE %d: column from PE %d, %d values wrong\n", me, left, wrong);
    shmem_finalize();
    return wrong != 0;
}
