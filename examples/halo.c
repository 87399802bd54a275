/* run: oshrun -n 4 ./halo */
/* Heat in a rod: a PE reads its neighbours' border cells by ordinary loads through shmem_ptr.  The answer must equal
 * that of one PE alone. */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

enum { CELLS = 20, STEPS = 50 };
static double cells[2][CELLS]; /* this PE's cells before and after a step */

static double border(double *cell, int pe)
{
    double *there = shmem_ptr(cell, pe);
    return there ? *there : shmem_g(cell, pe); /* NULL: on another node */
}

static double step(double left, double here, double right)
{
    return here + 0.25 * (left - 2 * here + right);
}

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), total = n * CELLS, wrong = 0;
    double *alone = calloc((size_t)total, sizeof *alone), *next = calloc((size_t)total, sizeof *next);
    for (int i = 0; i < total; i++)
        alone[i] = i % 7;
    for (int i = 0; i < CELLS; i++)
        cells[0][i] = (me * CELLS + i) % 7;

    for (int s = 0; s < STEPS; s++) {
        double *old = cells[s % 2], *new = cells[(s + 1) % 2];
        shmem_barrier_all(); /* the old cells are complete on all PEs, and no PE reads the new cells any more */
        double left = me > 0 ? border(&old[CELLS - 1], me - 1) : 0, right = me < n - 1 ? border(&old[0], me + 1) : 0;
        for (int i = 0; i < CELLS; i++)
            new[i] = step(i > 0 ? old[i - 1] : left, old[i], i < CELLS - 1 ? old[i + 1] : right);
        for (int i = 0; i < total; i++)
            next[i] = step(i > 0 ? alone[i - 1] : 0, alone[i], i < total - 1 ? alone[i + 1] : 0);
        double *swap = alone;
        alone = next;
        next = swap;
    }
    for (int i = 0; i < CELLS; i++)
        wrong += cells[STEPS % 2][i] != alone[me * CELLS + i];
    printf("PE %d: first cell %.6f, %d of %d wrong\n", me, cells[STEPS % 2][0], wrong, CELLS);
    free(alone);
    free(next);
    shmem_finalize();
    return wrong != 0;
}
