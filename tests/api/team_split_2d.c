/* shmem_team_split_2d: every row length, wider than the team too, from the world and from nested teams; a split of a
 * split makes three dimensions. */
#include "coll_team.h"

/* Splits `parent`, whose PE k is world PE first + k * step. */
static void grid(shmem_team_t parent, int first, int step, int n, int xrange)
{
    shmem_team_t row = (shmem_team_t)&row, column = (shmem_team_t)&column;
    int me = shmem_team_my_pe(parent), x = me % xrange, y = me / xrange;
    int rc = shmem_team_split_2d(parent, xrange, NULL, 0, &row, NULL, 0, &column);
    CHECK(rc == 0, "xrange %d of %d PEs returned %d", xrange, n, rc);
    int row_size = (y + 1) * xrange <= n ? xrange : n - y * xrange, column_size = (n - x + xrange - 1) / xrange;
    CHECK(shmem_team_my_pe(row) == x, "xrange %d of %d: x is %d, expected %d", xrange, n, shmem_team_my_pe(row), x);
    CHECK(shmem_team_my_pe(column) == y, "xrange %d of %d: y is %d, expected %d", xrange, n,
          shmem_team_my_pe(column), y);
    CHECK(shmem_team_n_pes(row) == row_size, "row of %d, expected %d", shmem_team_n_pes(row), row_size);
    CHECK(shmem_team_n_pes(column) == column_size, "column of %d, expected %d", shmem_team_n_pes(column),
          column_size);
    for (int k = 0; k < row_size; k++)
        CHECK(shmem_team_translate_pe(row, k, parent) == y * xrange + k, "row member %d", k);
    for (int k = 0; k < column_size; k++)
        CHECK(shmem_team_translate_pe(column, k, SHMEM_TEAM_WORLD) == first + (k * xrange + x) * step, "column %d", k);

    /* Sums first along the rows, then along the columns: every member of the parent is counted once. */
    static long mine, of_row, of_all;
    mine = me + 1;
    shmem_long_sum_reduce(row, &of_row, &mine, 1);
    CHECK(of_row == row_size * (2 * y * xrange + row_size + 1) / 2, "sum of the row is %ld", of_row);
    shmem_long_sum_reduce(column, &of_all, &of_row, 1);
    int rows = (n + xrange - 1) / xrange, last = n - (rows - 1) * xrange;
    long all = (long)n * (n + 1) / 2, last_row = (long)last * (2 * (rows - 1) * xrange + last + 1) / 2;
    CHECK(of_all == all - (x >= last ? last_row : 0), "sum over the grid is %ld of %ld", of_all, all);
    shmem_team_destroy(row);
    shmem_team_destroy(column);
}

static void refused(shmem_team_t parent, int xrange)
{
    shmem_team_t row = (shmem_team_t)&row, column = (shmem_team_t)&column;
    CHECK(shmem_team_split_2d(parent, xrange, NULL, 0, &row, NULL, 0, &column) != 0, "xrange %d was accepted", xrange);
    CHECK(row == SHMEM_TEAM_INVALID && column == SHMEM_TEAM_INVALID, "xrange %d left a handle", xrange);
}

int main(void)
{
    shmem_init();
    int n = shmem_n_pes();
    for (int xrange = 1; xrange <= n; xrange++)
        grid(SHMEM_TEAM_WORLD, 0, 1, n, xrange);
    grid(SHMEM_TEAM_WORLD, 0, 1, n, n + 1); /* one row, not full */
    grid(SHMEM_TEAM_WORLD, 0, 1, n, 1 << 30);
    const struct near near = near_pes();
    grid(SHMEM_TEAM_SHARED, near.first, 1, near.n, 2);
    struct shape odd = n > 1 ? shape_split("odd", 1, 2, n / 2) : shape_split("single", 0, 0, 1);
    struct shape reverse = shape_split("reverse", n - 1, -1, n);
    for (int xrange = 1; xrange <= 3; xrange++) {
        if (odd.me >= 0)
            grid(odd.team, odd.start, odd.stride, odd.size, xrange);
        grid(reverse.team, n - 1, -1, n, xrange);
    }

    shmem_team_t plane, line, row, column;
    CHECK(shmem_team_split_2d(SHMEM_TEAM_WORLD, 4, NULL, 0, &plane, NULL, 0, &line) == 0, "planes");
    CHECK(shmem_team_split_2d(plane, 2, NULL, 0, &row, NULL, 0, &column) == 0, "rows of a plane");
    int x = shmem_team_my_pe(row), y = shmem_team_my_pe(column), z = shmem_team_my_pe(line);
    CHECK(x + 2 * y + 4 * z == shmem_my_pe(), "PE %d is at %d %d %d", shmem_my_pe(), x, y, z);
    shmem_team_destroy(row);
    shmem_team_destroy(column);
    shmem_team_destroy(plane);
    shmem_team_destroy(line);

    refused(SHMEM_TEAM_INVALID, 1);
    refused(SHMEM_TEAM_WORLD, 0);
    refused(SHMEM_TEAM_WORLD, -1);
    if (odd.me >= 0)
        shmem_team_destroy(odd.team);
    shmem_team_destroy(reverse.team);
    shmem_finalize();
    return check_result();
}
