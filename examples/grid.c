/* run: oshrun -n 4 ./grid */
/* A grid of PEs two columns wide: split_2d gives each PE the team of its row and that of its column. */
#include <shmem.h>
#include <stdio.h>

static int number, row_sum, column_sum;

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), columns = 2;
    shmem_team_t row, column;
    if (shmem_team_split_2d(SHMEM_TEAM_WORLD, columns, NULL, 0, &row, NULL, 0, &column) != 0)
        shmem_global_exit(1);
    int x = shmem_team_my_pe(row), y = shmem_team_my_pe(column);

    number = me + 1;
    shmem_sum_reduce(row, &row_sum, &number, 1);
    shmem_sum_reduce(column, &column_sum, &number, 1);
    int in_row = 0, in_column = 0;
    for (int pe = 0; pe < n; pe++) {
        in_row += pe / columns == y ? pe + 1 : 0;
        in_column += pe % columns == x ? pe + 1 : 0;
    }
    int ok = x == me % columns && y == me / columns && row_sum == in_row && column_sum == in_column;
    printf("PE %d at (%d, %d): row sum %d, column sum %d: %s\n", me, x, y, row_sum, column_sum, ok ? "right" : "WRONG");
    shmem_team_destroy(row);
    shmem_team_destroy(column);
    shmem_finalize();
    return !ok;
}
