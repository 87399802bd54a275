/* man: shmem_team_split_2d */
/* run: oshrun -n 4 ./team_split_2d */
/* prints: PE 3 is in column 1 of row 1 */
#include <shmem.h>
#include <stdio.h>

int main(void)
{
    shmem_team_t row, column;

    shmem_init();
    if (shmem_team_split_2d(SHMEM_TEAM_WORLD, 2, NULL, 0, &row,
                            NULL, 0, &column) != 0)
        return 1;
    if (shmem_my_pe() == 3)
        printf("PE 3 is in column %d of row %d\n",
               shmem_team_my_pe(row), shmem_team_my_pe(column));
    shmem_team_destroy(column);
    shmem_team_destroy(row);
    shmem_finalize();
}
