/* run: oshrun -n 4 ./compare_swap */
/* All PEs try to store their number first. Compare-and-swap lets exactly one PE succeed; the others get its number. */
#include <shmem.h>
#include <stdio.h>

static int winner = -1, wins;

int main(void)
{
    shmem_init();
    int me = shmem_my_pe();
    int before = shmem_atomic_compare_swap(&winner, -1, me, 0);
    if (before == -1)
        shmem_atomic_inc(&wins, 0);
    shmem_barrier_all();
    int first = shmem_atomic_fetch(&winner, 0);
    int ok = shmem_atomic_fetch(&wins, 0) == 1 && (before == -1 ? first == me : first == before);
    printf("PE %d: PE %d was first: %s\n", me, first, ok ? "right" : "WRONG");
    shmem_finalize();
    return !ok;
}
