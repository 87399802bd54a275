/* The halo exchange of a 3-D stencil (Hamidouche et al. 2016, section V): each PE of a near-cubic grid, a torus, gets
 * its six halos from its neighbours, or puts its six faces there, and completes them by a quiet.
 *
 * A time is that of the exchange alone, averaged over all PEs; a barrier separates slices of many exchanges. In a
 * dimension of one or two PEs, both neighbours are the same PE, with different faces. */
/* pes: 1 2 4 8 */
/* args: check */
#include "transfer.h"
#include "../../timing/compute.h"

enum { SIDES = 6, MAX_BYTES = 2048, MAX_WORDS = MAX_BYTES / 8 };

static int neighbours[SIDES]; /* side 2d is below in dimension d, side 2d + 1 above */
static long (*faces)[MAX_WORDS], (*halos)[MAX_WORDS]; /* symmetric */

static int opposite(int side)
{
    return side ^ 1;
}

/* Finds the three factors of the number of PEs whose grid has the least surface. */
static void make_grid(int pes, int grid[3])
{
    int least = 0;
    for (int a = 1; a * a * a <= pes; a++)
        for (int b = a; pes % a == 0 && a * b * b <= pes; b++) {
            const int c = pes / a / b, surface = a * b + b * c + a * c;
            if (a * b * c != pes || (least > 0 && surface >= least))
                continue;
            least = surface;
            grid[0] = a, grid[1] = b, grid[2] = c;
        }
}

/* PEs are numbered along dimension 0 first, so that a node has whole planes of dimension 2. */
static void find_neighbours(void)
{
    int grid[3];
    make_grid(bench.pes, grid);
    for (int d = 0, step = 1; d < 3; step *= grid[d++]) {
        const int at = bench.pe / step % grid[d], row = bench.pe - at * step;
        neighbours[2 * d] = row + (at + grid[d] - 1) % grid[d] * step;
        neighbours[2 * d + 1] = row + (at + 1) % grid[d] * step;
    }
}

static inline void exchange(const struct kind *k, size_t bytes)
{
    for (int side = 0; side < SIDES; side++) {
        if (k->put)
            k->move(halos[opposite(side)], faces[side], bytes, neighbours[side]);
        else
            k->move(halos[side], faces[opposite(side)], bytes, neighbours[side]);
    }
    if (!k->ends)
        quiet();
}

static const struct kind *kind;

BENCH_LOOP(exchanges, true, exchange(kind, bytes))

static uint64_t pattern_of(uint64_t row, int pe, int side)
{
    return (row * (uint64_t)bench.pes + (uint64_t)pe) * SIDES + (uint64_t)side;
}

static void time_exchange(size_t bytes)
{
    static uint64_t row_number;
    char row[40];
    snprintf(row, sizeof row, "stencil %s", kind->name);
    row_number++;
    for (int side = 0; side < SIDES; side++)
        bench_fill((uint64_t *)faces[side], bytes, pattern_of(row_number, bench.pe, side));
    memset(halos, 0, SIDES * sizeof *halos);

    measure(row, bytes, exchanges);
    /* The halo of a side is the opposite face of the neighbour on that side. */
    for (int side = 0; side < SIDES; side++)
        bench_expect_filled(row, (uint64_t *)halos[side], bytes,
                            pattern_of(row_number, neighbours[side], opposite(side)));
    bench.agree(0, 0);
}

int main(int argc, char **argv)
{
    pes_start(argc, argv, 1);
    only_argument(argc, argv);
    find_neighbours();
    bench.figure = mean_of_pes;
    faces = pes_alloc(SIDES * sizeof *faces);
    halos = pes_alloc(SIDES * sizeof *halos);
    for (size_t bytes = 512; bytes <= MAX_BYTES; bytes *= 4)
        for (kind = kinds; kind < kinds + KINDS; kind++)
            time_exchange(bytes);
    return pes_end();
}
