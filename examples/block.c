/* run: oshrun -n 4 ./block */
/* A tile of a matrix in one call: ibput copies blocks of bsize elements whose starts are a stride apart. */
#include <shmem.h>
#include <stdio.h>

enum { ROWS = 8, COLUMNS = 10, TILE_ROWS = 3, TILE_COLUMNS = 4 };
static double field[ROWS][COLUMNS];

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), right = (me + 1) % n, left = (me + n - 1) % n, wrong = 0;
    double tile[TILE_ROWS][TILE_COLUMNS];
    for (int i = 0; i < TILE_ROWS; i++)
        for (int j = 0; j < TILE_COLUMNS; j++)
            tile[i][j] = 1000 * (me + 1) + 10 * i + j;

    /* The tile's upper left corner goes to row 2, column 5. */
    shmem_ibput(&field[2][5], &tile[0][0], COLUMNS, TILE_COLUMNS, TILE_COLUMNS, TILE_ROWS, right);
    shmem_barrier_all();

    for (int i = 0; i < ROWS; i++) {
        for (int j = 0; j < COLUMNS; j++) {
            int inside = i >= 2 && i < 2 + TILE_ROWS && j >= 5 && j < 5 + TILE_COLUMNS;
            wrong += field[i][j] != (inside ? 1000 * (left + 1) + 10 * (i - 2) + (j - 5) : 0);
        }
    }
    printf("PE %d: a %d x %d tile from PE %d, %d values wrong\n", me, TILE_ROWS, TILE_COLUMNS, left, wrong);
    shmem_finalize();
    return wrong != 0;
}
